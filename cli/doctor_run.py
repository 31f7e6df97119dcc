"""`kb doctor`, from what was typed to a list of findings and an exit status."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from kb.cli.environment import Environment
from kb.cli.output import write_json, write_lines
from kb.cli.place import opened_place
from kb.cli.status import ExitStatus
from kb.indexer.doctor import CHECKS, CheckResult, Finding, examine
from kb.store.errors import IndexDamagedError, UsageError
from kb.store.locations import find_index

# Shown of each check in the list for people.
_FIRST = 5


class DoctorArguments(NamedTuple):
    """Every option of `kb doctor`, as typed. `limit` is None where it was not given."""

    vault: str = ""
    index: str = ""  # type: ignore[assignment]  # in place of tuple's
    checks: tuple[str, ...] = ()
    limit: int | None = None
    json: bool = False
    quiet: bool = False


class Report(NamedTuple):
    """What was found. `vault` is None where the index is too damaged to say."""

    vault: Path | None
    index: Path  # type: ignore[assignment]  # in place of tuple's
    results: Sequence[CheckResult]
    asked: bool

    def is_fault(self, result: CheckResult) -> bool:
        """Whether what a check finds sets the exit status: a remark does where it was asked for."""
        return self.asked or result.check.is_fault

    @property
    def faults(self) -> int:
        """How many findings are to be mended."""
        return sum(len(one.findings) for one in self.results if self.is_fault(one))

    @property
    def remarks(self) -> int:
        """How many findings may be meant as they are."""
        return sum(len(one.findings) for one in self.results) - self.faults


def run_doctor(environment: Environment, arguments: DoctorArguments) -> int:
    """Examine one index and show what was found. Returns the exit status; raises KbError."""
    report = _examine(environment, arguments, _checks(arguments.checks))
    if not arguments.quiet:
        _show(environment, arguments, report)
    return ExitStatus.NOTHING if report.faults else ExitStatus.FOUND


def _checks(named: Sequence[str]) -> tuple[str, ...]:
    names = tuple(name for text in named for name in text.split(","))
    known = [check.name for check in CHECKS]
    for name in names:
        if name not in known:
            raise UsageError(f"no check is called `{name}`", f"the checks are {', '.join(known)}")
    return names


def _examine(
    environment: Environment, arguments: DoctorArguments, names: tuple[str, ...]
) -> Report:
    """Everything that was found. An index that cannot be opened for damage is a finding."""
    try:
        quiet = arguments.quiet or arguments.json
        with opened_place(environment, arguments.vault, arguments.index, quiet=quiet) as place:
            results = examine(place.connection, names)
            return Report(place.vault, place.index, results, bool(names))
    except IndexDamagedError as error:
        if names and CHECKS[0].name not in names:
            raise
        file = find_index(arguments.vault, arguments.index).index
        damaged = CheckResult(CHECKS[0], (Finding("", 0, error.message, error.hint),))
        return Report(None, file, [damaged], bool(names))


def _show(environment: Environment, arguments: DoctorArguments, report: Report) -> None:
    limit = arguments.limit or 0
    if arguments.json:
        from kb.cli.render_doctor import doctor_document

        write_json(environment, doctor_document(report, limit), indent=True)
    elif environment.on_terminal:
        from kb.cli.render_doctor import print_report

        print_report(environment, report, _FIRST if arguments.limit is None else limit)
    else:
        from kb.cli.render_doctor import render_findings

        write_lines(environment, render_findings(report, limit))
