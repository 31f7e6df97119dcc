"""The links of a note, both ways: what it links to, and which notes link to it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

import apsw

from kb.fusion.naming import NamedNote, resolve_target
from kb.fusion.reading import reading
from kb.store.note_records import LinkKind, LinkStatus
from kb.store.rows import read_rows

_LONGEST_CONTEXT = 300  # characters


class OutgoingLink(NamedTuple):
    """A link as it stands in the note, on a line of its file, and what became of it.

    `path` and `title` are those of the note it leads to, or the path of an attachment; both ""
    where it leads nowhere. `candidates` are the paths that an ambiguous link could mean.
    `section` is the trail of headings that it stands under.
    """

    target: str
    fragment: str
    display: str
    kind: LinkKind
    status: LinkStatus
    line: int
    section: tuple[str, ...]
    path: str
    title: str
    candidates: tuple[str, ...]


class Backlink(NamedTuple):
    """A link in another note that leads here. `context` is the line it stands on, cut.

    `context` is "" for a link in a property. `fragment` is the heading or block it leads to.
    """

    path: str
    title: str
    line: int
    section: tuple[str, ...]
    kind: LinkKind
    fragment: str
    display: str
    context: str


class NoteLinks(NamedTuple):
    """The links of a note. The counts are of all there are, whatever the limit."""

    note: NamedNote
    vault: str
    outgoing: tuple[OutgoingLink, ...]
    backlinks: tuple[Backlink, ...]
    outgoing_count: int
    backlink_count: int


_OUTGOING = """
SELECT l.target, l.fragment, l.display, l.kind, l.status, l.line, l.section,
  coalesce(t.path, ''), coalesce(t.title, ''), l.candidates
FROM links AS l LEFT JOIN notes AS t ON t.id = l.target_id
WHERE l.source_id = ? ORDER BY l.ordinal LIMIT ?
"""
_BACKLINKS = """
SELECT s.path, s.title, l.line, l.section, l.kind, l.fragment, l.display, coalesce((
    SELECT p.line || char(10) || p.text FROM passages AS p
    WHERE p.note_id = l.source_id AND p.line <= l.line AND p.end_line >= l.line
    ORDER BY p.ordinal LIMIT 1
  ), '')
FROM links AS l CROSS JOIN notes AS s ON s.id = l.source_id
WHERE l.target_id = ?1 AND l.source_id != ?1 ORDER BY s.path, l.ordinal LIMIT ?2
"""
_OUTGOING_COUNT = "SELECT count(*) FROM links WHERE source_id = ?"
_BACKLINK_COUNT = "SELECT count(*) FROM links WHERE target_id = ?1 AND source_id != ?1"


def read_links(
    index: Path, name: str, *, limit: int = 0, connection: apsw.Connection | None = None
) -> NoteLinks:
    """The links of the note that `name` stands for, `limit` at most each way, 0 for all.

    Outgoing ones in the order of the note, backlinks by path and line. Raises what `search` does,
    and UsageError where no note or several are called so.
    """
    with reading(index, connection) as state:
        note, _ = resolve_target(state.connection, state.vault, name)
        most = (note.note_id, limit or -1)
        outgoing = read_rows(state.connection, _OUTGOING, most)
        backlinks = read_rows(state.connection, _BACKLINKS, most)
        ((outgoing_count,),) = read_rows(state.connection, _OUTGOING_COUNT, most[:1])
        ((backlink_count,),) = read_rows(state.connection, _BACKLINK_COUNT, most[:1])
    return NoteLinks(
        note,
        state.vault,
        tuple(_outgoing(row) for row in outgoing),
        tuple(_backlink(row) for row in backlinks),
        outgoing_count,
        backlink_count,
    )


def _outgoing(row: tuple[Any, ...]) -> OutgoingLink:
    target, fragment, display, kind, status, line, section, path, title, candidates = row
    return OutgoingLink(
        target,
        fragment,
        display,
        LinkKind(kind),
        LinkStatus(status),
        line,
        tuple(json.loads(section)),
        path,
        title,
        tuple(json.loads(candidates)),
    )


def _backlink(row: tuple[Any, ...]) -> Backlink:
    path, title, line, section, kind, fragment, display, passage = row
    trail = tuple(json.loads(section))
    context = _context(passage, line)
    return Backlink(path, title, line, trail, LinkKind(kind), fragment, display, context)


def _context(passage: str, line: int) -> str:
    """The line of a passage (its first line's number, then its text), cut to what can be shown."""
    first, _, text = passage.partition("\n")
    if not first:
        return ""
    shown = text.split("\n")[line - int(first)].strip()
    return shown if len(shown) <= _LONGEST_CONTEXT else f"{shown[: _LONGEST_CONTEXT - 1]}…"
