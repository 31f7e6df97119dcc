"""The index that a command is about, opened, with the vault it belongs to."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from kb.cli.environment import Environment
from kb.cli.output import say
from kb.store.paths import decode_path

if TYPE_CHECKING:
    import apsw


class Place(NamedTuple):
    """An index and its vault. `vault` is what the index says, wherever it stands itself."""

    index: Path  # type: ignore[assignment]  # in place of tuple's
    vault: Path
    connection: apsw.Connection


@contextmanager
def opened_place(
    environment: Environment, vault: str, index: str, *, quiet: bool
) -> Iterator[Place]:
    """Find and open the index to read. A vault that nobody named is named on stderr.

    Raises IndexMissingError, IndexDamagedError or IndexVersionError.
    """
    from kb.store.connection import open_reader, translated_errors
    from kb.store.locations import find_index

    location = find_index(vault, index)
    file = location.index
    with translated_errors(file), closing(open_reader(file)) as connection:
        place = Place(location.index, read_vault_path(connection), connection)
        if location.guessed and not quiet:
            say(
                environment,
                f"kb: using {place.vault}, the vault indexed last"
                " (name one with `--vault`, or run this inside one)",
            )
        yield place


@contextmanager
def reopened(place: Place) -> Iterator[Place]:
    """The same index opened anew: an index that was made anew is another file."""
    from kb.store.connection import open_reader, translated_errors

    with translated_errors(place.index), closing(open_reader(place.index)) as connection:
        yield Place(place.index, place.vault, connection)


def read_vault_path(connection: apsw.Connection) -> Path:
    """The vault that an index was made from."""
    from kb.store.meta import Meta, read_meta

    return Path(decode_path(read_meta(connection).get(Meta.VAULT, "")))


def is_inside(path: Path, folder: Path) -> bool:
    """Whether a path, which need not exist, is a folder or lies in it, links followed."""
    real = Path(os.path.normcase(os.path.realpath(path)))
    root = Path(os.path.normcase(os.path.realpath(folder)))
    return real == root or root in real.parents
