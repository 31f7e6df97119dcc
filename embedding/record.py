"""`kb-model.json`, the record of a model in its folder: what cannot be read from its other files.

Every key may be missing; see `Record` for their meaning.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path, PurePosixPath

from kb.embedding.errors import ModelError
from kb.embedding.hashes import write_atomically
from kb.embedding.model import ModelKind, Pooling

RECORD_NAME = "kb-model.json"


@dataclass(frozen=True, slots=True)
class Record:
    """What a record says; None where it is silent. `weights` is relative to the folder."""

    name: str | None = None
    weights: str | None = None
    dimension: int | None = None
    pooling: str | None = None
    normalise: bool | None = None
    query_prefix: str | None = None
    passage_prefix: str | None = None
    languages: tuple[str, ...] | None = None
    max_tokens: int | None = None
    output_name: str | None = None
    kind: str | None = None


def read_json(path: Path) -> Mapping[str, object]:
    """Return the object in a JSON file, empty where there is no such file. Raises ModelError."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError) as error:
        raise ModelError(f"`{path}` cannot be read: {error}") from error
    if not isinstance(content, dict):
        raise ModelError(f"`{path}` holds no JSON object")
    return content


def read_record(folder: Path) -> Record:
    """Return the record of a model folder, an empty one where there is none."""
    path = folder / RECORD_NAME
    return parse_record(read_json(path), str(path))


def write_record(folder: Path, record: Record) -> None:
    """Write a record into a model folder, leaving out what it does not say. Raises OSError."""
    said = {key: value for key, value in asdict(record).items() if value is not None}
    write_atomically(folder / RECORD_NAME, json.dumps(said, ensure_ascii=False, indent=2) + "\n")


def parse_record(content: Mapping[str, object], where: str) -> Record:
    """Return a record from its JSON object; unknown keys are left alone. Raises ModelError."""
    weights = _text(content, "weights", where)
    if weights is not None and not _is_inside(weights):
        raise _wrong(where, "weights", "a path inside the folder")
    return Record(
        name=_text(content, "name", where),
        weights=weights,
        dimension=_count(content, "dimension", where),
        pooling=_choice(content, "pooling", tuple(Pooling), where),
        normalise=_flag(content, "normalise", where),
        query_prefix=_text(content, "query_prefix", where),
        passage_prefix=_text(content, "passage_prefix", where),
        languages=_languages(content, where),
        max_tokens=_count(content, "max_tokens", where),
        output_name=_text(content, "output_name", where),
        kind=_choice(content, "kind", tuple(ModelKind), where),
    )


def _wrong(where: str, key: str, wanted: str) -> ModelError:
    return ModelError(f"`{key}` in `{where}` is not {wanted}", f"correct `{where}`")


def _is_inside(path: str) -> bool:
    parts = PurePosixPath(path.replace("\\", "/"))
    return bool(path) and not parts.is_absolute() and ".." not in parts.parts and ":" not in path


def _text(content: Mapping[str, object], key: str, where: str) -> str | None:
    value = content.get(key)
    if value is not None and not isinstance(value, str):
        raise _wrong(where, key, "text")
    return value


def _flag(content: Mapping[str, object], key: str, where: str) -> bool | None:
    value = content.get(key)
    if value is not None and not isinstance(value, bool):
        raise _wrong(where, key, "true or false")
    return value


def _count(content: Mapping[str, object], key: str, where: str) -> int | None:
    value = content.get(key)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or not 0 < value <= 1_000_000:
        raise _wrong(where, key, "a whole number above 0")
    return value


def _choice(
    content: Mapping[str, object], key: str, choices: tuple[str, ...], where: str
) -> str | None:
    value = _text(content, key, where)
    if value is not None and value not in choices:
        raise _wrong(where, key, f"one of {', '.join(f'`{choice}`' for choice in choices)}")
    return value


def _languages(content: Mapping[str, object], where: str) -> tuple[str, ...] | None:
    value = content.get("languages")
    if value is None:
        return None
    if not isinstance(value, list) or not value or not all(isinstance(x, str) for x in value):
        raise _wrong(where, "languages", "a list of language codes")
    return tuple(str(code).casefold() for code in value)
