"""Opening an index to fill it; with `--rebuild`, also one that is damaged or too old.

A damaged file is moved aside, never removed: it may be something else than an index of ours.
Vectors took minutes to make and do not depend on the rest, so they are carried over if they can
still be read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import apsw

from kb.store.connection import open_writer, translated_errors
from kb.store.errors import IndexDamagedError, IndexVersionError
from kb.store.lock import side_file
from kb.store.meta import Meta, read_meta, write_meta
from kb.store.schema import SCHEMA_VERSION

_Result = TypeVar("_Result")

_KEPT = (
    Meta.EMBED,
    Meta.MODEL,
    Meta.MODEL_FINGERPRINT,
    Meta.MODEL_DIMENSION,
    Meta.MODEL_LANGUAGES,
    Meta.MODEL_SETTING,
    Meta.NO_IGNORE,
)


@dataclass(frozen=True, slots=True)
class _Salvage:
    meta: dict[str, str] = field(default_factory=dict)
    vectors: list[tuple[object, object]] = field(default_factory=list)


def with_index(
    index: Path,
    work: Callable[[apsw.Connection], _Result],
    *,
    rebuild: bool,
    notice: Callable[[str], None],
) -> _Result:
    """The result of `work` on a connection that writes, closed afterwards.

    With `rebuild`, a file that turns out to be damaged or too old is replaced and `work` is done
    on the new one. Otherwise that raises IndexDamagedError or IndexVersionError.
    """
    try:
        with _damage_named(index), closing(open_writer(index)) as connection:
            return work(connection)
    except (IndexDamagedError, IndexVersionError) as error:
        is_newer = isinstance(error, IndexVersionError) and not _is_older(index)
        if not rebuild or is_newer:
            raise
    with translated_errors(index), closing(start_anew(index, notice)) as connection:
        return work(connection)


@contextmanager
def _damage_named(index: Path) -> Iterator[None]:
    """As `translated_errors`; a table or column that should be there is damage as well."""
    try:
        with translated_errors(index):
            yield
    except apsw.SQLError as error:
        if not str(error).startswith("no such"):
            raise
        raise IndexDamagedError(
            f"{index} is incomplete ({error})", "run `kb index --rebuild` to make it anew"
        ) from error


def start_anew(index: Path, notice: Callable[[str], None]) -> apsw.Connection:
    """Move the file aside and make a new index, with the vectors of the old one if readable."""
    saved = _salvage(index)
    aside = _free_name(index)
    index.replace(aside)
    for suffix in ("-wal", "-shm", "-journal"):
        index.with_name(index.name + suffix).unlink(missing_ok=True)
    notice(f"the old index is kept as {aside.name} and can be removed")
    connection = open_writer(index)
    with connection:
        for key in _KEPT:
            if key in saved.meta:
                write_meta(connection, key, saved.meta[key])
        connection.executemany(
            "INSERT OR IGNORE INTO vectors(embed_key, vector) VALUES (?, ?)", saved.vectors
        )
    return connection


def _salvage(index: Path) -> _Salvage:
    """Vectors, and what is known of their model, as far as the file gives them."""
    saved = _Salvage()
    with suppress(apsw.Error):
        connection = apsw.Connection(str(index), flags=apsw.SQLITE_OPEN_READONLY)
        try:
            saved.meta.update(read_meta(connection))
            for key, vector in connection.execute("SELECT embed_key, vector FROM vectors"):
                if isinstance(key, bytes) and isinstance(vector, bytes):
                    saved.vectors.append((key, vector))
        finally:
            connection.close()
    if not saved.meta.get(Meta.MODEL_FINGERPRINT):
        saved.vectors.clear()  # of no use without knowing what made them
    return saved


def _is_older(index: Path) -> bool:
    with suppress(apsw.Error, ValueError):
        connection = apsw.Connection(str(index), flags=apsw.SQLITE_OPEN_READONLY)
        try:
            return int(read_meta(connection).get(Meta.SCHEMA, "")) < SCHEMA_VERSION
        finally:
            connection.close()
    return False


def _free_name(index: Path) -> Path:
    name = side_file(index, "damaged")
    number = 1
    while name.exists():
        number += 1
        name = side_file(index, f"damaged-{number}")
    return name
