"""`--why PATH` in words."""

from __future__ import annotations

from kb.cli.escape import escape_breaks, escape_line, flatten
from kb.cli.render_explain import authority_sum
from kb.cli.wrap import wrap_line
from kb.store.paths import show_path
from kb.store.records import StreamWhy, WhyReport


def render_why(report: WhyReport, terminal: bool, width: int = 0) -> list[str]:
    """The lines that say why a note is or is not in the list.

    For a terminal they are escaped, and broken between words at its `width`, where that is given.
    """
    score = f" (score {report.score:.6f})" if report.rank else ""
    lines = [
        f"{escape_breaks(show_path(report.path))} ({report.title})",
        f"{report.verdict}{score}",
    ]
    if report.factors:
        lines.append(f"authority: {authority_sum(report.authority, report.factors)}")
    if report.needs:
        lines.append(f"needs: {report.needs}")
    for name, told in report.streams.items():
        lines += _stream_lines(name, told)
    if not terminal:
        return [flatten(show_path(line)) for line in lines]
    clean = [escape_line(show_path(line)) for line in lines]
    return [piece for line in clean for piece in wrap_line(line, width)] if width else clean


def _stream_lines(name: str, told: StreamWhy) -> list[str]:
    if told.rank is None:
        standing = "not ranked" if told.status == "ok" else str(told.status)
    else:
        standing = f"rank {told.rank}, gives {told.contribution:.6f} (weight {told.weight:.3g})"
    lines = [f"  {name}: {standing}" + (f"; {told.reason}" if told.reason else "")]
    for label, values in (
        ("has", told.has),
        ("lacks", told.lacks),
        ("matched", told.matched),
        ("nearly", told.nearly),
        ("links", tuple(map(show_path, told.links))),
    ):
        if values:
            lines.append(f"    {label}: {', '.join(values)}")
    if told.needs:
        lines.append(f"    needs: {told.needs}")
    return lines
