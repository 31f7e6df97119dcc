"""Front matter: what stands before a note's text, in YAML, TOML or JSON.

Where it begins and ends is decided by Obsidian's rules, what it says by python-frontmatter with
handlers that keep values as written. Front matter that cannot be read never costs the note: its
simple lines are still taken, and the problem is told.
"""

from __future__ import annotations

import re
from typing import NamedTuple, cast

from kb.indexer.plain_yaml import parse_plain_yaml
from kb.indexer.recovery import recover_lines
from kb.indexer.values import FrontValue
from kb.indexer.yaml_values import FrontMatterError
from kb.text.front_block import FrontBlock, find_front_block

# Longer front matter is read line by line: the libraries' cost can grow faster than its length.
MAX_LENGTH = 256 * 1024

_JSON_START = re.compile(r'\{\s{0,100}"')


class FrontMatter(NamedTuple):
    """What a note's front matter says.

    `values` are its properties, in order. `block` is its source and `block_line` the line the
    source starts on. `body_line` is the line the note's text starts on and `body_start` that
    line's offset; without front matter, 1 and 0.
    """

    values: dict[str, FrontValue]
    block: str
    block_line: int
    body_line: int
    body_start: int
    problems: tuple[str, ...]


NONE = FrontMatter({}, "", 1, 1, 0, ())


def parse_front_matter(text: str) -> FrontMatter:
    """The front matter of a note and where its text starts. Never raises."""
    if block := find_front_block(text):
        return _delimited(block)
    if text.startswith("{") and _JSON_START.match(text):
        return _leading_json(text)
    return NONE


def _delimited(found: FrontBlock) -> FrontMatter:
    """What a block between two lines says; NONE where that is no front matter."""
    problems: list[str] = []
    values = _read(found.kind, found.source, problems)
    if not values and problems:
        # Two rules around text, not front matter: nothing may be lost, all of it is the note.
        return NONE._replace(problems=tuple(problems))
    body_line = found.lines + 1
    return FrontMatter(values, found.source, 2, body_line, found.body_start, tuple(problems))


def _read(kind: str, block: str, problems: list[str]) -> dict[str, FrontValue]:
    """The values of a block; read line by line, with a problem, where it is malformed."""
    if not block.strip():
        return {}
    try:
        return _load(kind, block, problems)
    except FrontMatterError as error:
        recovered = recover_lines(block[:MAX_LENGTH], "=" if kind == "toml" else ":")
        taken = "its simple lines were taken" if recovered else "it was read as text"
        problems.append(f"the front matter could not be read: {error}; {taken}")
        return recovered


def _load(kind: str, block: str, problems: list[str]) -> dict[str, FrontValue]:
    if len(block) > MAX_LENGTH:
        raise FrontMatterError(f"longer than {MAX_LENGTH:,} characters")
    plain = parse_plain_yaml(block) if kind == "yaml" else None
    if plain is not None:
        return plain
    # Both imports cost 31 ms, which most runs do not pay.
    import frontmatter

    from kb.indexer.handlers import handler_for

    handler = handler_for(kind, block, problems)
    mark = handler.START_DELIMITER
    metadata, _ = frontmatter.parse(f"{mark}\n{block}{mark}\n", handler=handler)
    return cast("dict[str, FrontValue]", metadata)


def _leading_json(text: str) -> FrontMatter:
    """A JSON object that opens the file and ends a line, as Hugo writes it."""
    from kb.indexer.json_values import parse_leading_object

    found = parse_leading_object(text[:MAX_LENGTH])
    if not found:
        return NONE
    values, end = found
    line_end = text.find("\n", end)
    body_start = len(text) if line_end < 0 else line_end + 1
    if text[end:body_start].strip():
        return NONE
    block = text[:end]
    return FrontMatter(values, block, 1, block.count("\n") + 2, body_start, ())
