"""The records of a note: all that its text says."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class LinkKind(StrEnum):
    """How a link is written."""

    WIKI = "wiki"
    EMBED = "embed"
    MARKDOWN = "markdown"
    PROPERTY = "property"


class LinkStatus(StrEnum):
    """What became of a link when its target was looked for."""

    RESOLVED = "resolved"
    AMBIGUOUS = "ambiguous"  # several notes fit; the best was taken
    ALIAS = "alias"  # only an alias fits, which Obsidian itself would not follow
    ATTACHMENT = "attachment"  # a file of the vault that is no note
    UNRESOLVED = "unresolved"


class PropertyKind(StrEnum):
    """The type of one value of a property."""

    TEXT = "text"
    NUMBER = "number"
    CHECKBOX = "checkbox"
    DATE = "date"
    DATETIME = "datetime"
    LINK = "link"
    EMPTY = "empty"  # null, empty text or empty list


class Property(NamedTuple):
    """One value of a property (a list gives several, in order), as its author wrote it."""

    name: str
    value: str
    kind: PropertyKind
    inline: bool = False


class Link(NamedTuple):
    """A link as it stands in a note, before its target is looked for.

    `target` is the part before `#`, decoded, without display text; empty for a link into the
    same note. `fragment` is the part after the first `#` (a heading trail or `^block`).
    `line` is 1-based in the file. `section` is the heading trail the link stands under.
    """

    target: str
    fragment: str
    display: str
    kind: LinkKind
    line: int
    section: tuple[str, ...] = ()


class Passage(NamedTuple):
    """A piece of one note. Lines are 1-based in the file and inclusive.

    `text` is the source text of those lines, trimmed; `heading` the trail of headings above it.
    """

    heading: tuple[str, ...]
    line: int
    end_line: int
    text: str


class Entity(NamedTuple):
    """Something a note is about, from its front matter, tags, title or name.

    `kind` is one of tag, alias, type, title, name, link, or the name of a property.
    `key` is `kb.text.entity_key(label)`; `label` is as first written.
    """

    kind: str
    key: str
    label: str


class ParsedNote(NamedTuple):
    """All that the text of one note says, whatever else is in the vault.

    `date` is the note's own date (ISO, from a property or the file name), or "" where it has
    none. `language` is an ISO 639-1 code, "" where it could not be told. `problems` says what
    could not be read, one sentence each.
    """

    title: str
    language: str
    note_type: str
    date: str
    aliases: tuple[str, ...]
    tags: tuple[str, ...]
    properties: tuple[Property, ...]
    links: tuple[Link, ...]
    entities: tuple[Entity, ...]
    passages: tuple[Passage, ...]
    problems: tuple[str, ...] = ()
