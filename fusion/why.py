"""Why a note stands where it does in the answer to a query, or is not in it.

The same streams run, to any depth, and the same fusion adds them up within the depth that a
query uses: what is said here is read off the computation that made the list.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import apsw

from kb.fusion.hydrate import Weighed
from kb.fusion.options import SearchOptions
from kb.fusion.run import Run, find_seeds, run_streams
from kb.fusion.search import Question, asked, weigh
from kb.store.errors import UsageError
from kb.store.paths import decode_path, encode_path, show_path
from kb.store.records import Ranking, StreamStatus, StreamWhy, WhyReport
from kb.store.rows import read_rows
from kb.streams.registry import STREAMS
from kb.streams.request import Request
from kb.streams.scope import clauses_against

_DEFAULTS = SearchOptions()
_NOTE_SUFFIXES = ("", ".md", ".markdown")


def why(index: Path, query: str, path: str, options: SearchOptions = _DEFAULTS) -> WhyReport:
    """Explain one note against one query. `path`: vault-relative, or absolute inside the vault.

    Raises UsageError where the index has no such note, saying what is known of the path.
    """
    with asked(index, query, options) as question:
        request = question.request
        note = _find_note(question, path)
        run = run_streams(request, options)
        weighed = weigh(question, run, options)
        place = next(
            (rank for rank, one in enumerate(weighed, 1) if one.note.note_id == note.note_id), None
        )
        standing = Standing(weighed, place, options)
        deep = _rank_deep(request, run, options)
        streams = {
            name: _explain(request, run, ranking, note, standing) for name, ranking in deep.items()
        }
        left_out = clauses_against(request.connection, request.scope, note.note_id)
        return WhyReport(
            query=query,
            vault=question.vault_name,
            path=note.path,
            title=note.title,
            limit=options.limit,
            listed=standing.listed,
            rank=place,
            score=standing.score,
            verdict=_verdict(standing, streams, left_out),
            needs="" if standing.listed else _needs(standing, run, streams, left_out),
            streams=streams,
            notices=request.query.notices,
        )


@dataclass(frozen=True, slots=True)
class AskedNote:
    """The note that was asked about."""

    note_id: int
    path: str
    title: str


@dataclass(frozen=True, slots=True)
class Standing:
    """Where the note stands in the whole fused list. `rank` is None where it is not in it."""

    weighed: list[Weighed]
    rank: int | None
    options: SearchOptions

    @property
    def own(self) -> Weighed | None:
        """The note's own entry."""
        return self.weighed[self.rank - 1] if self.rank else None

    @property
    def score(self) -> float:
        """The note's score, 0.0 where it has none."""
        return self.own.score if self.own else 0.0

    @property
    def listed(self) -> bool:
        """Whether the note is within the limit."""
        limit = self.options.limit
        return self.rank is not None and (not limit or self.rank <= limit)

    @property
    def threshold(self) -> float:
        """The score of the last note within the limit, 0.0 where there is room."""
        limit = self.options.limit
        return self.weighed[limit - 1].score if limit and len(self.weighed) >= limit else 0.0


def _find_note(question: Question, path: str) -> AskedNote:
    connection = question.request.connection
    wanted = _relative(path, question)
    for suffix in _NOTE_SUFFIXES:
        rows = read_rows(
            connection, "SELECT id, path, title FROM notes WHERE path = ?", (wanted + suffix,)
        )
        if rows:
            return AskedNote(*rows[0])
    raise _unknown_note(connection, question, wanted)


def _relative(path: str, question: Question) -> str:
    given = encode_path(path)
    root = question.vault_name.rstrip("/") + "/"
    return given.removeprefix(root).removeprefix("./")


