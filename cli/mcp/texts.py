"""Lists of notes in few words, for a model to read."""

from __future__ import annotations

from kb.cli.mcp.bounds import join_entries, one_line
from kb.store.paths import show_path
from kb.store.records import Hit, SearchResult, StreamStatus

_SNIPPET = 400


def list_text(head: str, result: SearchResult, *, explain: bool) -> str:
    """The notes of a result, an entry each, then what to know of the run."""
    told = [_stream_text(name, result) for name in result.streams] if explain else _absent(result)
    notices = [f"notice: {show_path(notice)}" for notice in result.notices]
    entries = (_hit_text(hit, result.k, explain=explain) for hit in result.hits)
    return "\n".join([join_entries(head, entries), *told, *notices])


def _hit_text(hit: Hit, k: int, *, explain: bool) -> str:
    passage = hit.passage
    place = f"{show_path(hit.path)}:{passage.line}-{passage.end_line}"
    trail = [one_line(part, 120) for part in passage.heading if part != hit.title]
    lines = [f"{hit.rank}. {place}: {' › '.join([one_line(hit.title, 200), *trail[-3:]])}"]
    found = ", ".join(f"{name} #{one.rank}" for name, one in hit.streams.items())
    tags = f"; tags {one_line(', '.join(hit.tags), 120)}" if hit.tags else ""
    changed = "; the file has changed since it was indexed" if hit.changed else ""
    lines.append(f"   found by {found}{tags}{changed}")
    if explain:
        summands = " + ".join(
            f"{name} {one.amount:.5f} (rank {one.rank}, k {k})" for name, one in hit.streams.items()
        )
        lines.append(f"   score {hit.score:.5f} = ({summands}) × {hit.authority:.3g}")
    lines.append(f"   {one_line(passage.snippet, _SNIPPET)}")
    return "\n".join(lines)


def _stream_text(name: str, result: SearchResult) -> str:
    report = result.streams[name]
    reason = f"; {report.reason}" if report.reason else ""
    return (
        f"stream {name}: {report.status}, weight {report.weight:.3g},"
        f" {report.candidates} notes{reason}"
    )


def _absent(result: SearchResult) -> list[str]:
    return [
        f"without {name}: {report.reason}"
        for name, report in result.streams.items()
        if report.status == StreamStatus.OFF
    ]
