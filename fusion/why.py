"""Why a note stands where it does in the answer to a query, or is not in it.

The same streams run, to any depth, and the same fusion adds them up within the depth that a
query uses: what is said here is read off the computation that made the list.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import apsw

from kb.fusion.hydrate import is_gone
from kb.fusion.naming import NamedNote, resolve_note
from kb.fusion.options import SearchOptions
from kb.fusion.rank_needed import Standing, rank_needed
from kb.fusion.run import Run, run_streams
from kb.fusion.search import Question, asked, weigh
from kb.store.records import Factor, Ranking, StreamStatus, StreamWhy, WhyReport
from kb.streams.filters import Clause
from kb.streams.registry import STREAMS
from kb.streams.request import Request
from kb.streams.scope import clauses_against

_DEFAULTS = SearchOptions()


def why(
    index: Path,
    query: str,
    path: str,
    options: SearchOptions = _DEFAULTS,
    *,
    connection: apsw.Connection | None = None,
) -> WhyReport:
    """Explain one note against one query. `path`: the note's path, or what else it is called.

    `connection`: a reader of the index that is open already. Raises what `search` does, and
    UsageError where no note or several are called so, saying which may be meant.
    """
    with asked(index, query, options, connection) as question:
        note = resolve_note(question.request.connection, question.vault_name, path)
        return _report(question, note, options)


class _Obstacles(NamedTuple):
    """What keeps the note from being listed whatever the streams say of it."""

    gone: bool
    clauses: tuple[Clause, ...]


def _report(question: Question, note: NamedNote, options: SearchOptions) -> WhyReport:
    request = question.request
    run = run_streams(request, options)
    obstacles = _Obstacles(
        is_gone(question.vault, note.path),
        clauses_against(request.connection, request.scope, note.note_id),
    )
    standing = _standing(question, run, note, options)
    deep = _rank_deep(request, run)
    streams = {
        name: _explain(request, run, ranking, note, standing, obstacles)
        for name, ranking in deep.items()
    }
    return WhyReport(
        query=question.text,
        vault=question.vault_name,
        path=note.path,
        title=note.title,
        limit=options.limit,
        listed=standing.listed,
        rank=standing.rank,
        score=standing.score,
        verdict=_verdict(standing, streams, obstacles),
        needs="" if standing.listed else _needs(standing, run, streams, obstacles),
        streams=streams,
        notices=(
            *question.notices(options),
            *(["the rank told here is that before reranking"] if options.rerank else []),
        ),
        authority=standing.authority,
        factors=standing.factors,
    )


def _standing(question: Question, run: Run, note: NamedNote, options: SearchOptions) -> Standing:
    weighed = [
        one for one in weigh(question, run, options) if not is_gone(question.vault, one.note.path)
    ]
    authority, factors = _authority(question.request, note, options)
    rank = next((rank for rank, one in enumerate(weighed, 1) if one.note.path == note.path), None)
    return Standing(
        weighed,
        rank,
        path=note.path,
        authority=authority,
        factors=factors,
        limit=options.limit,
        k=options.k,
        depth=question.request.depth,
    )


def _authority(
    request: Request, note: NamedNote, options: SearchOptions
) -> tuple[float, tuple[Factor, ...]]:
    """The note's multiplier and its factors, also where no stream ranks it."""
    from kb.fusion.authority import authority_of, read_factors

    factors = read_factors(request, {note.note_id: note.path}, options).get(note.note_id, ())
    return authority_of(factors), factors


def _rank_deep(request: Request, run: Run) -> dict[str, Ranking]:
    """The rankings without a limit of depth, of every stream that was run."""
    unlimited = request._replace(depth=0, seeds=run.seeds)
    deep = {}
    for stream in STREAMS:
        ranking = run.rankings[stream.name]
        if request.depth and ranking.status in (StreamStatus.OK, StreamStatus.SEED):
            full = stream.load().rank(unlimited)
            ranking = full._replace(status=ranking.status, reason=ranking.reason)
        deep[stream.name] = ranking
    return deep


def _explain(
    request: Request,
    run: Run,
    deep: Ranking,
    note: NamedNote,
    standing: Standing,
    obstacles: _Obstacles,
) -> StreamWhy:
    name = deep.stream
    stream = next(one for one in STREAMS if one.name == name)
    told = stream.load().explain(request._replace(seeds=run.seeds), deep, note.note_id)
    given = standing.own.note.contributions.get(name) if standing.own else None
    amount = given.amount if given else 0.0
    took_part = run.rankings[name].status == StreamStatus.OK
    if told.rank is not None and took_part and request.depth and told.rank > request.depth:
        depth = f"beyond the first {request.depth} that the stream contributes"
        told = told._replace(reason=f"{told.reason}; rank {told.rank} is {depth}")
    if obstacles.clauses and took_part:
        told = told._replace(reason="the note is left out before it ranks", needs="")
    if told.status == StreamStatus.OFF:
        # What it would take says nothing of a stream that does not run.
        told = told._replace(nearly=(), links=(), needs="")
    return told._replace(contribution=amount, weight=run.weights[name])


def _verdict(standing: Standing, streams: Mapping[str, StreamWhy], obstacles: _Obstacles) -> str:
    if obstacles.gone:
        return "its file is gone since it was indexed, so it is left out of the list"
    if obstacles.clauses:
        by = " and by ".join(clause.label for clause in obstacles.clauses)
        return f"left out before any stream ranks, by {by}"
    if standing.rank is None:
        ranked = [
            name
            for name, told in streams.items()
            if told.rank is not None and told.status == StreamStatus.OK
        ]
        if ranked:
            return f"not in the list: {' and '.join(ranked)} found it, too far down to count"
        return "not in the list: no stream finds it for this query"
    carriers = [name for name, told in streams.items() if told.contribution > 0]
    told = f"rank {standing.rank} of {len(standing.weighed)}, from {' and '.join(carriers)}"
    if standing.listed:
        return told
    return f"{told}; the list shows the first {standing.limit}"


def _needs(
    standing: Standing, run: Run, streams: Mapping[str, StreamWhy], obstacles: _Obstacles
) -> str:
    """What would bring the note within the limit, worked out from the formula."""
    if obstacles.gone:
        return "the file back in its place, or `kb index` to forget it"
    if obstacles.clauses:
        return " and ".join(_remedy(clause) for clause in obstacles.clauses)
    last = standing.last
    if last is None:
        needs = [f"{name}: {told.needs}" for name, told in streams.items() if told.needs]
        if not needs:
            return "a query that names something in it"
        return needs[0] if len(needs) == 1 else f"any of: {'; '.join(needs)}"
    ways = []
    for name, told in streams.items():
        if told.status == StreamStatus.OK:
            rank = rank_needed(standing, name, run.weights[name])
            if rank is not None:
                ways.append(f"{name} rank {rank} or better ({_now(told)})")
    score = f"a score above {last.score:.6f} (it has {standing.score:.6f})"
    return f"{score}: {', or '.join(ways)}" if ways else f"{score}: no stream alone can give that"


def _remedy(clause: Clause) -> str:
    return clause.remedy or f"ask without `{clause.label}`"


def _now(told: StreamWhy) -> str:
    return f"now {told.rank}" if told.rank is not None else "not ranked now"
