"""In which languages the vault speaks of what a query asks, for queries too short to tell."""

from __future__ import annotations

from collections.abc import Collection

import apsw

from kb.store.rows import read_rows
from kb.streams.match import match_any
from kb.text import Query

# So many passages tell it; a word in more of them is no more telling.
_ENOUGH = 200

_LANGUAGES = """
SELECT n.language, count(*) FROM (
  SELECT rowid AS passage_id FROM passages_fts WHERE passages_fts MATCH ?1 LIMIT ?2
) AS found
CROSS JOIN passages AS p ON p.id = found.passage_id
CROSS JOIN notes AS n ON n.id = p.note_id
GROUP BY n.language ORDER BY count(*) DESC, n.language
"""


def foreign_language(connection: apsw.Connection, query: Query, known: Collection[str]) -> str:
    """The language that passages with the query's words are in, where half of them or more are
    in one that is none of `known`; else "".
    """
    expression = match_any(query.terms)
    if not expression or not known:
        return ""
    rows = read_rows(connection, _LANGUAGES, (expression, _ENOUGH))
    foreign = [(count, language) for language, count in rows if language and language not in known]
    if not foreign or 2 * sum(count for count, _ in foreign) < sum(count for _, count in rows):
        return ""
    return str(foreign[0][1])
