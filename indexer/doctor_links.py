"""Links that lead nowhere, or perhaps elsewhere than meant, and notes that none lead to."""

from __future__ import annotations

import json
import re
from collections.abc import Container, Iterator
from typing import NamedTuple

from kb.indexer.doctor_nearest import NearestNames
from kb.indexer.doctor_records import Examination, Finding, some_of
from kb.indexer.names import above, folder_of
from kb.indexer.resolve import joined
from kb.indexer.walk import is_note
from kb.store.note_records import LinkKind, LinkStatus
from kb.store.paths import show_path
from kb.store.rows import read_rows

# Notes that the vault's owner has hidden are not examined.
_LINKS = """
SELECT n.path, l.line, l.kind, l.target, coalesce(t.path, ''), l.candidates
FROM links AS l JOIN notes AS n ON n.id = l.source_id LEFT JOIN notes AS t ON t.id = l.target_id
WHERE l.status = ? AND n.ignored = 0 ORDER BY n.path, l.ordinal
"""
_ORPHANS = """
SELECT path FROM notes WHERE ignored = 0 AND id NOT IN (SELECT source_id FROM edges)
AND id NOT IN (SELECT target_id FROM edges) ORDER BY path
"""
_FILES = "SELECT path FROM notes UNION ALL SELECT path FROM attachments ORDER BY path"
_PUT_THERE = "put the file there, or mend the link"
# The name of a host, or of one in a well-known domain before a path.
_ADDRESS = re.compile(r"www\.[\w-]+\.|(?:[\w-]+\.)+(?:com|org|net|io|dev|edu|gov)(?:/|$)")


def find_broken(examination: Examination) -> Iterator[Finding]:
    """Links to no note or file that were meant to lead somewhere, with the nearest note.

    Those are the ones that name a place, or nearly the name of a note.
    """
    for link in _unresolved(examination):
        if link.near:
            near = show_path(link.near)
            hint = f"link to `{near}`, if that is meant"
            yield Finding(link.path, link.line, f"{link.written} leads nowhere", hint, (link.near,))
        elif link.names_place:
            hint = "write `https://` before it" if link.is_address else _PUT_THERE
            yield Finding(link.path, link.line, f"{link.written} leads nowhere", hint)


def find_unwritten(examination: Examination) -> Iterator[Finding]:
    """Links by a plain name that no note has, nor nearly: a note that is still to be written."""
    for link in _unresolved(examination):
        if not (link.near or link.names_place):
            hint = "write that note, or take the link away"
            yield Finding(link.path, link.line, f"{link.written} names no note", hint)


class _Unresolved(NamedTuple):
    path: str
    line: int
    written: str
    names_place: bool
    is_address: bool
    near: str


def _unresolved(examination: Examination) -> Iterator[_Unresolved]:
    links = read_rows(examination.connection, _LINKS, (LinkStatus.UNRESOLVED,))
    if not links:
        return
    paths = [path for (path,) in read_rows(examination.connection, _FILES)]
    folders = {folder for path in paths for folder in above(folder_of(path))}
    nearest = NearestNames(path for path in paths if is_note(path))
    for path, line, kind, target, _, _ in links:
        if _is_folder(target, path, folders):
            continue  # which is shown as one by whatever shows Markdown
        names_place = (
            kind in (LinkKind.MARKDOWN, LinkKind.EMBED)
            or "/" in target
            or is_note(target.rpartition("/")[2])
        )
        yield _Unresolved(
            path=path,
            line=line,
            written=_written(kind, target),
            names_place=names_place,
            is_address=bool(_ADDRESS.match(target)),
            near=nearest.of(target),
        )


def _is_folder(target: str, source: str, folders: Container[str]) -> bool:
    base = "" if target.startswith("/") else folder_of(source)
    return joined(base, target) in folders


def find_ambiguous(examination: Examination) -> Iterator[Finding]:
    """Links that several notes fit equally well, and which one is taken."""
    for path, line, kind, target, taken, written in read_rows(
        examination.connection, _LINKS, (LinkStatus.AMBIGUOUS,)
    ):
        others = tuple(one for one in json.loads(written) if one != taken)
        message = f"{_written(kind, target)} is taken for {show_path(taken)}, {_also(others)}"
        hint = f"write the path: `{show_path(taken.rpartition('.')[0])}`"
        yield Finding(path, line, message, hint, others)


def find_alias_only(examination: Examination) -> Iterator[Finding]:
    """Links that are followed because of an alias alone, which Obsidian does not do."""
    for path, line, kind, target, taken, written in read_rows(
        examination.connection, _LINKS, (LinkStatus.ALIAS,)
    ):
        others = tuple(one for one in json.loads(written) if one != taken)
        message = f"{_written(kind, target)} is only an alias of {show_path(taken)}"
        if others:
            message = f"{message}, {_also(others)}"
        name = show_path(taken.rpartition("/")[2].rpartition(".")[0])
        hint = f"Obsidian would make a new note; write `[[{name}|{target}]]`"
        yield Finding(path, line, message, hint, others)


def find_orphans(examination: Examination) -> Iterator[Finding]:
    """Notes that no other note links to, and that link to no other."""
    for (path,) in read_rows(examination.connection, _ORPHANS):
        hint = "link it where it belongs; `kb related` shows what is near"
        yield Finding(path, 1, "no note links to it, and it links to none", hint)


def _written(kind: str, target: str) -> str:
    """A link as its author would know it again."""
    if kind == LinkKind.MARKDOWN:
        return f"the link to `{target}`"
    if kind == LinkKind.EMBED:
        return f"the embedded `{target}`"
    return f"`[[{target}]]`" + (" in a property" if kind == LinkKind.PROPERTY else "")


def _also(paths: tuple[str, ...]) -> str:
    return f"and could mean {some_of(paths)}"
