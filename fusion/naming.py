"""Which note is meant: by its path or the end of it, its title, an alias, or a part of those."""

# Paths are plain text here: a name that was typed may be none that pathlib takes.
# ruff: noqa: PTH113, PTH117, PTH118

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from itertools import chain
from typing import NamedTuple

import apsw

from kb.store.errors import UsageError
from kb.store.paths import decode_path, encode_path, name_key, parse_shown_path, show_path
from kb.store.rows import read_rows
from kb.text import entity_key, fold

_SUFFIXES = (".md", ".markdown")
_SHOWN = 5
_SHORTEST_PART = 3

_AT = "SELECT id, path, title FROM notes WHERE path = ?"
_CALLED = "SELECT id, path, title FROM notes WHERE name_key = ? ORDER BY path"
_TITLED = """
SELECT n.id, n.path, n.title FROM entities AS e
CROSS JOIN note_entities AS c ON c.entity_id = e.id
CROSS JOIN notes AS n ON n.id = c.note_id
WHERE e.key = ? AND e.kind IN ('title', 'alias') ORDER BY n.path
"""
_ALL = "SELECT id, path, title FROM notes ORDER BY path"
_ALIASES = "SELECT note_id, key FROM aliases"


class NamedNote(NamedTuple):
    """The note that a name stands for."""

    note_id: int
    path: str
    title: str


def resolve_note(
    connection: apsw.Connection, vault: str, name: str, *, by_part: bool = False
) -> NamedNote:
    """The one note that `name` stands for.

    A path relative to the vault, or absolute inside it (`vault` in stored form); with or without
    its extension, in any case; the end of a path; a title or an alias; with `by_part` also a part
    of a path, title or alias that only one note has. Raises UsageError where no note or several
    are called so, with those that may be meant.
    """
    wanted = encode_path(name).encode("utf-8", "replace").decode()
    wanted = wanted.removeprefix(vault.rstrip("/") + "/").removeprefix("./")
    for found in _ways(connection, wanted):
        if len(found) == 1:
            return found[0]
        if found:
            raise _several(wanted, found)
    if _is_file(vault, wanted):
        raise UsageError(
            f"{show_path(wanted)} is in the vault and not in the index",
            "run `kb index` if it is new; hidden, ignored and unreadable files, and files that"
            " are no `.md` or `.markdown`, are left out (`kb index` names those it skips)",
        )
    if _leads_out(wanted):
        raise UsageError(
            f"{show_path(wanted)} is outside the vault {show_path(vault)}",
            "only its notes can be named; paths are relative to the vault, with `/`",
        )
    found = list(_with_part(connection, wanted)) if wanted else []
    if by_part and len(found) == 1:
        return found[0]
    if by_part and found:
        raise _several(wanted, found, "have it in their path, title or aliases:")
    raise _none(connection, wanted, found)


def resolve_target(connection: apsw.Connection, vault: str, name: str) -> tuple[NamedNote, str]:
    """The note that a name or the inside of a link stands for, and the `#…` that it carries.

    Takes what `resolve_note` takes by part, `Note#Heading`, `Note#^block` and `[[Note|shown]]`.
    A note whose own name holds the mark comes first.
    """
    wanted = name.strip()
    if wanted.startswith("[[") and wanted.endswith("]]"):
        wanted = wanted[2:-2].partition("|")[0]
    head, mark, fragment = wanted.partition("#")
    if not mark or not head.strip():
        return resolve_note(connection, vault, wanted, by_part=True), ""
    try:
        return resolve_note(connection, vault, wanted), ""
    except UsageError:
        return resolve_note(connection, vault, head.strip(), by_part=True), f"#{fragment}"


