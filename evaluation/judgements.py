"""Judged queries: which notes are right for which query, as files say it.

Two forms are read. A pair of files: `queries.jsonl` with `_id` and `text` a line, and a table of
query, note path and score separated by tabs, with or without a header. Or one table of
`query<TAB>path`, where the query is its own name and every path is right.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from unicodedata import normalize

import apsw

from kb.store.errors import KbError, UsageError
from kb.store.paths import encode_path

_PAIR_HINT = (
    "judgements are `query<TAB>path<TAB>score` a line with the queries in a JSON Lines file"
    ' (`{"_id": …, "text": …}`), or `query<TAB>path` in one file'
)


@dataclass(frozen=True, slots=True)
class JudgedQuery:
    """A query with the notes that were judged for it.

    `grades` maps vault-relative paths in stored form to how right they are; above 0 is right.
    """

    id: str
    text: str
    grades: dict[str, float]

    @property
    def relevant(self) -> int:
        """How many notes are right."""
        return sum(grade > 0 for grade in self.grades.values())


@dataclass(frozen=True, slots=True)
class Judgements:
    """Queries with at least one right note, in the order of their file.

    `unjudged` counts the queries that no judgement names a right note for; `missing` the
    different paths that are no note of the index they are measured on.
    """

    queries: tuple[JudgedQuery, ...]
    unjudged: int = 0
    missing: tuple[str, ...] = ()


def read_judgements(queries: Path, qrels: Path | None = None) -> Judgements:
    """Read a pair of files, or with one file a table of `query<TAB>path`.

    Raises KbError for a file that cannot be read or a malformed line, and UsageError where no
    query is judged.
    """
    if qrels is None:
        texts, grades = _read_plain(queries)
    else:
        texts = _read_queries(queries)
        grades = _read_qrels(qrels)
    judged = tuple(
        JudgedQuery(name, text, grades[name])
        for name, text in texts.items()
        if any(grade > 0 for grade in grades.get(name, {}).values())
    )
    if not judged:
        raise UsageError(_nothing_judged(texts, grades, queries, qrels), _PAIR_HINT)
    return Judgements(judged, unjudged=len(texts) - len(judged))


def resolve_judgements(connection: apsw.Connection, judgements: Judgements) -> Judgements:
    """The same judgements with each path as the index has it.

    A path that differs in Unicode normalisation alone is the same note. One that is no note of
    the index stays, since it was right and is not found, and is named in `missing`.
    """
    stored = [str(row[0]) for row in connection.execute("SELECT path FROM notes ORDER BY path")]
    exact = set(stored)
    composed = {normalize("NFC", path): path for path in reversed(stored)}
    missing: dict[str, None] = {}

    def resolve(path: str) -> str:
        if path in exact:
            return path
        found = composed.get(normalize("NFC", path))
        if found is None:
            missing[path] = None
        return found or path

    resolved = tuple(
        replace(query, grades={resolve(path): grade for path, grade in query.grades.items()})
        for query in judgements.queries
    )
    return replace(judgements, queries=resolved, missing=tuple(missing))


def _nothing_judged(
    texts: dict[str, str], grades: dict[str, dict[str, float]], queries: Path, qrels: Path | None
) -> str:
    if qrels is None or not texts:
        return f"{queries} holds no judged query"
    if not grades:
        return f"{qrels} holds no judgement"
    if not grades.keys() & texts.keys():
        return f"no query of {queries} is named in {qrels}"
    return f"{qrels} judges no note right (a score above 0) for any query of {queries}"


def _read_plain(file: Path) -> tuple[dict[str, str], dict[str, dict[str, float]]]:
    """Texts and grades by query; a query is named by its number, in order of first appearance."""
    names: dict[str, str] = {}
    grades: dict[str, dict[str, float]] = {}
    for number, cells in _rows(file):
        if len(cells) != 2:
            raise _malformed(file, number, f"{len(cells)} columns where there are two")
        text, path = cells[0].strip(), _stored(cells[1])
        if number == 1 and (text.lower(), path.lower()) == ("query", "path"):
            continue
        if not text or not path:
            raise _malformed(file, number, "no query or no path")
        name = names.setdefault(text, str(len(names) + 1))
        grades.setdefault(name, {})[path] = 1.0
    return {name: text for text, name in names.items()}, grades


def _read_queries(file: Path) -> dict[str, str]:
    texts: dict[str, str] = {}
    for number, line in _lines(file):
        try:
            record = json.loads(line)
            name, text = str(record["_id"]), record["text"]
        except (ValueError, KeyError, TypeError) as error:
            raise _malformed(file, number, "no JSON object with `_id` and `text`") from error
        if not isinstance(text, str):
            raise _malformed(file, number, "`text` is not text")
        if texts.setdefault(name, text) != text:
            raise _malformed(file, number, f"the id `{name}` stands for two queries")
    return texts


def _read_qrels(file: Path) -> dict[str, dict[str, float]]:
    grades: dict[str, dict[str, float]] = {}
    for number, cells in _rows(file):
        if len(cells) not in (2, 3):
            raise _malformed(file, number, f"{len(cells)} columns where there are three")
        name, path = cells[0].strip(), _stored(cells[1])
        try:
            grade = float(cells[2]) if len(cells) == 3 else 1.0
        except ValueError as error:
            if number == 1:
                continue  # a header
            raise _malformed(file, number, f"`{cells[2]}` is no score") from error
        if not name or not path:
            raise _malformed(file, number, "no query or no path")
        known = grades.setdefault(name, {})
        known[path] = max(grade, known.get(path, grade))
    return grades


def _stored(path: str) -> str:
    stored = encode_path(path.strip())
    while stored.startswith("./"):
        stored = stored[2:]
    return stored


def _rows(file: Path) -> Iterator[tuple[int, list[str]]]:
    for number, line in _lines(file):
        yield number, line.split("\t")


def _lines(file: Path) -> Iterable[tuple[int, str]]:
    """Lines that hold anything, with their number. Bytes that are not UTF-8 are kept."""
    try:
        text = file.read_bytes().decode("utf-8-sig", "surrogateescape")
    except OSError as error:
        raise KbError(f"cannot read {file} ({error.strerror})", _PAIR_HINT) from error
    lines = enumerate(text.split("\n"), start=1)
    return [(number, line.rstrip("\r")) for number, line in lines if line.strip()]


def _malformed(file: Path, number: int, what: str) -> KbError:
    return KbError(f"{file}, line {number}: {what}", _PAIR_HINT)
