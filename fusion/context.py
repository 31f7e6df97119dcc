"""The passages that answer a question, within a budget, ordered for reading.

The notes are those of a query, in its order. Of each, passages are ranked by how well they fit the
question; the value of one is

    1 / (rank of its note + 2) · strength · 0.5 ^ (passages of the note taken before it)

where the strength is its part of the best BM25 and the best cosine of its note, in the weights of
those streams. Passages are taken by value / √size until nothing fits, a long one cut to the part
that holds most of the question's words, one that says what another has said left out. Passages
that touch are joined, and all stand in the order of their notes, then of their lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import apsw

from kb.fusion.budget import Budget, Measure, measure_of
from kb.fusion.context_candidates import Candidate, Source, read_candidates
from kb.fusion.context_items import ContextItem, make_items, render_items
from kb.fusion.hydrate import Weighed, is_gone
from kb.fusion.options import SearchOptions
from kb.fusion.rerank import rerank
from kb.fusion.search import Question, asked
from kb.fusion.vaults import (
    VaultToAsk,
    notices_of,
    own_options,
    run_vaults,
    scopes_of,
    weigh_vaults,
)
from kb.text import mark
from kb.text.excerpt import Excerpt, excerpt, shingles

# How many notes are looked into where nobody said.
NOTES = 30
# What of a passage's words (runs of four) may stand in another that was taken.
_SAID = 0.8


class Packing(NamedTuple):
    """The numbers of the rule above. `longest`: the part of the budget that one passage may take.

    It may always take `least` characters, or a quarter of that in tokens. What does not fit is cut
    where at least `rest` are left for it.

    Chosen on the tuning halves of the test collections.
    """

    flat: float = 2.0
    root: float = 0.5
    again: float = 0.5
    longest: float = 0.1
    least: int = 400
    rest: int = 160


_DEFAULTS = SearchOptions(limit=NOTES)
_PACKING = Packing()


class ContextPack(NamedTuple):
    """The passages for a question. `used` of the budget is what their Markdown counts.

    `counted_by` names what counted: `characters`, a model whose tokenizer did, or `estimate`.
    `found` is how many notes the query found, at most those that were looked into.
    """

    query: str
    vault: str
    vaults: tuple[str, ...]
    mode: str
    scope: str
    budget: Budget
    counted_by: str
    used: int
    found: int
    items: tuple[ContextItem, ...]
    notices: tuple[str, ...] = ()

    @property
    def markdown(self) -> str:
        """The passages as one text, each under its note and place."""
        return render_items(self.items, several=len(self.vaults) > 1)


class Taken(NamedTuple):
    """A passage that was taken, as it will be shown."""

    candidate: Candidate
    shown: Excerpt
    value: float


def context(
    index: Path,
    query: str,
    budget: Budget,
    options: SearchOptions = _DEFAULTS,
    *,
    connection: apsw.Connection | None = None,
) -> ContextPack:
    """The passages of one vault that answer a question; `options.limit` notes are looked into.

    Raises what `search` does.
    """
    return context_of_vaults([VaultToAsk(index, options, connection)], query, budget, options)


def context_of_vaults(
    vaults: Sequence[VaultToAsk],
    query: str,
    budget: Budget,
    options: SearchOptions,
    packing: Packing = _PACKING,
) -> ContextPack:
    """The same from several vaults; see `search_vaults` for what `options` say and what theirs."""
    own = [own_options(vault, options) for vault in vaults]
    with ExitStack() as stack:
        questions = [
            stack.enter_context(asked(vault.index, query, its, vault.connection))
            for vault, its in zip(vaults, own, strict=True)
        ]
        run = run_vaults(questions, options)
        weighed, reason = weigh_vaults(questions, own, run, options), ""
        if options.rerank:
            weighed, report = rerank(questions, weighed, options)
            reason = report.reason
        notes = list(_there(questions, weighed, options.limit))
        measure = measure_of(budget.unit, questions[0].request.meta)
        candidates = read_candidates(questions, run, notes)
        sources = [Source(question, its) for question, its in zip(questions, own, strict=True)]
        taken = take(candidates, sources, measure, budget.amount, packing)
        several = len(questions) > 1
        items = _fitting(taken, sources, measure, budget.amount, several=several)
        notices = notices_of(questions, own)
        if reason:
            notices.append(reason)
        if notes and not items:
            notices.append("the budget is too small for any passage")
        return ContextPack(
            query=query,
            vault="" if several else questions[0].vault_name,
            vaults=tuple(question.vault_name for question in questions),
            mode=str(options.mode),
            scope=scopes_of(own),
            budget=budget,
            counted_by=measure.name,
            used=measure.size(render_items(items, several=several)),
            found=len(notes),
            items=items,
            notices=tuple(dict.fromkeys(notices)),
        )


def _there(
    questions: Sequence[Question], weighed: Iterable[Weighed], limit: int
) -> Iterable[Weighed]:
    """The first notes whose file is there; limit 0: all."""
    count = 0
    for one in weighed:
        if limit and count == limit:
            return
        if not is_gone(questions[one.place].vault, one.note.path):
            count += 1
            yield one


def take(
    candidates: Sequence[Candidate],
    sources: Sequence[Source],
    measure: Measure,
    amount: int,
    packing: Packing,
) -> list[Taken]:
    """The passages that are taken, in the order in which they are."""
    left = amount
    smaller = 1 if measure.size is len else 4
    longest = min(amount, max(int(amount * packing.longest), packing.least // smaller))
    rest = min(amount, packing.rest // smaller)
    waiting = [_Waiting(one, _shown(one, sources, measure, longest), measure) for one in candidates]
    before: dict[tuple[int, int], int] = {}
    taken: list[Taken] = []
    said: list[frozenset[str]] = []
    while waiting:
        best = max(waiting, key=lambda one: one.worth(before, packing))
        waiting.remove(best)
        shown, size = best.shown, best.size
        if size > left:
            if left - best.head < rest:
                continue
            shown = _shown(best.candidate, sources, measure, left - best.head)
            size = measure.size(shown.text) + best.head if shown else 0
        if shown is None or size > left:
            continue
        own = shingles(shown.text)
        if any(len(own & other) >= _SAID * min(len(own), len(other)) for other in said):
            continue
        said.append(own)
        left -= size
        taken.append(Taken(best.candidate, shown, best.value(before, packing)))
        before[best.candidate.key] = before.get(best.candidate.key, 0) + 1
    return taken


class _Waiting:
    """A candidate with what it would be shown as. `head`: the size of what stands above it."""

    __slots__ = ("candidate", "head", "shown", "size")

    def __init__(self, candidate: Candidate, shown: Excerpt | None, measure: Measure) -> None:
        self.candidate = candidate
        self.shown = shown
        self.head = measure.size(candidate.head)
        self.size = (measure.size(shown.text) if shown else 0) + self.head

    def value(self, before: dict[tuple[int, int], int], packing: Packing) -> float:
        again = packing.again ** before.get(self.candidate.key, 0)
        return self.candidate.strength * again / (self.candidate.rank + packing.flat)

    def worth(self, before: dict[tuple[int, int], int], packing: Packing) -> tuple[float, int, int]:
        """What the greatest is taken by; equal ones by rank, then from the top of the note."""
        size = max(self.size, 1) ** packing.root
        return self.value(before, packing) / size, -self.candidate.rank, -self.candidate.ordinal


def _shown(
    candidate: Candidate, sources: Sequence[Source], measure: Measure, limit: int
) -> Excerpt | None:
    """The passage, or the part of it that fits; None where none does."""
    if limit <= 0:
        return None
    if measure.size(candidate.text) <= limit:
        spans: list[tuple[int, int]] = []
    else:
        query = sources[candidate.place].question.request.query
        spans = mark(candidate.text, query, candidate.language)
    return excerpt(candidate.text, spans, measure.size, limit, candidate.fence)


def _fitting(
    taken: Sequence[Taken],
    sources: Sequence[Source],
    measure: Measure,
    amount: int,
    *,
    several: bool,
) -> tuple[ContextItem, ...]:
    """What was taken as items; where joining made more of it than its parts, without the least."""
    kept = list(taken)
    while kept:
        items = make_items(kept, sources)
        if measure.size(render_items(items, several=several)) <= amount:
            return items
        kept.remove(min(kept, key=lambda one: one.value))
    return ()
