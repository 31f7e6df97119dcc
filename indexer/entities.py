"""What a note is about, as names that a query can hold: tags, aliases, title, property values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from kb.store.note_records import Entity, Property, PropertyKind
from kb.text import entity_key, fold
from kb.text.markup import without_links

MAX_ENTITIES = 500
_MAX_CHARACTERS = 80
_MAX_WORDS = 8

# Said under a kind of their own, or about how a note looks rather than what it is about.
_NOT_BY_NAME = frozenset(
    {"tags", "tag", "aliases", "alias", "title", "type", "cssclasses", "cssclass"}
)
_NOT_NAMES = frozenset({PropertyKind.EMPTY, PropertyKind.CHECKBOX})


def find_entities(
    title: str,
    stem: str,
    note_type: str,
    aliases: Sequence[str],
    tags: Sequence[str],
    properties: Iterable[Property],
    property_targets: Iterable[str],
) -> tuple[Entity, ...]:
    """The entities of a note, each kind and key once, at most MAX_ENTITIES.

    A nested tag brings its parents. `property_targets` are the targets of links in properties.
    """
    found: dict[tuple[str, str], Entity] = {}
    keys: dict[str, str] = {}
    for kind, label in _labels(title, stem, note_type, aliases, tags, properties, property_targets):
        key = keys.get(label)
        if key is None:
            key = keys[label] = entity_key(label)
        if key and (kind, key) not in found:
            found[kind, key] = Entity(kind, key, label)
            if len(found) == MAX_ENTITIES:
                break
    return tuple(found.values())


def _labels(
    title: str,
    stem: str,
    note_type: str,
    aliases: Sequence[str],
    tags: Sequence[str],
    properties: Iterable[Property],
    property_targets: Iterable[str],
) -> Iterator[tuple[str, str]]:
    """Kind and label of all that may be an entity, the weightiest kinds first."""
    yield "title", title
    yield "name", stem
    if note_type:
        yield "type", note_type
    for alias in aliases:
        yield "alias", alias
    for tag in tags:
        yield "tag", tag
        position = tag.find("/")
        while position >= 0:
            yield "tag", tag[:position]
            position = tag.find("/", position + 1)
    for target in property_targets:
        yield "link", target.rpartition("/")[2].removesuffix(".md")
    for prop in properties:
        if prop.kind not in _NOT_NAMES and (kind := fold(prop.name)) not in _NOT_BY_NAME:
            label = _short(prop.value)
            if label:
                yield kind, label


def _short(value: str) -> str:
    """A property's value as a name, "" where it is none: a sentence, a template not filled."""
    if len(value) > 4 * _MAX_CHARACTERS:
        return ""
    label = without_links(value).strip()
    if label.startswith("{{") or len(label) > _MAX_CHARACTERS:
        return ""
    return label if len(label.split()) <= _MAX_WORDS else ""
