"""How many passages match an expression, remembered for as long as the index is as it was.

The words that take longest to count are the common ones, and those come up again: a process that
is asked many queries counts each once.
"""

from __future__ import annotations

from kb.store.meta import Meta
from kb.store.rows import read_rows
from kb.streams.request import Request

_MOST_STATES = 8
_MOST_EXPRESSIONS = 20_000

_COUNT = "SELECT count(*) FROM passages_fts WHERE passages_fts MATCH ?"
_HOLDS = "SELECT count(*) FROM (SELECT 1 FROM passages_fts WHERE passages_fts MATCH ? LIMIT 1)"

# By index and the run that filled it: by statement and expression, what it gave.
_known: dict[tuple[str, str, str], dict[tuple[str, str], int]] = {}


def count_matching(request: Request, expression: str) -> int:
    """How many passages match."""
    return _remembered(request, _COUNT, expression)


def is_held(request: Request, expression: str) -> bool:
    """Whether any passage matches."""
    return bool(_remembered(request, _HOLDS, expression))


def _remembered(request: Request, sql: str, expression: str) -> int:
    meta = request.meta
    state = (str(request.index), meta.get(Meta.RUN_STARTED, ""), meta.get(Meta.INDEXED_AT, ""))
    if state not in _known and len(_known) >= _MOST_STATES:
        _known.clear()
    known = _known.setdefault(state, {})
    if len(known) >= _MOST_EXPRESSIONS:
        known.clear()
    found = known.get((sql, expression))
    if found is None:
        found = int(read_rows(request.connection, sql, (expression,))[0][0])
        known[sql, expression] = found
    return found
