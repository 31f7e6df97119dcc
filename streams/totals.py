"""How many notes and passages an index has, from what its last run wrote down."""

from __future__ import annotations

import json
from collections.abc import Mapping

from kb.store.meta import Meta


def count_notes(meta: Mapping[str, str]) -> int:
    """The number of notes."""
    return _total(meta, "notes")


def count_passages(meta: Mapping[str, str]) -> int:
    """The number of passages."""
    return _total(meta, "passages")


def _total(meta: Mapping[str, str], name: str) -> int:
    # Counting the rows of a table reads all of it.
    return int(json.loads(meta.get(Meta.AVERAGES) or "{}").get(name, 0))
