"""Opening an index to fill it, also an older one and, with `--rebuild`, a damaged one.

A damaged file is moved aside, never removed: it may be something else than an index of ours.
Vectors took minutes to make and do not depend on the rest, so they are carried over if they can
still be read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import TypeVar

import apsw

from kb.store.connection import journals, open_writer, translated_errors, writing
from kb.store.damage import find_damage
from kb.store.errors import IndexDamagedError
from kb.store.hashes import KEY_BYTES
from kb.store.lock import side_file
from kb.store.meta import Meta, read_meta, write_meta
from kb.store.renew import KEPT, is_older

_Result = TypeVar("_Result")


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

    `work` makes the tables of an older version anew. With `rebuild`, a damaged index is replaced
    and `work` is done on the new one. Otherwise that raises IndexDamagedError, and a newer one
    IndexVersionError.
    """
    _take_up(index)
    try:
        with _damage_named(index), closing(open_writer(index, older=True)) as connection:
            if rebuild and not is_older(read_meta(connection)):
                _refuse_damaged(index)
            return work(connection)
    except IndexDamagedError:
        if not rebuild:
            raise
    with translated_errors(index):
        aside = start_anew(index)
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
    for left_over in (fresh, *journals(fresh)):
        left_over.unlink(missing_ok=True)
    _fill_with(_salvage(index), fresh)
    aside = _free_name(index)
    # A journal belongs to its file: beside another one it would be taken for that one's. The file
    # goes first, so that nobody opens it without its journal and makes one of that name.
    index.replace(aside)
    _move_journals(index, aside)
    fresh.replace(index)
    return aside


def _take_up(index: Path) -> None:
    """Finish what `start_anew` was about when it was cut short."""
    fresh = side_file(index, "new")
    if fresh.exists() and not index.exists():
        _move_journals(index, _last_aside(index))
        fresh.replace(index)
    fresh.unlink(missing_ok=True)


def _move_journals(index: Path, aside: Path) -> None:
    for journal, moved in zip(journals(index), journals(aside), strict=True):
        if journal.exists():
            journal.replace(moved)


def _fill_with(saved: _Salvage, fresh: Path) -> None:
    with closing(open_writer(fresh)) as connection, writing(connection):
        for key in KEPT:
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


def _free_name(index: Path) -> Path:
    return next(name for name in _names_aside(index) if not name.exists())


def _last_aside(index: Path) -> Path:
    """Where the file was put that was last put aside."""
    last = side_file(index, "damaged")
    for name in _names_aside(index):
        if not name.exists():
            break
        last = name
    return last


def _names_aside(index: Path) -> Iterator[Path]:
    yield side_file(index, "damaged")
    for number in count(2):
        yield side_file(index, f"damaged-{number}")