def _unknown_note(connection: apsw.Connection, question: Question, wanted: str) -> UsageError:
    shown = show_path(wanted)
    if question.vault is not None and (question.vault / decode_path(wanted)).is_file():
        return UsageError(
            f"{shown} is in the vault and not in the index",
            "run `kb index` if it is new; hidden, ignored and unreadable files, and files that"
            " are no `.md` or `.markdown`, are left out (`kb index` names those it skips)",
        )
    name = wanted.rpartition("/")[2].removesuffix(".md")
    rows = read_rows(
        connection,
        "SELECT path FROM notes WHERE instr(lower(path), lower(?)) ORDER BY length(path), path"
        " LIMIT 3",
        (name,),
    )
    close = ", ".join(f"`{show_path(row[0])}`" for row in rows)
    hint = f"did you mean {close}?" if close else "paths are relative to the vault, with `/`"
    return UsageError(f"no note {shown} in the index", hint)


def _rank_deep(request: Request, run: Run, options: SearchOptions) -> dict[str, Ranking]:
    """The rankings without a limit of depth, where a stream took part."""
    unlimited = replace(request, depth=0, seeds=find_seeds(run.rankings, run.weights, options.k))
    deep = {}
    for stream in STREAMS:
        ranking = run.rankings[stream.name]
        full = ranking.status == StreamStatus.OK and request.depth != 0
        deep[stream.name] = stream.load().rank(unlimited) if full else ranking
    return deep


def _explain(
    request: Request, run: Run, deep: Ranking, note: AskedNote, standing: Standing
) -> StreamWhy:
    name = deep.stream
    stream = next(one for one in STREAMS if one.name == name)
    told = stream.load().explain(replace(request, seeds=run.seeds), deep, note.note_id)
    given = standing.own.note.contributions.get(name) if standing.own else None
    amount = given.amount if given else 0.0
    if told.rank is not None and not amount and run.rankings[name].status == StreamStatus.OK:
        depth = f"beyond the first {request.depth} that the stream contributes"
        told = replace(told, reason=f"{told.reason}; rank {told.rank} is {depth}")
    return replace(told, contribution=amount, weight=run.weights[name])


def _verdict(
    standing: Standing, streams: Mapping[str, StreamWhy], left_out: tuple[str, ...]
) -> str:
    if left_out:
        return f"left out before any stream ranks, by {' and by '.join(left_out)}"
    if standing.rank is None:
        ranked = [name for name, told in streams.items() if told.rank is not None]
        if ranked:
            return f"not in the list: {' and '.join(ranked)} found it, too far down to count"
        return "not in the list: no stream finds it for this query"
    carriers = [name for name, told in streams.items() if told.contribution > 0]
    told = f"rank {standing.rank} of {len(standing.weighed)}, from {' and '.join(carriers)}"
    if standing.listed:
        return told
    return f"{told}; the list shows the first {standing.options.limit}"


def _needs(
    standing: Standing,
    run: Run,
    streams: Mapping[str, StreamWhy],
    left_out: tuple[str, ...],
) -> str:
    """What would bring the note within the limit, worked out from the formula."""
    if left_out:
        return f"ask without {' and without '.join(left_out)}"
    if not standing.threshold:
        return "any of: " + "; ".join(
            f"{name}: {told.needs}" for name, told in streams.items() if told.needs
        )
    ways = []
    for name, told in streams.items():
        rank = _rank_needed(standing, run.weights[name], told)
        if rank is not None:
            ways.append(f"{name} rank {rank} or better ({_now(told)})")
    score = f"a score above {standing.threshold:.6f} (it has {standing.score:.6f})"
    return f"{score}: {', or '.join(ways)}" if ways else f"{score}: no stream alone can give that"


def _rank_needed(standing: Standing, weight: float, told: StreamWhy) -> int | None:
    """The rank in one stream that lifts the note to the threshold, the others as they are.

    From weight / (k + rank) >= threshold - what the others give.
    """
    if told.status != StreamStatus.OK or weight <= 0:
        return None
    authority = standing.own.authority if standing.own else 1.0
    others = standing.score / authority - told.contribution
    missing = standing.threshold / authority - others
    rank = math.floor(weight / missing - standing.options.k) if missing > 0 else 0
    return rank if rank >= 1 else None


def _now(told: StreamWhy) -> str:
    return f"now {told.rank}" if told.rank is not None else "not ranked now"
