"""What the tests of the indexer share: a quiet run, and an index as plain values to compare."""

from __future__ import annotations

import json
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any

import apsw

from kb.indexer.sync import IndexOptions, index_vault
from kb.store.connection import open_reader
from kb.store.index_records import IndexReport
from kb.store.meta import Meta, read_meta


class Watch:
    """Keeps what a run tells."""

    def __init__(self) -> None:
        self.stages: list[tuple[str, int]] = []
        self.steps: Counter[str] = Counter()
        self.ended = 0
        self.notices: list[str] = []

    def begin(self, stage: str, total: int) -> None:
        self.stages.append((stage, total))

    def advance(self, count: int = 1) -> None:
        self.steps[self.stages[-1][0]] += count

    def end(self) -> None:
        self.ended += 1

    def notice(self, message: str) -> None:
        self.notices.append(message)


def run(vault: Path, index: Path, **options: Any) -> IndexReport:
    """One quiet run."""
    return index_vault(vault, index, IndexOptions(**options), Watch())


def write(root: Path, files: dict[str, str]) -> Path:
    """Write files below a folder; the folder."""
    for name, text in files.items():
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return root


def counts(report: IndexReport) -> tuple[int, int, int, int]:
    """Notes added, changed, removed, unchanged."""
    return report.added, report.changed, report.removed, report.unchanged


def rows(index: Path, sql: str, *values: object) -> list[tuple[Any, ...]]:
    """Every row of one statement."""
    with closing(open_reader(index)) as connection:
        return connection.execute(sql, values).fetchall()


def paths(index: Path) -> list[str]:
    """The paths of all notes, sorted."""
    return [path for (path,) in rows(index, "SELECT path FROM notes ORDER BY path")]


def links(index: Path) -> list[tuple[str, str, str, str | None]]:
    """(source, target as written, status, target's path) of every link, in order."""
    return rows(
        index,
        """SELECT s.path, l.target, l.status, t.path FROM links AS l
        JOIN notes AS s ON s.id = l.source_id LEFT JOIN notes AS t ON t.id = l.target_id
        ORDER BY s.path, l.ordinal""",
    )


_NOTE = "JOIN notes AS n ON n.id = x.note_id"
_TABLES = {
    "notes": """SELECT path, name_key, title, type, date, language, size, hash, ignored, problems
        FROM notes ORDER BY path""",
    "attachments": "SELECT * FROM attachments ORDER BY path",
    "passages": f"""SELECT n.path, x.ordinal, x.heading, x.line, x.end_line, x.text, x.embed_key
        FROM passages AS x {_NOTE} ORDER BY 1, 2""",
    "tags": f"SELECT n.path, x.key, x.label FROM tags AS x {_NOTE} ORDER BY 1, 2",
    "properties": f"""SELECT n.path, x.ordinal, x.name, x.name_key, x.value, x.value_key, x.number,
        x.kind, x.inline FROM properties AS x {_NOTE} ORDER BY 1, 2""",
    "aliases": f"SELECT n.path, x.key, x.label FROM aliases AS x {_NOTE} ORDER BY 1, 2",
    "entities": "SELECT kind, key, label, notes FROM entities ORDER BY key, kind",
    "entity_words": """SELECT p.word, e.kind, e.key FROM entity_words AS p
        JOIN entities AS e ON e.id = p.entity_id ORDER BY 1, 3, 2""",
    "note_entities": f"""SELECT n.path, e.kind, e.key, x.label FROM note_entities AS x {_NOTE}
        JOIN entities AS e ON e.id = x.entity_id ORDER BY 1, 3, 2""",
    "links": """SELECT s.path, l.ordinal, l.target, l.target_key, l.fragment, l.display, l.kind,
        l.line, l.section, t.path, l.status, l.candidates FROM links AS l
        JOIN notes AS s ON s.id = l.source_id LEFT JOIN notes AS t ON t.id = l.target_id
        ORDER BY 1, 2""",
    "orphan links": """SELECT count(*) FROM links WHERE target_id IS NOT NULL
        AND target_id NOT IN (SELECT id FROM notes)""",
    "edges": """SELECT s.path, t.path, e.count FROM edges AS e LEFT JOIN notes AS s
        ON s.id = e.source_id LEFT JOIN notes AS t ON t.id = e.target_id ORDER BY 1, 2""",
    "scores": """SELECT n.path, p.ordinal, round(bm25(passages_fts), 9) FROM passages_fts AS f
        JOIN passages AS p ON p.id = f.rowid JOIN notes AS n ON n.id = p.note_id
        WHERE passages_fts MATCH '"a" OR "b" OR "own" OR "valu"' ORDER BY 1, 2""",
    "words": """SELECT n.path, p.ordinal, v.col, v.offset, v.term FROM temp.words AS v
        LEFT JOIN passages AS p ON p.id = v.doc LEFT JOIN notes AS n ON n.id = p.note_id
        ORDER BY 1, 2, 3, 4, 5""",
}


def dump(index: Path) -> dict[str, Any]:
    """All that an index says, by path instead of by id; no times, nothing about the run."""
    with closing(apsw.Connection(str(index))) as connection:
        connection.execute(
            "CREATE VIRTUAL TABLE temp.words USING fts5vocab(main, passages_fts, 'instance')"
        )
        said: dict[str, Any] = {
            name: connection.execute(sql).fetchall() for name, sql in _TABLES.items()
        }
        meta = read_meta(connection)
    said["languages"] = list(json.loads(meta[Meta.LANGUAGES]).items())
    said["averages"] = json.loads(meta[Meta.AVERAGES])
    return said


def assert_same(index: Path, other: Path) -> None:
    """Two indexes say the same."""
    left, right = dump(index), dump(other)
    for name in left:
        assert left[name] == right[name], name
