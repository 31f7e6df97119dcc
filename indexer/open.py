"""Opening an index to fill it, also one that is too old and, with `--rebuild`, a damaged one.

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
from kb.store.damage import find_damage
from kb.store.errors import IndexDamagedError, IndexVersionError
from kb.store.hashes import KEY_BYTES
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
    Meta.VAULT,
)


@dataclass(frozen=True, slots=True)
class _Salvage:
    meta: dict[str, str] = field(default_factory=dict)
    vectors: dict[bytes, bytes] = field(default_factory=dict)

    @property
    def dimension(self) -> int:
        """The components of each vector, a byte each; 0 where that is not said."""
        written = self.meta.get(Meta.MODEL_DIMENSION, "")
        return int(written) if written.isascii() and written.isdigit() else 0


def with_index(
    index: Path,
    work: Callable[[apsw.Connection], _Result],
    *,
    rebuild: bool,
    notice: Callable[[str], None],
) -> _Result:
    """The result of `work` on a connection that writes, closed afterwards.

    An index of an older version is replaced and `work` is done on the new one; with `rebuild`, so
    is a damaged one. Otherwise that raises IndexDamagedError, and a newer one IndexVersionError.
    """
    _take_up(index)
    try:
        with _damage_named(index), closing(open_writer(index)) as connection:
            if rebuild:
                _refuse_damaged(index)
            return work(connection)
    except (IndexDamagedError, IndexVersionError) as error:
        is_version = isinstance(error, IndexVersionError)
        is_older = is_version and _is_older(index)
        if is_older:
            notice("the index was made by an older kb: every note is read anew")
        elif is_version or not rebuild:
            raise
    with translated_errors(index):
        aside = start_anew(index)
        if is_older:
            for file in (aside, *_journals(aside)):
                file.unlink(missing_ok=True)
        else:
            notice(f"the old index is kept as {aside.name} and can be removed")
        with closing(open_writer(index)) as connection:
            return work(connection)


def _refuse_damaged(index: Path) -> None:
    """Raise IndexDamagedError for a file with a fault anywhere: it would outlive the new rows."""
    if damage := find_damage(index):
        raise IndexDamagedError(f"{index} is damaged ({damage})")


@contextmanager
def _damage_named(index: Path) -> Iterator[None]:
    """As `translated_errors`; rows that contradict what is written are damage as well."""
    try:
        with translated_errors(index):
            yield
    except (apsw.SQLError, apsw.ConstraintError) as error:
        raise IndexDamagedError(
            f"{index} does not hold together ({error})",
            "run `kb index --rebuild` to make it anew",
        ) from error


def start_anew(index: Path) -> Path:
    """Put a new index in the place of a file, with the vectors it still gives.

    Returns where the old one is now. The new one is complete before it takes its place: whenever
    this is cut short, the vectors stand in one of them.
    """
    fresh = side_file(index, "new")
    for left_over in (fresh, *_journals(fresh)):
        left_over.unlink(missing_ok=True)
    _fill_with(_salvage(index), fresh)
    aside = _free_name(index)
    # A journal belongs to its file: beside another one it would be taken for that one's.
    for journal, moved in zip(_journals(index), _journals(aside), strict=True):
        if journal.exists():
            journal.replace(moved)
    index.replace(aside)
    fresh.replace(index)
    return aside


def _take_up(index: Path) -> None:
    """Finish what `start_anew` was about when it was cut short."""
    fresh = side_file(index, "new")
    if fresh.exists() and not index.exists():
        fresh.replace(index)
    fresh.unlink(missing_ok=True)


def _journals(index: Path) -> list[Path]:
    return [index.with_name(index.name + suffix) for suffix in ("-wal", "-shm", "-journal")]


def _fill_with(saved: _Salvage, fresh: Path) -> None:
    with closing(open_writer(fresh)) as connection, connection:
        for key in _KEPT:
            if key in saved.meta:
                write_meta(connection, key, saved.meta[key])
        connection.executemany(
            "INSERT OR IGNORE INTO vectors(embed_key, vector) VALUES (?, ?)", saved.vectors.items()
        )


def _salvage(index: Path) -> _Salvage:
    """Vectors, and what is known of their model, as far as the file gives them."""
    saved = _Salvage()
    with suppress(apsw.Error, ValueError):
        connection = apsw.Connection(str(index), flags=apsw.SQLITE_OPEN_READONLY)
        try:
            saved.meta.update(read_meta(connection))
            for order in ("ASC", "DESC"):  # from both ends, up to what cannot be read
                saved.vectors.update(_readable_vectors(connection, order, saved.dimension))
        finally:
            connection.close()
    if not saved.meta.get(Meta.MODEL_FINGERPRINT):
        saved.vectors.clear()  # of no use without knowing what made them
    return saved


def _readable_vectors(
    connection: apsw.Connection, order: str, dimension: int
) -> Iterator[tuple[bytes, bytes]]:
    with suppress(apsw.Error):
        sql = f"SELECT embed_key, vector FROM vectors ORDER BY id {order}"
        for key, vector in connection.execute(sql):
            intact = isinstance(key, bytes) and isinstance(vector, bytes)
            if intact and len(key) == KEY_BYTES and dimension in (0, len(vector)):
                yield key, vector


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
