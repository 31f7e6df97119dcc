"""JSON to values, numbers as written."""

from __future__ import annotations

import json
from typing import Any

from kb.indexer.values import FrontValue, Leaf, leaf
from kb.indexer.yaml_values import MAX_DEPTH, FrontMatterError


def _number(text: str) -> Leaf:
    return leaf(text)


_NAMES = {None: "null", True: "true", False: "false"}
_DECODER = json.JSONDecoder(parse_int=_number, parse_float=_number, parse_constant=_number)


def parse_json(text: str) -> FrontValue:
    """The value of a JSON document. Raises FrontMatterError where it is none."""
    try:
        return plain_values(_DECODER.decode(text))
    except ValueError as error:
        raise FrontMatterError(str(error)) from error
    except RecursionError as error:
        raise FrontMatterError("nested too deeply") from error


def parse_leading_object(text: str) -> tuple[dict[str, FrontValue], int] | None:
    """The JSON object that opens a text and the offset behind it, None where none does."""
    try:
        decoded, end = _DECODER.raw_decode(text)
        value = plain_values(decoded)
    except (ValueError, RecursionError, FrontMatterError):
        # No JSON: a text may start with a brace for any other reason, so this is no problem.
        return None
    return (value, end) if isinstance(value, dict) else None


def plain_values(value: Any, depth: int = 0) -> FrontValue:
    """Values from what the standard library's readers of JSON and TOML give.

    Raises FrontMatterError for nesting deeper than MAX_DEPTH.
    """
    if depth > MAX_DEPTH:
        raise FrontMatterError(f"nested deeper than {MAX_DEPTH} levels")
    if isinstance(value, Leaf):
        return value
    if isinstance(value, dict):
        return {str(key): plain_values(item, depth + 1) for key, item in value.items()}
    if isinstance(value, list):
        return [plain_values(item, depth + 1) for item in value]
    if isinstance(value, str):
        return leaf(value, quoted=True)
    # Null and switches by their names; numbers, and TOML's dates and times, as Python writes them.
    return leaf(_NAMES[value] if value is None or isinstance(value, bool) else str(value))
