"""TOML to values, as written where the reader still knows how that was."""

from __future__ import annotations

import tomllib

from kb.indexer.json_values import plain_values
from kb.indexer.values import FrontValue, leaf
from kb.indexer.yaml_values import FrontMatterError

# tomllib's time grows with the square of a dotted key's parts, and of some other things.
MAX_LENGTH = 32 * 1024
_MAX_DOTS_IN_A_KEY = 50


def parse_toml(text: str) -> FrontValue:
    """The value of a TOML document. Raises FrontMatterError where it is none, or too long."""
    if len(text) > MAX_LENGTH:
        raise FrontMatterError(f"longer than {MAX_LENGTH:,} characters")
    if any(line.partition("=")[0].count(".") > _MAX_DOTS_IN_A_KEY for line in text.split("\n")):
        raise FrontMatterError(f"a key of more than {_MAX_DOTS_IN_A_KEY} parts")
    try:
        return plain_values(tomllib.loads(text, parse_float=leaf))
    except ValueError as error:
        raise FrontMatterError(str(error)) from error
    except RecursionError as error:
        raise FrontMatterError("nested too deeply") from error
