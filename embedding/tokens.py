"""The tokenizer of a model, set up as fastembed sets it up."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from kb.embedding.errors import ModelError
from kb.embedding.model import Model
from kb.embedding.record import read_json

if TYPE_CHECKING:
    from tokenizers import AddedToken, Tokenizer


def load_tokenizer(model: Model) -> Tokenizer:
    """Return the tokenizer, cutting at the model's length and padding nothing.

    Raises ModelError where it cannot be read.
    """
    from tokenizers import Tokenizer

    path = model.folder / "tokenizer.json"
    try:
        tokenizer = Tokenizer.from_file(str(path))
    except Exception as error:  # the library raises plain Exception
        raise ModelError(f"`{path}` cannot be read: {error}") from error
    config = read_json(model.folder / "tokenizer_config.json")
    stored = tokenizer.truncation or {}
    side = config.get("truncation_side") or stored.get("direction") or "right"
    tokenizer.no_padding()
    tokenizer.enable_truncation(max_length=model.max_tokens, direction=side)
    for token in _special_tokens(model.folder):
        tokenizer.add_special_tokens([token])
    return tokenizer


def pieces_per_word(model: Model, words: Sequence[str]) -> float:
    """Return how many pieces the model cuts these words into, on the average; 0.0 for none.

    A word that the model has learnt is one piece or two; letters in no order are many.
    Raises ModelError.
    """
    if not words:
        return 0.0
    tokenizer = load_tokenizer(model)
    pieces = [len(tokenizer.encode(clean(word), add_special_tokens=False)) for word in words]
    return sum(pieces) / len(pieces)


def count_tokens(model: Model) -> Callable[[str], int]:
    """Return what counts the tokens of a text, however long, without those put around it.

    Raises ModelError where the tokenizer cannot be read.
    """
    tokenizer = load_tokenizer(model)
    tokenizer.no_truncation()

    def count(text: str) -> int:
        return len(tokenizer.encode(clean(text), add_special_tokens=False))

    return count


def clean(text: str) -> str:
    """Return a text that a tokenizer takes: halves of surrogate pairs are replaced."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode("utf-8")
    return text


def _special_tokens(folder: Path) -> Iterator[str | AddedToken]:
    """Yield the tokens that `special_tokens_map.json` names; most are known already."""
    from tokenizers import AddedToken

    for value in read_json(folder / "special_tokens_map.json").values():
        for token in value if isinstance(value, list) else [value]:
            if isinstance(token, str):
                yield token
            elif isinstance(token, dict):
                yield AddedToken(**token)
