"""Words of the query that are part of a property's value: `Rask`, where `contact` is Ylva Rask.

Values stand in no full-text column, so that a word of one would be found nowhere else.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping
from typing import NamedTuple

import apsw

from kb.store.rows import read_rows

# A word in more values than this is no part of a name.
_MOST_VALUES = 300

PARTS = """
SELECT w.value, e.id, e.kind, e.key, e.label, e.notes
FROM json_each(?) AS w
CROSS JOIN entity_words AS p ON p.word = w.value
CROSS JOIN entities AS e ON e.id = p.entity_id
"""


class Part(NamedTuple):
    """An entity some of whose words are in the query. `share` is how much of it they are.

    `start` and `end` are where the first of them stands in the query.
    """

    entity_id: int
    kind: str
    label: str
    notes: int
    share: float
    start: int
    end: int


def find_parts(connection: apsw.Connection, words: Mapping[str, tuple[int, int]]) -> list[Part]:
    """The entities that have any of these words, given with their places in the query."""
    if not words:
        return []
    by_word: dict[str, list[tuple[int, str, str, str, int]]] = defaultdict(list)
    for word, *entity in read_rows(connection, PARTS, (json.dumps(list(words)),)):
        by_word[word].append(tuple(entity))
    entities: dict[int, tuple[str, str, str, int]] = {}
    found: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for word, values in by_word.items():
        if len(values) > _MOST_VALUES:
            continue
        for entity_id, kind, key, label, notes in values:
            entities[entity_id] = (kind, key, label, notes)
            found[entity_id].append(words[word])
    return [
        Part(entity_id, kind, label, notes, len(found[entity_id]) / len(key.split()), *first)
        for entity_id, (kind, key, label, notes) in entities.items()
        for first in [min(found[entity_id])]
    ]
