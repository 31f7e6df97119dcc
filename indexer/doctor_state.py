"""Whether an index is whole, and says all of what its vault says now."""

from __future__ import annotations

from collections.abc import Iterator

from kb.indexer.doctor_records import Examination, Finding, NotExaminedError
from kb.store.counts import read_problems
from kb.store.damage import read_damages
from kb.store.errors import VaultError
from kb.store.meta import Meta, read_meta
from kb.store.rows import read_rows

_REBUILD = "run `kb index --rebuild`; embeddings that are whole are kept"
_INDEX = "run `kb index`"
_MEND_NOTE = "mend the note, then run `kb index`"
_MEND_FILE = "make it a plain file that can be read, or leave it out with `.kbignore`"
_UNSEEN = "check its permissions; what was known of it is kept"


def find_damaged(examination: Examination) -> Iterator[Finding]:
    """What is wrong with the file: pages, full-text index, rows that do not belong together."""
    for damage in read_damages(examination.connection):
        yield Finding("", 0, f"the index is damaged: {damage}", _REBUILD)


def find_drift(examination: Examination) -> Iterator[Finding]:
    """The notes that the next run would add, read anew or remove."""
    try:
        found = examination.differences()
    except VaultError as error:
        yield Finding("", 0, error.message, error.hint)
        return
    unreadable = {one.path for one in examination.unreadable()}
    told = [(path, "is not indexed yet") for path in found.added if path not in unreadable]
    told += [(path, "changed since it was indexed") for path in found.changed]
    told += [(path, "is indexed, and no longer there") for path in found.removed]
    for path, what in sorted(told):
        yield Finding(path, 1, what, _INDEX)


def find_unread(examination: Examination) -> Iterator[Finding]:
    """Notes that were indexed in part, files that could not be indexed, folders unseen."""
    found = [
        Finding(one.path, 1, one.reason, _MEND_NOTE)
        for one in read_problems(examination.connection)
    ]
    try:
        walk = examination.differences().walk
    except VaultError:
        yield from found  # the check `drift` says that the vault is away
        return
    skipped = (*walk.skipped, *examination.unreadable())
    found += [Finding(one.path, 1, f"not indexed: {one.reason}", _MEND_FILE) for one in skipped]
    told = {one.path for one in walk.skipped}
    found += [
        Finding(folder, 1, "a folder that could not be read", _UNSEEN)
        for folder in walk.unseen
        if folder not in told
    ]
    yield from sorted(found, key=lambda one: one.path)


def find_unembedded(examination: Examination) -> Iterator[Finding]:
    """The notes with passages that have no vector, where vectors were asked for.

    Raises NotExaminedError where they were not.
    """
    from kb.embedding import ModelError, find_model

    meta = read_meta(examination.connection)
    if meta.get(Meta.EMBED) != "1":
        raise NotExaminedError("no embeddings were asked for; `kb index --embed` makes them")
    hint = _INDEX
    try:
        model = find_model(meta.get(Meta.MODEL_SETTING, ""))
        if model.fingerprint != meta.get(Meta.MODEL_FINGERPRINT):
            made = meta.get(Meta.MODEL) or "another model"
            message = f"the embeddings were made by {made}, and the model is {model.name} now"
            yield Finding("", 0, message, "run `kb index --embed` to make them anew")
    except ModelError as error:
        yield Finding("", 0, error.message, error.hint)
        hint = "get the model first, then run `kb index`"
    sql = """
        SELECT n.path, count(*), sum(p.embed_key NOT IN (SELECT embed_key FROM vectors)) AS missing
        FROM passages AS p JOIN notes AS n ON n.id = p.note_id
        GROUP BY n.id HAVING missing ORDER BY n.path
    """
    for path, passages, missing in read_rows(examination.connection, sql):
        noun = "passage has" if passages == 1 else "passages have"
        yield Finding(path, 1, f"{missing} of {passages} {noun} no embedding", hint)
