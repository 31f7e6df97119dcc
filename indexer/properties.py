"""Properties: the flat list of a note's values, and what the well-known ones mean."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from kb.indexer.values import EMPTY, FrontValue, Leaf
from kb.store.note_records import Property, PropertyKind
from kb.text import fold
from kb.text.markup import without_links

# A note's values beyond this are cut: shared YAML parts can multiply without end.
MAX_PROPERTIES = 2_000
_MAX_CHARACTERS = 512 * 1024
_MAX_NAME = 200
# As in a note's text: a tag has a row for each of its parents.
MAX_TAGS = 2_000  # and aliases
_MAX_TAG = 200

_COMMA = re.compile(r"\s*[,，、]\s*")
_SPACE = re.compile(r"[\s,，、#]+")
_AROUND_TAG = " \t\n#/\"'"


def flatten(values: dict[str, FrontValue], problems: list[str]) -> list[Property]:
    """One property a value, in order: lists flattened, nested maps named `a.b`.

    Null, empty text and an empty list are one EMPTY value; an empty value among others is left
    out. Beyond MAX_PROPERTIES nothing more is taken, with a problem.
    """
    properties: list[Property] = []
    room = _MAX_CHARACTERS
    for prop in (prop for name, value in values.items() for prop in _flat(name, value)):
        room -= len(prop.value) + len(prop.name)
        if len(properties) == MAX_PROPERTIES or room < 0:
            problems.append(f"only the first {len(properties):,} property values were read")
            break
        properties.append(prop)
    return properties


def _flat(name: str, value: FrontValue) -> Iterator[Property]:
    name = name[:_MAX_NAME]
    if isinstance(value, Leaf):
        yield Property(name, value.text, value.kind)
    elif isinstance(value, dict):
        if not value:
            yield Property(name, "", PropertyKind.EMPTY)
        for key, item in value.items():
            # `<<` merges a map into the one it stands in.
            yield from _flat(name if key == "<<" else f"{name}.{key}", item)
    else:
        filled = [item for item in value if item not in (EMPTY, [], {})]
        if not filled:
            yield Property(name, "", PropertyKind.EMPTY)
        for item in filled:
            yield from _flat(name, item)


class Known:
    """The values of a note's properties by folded name, EMPTY ones left out."""

    def __init__(self, properties: Iterable[Property], lists: Iterable[str] = ()) -> None:
        """`lists` names the properties that were written as lists."""
        self._lists = frozenset(map(fold, lists))
        self._values: dict[str, list[str]] = {}
        for prop in properties:
            if prop.kind is not PropertyKind.EMPTY:
                self._values.setdefault(fold(prop.name), []).append(prop.value)

    def all(self, *names: str) -> list[str]:
        """The values of the properties of those names, in the order of the names."""
        return [value for name in names for value in self._values.get(name, ())]

    def first(self, *names: str) -> str:
        """The first value of the first of those names that has one, else ""."""
        for name in names:
            if name in self._values:
                return self._values[name][0]
        return ""

    def tags(self) -> list[str]:
        """The tags of `tags` and `tag`, without `#`.

        Text is parted by commas, else by spaces; an item of a list may hold spaces, as sites
        outside Obsidian use them.
        """
        tags: list[str] = []
        for name in ("tags", "tag"):
            for value in self.all(name):
                text = without_links(value)
                by_space = "#" in text or (name not in self._lists and not _COMMA.search(text))
                tags += (_SPACE if by_space else _COMMA).split(text)
        found = [tag for tag in (part.strip(_AROUND_TAG) for part in tags) if tag]
        return [tag[:_MAX_TAG].rstrip("/") for tag in found[:MAX_TAGS]]

    def aliases(self) -> list[str]:
        """The names in `aliases` and `alias`; plain text is a list parted by commas."""
        aliases: list[str] = []
        for name in ("aliases", "alias"):
            for value in self.all(name):
                parts = [value] if name in self._lists else _COMMA.split(value)
                aliases += [without_links(part) for part in parts]
        return [alias[:_MAX_NAME] for alias in aliases[:MAX_TAGS] if alias.strip()]


def unique(labels: Iterable[str]) -> tuple[str, ...]:
    """The labels in order, each once, compared without case; shown as first written."""
    seen: dict[str, str] = {}
    for label in labels:
        seen.setdefault(fold(label), label)
    return tuple(seen.values())
