"""Weights and tokenizer of one model in one folder, which is how fastembed loads them."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from pathlib import Path

from kb.embedding.errors import ModelError
from kb.embedding.folder import data_files, tokenizer_limits
from kb.embedding.hashes import file_sha256
from kb.embedding.model import Model
from kb.embedding.places import ASSEMBLED, make_private_folder
from kb.embedding.record import read_json

_COMPANIONS = (
    "config.json",
    "special_tokens_map.json",
    "tokenizer.json",
)
_PAD_TOKENS = ("[PAD]", "<pad>", "<|padding|>", "<|endoftext|>")


def assembled_folder(model: Model, root: Path) -> Path:
    """Return a folder that fastembed can load the model from.

    The model's own where that will do, else one in our cache, built aside and renamed, so that
    two processes cannot meet in it. Raises ModelError where it cannot be written.
    """
    if is_loadable(model):
        return model.folder
    target = root / ASSEMBLED / model.fingerprint
    if _is_current(target, model, root):
        return target
    try:
        make_private_folder(target.parent)
        aside = Path(tempfile.mkdtemp(dir=target.parent, prefix=f".{model.fingerprint}."))
        try:
            _fill(aside, model)
            _put_in_place(aside, target, model, root)
        finally:
            shutil.rmtree(aside, ignore_errors=True)
    except OSError as error:
        raise ModelError(
            f"the model cannot be prepared in `{target.parent}`: {error.strerror or error}",
            "make that folder writable",
        ) from error
    return target


def is_loadable(model: Model) -> bool:
    """Return whether the model's own folder holds all that fastembed asks for, cut alike."""
    config = read_json(model.folder / "tokenizer_config.json")
    limits = [limit for limit in tokenizer_limits(config) if isinstance(limit, int)]
    return (
        model.weights.is_relative_to(model.folder)
        and min(limits, default=0) == model.max_tokens
        and isinstance(config.get("pad_token"), str)
    )


def _is_current(target: Path, model: Model, root: Path) -> bool:
    """Return whether a folder built before still holds the weights of this model."""
    weights = target / model.weights.name
    return weights.is_file() and file_sha256(weights, root) == file_sha256(model.weights, root)


def _put_in_place(aside: Path, target: Path, model: Model, root: Path) -> None:
    """Rename the new folder to its name, unless another process was faster."""
    try:
        aside.rename(target)
    except OSError:
        if _is_current(target, model, root):
            return
        shutil.rmtree(target)  # left over from weights that are gone
        aside.rename(target)


def _fill(folder: Path, model: Model) -> None:
    for name in _COMPANIONS:
        if (model.folder / name).is_file():
            shutil.copyfile(model.folder / name, folder / name)
    config = {
        **read_json(model.folder / "tokenizer_config.json"),
        "model_max_length": model.max_tokens,
        "max_length": None,
    }
    if not isinstance(config.get("pad_token"), str):
        config["pad_token"] = _pad_token(folder)
    (folder / "tokenizer_config.json").write_text(json.dumps(config), encoding="utf-8")
    for path in (model.weights, *data_files(model.weights)):
        _link(path.resolve(), folder / path.name)


def _pad_token(folder: Path) -> str:
    """Return the token that fills up short texts. Which one it is does not reach the vectors."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    padding = tokenizer.padding or {}
    if padding.get("pad_token"):
        return str(padding["pad_token"])
    for token in _PAD_TOKENS:
        if tokenizer.token_to_id(token) is not None:
            return token
    raise ModelError(
        f"the tokenizer in `{folder}` has no token to fill up short texts with",
        "write `pad_token` into its `tokenizer_config.json`",
    )


def _link(source: Path, link: Path) -> None:
    """Make a file appear in a second place: a link where the system allows one, else a copy."""
    for make in (os.symlink, os.link, shutil.copyfile):
        try:
            make(source, link)
        except OSError:
            if make is shutil.copyfile:
                raise
            continue
        return
