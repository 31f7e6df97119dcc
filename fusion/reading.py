"""One state of an index to read from, and the vault that it was made from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import apsw

from kb.store.connection import one_state
from kb.store.meta import Meta


class Reading(NamedTuple):
    """A connection inside one state of the index. `vault` is its path in stored form."""

    connection: apsw.Connection
    meta: Mapping[str, str]
    vault: str


@contextmanager
def reading(index: Path, connection: apsw.Connection | None = None) -> Iterator[Reading]:
    """Hold one state of the index at `index`; `connection`: a reader that is open already.

    Raises IndexMissingError, IndexDamagedError or IndexVersionError.
    """
    with one_state(index, connection) as (reader, meta):
        yield Reading(reader, meta, meta.get(Meta.VAULT, ""))
