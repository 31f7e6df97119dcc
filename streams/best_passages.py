"""The best passage of each of the best notes, by BM25 and what pairs of words add to it.

In a large vault, the rarest words of a query say what as many notes as are wanted reach at least.
BM25 is then worked out only for the passages that can reach that too. Notes and scores are those
of the plain statement, to the last bit.
"""

from __future__ import annotations

import heapq
import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence

from kb.store.rows import read_rows
from kb.store.schema import FTS_COLUMNS
from kb.streams.bounds import make_groups, match_rarest, match_reaching, part_reaching
from kb.streams.counted import count_matching
from kb.streams.pairs import Pairs
from kb.streams.request import Request
from kb.streams.scope import PASSAGES
from kb.streams.totals import count_notes, count_passages

Best = tuple[float, int]  # the score of a note, and the passage that it is the score of
Scored = tuple[int, float]  # a passage and its BM25
Statement = Callable[..., str]

# In a small vault there is little to save.
_MANY_PASSAGES = 4_000
# How many passages the rarest words find, for each that is wanted, and of all that match.
_FOUND_A_WANTED = 3
_FOUND_OF_ALL = 0.02
# Where more than this part of what matches can be among the best, looking twice saves nothing.
_LARGEST_PART = 0.5
# How many passages with pairs are looked at one by one.
_LIFTED = 300
# Several passages of one note may come up before the next note does.
_MOST_A_NOTE = 4.0
# How many times more is read where that was not enough.
_MORE = 8

_WEIGHTS = ", ".join(str(weight) for weight in FTS_COLUMNS.values())
# The full-text index leads and each of its rows is looked up in the scope: the other way round,
# SQLite would run the whole match once for each note of the scope.
_IN_SCOPE = f" CROSS JOIN {PASSAGES} AS s ON s.passage_id = f.rowid"
# Each passage is looked up before BM25 is worked out for it.
_AMONG = "SELECT value FROM json_each(?2)"
_LIKELY = f"SELECT rowid FROM passages_fts WHERE passages_fts MATCH ?3 UNION ALL {_AMONG}"

NOTES_OF = """
SELECT p.id, p.note_id FROM json_each(?1) AS w CROSS JOIN passages AS p ON p.id = w.value
"""


def rank_statement(*, in_scope: bool) -> str:
    """The ?2 best passages for the expression ?1, in order."""
    return f"{_scored(in_scope)} ORDER BY score DESC, f.rowid LIMIT ?2"


def among_statement(*, in_scope: bool) -> str:
    """The passages for the expression ?1 that are in the JSON list ?2, in no order."""
    return f"{_scored(in_scope)} AND +f.rowid IN ({_AMONG})"


def likely_statement(*, in_scope: bool) -> str:
    """Those that are in the list ?2 or match the expression ?3 as well, in no order."""
    return f"{_scored(in_scope)} AND +f.rowid IN ({_LIKELY})"


def _scored(in_scope: bool) -> str:
    return f"""
    SELECT f.rowid AS passage_id, -bm25(passages_fts, {_WEIGHTS}) AS score
    FROM passages_fts AS f{_IN_SCOPE if in_scope else ""}
    WHERE f.passages_fts MATCH ?1"""


def read_best(request: Request, phrases: Sequence[str], pairs: Pairs) -> dict[int, Best]:
    """The best passage of each note by its id, for at least `depth` notes where so many match.

    What is found to one depth is the beginning of what is found to any other.
    """
    search = _Search(request, phrases, pairs)
    total = count_passages(request.meta)
    if request.depth and total >= _MANY_PASSAGES and len(phrases) > 1:
        found = search.by_bounds(total)
        if found is not None:
            return found
    return search.by_order()


