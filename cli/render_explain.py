"""The table of `--explain`: what each stream gave to each hit, and how it was weighed."""

from __future__ import annotations

from math import prod

from kb.cli.escape import escape_breaks, flatten
from kb.cli.render_table import TextTable
from kb.store.paths import show_path
from kb.store.records import (
    Contribution,
    Factor,
    Hit,
    Lapse,
    RerankReport,
    SearchResult,
    StreamReport,
    StreamStatus,
)


def explain_table(result: SearchResult) -> TextTable:
    """A row a hit, a column a stream with rank and contribution, and what explains the weights."""
    streams = tuple(result.streams)
    weighed = any(hit.authority != 1 for hit in result.hits)
    extra = ("rrf", "authority") if weighed else ()
    reranked = any(hit.rerank is not None for hit in result.hits)
    last = ("score", "rerank") if reranked else ("score",)
    columns = ("#", "note", *(_heading(name, result.streams[name]) for name in streams))
    rows = tuple(
        (*_row(hit, streams, weighed), *([_reranked(hit)] if reranked else []))
        for hit in result.hits
    )
    return TextTable(
        title=f"score = Σ weight / (k + rank), k = {result.k}, mode {result.mode}",
        columns=(*columns, *extra, *last),
        rows=rows,
        numeric=frozenset({0, *range(2, 2 + len(streams) + len(extra) + len(last))}),
        notes=(
            *(note for name in streams for note in _notes(name, result.streams[name])),
            *(note for hit in result.hits for note in _hit_notes(hit)),
            *_rerank_notes(result.rerank),
        ),
        wide=1,
    )


def highest_score(result: SearchResult) -> float:
    """The fused score of a note that every stream that took part ranks first."""
    weights = [one.weight for one in result.streams.values() if one.status == StreamStatus.OK]
    return sum(weights) / (result.k + 1)


def _heading(name: str, report: StreamReport) -> str:
    if report.status != StreamStatus.OK:
        return f"{name}\n({report.status})"
    return f"{name}\n×{report.weight:.3g}"


def _row(hit: Hit, streams: tuple[str, ...], weighed: bool) -> tuple[str, ...]:
    cells = [str(hit.rank), f"{escape_breaks(show_path(hit.path))}:{hit.passage.line}"]
    cells += [_cell(hit.streams.get(name)) for name in streams]
    if weighed:
        cells += [f"{hit.rrf:.6f}", f"{hit.authority:.3f}"]
    return (*cells, f"{hit.score:.6f}")


def _reranked(hit: Hit) -> str:
    """The reranker's score, and where the note came from."""
    if hit.rerank is None:
        return "-"
    moved = hit.fused_rank - hit.rank
    came = f"#{hit.fused_rank} {'↑' if moved > 0 else '↓'}{abs(moved)}" if moved else "stays"
    return f"{hit.rerank:.4f}\n{came}"


def _rerank_notes(report: RerankReport | None) -> list[str]:
    if report is None:
        return []
    if report.scored:
        took = f"{report.milliseconds / 1000:.2f} s"
        return [f"rerank: {report.model} read {report.scored} of {report.candidates} in {took}"]
    return [f"rerank: {show_path(report.reason)}"]


def _hit_notes(hit: Hit) -> list[str]:
    """What a hit's authority is made of, and why it holds no more."""
    notes = []
    if hit.factors:
        notes.append(f"#{hit.rank} authority {authority_sum(hit.authority, hit.factors)}")
    if hit.lapses:
        notes.append(f"#{hit.rank} {lapses_text(hit.lapses)}")
    return notes


def authority_sum(authority: float, factors: tuple[Factor, ...]) -> str:
    """A note's authority as the product that it is, and its bound where that held it."""
    product = " · ".join(f"{one.value:.3g} ({flatten(show_path(one.name))})" for one in factors)
    exact = prod(one.value for one in factors)
    held = "" if exact == authority else f", held from {exact:.3g}"
    return f"{authority:.3f} = {product}{held}"


def lapses_text(lapses: tuple[Lapse, ...]) -> str:
    """Why a note holds no more: its label, then what says so."""
    return f"{lapses[0].label} ({'; '.join(flatten(show_path(one.reason)) for one in lapses)})"


def _cell(given: Contribution | None) -> str:
    return "-" if given is None else f"#{given.rank}\n{given.amount:.6f}"


def _against(report: StreamReport) -> str:
    """The weight as used against the one that was set."""
    ratio = report.weight / report.base_weight if report.base_weight else 0.0
    return f"{ratio:.3g} times its {report.base_weight:.3g}"


def _notes(name: str, report: StreamReport) -> list[str]:
    """Why a stream sat out, or counts less than it was set to."""
    reason = show_path(report.reason) or "no reason given"
    if report.status != StreamStatus.OK:
        return [f"{name} is {report.status}: {reason}"]
    if report.weight != report.base_weight:
        return [f"{name} ×{report.weight:.3g} ({_against(report)}): {reason}"]
    return [f"{name}: {reason}"] if report.reason else []
