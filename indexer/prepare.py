"""From a note's file to everything the index stores of it, without the index.

This is the slow part of a run and needs nothing but the file, so it may run in other processes.
"""

# Paths are plain text here: pathlib costs more than the system call it stands for.
# ruff: noqa: PTH118

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from datetime import date
from json.encoder import encode_basestring
from math import isfinite
from typing import NamedTuple, TypeVar

from kb.indexer.parse import parse_note
from kb.indexer.passages import embed_text
from kb.store.hashes import digest_of
from kb.store.note_records import Link, ParsedNote, Passage, Property
from kb.store.paths import decode_path, name_key
from kb.store.read import FileContent, NotRegularError, read_file, reason_of
from kb.text import compounds, fold, token_text

_Key = TypeVar("_Key", str, tuple[str, str])

# Characters of title, aliases and tags that stand with each passage.
_REPEATED = 1_000

_NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)


class Settings(NamedTuple):
    """What decides how a note is parsed, besides its bytes. `root` is the vault's real path."""

    root: str
    dendron: bool = False
    default_language: str = ""


class Job(NamedTuple):
    """A note to look at.

    `digest` is the hash that the index has, None to parse it whatever the hash. `day` is the
    note's date in the index if that may be the day of its last change, else "".
    """

    path: str
    size: int
    digest: bytes | None = None
    day: str = ""


class PreparedNote(NamedTuple):
    """A note as the index stores it: each tuple is a row without the ids."""

    path: str
    size: int
    mtime_ns: int
    digest: bytes
    title: str
    note_type: str
    date: str
    language: str
    problems: tuple[str, ...]
    passages: tuple[tuple[str, int, int, str, bytes], ...]
    tokens: tuple[tuple[str, str, str, str, str, str], ...]
    tags: tuple[tuple[str, str], ...]
    properties: tuple[tuple[str, str, str, str, float | None, str, int], ...]
    aliases: tuple[tuple[str, str], ...]
    entities: tuple[tuple[str, str, str], ...]
    links: tuple[tuple[str, str, str, str, str, int, str], ...]


class SameNote(NamedTuple):
    """The bytes are those that were indexed. `date` is new where it follows the file's."""

    path: str
    size: int
    mtime_ns: int
    date: str | None


class FailedNote(NamedTuple):
    """A note that could not be prepared.

    `gone`: it is no longer there. `unread`: it may be as it was, so what is indexed is kept.
    """

    path: str
    reason: str
    gone: bool = False
    unread: bool = False


Outcome = PreparedNote | SameNote | FailedNote


def prepare_notes(jobs: Iterable[Job], settings: Settings) -> list[Outcome]:
    """Look at each note; the outcomes are in the order of the jobs."""
    return [prepare_note(job, settings) for job in jobs]


def prepare_note(job: Job, settings: Settings) -> Outcome:
    """Read, compare, parse and analyse one note. Whatever is wrong with it is an outcome."""
    try:
        path = os.path.join(settings.root, decode_path(job.path))
        content = read_file(path, within=settings.root)
    except (FileNotFoundError, NotADirectoryError):
        return FailedNote(job.path, "gone", gone=True)
    except NotRegularError as error:
        return FailedNote(job.path, str(error))
    except OSError as error:
        return FailedNote(job.path, reason_of(error), unread=True)
    digest = digest_of(content.data)
    try:
        if digest == job.digest:
            day = _date_now(job, content, settings)
            return SameNote(job.path, content.size, content.mtime_ns, day)
        return _prepare(job.path, content, digest, settings)
    except Exception as error:  # one note must never end a run
        return FailedNote(job.path, f"cannot be parsed ({type(error).__name__}: {error})")


