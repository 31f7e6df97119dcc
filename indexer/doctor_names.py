"""Names that should say one thing and do not: ids, titles, and tags spelled in several ways."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from kb.indexer.doctor_records import Examination, Finding, some_of
from kb.store.rows import read_rows
from kb.text import fold

_IDS = """
SELECT p.name, p.value, n.path FROM properties AS p JOIN notes AS n ON n.id = p.note_id
WHERE p.name_key IN ('id', 'uid', 'uuid') AND p.inline = 0 AND p.value_key != ''
AND n.ignored = 0 ORDER BY n.path, p.ordinal
"""
_TITLES = "SELECT title, path FROM notes WHERE ignored = 0 ORDER BY path"
_TAGS = """
SELECT t.label, n.path FROM tags AS t JOIN notes AS n ON n.id = t.note_id
WHERE t.label != '' AND n.ignored = 0 ORDER BY n.path, t.key
"""
_SHORTEST_WORD = 3


def find_same_ids(examination: Examination) -> Iterator[Finding]:
    """Values of `id`, `uid` or `uuid` in the front matter that several notes have."""
    groups: dict[tuple[str, str], list[tuple[str, str]]] = defaultdict(list)
    for name, value, path in read_rows(examination.connection, _IDS):
        groups[fold(name), fold(value)].append((f"{name} `{value}`", path))
    yield from _shared(groups.values(), "give each note an id of its own")


def find_same_titles(examination: Examination) -> Iterator[Finding]:
    """Titles that several notes have, in any case."""
    groups: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for title, path in read_rows(examination.connection, _TITLES):
        groups[fold(title)].append((f"title `{title}`", path))
    yield from _shared(groups.values(), "rename one, or join them, if they are about one thing")


def _shared(groups: Iterable[list[tuple[str, str]]], hint: str) -> Iterator[Finding]:
    """One finding for each group of several notes, in the order of their first paths."""
    for group in groups:
        (what, first), *_ = group
        others = tuple(dict.fromkeys(path for _, path in group if path != first))
        if others:
            message = f"its {what} is that of {some_of(others)}, too"
            yield Finding(first, 1, message, hint, others)


class _Spelling(NamedTuple):
    """One way in which a tag, or a parent of tags, is written. `paths` are the notes that do."""

    label: str
    paths: list[str]


def find_tag_spellings(examination: Examination) -> Iterator[Finding]:
    """Tags beside a commoner one that differs by case, plural, `-` or `_` alone.

    The parents of a nested tag are looked at like tags of their own. One finding a spelling, at
    the first note that writes it.
    """
    notes: dict[str, list[str]] = defaultdict(list)
    for label, path in read_rows(examination.connection, _TAGS):
        parts = label.split("/")
        for end in range(1, len(parts) + 1):
            notes["/".join(parts[:end])].append(path)
    stems = _stems(fold(label) for label in notes)
    families: dict[str, dict[str, _Spelling]] = defaultdict(dict)
    for label, paths in notes.items():
        family = families["/".join(stems[part] for part in fold(label).split("/"))]
        # What its parents differ by is told of the parents.
        family.setdefault(label.rpartition("/")[2], _Spelling(label, [])).paths.extend(paths)
    yield from sorted(one for family in families.values() for one in _told([*family.values()]))


def _stems(labels: Iterable[str]) -> dict[str, str]:
    """Each part of a tag, folded, and what stands for all that are one word with it.

    A plural is known as one only beside its singular.
    """
    parts = {part for label in labels for part in label.split("/")}
    joined = {part: part.replace("-", "").replace("_", "") or part for part in parts}
    known = set(joined.values())
    return {part: _singular(whole, known) for part, whole in joined.items()}


def _singular(word: str, known: set[str]) -> str:
    candidates = []
    if word.endswith("ies"):
        candidates.append(f"{word[:-3]}y")
    if word.endswith("es"):
        candidates.append(word[:-2])
    if word.endswith("s") and not word.endswith("ss"):
        candidates.append(word[:-1])
    for one in candidates:
        if one in known and len(one) >= _SHORTEST_WORD and one.isalpha():
            return one
    return word


def _told(family: list[_Spelling]) -> Iterator[Finding]:
    """The rarer spellings of one tag, each with the commonest."""
    commonest, *rarer = sorted(family, key=lambda one: (-len(one.paths), one.label))
    for label, paths in rarer:
        first, *others = sorted(set(paths))
        beside = f"beside `#{commonest.label}` ({_notes(commonest.paths)})"
        message = f"tag `#{label}` ({_notes(paths)}) {beside}"
        yield Finding(first, 1, message, "write one of them everywhere", tuple(others))


def _notes(paths: list[str]) -> str:
    count = len(set(paths))
    return f"{count} note" if count == 1 else f"{count} notes"