def _ways(connection: apsw.Connection, wanted: str) -> Iterator[list[NamedNote]]:
    """The notes that the name fits, by each way of naming a note, the strictest first."""
    for path in (wanted, *(wanted + suffix for suffix in _SUFFIXES)):
        yield _read(connection, _AT, path)
    if "\\x" in wanted:  # as paths that are not UTF-8 are shown
        yield _read(connection, _AT, parse_shown_path(wanted))
    called = _read(connection, _CALLED, name_key(wanted))
    folded = _stem(wanted)
    yield [note for note in called if _stem(note.path) == folded]
    yield [note for note in called if _stem(note.path).endswith("/" + folded.lstrip("/"))]
    key = entity_key(wanted)
    yield _distinct(_read(connection, _TITLED, key)) if key else []


def _read(connection: apsw.Connection, sql: str, value: str) -> list[NamedNote]:
    return [NamedNote(*row) for row in read_rows(connection, sql, (value,))]


def _distinct(notes: Iterable[NamedNote]) -> list[NamedNote]:
    return list(dict.fromkeys(notes))


def _stem(path: str) -> str:
    """A path without its extension as a note, case-folded."""
    folded = fold(path)
    for suffix in _SUFFIXES:
        folded = folded.removesuffix(suffix)
    return folded


def _is_file(vault: str, wanted: str) -> bool:
    """Whether the vault has a file at that path."""
    inside = os.path.normpath(decode_path(wanted))
    if not vault or not wanted or os.path.isabs(inside) or inside.startswith(os.pardir):
        return False
    # pathlib raises for names that are too long, where os.path knows that there is no such file
    return os.path.isfile(os.path.join(decode_path(vault), inside))


def _leads_out(wanted: str) -> bool:
    """Whether a name is a path to somewhere outside the vault."""
    path = decode_path(wanted)
    return os.path.isabs(path) or os.path.normpath(path).startswith(os.pardir + os.sep)


def _with_part(connection: apsw.Connection, wanted: str) -> Iterator[NamedNote]:
    """Every note whose path, title or one of whose aliases holds the name."""
    part = fold(wanted)
    aliased = {note_id for note_id, key in read_rows(connection, _ALIASES) if part in key}
    for row in read_rows(connection, _ALL):
        note = NamedNote(*row)
        if part in fold(note.path) or part in fold(note.title) or note.note_id in aliased:
            yield note


def _several(wanted: str, found: list[NamedNote], how: str = "are called") -> UsageError:
    paths = ", ".join(f"`{show_path(note.path)}`" for note in found[:_SHOWN])
    more = f" and {len(found) - _SHOWN:,} more" if len(found) > _SHOWN else ""
    return UsageError(
        f"{len(found):,} notes {how} {show_path(wanted)}",
        f"name one of them by its path: {paths}{more}",
    )


def _none(connection: apsw.Connection, wanted: str, near: list[NamedNote]) -> UsageError:
    near.sort(key=lambda note: (len(note.path), note.path))
    if not near:
        near = _alike(connection, wanted)
    close = ", ".join(f"`{show_path(note.path)}`" for note in near[:3])
    hint = f"did you mean {close}?" if close else "paths are relative to the vault, with `/`"
    return UsageError(f"no note {show_path(wanted)} in the index", hint)


def _alike(connection: apsw.Connection, wanted: str) -> list[NamedNote]:
    """Notes whose name is spelt nearly like it, or that share a word with it."""
    key = name_key(wanted)
    words = [word for word in entity_key(key).split() if len(word) >= _SHORTEST_PART]
    by_name: dict[str, NamedNote] = {}
    for row in read_rows(connection, _ALL):
        note = NamedNote(*row)
        by_name.setdefault(name_key(note.path), note)
    # Comparing letter by letter takes long: only with names that begin alike.
    rivals = [name for name in by_name if name[:1] == key[:1]]
    spelt = get_close_matches(key, rivals, n=3)
    sharing = (name for name in by_name if any(word in name for word in words))
    return [by_name[name] for name in dict.fromkeys(chain(spelt, sharing))][:3]
