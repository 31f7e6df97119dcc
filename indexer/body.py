"""All that a note's text says, apart from its front matter: links, tags, fields, sections."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from kb.indexer.fields import Field, find_fields
from kb.indexer.inline import FILLER, LineIndex, Span, blank, hidden_spans
from kb.indexer.links import (
    RawLink,
    find_definitions,
    find_markdown_links,
    find_wikilinks,
)
from kb.indexer.sections import Sections
from kb.indexer.structure import Heading, parse_structure
from kb.indexer.tags import find_tags
from kb.store.note_records import Link
from kb.text.markup import plain_line

MAX_LINKS = 20_000
MAX_TAGS = 2_000


class Body(NamedTuple):
    """What was found in a note's text. `prose` is the text with code and comments blank;
    `block_starts` are 0-based lines."""

    prose: str
    lines: LineIndex
    sections: Sections
    block_starts: tuple[int, ...]
    links: tuple[RawLink, ...]
    tags: tuple[str, ...]
    fields: tuple[Field, ...]
    problems: tuple[str, ...]


def parse_body(text: str, *, dendron: bool = False) -> Body:
    """The parts of a note's text. Never raises."""
    problems: list[str] = []
    lines = LineIndex(text)
    structure = parse_structure(text)
    problems += structure.problems
    prose = blank(text, (lines.span(*code) for code in structure.code))
    code, comments = hidden_spans(prose)
    prose = blank(prose, sorted(code + comments))
    headings = _outside(structure.headings, lines, comments)
    links, linkless = _links(prose, dendron, problems)
    tags = tuple(dict.fromkeys(find_tags(linkless, dendron=dendron)))
    if len(tags) > MAX_TAGS:
        problems.append(f"only the first {MAX_TAGS:,} of {len(tags):,} tags were kept")
    return Body(
        prose,
        lines,
        Sections(headings),
        structure.starts,
        links,
        tags[:MAX_TAGS],
        tuple(find_fields(prose)) if "::" in prose else (),
        tuple(problems),
    )


def _outside(
    headings: Iterable[Heading], lines: LineIndex, comments: list[Span]
) -> tuple[Heading, ...]:
    """The headings that stand in no `%%` comment, which Markdown itself does not know."""
    if not comments:
        return tuple(headings)
    kept: list[Heading] = []
    position = 0
    for heading in headings:
        offset = lines.starts[heading.line]
        while position < len(comments) and comments[position][1] <= offset:
            position += 1
        if position == len(comments) or comments[position][0] >= offset:
            kept.append(heading)
    return tuple(kept)


def _links(prose: str, dendron: bool, problems: list[str]) -> tuple[tuple[RawLink, ...], str]:
    """The links in order of their place, and the text with them and their addresses blank."""
    if "[" not in prose:
        return (), prose
    wiki = list(find_wikilinks(prose, dendron=dendron))
    text = blank(prose, ((link.start, link.end) for link in wiki), FILLER)
    definitions, places = find_definitions(text)
    text = blank(text, places)
    marked = list(find_markdown_links(text, definitions))
    # An address may hold a `#`, and is no tag.
    text = blank(
        text,
        sorted((link.address, link.end) for link in marked if link.end > link.address > link.start),
    )
    links = sorted(wiki + marked, key=lambda link: (link.start, -link.end))
    if len(links) > MAX_LINKS:
        problems.append(f"only the first {MAX_LINKS:,} of {len(links):,} links were kept")
    return tuple(_as_shown(prose, link) for link in links[:MAX_LINKS]), text


def _as_shown(prose: str, link: RawLink) -> RawLink:
    """A Markdown link shows plain text, wikilinks in it included; others stay as they are."""
    if prose.startswith(("[[", "![["), link.start) and link.address == link.start:
        return link
    display = link.display
    if FILLER in display:
        shown = prose.index("[", link.start) + 1
        display = prose[shown : shown + len(display)]
    return link._replace(display=plain_line(display))


def to_link(raw: RawLink, body: Body, first_line: int) -> Link:
    """The link as a record; `first_line` is the number of the text's first line in the file."""
    line = body.lines.line(raw.address)
    trail = body.sections.trail(line)
    return Link(raw.target, raw.fragment, raw.display, raw.kind, first_line + line, trail)
