"""What `kb doctor` found: a list for people, lines for pipes, a document."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from itertools import islice
from typing import TYPE_CHECKING

from kb.cli.environment import Environment
from kb.cli.escape import escape_line, escape_path, flatten
from kb.cli.render_json import Document, path_keys
from kb.cli.render_plain import render_path
from kb.cli.wrap import wrap_line
from kb.store.paths import encode_path, show_path

if TYPE_CHECKING:
    from kb.cli.doctor_run import Report
    from kb.indexer.doctor import CheckResult, Finding

_INDENT = "  "
_STYLES = {True: "bold red", False: "bold yellow"}  # by whether it is a fault
_Put = Callable[..., None]


def render_findings(report: Report, limit: int) -> list[str]:
    """A line a finding: path, line, check, message and what to do, with tabs between.

    `limit` is for each check, 0 for all.
    """
    return [
        "\t".join(
            (
                flatten(render_path(one.path, terminal=False)),
                str(one.line),
                result.check.name,
                flatten(f"{one.message}; {one.hint}"),
            )
        )
        for result in report.results
        for one in _first(result.findings, limit)
    ]


def doctor_document(report: Report, limit: int) -> Document:
    """What was found, schema `kb.doctor/1`."""
    return {
        "schema": "kb.doctor/1",
        "vault": None if report.vault is None else _shown(report.vault),
        "index": _shown(report.index),
        "faults": report.faults,
        "remarks": report.remarks,
        "checks": [_check_document(report, result, limit) for result in report.results],
    }


def _check_document(report: Report, result: CheckResult, limit: int) -> Document:
    return {
        "check": result.check.name,
        "title": result.check.title,
        "fault": report.is_fault(result),
        "made": not result.reason,
        "reason": result.reason,
        "count": len(result.findings),
        "findings": [_finding_document(one) for one in _first(result.findings, limit)],
    }


def _finding_document(one: Finding) -> Document:
    return {
        **path_keys(one.path),
        "line": one.line,
        "message": one.message,
        "hint": one.hint,
        "paths": [show_path(path) for path in one.paths],
    }


def print_report(environment: Environment, report: Report, limit: int) -> None:
    """The list for people: what is to be mended, then remarks, then what is fine."""
    from rich.text import Text

    from kb.cli.render_terminal import make_console

    console = make_console(environment)

    def put(line: str, style: str = "") -> None:
        for piece in wrap_line(line, console.width, hanging=0):
            console.print(Text(piece, style=style), soft_wrap=True)

    for result in sorted(report.results, key=lambda one: not report.is_fault(one)):
        if result.findings:
            _print_result(put, result, limit, fault=report.is_fault(result))
            console.print()
    for line in _endings(report):
        put(line)


def _print_result(put: _Put, result: CheckResult, limit: int, *, fault: bool) -> None:
    """One check: what it looks for, how much it found, the first of it, and what to do."""
    kind = "" if fault else ", which may be meant"
    count = len(result.findings)
    put(f"{result.check.name} ({count}): {result.check.title}{kind}", _STYLES[fault])
    one_hint = len({one.hint for one in result.findings}) == 1
    if one_hint:
        put(f"{_INDENT}{escape_line(result.findings[0].hint)}", "dim")
    for one in _first(result.findings, limit):
        if one.path:
            put(f"{_INDENT}{escape_path(one.path)}:{one.line}", "cyan")
        put(f"{_INDENT * 2}{escape_line(one.message)}")
        if not one_hint:
            put(f"{_INDENT * 2}{escape_line(one.hint)}", "dim")
    left = count - limit if limit else 0
    if left > 0:
        put(f"{_INDENT}and {left} more: `kb doctor --check {result.check.name} --all`")


def _endings(report: Report) -> list[str]:
    fine = [one.check.name for one in report.results if not one.findings and not one.reason]
    lines = [f"fine: {', '.join(fine)}"] if fine else []
    lines += [
        f"not looked at: {one.check.name} ({escape_line(one.reason)})"
        for one in report.results
        if one.reason
    ]
    mend = "nothing to mend" if not report.faults else f"{report.faults} to mend"
    remarks = "1 remark" if report.remarks == 1 else f"{report.remarks} remarks"
    return [*lines, f"{mend}, {remarks}"]


def _first(findings: tuple[Finding, ...], limit: int) -> Iterable[Finding]:
    return islice(findings, limit or None)


def _shown(path: os.PathLike[str]) -> str:
    return show_path(encode_path(os.fspath(path)))
