"""One query to several vaults: each stream ranks the notes of all of them, and fusion is as of one.

Each vault is ranked by itself, and for each stream the rankings are joined by the stream's own
scores before anything is fused: a word, a name or a meaning that only one vault knows then comes
first, where taking turns between finished lists would give every vault the same places whether
or not it has an answer. Vectors of different models are never compared: where there are several,
a cosine counts by its part of the best in its vault.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import apsw

from kb.fusion.hydrate import Weighed
from kb.fusion.options import SearchOptions
from kb.fusion.rerank import rerank
from kb.fusion.rrf import fuse
from kb.fusion.run import Run, run_ranked
from kb.fusion.search import Question, asked, authority_applied, gone_notices, hydrate
from kb.store.meta import Meta
from kb.store.records import Ranking, SearchResult, StreamHit, StreamStatus
from kb.streams.registry import Stream

_COSINE = "cosine"
Seeds = tuple[tuple[int, float], ...]


class VaultToAsk(NamedTuple):
    """One of several vaults. Of `options`, filters and authority are its own; see `search_vaults`.

    `connection`: a reader of its index that is open already.
    """

    index: Path  # type: ignore[assignment]  # in place of tuple's
    options: SearchOptions
    connection: apsw.Connection | None = None


def search_vaults(vaults: Sequence[VaultToAsk], query: str, options: SearchOptions) -> SearchResult:
    """Ask several vaults one query. Each hit names its vault, and the result names none.

    `options` say how to rank and how much to list; each vault's own say which of its notes may be
    ranked, and how they are weighed. Raises what `search` does.
    """
    with ExitStack() as stack:
        questions = [
            stack.enter_context(asked(one.index, query, own_options(one, options), one.connection))
            for one in vaults
        ]
        return _answer(questions, [own_options(one, options) for one in vaults], options)


def own_options(vault: VaultToAsk, options: SearchOptions) -> SearchOptions:
    """How one of the vaults is asked: ranked as `options` say, its notes chosen by its own."""
    own = vault.options
    return options._replace(
        filters=own.filters,
        authority=own.authority,
        recent=own.recent,
        half_life=own.half_life,
        rules=own.rules,
        today=own.today,
    )


def _answer(
    questions: Sequence[Question], own: Sequence[SearchOptions], options: SearchOptions
) -> SearchResult:
    run = run_vaults(questions, options)
    weighed, report = weigh_vaults(questions, own, run, options), None
    if options.rerank:
        weighed, report = rerank(questions, weighed, options)
    hits, gone = hydrate(questions, weighed, options)
    notices = notices_of(questions, own)
    if report is not None and report.reason:
        notices.append(report.reason)
    return SearchResult(
        query=questions[0].text,
        vault="",
        mode=str(options.mode),
        k=options.k,
        streams=run.reports(),
        hits=tuple(hits),
        notices=(*dict.fromkeys(notices), *gone_notices(gone)),
        scope=scopes_of(own),
        vaults=tuple(question.vault_name for question in questions),
        rerank=report,
    )


def notices_of(questions: Sequence[Question], own: Sequence[SearchOptions]) -> list[str]:
    """What whoever asked several vaults should know, whatever is found."""
    return [
        one for question, its in zip(questions, own, strict=True) for one in question.notices(its)
    ]


def scopes_of(own: Sequence[SearchOptions]) -> str:
    """The names of the saved filters that the vaults were asked within, "" for none."""
    return " ".join(sorted({its.filters.within[0].scope for its in own if its.filters.within}))


def run_vaults(questions: Sequence[Question], options: SearchOptions) -> Run:
    """Every stream's ranking of the notes of all vaults. A note's id is `id * vaults + vault`."""
    count = len(questions)
    models = {question.request.meta.get(Meta.MODEL_FINGERPRINT, "") for question in questions}

    def rank(stream: Stream, seeds: Seeds) -> Ranking:
        module = stream.load()
        rankings = [
            module.rank(question.request._replace(seeds=_seeds_of(seeds, place, count)))
            for place, question in enumerate(questions)
        ]
        relative = stream.name == _COSINE and len(models - {""}) > 1
        return _join(rankings, questions, relative=relative)

    return run_ranked(rank, options)


def _seeds_of(seeds: Seeds, place: int, count: int) -> Seeds:
    """The starting notes that lie in one vault, with their share of all."""
    return tuple((one // count, share) for one, share in seeds if one % count == place)


def _join(rankings: Sequence[Ranking], questions: Sequence[Question], *, relative: bool) -> Ranking:
    """One ranking of the notes of all vaults, by score, then path, then the order of the vaults.

    Its factor is that of the vault that has the first note.
    """
    taking_part = [one for one in rankings if one.status == StreamStatus.OK]
    spent = sum(one.milliseconds for one in rankings)
    if not taking_part:
        return rankings[0]._replace(milliseconds=spent)
    hits = [
        (hit._replace(note_id=hit.note_id * len(rankings) + place, score=score), place)
        for place, ranking in enumerate(rankings)
        if ranking.status == StreamStatus.OK
        for hit, score in _scored(ranking.hits, relative=relative)
    ]
    hits.sort(key=lambda one: (-one[0].score, one[0].path, one[1]))
    depth = questions[0].request.depth
    kept = hits[:depth] if depth else hits
    first = rankings[kept[0][1]] if kept else taking_part[0]
    return first._replace(
        hits=tuple(hit for hit, _ in kept), candidates=len(kept), milliseconds=spent
    )


def _scored(hits: Sequence[StreamHit], *, relative: bool) -> Iterator[tuple[StreamHit, float]]:
    best = hits[0].score if hits else 1.0
    for hit in hits:
        yield hit, hit.score / best if relative and best > 0 else hit.score


def weigh_vaults(
    questions: Sequence[Question], own: Sequence[SearchOptions], run: Run, options: SearchOptions
) -> list[Weighed]:
    """The fused list in its final order, each note weighed as its own vault weighs it."""
    count = len(questions)
    fused = fuse(run.rankings.values(), run.weights, options.k)
    weighed: dict[int, Weighed] = {}
    for place, (question, its) in enumerate(zip(questions, own, strict=True)):
        notes = [
            note._replace(note_id=note.note_id // count)
            for note in fused
            if note.note_id % count == place
        ]
        for one in authority_applied(question, notes, its):
            weighed[one.note.note_id * count + place] = one._replace(place=place)
    ordered = [weighed[note.note_id] for note in fused]
    ordered.sort(key=lambda one: (-one.score, one.note.path, one.place))
    return ordered