def day_of(mtime_ns: int) -> str:
    """The local day of a time of change, ISO; "" where the calendar has no such day."""
    try:
        return date.fromtimestamp(mtime_ns // 1_000_000_000).isoformat()
    except (ValueError, OverflowError, OSError):
        return ""


def _date_now(job: Job, content: FileContent, settings: Settings) -> str | None:
    """The date of a note whose bytes are as before, None if it stays."""
    day = day_of(content.mtime_ns)
    if not job.day or job.day == day:
        return None
    return _parse(job.path, content.data, settings).date or day


def _parse(path: str, data: bytes, settings: Settings) -> ParsedNote:
    return parse_note(
        path, data, dendron=settings.dendron, default_language=settings.default_language
    )


def _prepare(path: str, content: FileContent, digest: bytes, settings: Settings) -> PreparedNote:
    note = _parse(path, content.data, settings)
    # A note without a word still has a title to be found by.
    passages = note.passages or (Passage((), 1, 1, ""),)
    return PreparedNote(
        path=path,
        size=content.size,
        mtime_ns=content.mtime_ns,
        digest=digest,
        title=note.title,
        note_type=fold(note.note_type),
        date=note.date or day_of(content.mtime_ns),
        language=note.language,
        problems=note.problems,
        passages=tuple(_passage_row(note.title, passage) for passage in passages),
        tokens=_token_rows(path, note, passages),
        tags=_tag_rows(note.tags),
        properties=tuple(_property_row(prop) for prop in note.properties),
        aliases=_first_labels((fold(alias), alias) for alias in note.aliases),
        entities=tuple(
            (kind, key, label)
            for (kind, key), label in _first_labels(
                ((entity.kind, entity.key), entity.label) for entity in note.entities if entity.key
            )
        ),
        links=tuple(_link_row(link) for link in note.links),
    )


def _first_labels(pairs: Iterable[tuple[_Key, str]]) -> tuple[tuple[_Key, str], ...]:
    """Each key once, with the label it came with first."""
    labels: dict[_Key, str] = {}
    for key, label in pairs:
        labels.setdefault(key, label)
    return tuple(labels.items())


def _passage_row(title: str, passage: Passage) -> tuple[str, int, int, str, bytes]:
    key = digest_of(embed_text(title, passage).encode())
    return (to_json(passage.heading), passage.line, passage.end_line, passage.text, key)


def _token_rows(
    path: str, note: ParsedNote, passages: tuple[Passage, ...]
) -> tuple[tuple[str, str, str, str, str, str], ...]:
    """The columns of the full-text index, one row a passage (see FTS_COLUMNS)."""
    language = note.language

    def tokens(text: str) -> str:
        return token_text(text, language)

    stem = path.rpartition("/")[2].rpartition(".")[0]
    title, name = tokens(note.title), tokens(stem)
    titles = title if name == title else f"{title} {name}"
    aliases = " ".join(tokens(alias) for alias in note.aliases)
    tags = " ".join(tokens(tag) for tag in note.tags)
    of_note = "\n".join((note.title, stem, *note.aliases, *note.tags))
    whole_of_note = " ".join(compounds(of_note, language))

    def row(
        passage: Passage, titles: str, aliases: str, tags: str, whole: str
    ) -> tuple[str, str, str, str, str, str]:
        heading = tokens("\n".join(passage.heading))
        whole = " ".join(filter(None, (whole, *compounds(passage.text, language))))
        return (titles, aliases, heading, tags, tokens(passage.text), whole)

    of_first = (titles, aliases, tags, whole_of_note)
    again = tuple(_cut_tokens(column) for column in of_first)
    return tuple(row(passage, *(again if at else of_first)) for at, passage in enumerate(passages))


def _cut_tokens(column: str) -> str:
    """What every passage after the first repeats of its note: names without end would multiply."""
    if len(column) <= _REPEATED:
        return column
    return column[: max(column.rfind(" ", 0, _REPEATED), 0)]


def _tag_rows(tags: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Each tag as written, and its parents without a label."""
    rows = dict(_first_labels((fold(tag), tag) for tag in tags))
    for key in list(rows):
        parts = key.split("/")
        for length in range(1, len(parts)):
            rows.setdefault("/".join(parts[:length]), "")
    return tuple(rows.items())


def _property_row(prop: Property) -> tuple[str, str, str, str, float | None, str, int]:
    key = fold(prop.value.strip())
    number = float(key) if _NUMBER.fullmatch(key) else None
    if number is not None and not isfinite(number):
        number = None
    name = (prop.name, fold(prop.name))
    return (*name, prop.value, key, number, str(prop.kind), int(prop.inline))


def _link_row(link: Link) -> tuple[str, str, str, str, str, int, str]:
    target = (link.target, name_key(link.target), link.fragment, link.display)
    return (*target, str(link.kind), link.line, to_json(link.section))


def to_json(items: Sequence[str]) -> str:
    """A list as the index stores it."""
    return f"[{', '.join(map(encode_basestring, items))}]" if items else "[]"
