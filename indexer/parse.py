"""One note: bytes to all that it says.

1. `decode`: bytes to text. 2. `front_matter`: properties, and where the text starts.
3. `structure`: headings and code. 4. `inline`: code spans and comments blanked. 5. `links`,
`tags`, `fields`: what stands in the rest. 6. `passages`: the text cut for search.
7. `entities`: the names a query can hold.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from kb.indexer.body import MAX_LINKS, Body, parse_body, to_link
from kb.indexer.dates import note_date
from kb.indexer.entities import find_entities
from kb.indexer.fields import opening_fields_end
from kb.indexer.front_matter import FrontMatter, parse_front_matter
from kb.indexer.links import links_of_value
from kb.indexer.parser_version import PARSER_VERSION
from kb.indexer.passages import cut_passages
from kb.indexer.properties import Known, flatten, unique
from kb.indexer.values import leaf
from kb.store.note_records import Link, ParsedNote, Property
from kb.text import detect_language
from kb.text.decode import decode
from kb.text.markup import without_links

__all__ = ["PARSER_VERSION", "parse_note"]

_EXTENSION = re.compile(r"\.(?:md|markdown)$", re.IGNORECASE)
_LANGUAGE_CODE = re.compile(r"([A-Za-z]{2})(?:[-_][A-Za-z0-9]+)*")
_LANGUAGE_SAMPLE = 1_500
_MAX_PROBLEMS = 20
_MAX_TITLE = 500  # characters, as of a heading


def parse_note(
    path: str, data: bytes, *, dendron: bool = False, default_language: str = ""
) -> ParsedNote:
    """All that a note says. `path` is relative to the vault, with `/` on every system.

    Pure, for any bytes: what cannot be read is named in `problems`. `dendron` reads
    `[[shown|target]]`; `default_language` stands where the note's language cannot be told.
    """
    decoded = decode(data)
    front = parse_front_matter(decoded.text)
    text = decoded.text[front.body_start :]
    problems = [*decoded.problems, *front.problems]
    properties = flatten(front.values, problems)
    body = parse_body(text, dendron=dendron)
    problems += body.problems
    fields = _inline_properties(text, body)
    known = _known(front, text, properties, fields, body)
    stem = _EXTENSION.sub("", path.rpartition("/")[2])
    title = _title(known, body, stem)
    note_type = without_links(known.first("type"))
    aliases = unique(known.aliases())
    tags = unique([*known.tags(), *body.tags])
    property_links = _property_links(front, properties, dendron)
    properties += fields
    passages = cut_passages(
        text, body.lines, body.sections, body.block_starts, front.body_line, problems
    )
    return ParsedNote(
        title=title,
        language=_language(known, title, body.prose) or default_language,
        note_type=note_type,
        date=note_date(known, stem),
        aliases=aliases,
        tags=tags,
        properties=tuple(properties),
        links=(*property_links, *(to_link(raw, body, front.body_line) for raw in body.links)),
        entities=find_entities(
            title,
            stem,
            note_type,
            aliases,
            tags,
            properties,
            _targets(property_links, fields, dendron),
        ),
        passages=passages,
        problems=tuple(dict.fromkeys(problems))[:_MAX_PROBLEMS],
    )


def _inline_properties(text: str, body: Body) -> list[Property]:
    properties = []
    for field in body.fields:
        value = leaf(text[field.start : field.end])
        properties.append(Property(field.key, value.text, value.kind, inline=True))
    return properties


def _known(
    front: FrontMatter,
    text: str,
    properties: Sequence[Property],
    fields: Sequence[Property],
    body: Body,
) -> Known:
    """The properties that may give title, tags, aliases, type and date.

    Inline fields are the note's own only where they open a note without front matter.
    """
    lists = [name for name, value in front.values.items() if isinstance(value, list)]
    if front.values or not fields:
        return Known(properties, lists)
    end = opening_fields_end(text)
    opening = [prop for prop, at in zip(fields, body.fields, strict=True) if at.start < end]
    return Known(opening)


def _title(known: Known, body: Body, stem: str) -> str:
    """The `title` property, else the first heading of level 1, else the file's name."""
    title = " ".join(without_links(known.first("title")[: 2 * _MAX_TITLE]).split())[:_MAX_TITLE]
    return title or body.sections.title() or stem


def _language(known: Known, title: str, prose: str) -> str:
    """The language a note names, else the one its words are in, else ""."""
    named = _LANGUAGE_CODE.fullmatch(known.first("lang", "language"))
    if named:
        return named[1].lower()
    words = " ".join(prose[: 2 * _LANGUAGE_SAMPLE].split())
    return detect_language(f"{title}\n{words[:_LANGUAGE_SAMPLE]}")


def _property_links(
    front: FrontMatter, properties: Iterable[Property], dendron: bool
) -> list[Link]:
    """The links in the front matter's values, each on the line where it is written."""
    links: list[Link] = []
    position, line = 0, front.block_line
    for prop in properties:
        for raw in links_of_value(prop.value, dendron=dendron):
            found = front.block.find(prop.value[raw.start : raw.end], position)
            # What an alias repeats, or an escape hides, is found nowhere below: near enough.
            if found >= 0:
                line += front.block.count("\n", position, found)
                position = found
            links.append(Link(raw.target, raw.fragment, raw.display, raw.kind, line))
            if len(links) == MAX_LINKS:
                return links
    return links


def _targets(
    property_links: Iterable[Link], fields: Iterable[Property], dendron: bool
) -> list[str]:
    """The targets of the links in all properties, inline ones too."""
    targets = [link.target for link in property_links]
    for prop in fields:
        targets += [raw.target for raw in links_of_value(prop.value, dendron=dendron)]
    return [target for target in targets if target]