class _Search:
    """One search for the best passages."""

    def __init__(self, request: Request, phrases: Sequence[str], pairs: Pairs) -> None:
        self._request = request
        self._phrases = phrases
        self._everything = " OR ".join(phrases)
        self._pairs = pairs
        a_note = 1 + count_passages(request.meta) / (2 * max(1, count_notes(request.meta)))
        self._limit = math.ceil(request.depth * min(_MOST_A_NOTE, a_note)) or -1

    def by_bounds(self, total: int) -> dict[int, Best] | None:
        """Of the passages that can be among the best; None where those are too many to tell."""
        counts = {one: count_matching(self._request, one) for one in self._phrases}
        groups = make_groups(counts, total)
        if not groups:
            return {}
        matching = sum(group.part for group in groups)
        part = max(_FOUND_A_WANTED * self._limit / total, _FOUND_OF_ALL * matching)
        least = self._reached_by(match_rarest(groups, part))
        lifted, lift = _most_lifted(self._pairs.scores)
        most = self._pairs.most_by_common
        score = least - lift - most
        if part_reaching(groups, score) > _LARGEST_PART * part_reaching(groups, 0.0):
            return None
        values = (self._everything, json.dumps(lifted), match_reaching(groups, score))
        rows = self._rows(likely_statement, values)
        scores = self._pairs.scores
        near = (row for row in rows if row[1] + scores.get(row[0], 0.0) + most >= least)
        best: dict[int, Best] = {}
        self._add(best, [row for row in near if row[1] + self._pairs.lift(row[0]) >= least])
        return best

    def _reached_by(self, expression: str) -> float:
        """What `depth` notes reach by these words alone; 0.0 where there are not so many."""
        limit = self._limit
        while True:
            rows = self._rows(rank_statement, (expression, limit))
            best: dict[int, Best] = {}
            self._add(best, rows)
            if len(best) >= self._request.depth:
                return self._least(best)
            if len(rows) < limit:
                return 0.0
            limit *= _MORE

    def by_order(self) -> dict[int, Best]:
        """As many of all that match as it takes until what was not read cannot be among them."""
        limit = self._limit
        while True:
            rows = self._rows(rank_statement, (self._everything, limit))
            best: dict[int, Best] = {}
            self._add(best, rows)
            if limit < 0 or len(rows) < limit:
                return best
            if len(best) >= self._request.depth:
                last, least = rows[-1][1], self._least(best)
                if least > last:
                    self._add(best, self._risers(rows, least - last))
                    return best
            limit *= _MORE

    def _risers(self, rows: Iterable[Scored], lift: float) -> list[Scored]:
        """The passages that were not read, and that pairs of words may lift by so much."""
        read = {passage_id for passage_id, _ in rows}
        risers = [one for one in self._pairs.lifted(lift) if one not in read]
        if not risers:
            return []
        return self._rows(among_statement, (self._everything, json.dumps(risers)))

    def _rows(self, statement: Statement, values: tuple[object, ...]) -> list[Scored]:
        sql = statement(in_scope=self._request.scope.active)
        return read_rows(self._request.connection, sql, values)

    def _least(self, best: Mapping[int, Best]) -> float:
        """The score of the last of the `depth` best notes."""
        return heapq.nlargest(self._request.depth, (score for score, _ in best.values()))[-1]

    def _add(self, best: dict[int, Best], rows: list[Scored]) -> None:
        """Take scored passages; of several that score the same, a note keeps the first."""
        ids = json.dumps([passage_id for passage_id, _ in rows])
        notes = dict(read_rows(self._request.connection, NOTES_OF, (ids,)))
        for passage_id, bm25 in rows:
            score = bm25 + self._pairs.lift(passage_id)
            note_id = notes[passage_id]
            known = best.get(note_id)
            if known is None or (score, -passage_id) > (known[0], -known[1]):
                best[note_id] = (score, passage_id)


def _most_lifted(lifts: Mapping[int, float]) -> tuple[list[int], float]:
    """The passages that rare pairs lift most, and the most that they lift any other."""
    if len(lifts) <= _LIFTED:
        return list(lifts), 0.0
    lift = heapq.nlargest(_LIFTED + 1, lifts.values())[-1]
    return [one for one, added in lifts.items() if added > lift], lift
