"""All that a note's text says, apart from its front matter: links, tags, fields, sections."""

from __future__ import annotations

from itertools import islice
from typing import NamedTuple

from kb.indexer.fields import Field, find_fields
from kb.indexer.links import (
    RawLink,
    find_definitions,
    find_markdown_links,
    find_wikilinks,
)
from kb.indexer.tags import find_tags
from kb.store.note_records import Link
from kb.text.inline import FILLER, LineIndex, blank
from kb.text.markup import plain_line
from kb.text.outline import parse_outline
from kb.text.sections import Sections

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
    outline = parse_outline(text)
    problems = list(outline.problems)
    prose = outline.prose
    links, linkless = _links(prose, dendron, problems)
    tags = tuple(dict.fromkeys(find_tags(linkless, dendron=dendron)))
    if len(tags) > MAX_TAGS:
        problems.append(f"only the first {MAX_TAGS:,} of {len(tags):,} tags were kept")
    return Body(
        prose,
        outline.lines,
        outline.sections,
        outline.block_starts,
        links,
        tags[:MAX_TAGS],
        tuple(find_fields(prose)) if "::" in prose else (),
        tuple(problems),
    )


def _links(prose: str, dendron: bool, problems: list[str]) -> tuple[tuple[RawLink, ...], str]:
    """The links in order of their place, and the text with them and their addresses blank."""
    if "[" not in prose:
        return (), prose
    # One more than are kept, which tells that there are more; of each kind, since they mix.
    wiki = list(islice(find_wikilinks(prose, dendron=dendron), MAX_LINKS + 1))
    text = blank(prose, ((link.start, link.end) for link in wiki), FILLER)
    definitions, places = find_definitions(text)
    text = blank(text, places)
    marked = list(islice(find_markdown_links(text, definitions), MAX_LINKS + 1))
    # An address may hold a `#`, and is no tag.
    text = blank(
        text,
        sorted((link.address, link.end) for link in marked if link.end > link.address > link.start),
    )
    links = sorted(wiki + marked, key=lambda link: (link.start, -link.end))
    if len(links) > MAX_LINKS:
        problems.append(f"only the first {MAX_LINKS:,} links were kept")
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
