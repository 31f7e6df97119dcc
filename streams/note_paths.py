"""Where notes are, by their ids."""

from __future__ import annotations

import json
from collections.abc import Iterable

import apsw

from kb.store.rows import read_rows

PATHS = "SELECT n.id, n.path FROM json_each(?1) AS w CROSS JOIN notes AS n ON n.id = w.value"


def read_paths(connection: apsw.Connection, note_ids: Iterable[int]) -> dict[int, str]:
    """The path of each note by its id."""
    return dict(read_rows(connection, PATHS, (json.dumps(list(note_ids)),)))
