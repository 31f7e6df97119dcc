"""What an index says of itself after a run, so that a query need not count."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime

import apsw

from kb.store.meta import Meta, read_meta, write_meta
from kb.store.rows import read_rows


class Gained:
    """How many notes (by language) and passages a run added, less those it took away."""

    def __init__(self) -> None:
        self.languages: Counter[str] = Counter()
        self.passages = 0

    def count(self, language: str, notes: int, passages: int) -> None:
        """Notes of a language came (or went, below 0), with so many passages in all."""
        self.languages[language] += notes
        self.passages += passages


def write_statistics(connection: apsw.Connection, gained: Gained | None = None) -> None:
    """Write the languages of the notes, most common first, and how much there is.

    With `gained`, from what was written last and not by counting, which looks at every note.
    """
    languages, passages = _written(read_meta(connection)) if gained else ({}, None)
    if gained is None or passages is None:
        sql = "SELECT language, count(*) FROM notes GROUP BY language"
        languages = dict(read_rows(connection, sql))
        ((passages,),) = read_rows(connection, "SELECT count(*) FROM passages")
    else:
        languages = {
            name: languages.get(name, 0) + gained.languages[name]
            for name in {*languages, *gained.languages}
        }
        passages += gained.passages
    ordered = sorted(languages.items(), key=lambda item: (-item[1], item[0]))
    held = {name: notes for name, notes in ordered if notes}
    write_meta(connection, Meta.LANGUAGES, json.dumps(held))
    averages = {"notes": sum(held.values()), "passages": passages}
    write_meta(connection, Meta.AVERAGES, json.dumps(averages))


def _written(meta: Mapping[str, str]) -> tuple[dict[str, int], int | None]:
    """The notes by language and the passages as written before; None where nothing was."""
    if Meta.AVERAGES not in meta:
        return {}, None
    return json.loads(meta[Meta.LANGUAGES]), json.loads(meta[Meta.AVERAGES])["passages"]


def write_finished(connection: apsw.Connection, started_ns: int) -> None:
    """Write when this run began, which later runs rely on, and that it has finished now."""
    write_meta(connection, Meta.RUN_STARTED, str(started_ns))
    write_meta(connection, Meta.INDEXED_AT, datetime.now(UTC).isoformat(timespec="seconds"))
