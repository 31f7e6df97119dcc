"""The first notes of a fused list, put in the order of a cross-encoder.

A cross-encoder reads the query and a passage together, which judges better than fusion and takes
long. Passages are scored in the order of the list until all are or the time is up. Those that were
scored come first, by that score; the rest follows as it was. Whatever fails leaves the list alone
and says why.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

from kb.fusion.hydrate import Weighed, is_gone
from kb.fusion.options import SearchOptions
from kb.fusion.search import Question
from kb.store.records import RerankReport
from kb.store.rows import read_rows

if TYPE_CHECKING:
    from kb.embedding import Model, Reranker

_PASSAGE = """
SELECT n.title, coalesce(
  (SELECT p.text FROM passages AS p WHERE p.id = ?2),
  (SELECT p.text FROM passages AS p WHERE p.note_id = n.id ORDER BY p.ordinal LIMIT 1), '')
FROM notes AS n WHERE n.id = ?1
"""
Clock = Callable[[], float]


class Reranked(NamedTuple):
    """A list in its new order, and what was done to it."""

    weighed: list[Weighed]
    report: RerankReport


def rerank(
    questions: Sequence[Question],
    weighed: Sequence[Weighed],
    options: SearchOptions,
    clock: Clock = perf_counter,
) -> Reranked:
    """The list with its first `options.rerank_top` notes, of those that are there, reordered.

    Each note keeps its fused score; those that were scored carry that score, too. `questions` are
    those to the vaults that the notes are of, `clock` gives seconds. Never raises ModelError.
    """
    started = clock()
    first = _first(questions, weighed, options.rerank_top)
    told = RerankReport(model=options.rerank_model, candidates=len(first))
    if not first:
        return Reranked(list(weighed), told._replace(reason="there is nothing to rerank"))
    scores: list[float] = []
    reason = ""
    try:
        reranker = _reranker(options.rerank_model)
        told = told._replace(model=reranker.model.name)
        texts = [_text(questions[one.place], one) for one in first]
        for score in _scores(reranker, questions[0].text, texts):
            scores.append(score)
            if len(scores) < len(first) and clock() - started >= options.rerank_seconds:
                reason = _out_of_time(len(scores), len(first), options.rerank_seconds)
                break
    except _failures() as error:
        hint = getattr(error, "hint", "")
        reason = f"not reranked: {error}" + (f"; {hint}" if hint else "")
        scores = []
    took = (clock() - started) * 1000
    report = told._replace(scored=len(scores), milliseconds=took, reason=reason)
    return Reranked(_reordered(weighed, first, scores), report)


def _failures() -> tuple[type[Exception], ...]:
    """What may go wrong with a model: it is not there, cannot be loaded, or gives no score."""
    from kb.embedding import ModelError

    return ModelError, ImportError, OSError, MemoryError


def _first(questions: Sequence[Question], weighed: Sequence[Weighed], count: int) -> list[Weighed]:
    found: list[Weighed] = []
    for one in weighed:
        if len(found) == count:
            break
        if not is_gone(questions[one.place].vault, one.note.path):
            found.append(one._replace(fused_rank=len(found) + 1))
    return found


@lru_cache(maxsize=1)
def _loaded(model: Model) -> Reranker:
    """One loaded model for a process that asks several queries."""
    from kb.embedding import Reranker

    return Reranker(model)


def _reranker(setting: str) -> Reranker:
    from kb.embedding import find_reranker

    return _loaded(find_reranker(setting))


def _text(question: Question, weighed: Weighed) -> str:
    """The title of a note and its passage, as the cross-encoder reads it."""
    values = (weighed.note.note_id, weighed.note.passage_id)
    ((title, text),) = read_rows(question.request.connection, _PASSAGE, values)
    return f"{title}\n{text}"


def _scores(reranker: Reranker, query: str, texts: Sequence[str]) -> Iterator[float]:
    from kb.embedding import ModelError

    for score in reranker.scores(query, texts):
        if not math.isfinite(score):
            raise ModelError(f"the model `{reranker.model.name}` gives scores that are no numbers")
        yield score


def _out_of_time(scored: int, count: int, seconds: float) -> str:
    return (
        f"the time of {seconds:g} s was up after {scored} of {count} notes, the rest is as it was"
        " fused; `rerank_seconds` gives more"
    )


def _reordered(
    weighed: Sequence[Weighed], first: Sequence[Weighed], scores: Sequence[float]
) -> list[Weighed]:
    """Those that have a score by that score, equal ones as they were; then all the others."""
    scored = [one._replace(rerank=score) for one, score in zip(first, scores, strict=False)]
    scored.sort(key=lambda one: -(one.rerank or 0.0))
    moved = {(one.place, one.note.note_id) for one in scored}
    return scored + [one for one in weighed if (one.place, one.note.note_id) not in moved]
