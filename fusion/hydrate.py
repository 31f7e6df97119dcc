"""From fused notes to hits that can be shown: title, tags, the best passage, and what changed."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import NamedTuple

import apsw

from kb.fusion.options import SearchOptions
from kb.fusion.rrf import FusedNote
from kb.store.files import change_time
from kb.store.hashes import digest_of
from kb.store.paths import decode_path
from kb.store.records import LAPSING, Factor, Hit, Lapse, ShownPassage
from kb.store.rows import read_rows
from kb.text import Query, snippet

_NOTE = "SELECT title, size, mtime_ns, hash, language FROM notes WHERE id = ?"
_TAGS = "SELECT label FROM tags WHERE note_id = ? AND label != '' ORDER BY label"
_PASSAGE = "SELECT heading, line, end_line, text FROM passages WHERE id = ?"
_FIRST_PASSAGE = (
    "SELECT heading, line, end_line, text FROM passages WHERE note_id = ? ORDER BY ordinal LIMIT 1"
)
_MAY_LAPSE = "SELECT 1 FROM properties WHERE name_key IN (SELECT value FROM json_each(?)) LIMIT 1"


class Weighed(NamedTuple):
    """A fused note with the multiplier that is applied after fusion, and what that is made of.

    `place` is that of its vault among those that were asked. `rerank` is the score of a reranker,
    `fused_rank` the rank before it, 0 where none had a say.
    """

    note: FusedNote
    authority: float = 1.0
    factors: tuple[Factor, ...] = ()
    place: int = 0
    rerank: float | None = None
    fused_rank: int = 0

    @property
    def score(self) -> float:
        """What decides the order."""
        return self.note.rrf * self.authority


class Hydrator:
    """Reads what a hit shows. `vault` is None where the notes themselves are not at hand.

    `vault_name` is what the index calls it.
    """

    def __init__(
        self,
        connection: apsw.Connection,
        vault: Path | None,
        query: Query,
        options: SearchOptions,
        vault_name: str,
    ) -> None:
        self._connection = connection
        self._vault = vault
        self._vault_name = vault_name
        self._query = query
        self._width = options.snippet_width
        self._plain = options.plain_snippets
        self._day = options.today
        self._may_lapse: bool | None = None

    def hit(self, weighed: Weighed, rank: int) -> Hit | None:
        """The hit at a rank, or None where the note's file is gone."""
        note = weighed.note
        if is_gone(self._vault, note.path):
            return None
        ((title, *known, language),) = read_rows(self._connection, _NOTE, (note.note_id,))
        return Hit(
            rank=rank,
            note_id=note.note_id,
            path=note.path,
            title=title,
            score=weighed.score,
            rrf=note.rrf,
            authority=weighed.authority,
            streams=note.contributions,
            passage=self._passage(note, title, language),
            tags=tuple(row[0] for row in read_rows(self._connection, _TAGS, (note.note_id,))),
            changed=self._vault is not None and _is_changed(self._vault, note.path, *known),
            factors=weighed.factors,
            lapses=self._lapses(note.note_id),
            vault=self._vault_name,
            rerank=weighed.rerank,
            fused_rank=weighed.fused_rank or rank,
        )

    def _lapses(self, note_id: int) -> tuple[Lapse, ...]:
        """Why the note holds no more; most vaults have no property that could say so."""
        if self._may_lapse is None:
            names = json.dumps(LAPSING)
            self._may_lapse = bool(read_rows(self._connection, _MAY_LAPSE, (names,)))
        if not self._may_lapse:
            return ()
        from kb.streams.lapsed import read_lapses

        return read_lapses(self._connection, note_id, self._day)

    def _passage(self, note: FusedNote, title: str, language: str) -> ShownPassage:
        rows = []
        if note.passage_id is not None:
            rows = read_rows(self._connection, _PASSAGE, (note.passage_id,))
        if not rows:
            rows = read_rows(self._connection, _FIRST_PASSAGE, (note.note_id,))
        if not rows:
            return ShownPassage((), 1, 1, "", "")
        heading, line, end_line, text = rows[0]
        trail = tuple(json.loads(heading))
        shown, marks = "", tuple[tuple[int, int], ...]()
        if self._width and self._plain:
            from kb.text.plain import plain_snippet

            above = (title, *trail)
            shown, marks = plain_snippet(text, above, self._query, language, self._width)
        elif self._width:
            shown, marks = snippet(text, self._query, language, self._width)
        return ShownPassage(trail, line, end_line, text, shown, marks)


def is_gone(vault: Path | None, path: str) -> bool:
    """Whether a note's file is no longer there. Not where the vault itself is not at hand."""
    if vault is None:
        return False
    try:
        os.stat(_place(vault, path))  # noqa: PTH116
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        return False  # it cannot be looked at just now, which does not mean that it is gone
    return False


def _place(vault: Path, path: str) -> str:
    return os.path.join(vault, decode_path(path))  # noqa: PTH118 (pathlib takes longer)


def _is_changed(vault: Path, path: str, size: int, mtime_ns: int, digest: bytes) -> bool:
    """Whether the file holds something else than what was indexed.

    A file of the same size that was written since is read: saving or copying changes no note.
    """
    place = _place(vault, path)
    try:
        found = os.stat(place)  # noqa: PTH116
        if found.st_size != size or mtime_ns < 0 or change_time(found) == mtime_ns:
            return found.st_size != size
        with open(place, "rb") as file:  # noqa: PTH123
            data = file.read()
    except OSError:
        return False  # it cannot be read just now, which does not make it another note
    return digest_of(data) != digest
