"""The vectors of passages: the ones that are missing are made.

Vectors are committed a few at a time after the text, so that an interrupted run goes on where it
was. A vector belongs to the text it was made from, not to a note: a note that moves keeps its own.
Those without a passage go with the passage, when notes are written.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

import apsw

from kb.embedding import ModelError
from kb.indexer.options import IndexOptions, Progress
from kb.store.connection import writing
from kb.store.errors import KbError
from kb.store.index_records import IndexReport
from kb.store.meta import Meta, read_meta, write_meta
from kb.store.rows import read_rows

if TYPE_CHECKING:
    from kb.embedding import Model

_COMMIT_EVERY = 64
_AT_ONCE = 256  # texts that are read at a time

_IS_MISSING = "embed_key NOT IN (SELECT embed_key FROM vectors)"


class NotEmbeddedError(KbError):
    """The notes were indexed (`report` says how) and the vectors asked for could not be made."""

    def __init__(self, message: str, hint: str, report: IndexReport) -> None:
        super().__init__(message, hint)
        self.report = report


def write_embeddings(
    connection: apsw.Connection, options: IndexOptions, progress: Progress, report: IndexReport
) -> IndexReport:
    """Make the vectors that are missing, if they are wanted now or were before.

    Returns the report with what was done. Raises NotEmbeddedError where vectors were asked for in
    this run; a later run only gives a notice.
    """
    meta = read_meta(connection)
    if options.embed is False:
        write_meta(connection, Meta.EMBED, "")
    if not _is_wanted(connection, meta, options):
        return report
    done = 0
    try:
        model, notice = _find_model(connection, meta, options)
        report = report._replace(notices=(*report.notices, *notice))
        for written in _embed_missing(connection, model, progress):
            done += written
    except ModelError as error:
        report = report._replace(embedded=done)
        if options.embed:
            raise NotEmbeddedError(error.message, error.hint, report) from error
        lines = (f"{error.message}; new passages have no vectors yet", error.hint)
        return report._replace(notices=(*report.notices, *filter(None, lines)))
    return report._replace(embedded=done)


def _is_wanted(connection: apsw.Connection, meta: Mapping[str, str], options: IndexOptions) -> bool:
    """Whether a model is to be looked for: a run without news must not load one."""
    if options.embed is not None:
        return options.embed
    if meta.get(Meta.EMBED) != "1":
        return False
    if options.model and options.model != meta.get(Meta.MODEL_SETTING):
        return True
    return bool(read_rows(connection, f"SELECT 1 FROM passages WHERE {_IS_MISSING} LIMIT 1"))


def _find_model(
    connection: apsw.Connection, meta: Mapping[str, str], options: IndexOptions
) -> tuple[Model, tuple[str, ...]]:
    """The model, written down as the one that makes the vectors; those of another are dropped."""
    from kb.embedding import find_model, keep_graph

    setting = options.model or meta.get(Meta.MODEL_SETTING, "")
    model = find_model(setting)
    before = meta.get(Meta.MODEL_FINGERPRINT, "")
    notice: tuple[str, ...] = ()
    with writing(connection):
        if before != model.fingerprint:
            connection.execute("DELETE FROM vectors")
        if before and before != model.fingerprint:
            notice = (_made_anew(meta.get(Meta.MODEL, "another model"), model.name),)
        write_meta(connection, Meta.EMBED, "1")
        write_meta(connection, Meta.MODEL, model.name)
        write_meta(connection, Meta.MODEL_FINGERPRINT, model.fingerprint)
        write_meta(connection, Meta.MODEL_DIMENSION, str(model.dimension))
        write_meta(connection, Meta.MODEL_LANGUAGES, ",".join(model.languages))
        write_meta(connection, Meta.MODEL_SETTING, setting)
    problem = keep_graph(model)
    return model, (*notice, problem) if problem else notice


def _made_anew(before: str, now: str) -> str:
    if before == now:
        return f"the model {now} is run differently now: its vectors are made anew"
    return f"vectors were made by {before}, and are made anew by {now}"


def _embed_missing(connection: apsw.Connection, model: Model, progress: Progress) -> Iterator[int]:
    """Embed what has no vector, and yield after each commit how many it wrote."""
    sql = f"SELECT min(id) FROM passages WHERE {_IS_MISSING} GROUP BY embed_key ORDER BY 1"
    missing = [passage_id for (passage_id,) in read_rows(connection, sql)]
    if not missing:
        return
    progress.begin("embed", len(missing))
    try:
        vectors = _vectors(connection, model, missing)
        for rows in _batches(_counted(vectors, progress)):
            with writing(connection):
                connection.executemany("INSERT INTO vectors(embed_key, vector) VALUES (?, ?)", rows)
            yield len(rows)
    finally:
        progress.end()


def _vectors(
    connection: apsw.Connection, model: Model, passage_ids: list[int]
) -> Iterator[tuple[bytes, bytes]]:
    """The keys and vectors of passages, in their order; some texts are read ahead."""
    from kb.embedding import embed_passages, quantise

    keys: deque[bytes] = deque()

    def texts() -> Iterator[str]:
        for key, text in _texts(connection, passage_ids):
            keys.append(key)
            yield text

    for vector in embed_passages(model, texts()):
        yield keys.popleft(), quantise(vector)


def _texts(connection: apsw.Connection, passage_ids: list[int]) -> Iterator[tuple[bytes, str]]:
    from kb.indexer.passages import embed_text
    from kb.store.note_records import Passage

    sql = """
        SELECT p.embed_key, n.title, p.heading, p.line, p.end_line, p.text
        FROM passages AS p JOIN notes AS n ON n.id = p.note_id
        WHERE p.id IN (SELECT value FROM json_each(?)) ORDER BY p.id
    """
    for start in range(0, len(passage_ids), _AT_ONCE):
        some = json.dumps(passage_ids[start : start + _AT_ONCE])
        # read as a list: commits come while they are embedded
        for key, title, heading, line, end_line, text in read_rows(connection, sql, (some,)):
            passage = Passage(tuple(json.loads(heading)), line, end_line, text)
            yield key, embed_text(title, passage)


def _counted(
    vectors: Iterable[tuple[bytes, bytes]], progress: Progress
) -> Iterator[tuple[bytes, bytes]]:
    """The vectors, each told as soon as it is made: a commit of them may take half a minute."""
    for vector in vectors:
        progress.advance()
        yield vector


def _batches(vectors: Iterable[tuple[bytes, bytes]]) -> Iterator[list[tuple[bytes, bytes]]]:
    batch: list[tuple[bytes, bytes]] = []
    for vector in vectors:
        batch.append(vector)
        if len(batch) == _COMMIT_EVERY:
            yield batch
            batch = []
    if batch:
        yield batch
