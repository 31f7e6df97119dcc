"""`kb watch`, from what was typed to what is told of each run."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple, NoReturn

from kb.cli.environment import Environment
from kb.cli.index_run import (
    IndexArguments,
    check_vault,
    index_document,
    index_file,
    index_options,
    locate_vault,
    notice_lines,
    summary_line,
)
from kb.cli.main import describe_error, report_error
from kb.cli.output import flush_data, say, write_data, write_json
from kb.cli.progress import SilentProgress, make_progress
from kb.cli.settings import read_settings
from kb.cli.settings_file import VAULT_FILE
from kb.cli.signals import ended_on_request
from kb.indexer.options import IndexOptions
from kb.indexer.watch import watch_vault
from kb.store.errors import UsageError
from kb.store.files import is_file
from kb.store.index_records import IndexReport
from kb.store.locations import current_folder
from kb.store.paths import encode_path, show_path


class WatchArguments(NamedTuple):
    """Every argument and option of `kb watch`, as typed. None and empty: not given."""

    folder: str = ""
    poll: float | None = None
    ignore: bool | None = None
    embed: bool | None = None
    model: str = ""
    vault: str = ""
    index: str = ""  # type: ignore[assignment]  # in place of tuple's
    json: bool = False
    quiet: bool = False


def run_watch(environment: Environment, arguments: WatchArguments) -> NoReturn:
    """Watch one vault until an interrupt. Raises KbError where it cannot begin.

    A vault that is not there is waited for if it was indexed before; else it is a mistake.
    """
    if arguments.folder and arguments.vault:
        raise UsageError("the vault is named twice", "write `kb watch FOLDER` without `--vault`")
    named = locate_vault(arguments.folder or arguments.vault, arguments.index, current_folder())
    vault = Path(os.path.realpath(named))
    index = index_file(environment, vault, arguments.index)
    if not is_file(index):
        check_vault(vault)
    with ended_on_request():
        watch_vault(
            vault,
            index,
            _Teller(environment, arguments, vault),
            _make_progress(environment, arguments),
            poll=arguments.poll or 0.0,
            deciding=(VAULT_FILE,),
        )


def _make_progress(environment: Environment, arguments: WatchArguments) -> SilentProgress:
    """A bar where people look on, and what should be known of each run in any case."""
    if arguments.json:
        return SilentProgress(environment, quiet=arguments.quiet)
    return make_progress(environment, quiet=arguments.quiet)


class _Teller:
    """Tells each run: an event on stdout, or what changed, for people."""

    def __init__(self, environment: Environment, arguments: WatchArguments, vault: Path) -> None:
        self._environment = environment
        self._arguments = arguments
        self._vault = vault
        self._began = False
        self._said: dict[str, frozenset[str]] = {}
        self._failure = ""

    def options(self, *, first: bool) -> IndexOptions:
        """As the settings are now. What was typed is kept by the index after the first run."""
        given = self._arguments
        settings = read_settings(
            self._environment.variables, self._vault, {"model": given.model or None}
        )
        self._say_new("settings", settings.warnings)
        if first:
            return index_options(settings, IndexArguments(ignore=given.ignore, embed=given.embed))
        return index_options(settings, IndexArguments())

    def ran(self, report: IndexReport) -> None:
        """A run came to its end."""
        self._failure = ""
        self._say_new("notes", notice_lines(report))
        moved = report.added + report.changed + report.removed + report.embedded
        if self._arguments.json:
            self._write_event("indexed", report=index_document(report))
        elif not self._arguments.quiet and (moved or not self._began):
            write_data(self._environment, summary_line(report) + "\n")
            flush_data(self._environment)
        if not self._began:
            self._say(f"watching {self._shown}; Ctrl-C ends it")
        self._began = True

    def failed(self, error: Exception) -> None:
        """A run did not come to its end; said once as long as it stays the same."""
        message, hint = describe_error(error, "kb watch")
        if message != self._failure:
            report_error(self._environment, error, "kb watch")
        self._failure = message
        if self._arguments.json:
            self._write_event("failed", message=show_path(message), hint=show_path(hint))

    def away(self, vault: Path) -> None:  # noqa: ARG002 (there is one)
        """The vault is waited for."""
        self._say(f"{self._shown} is empty or not there; what is indexed is kept, waiting for it")
        if self._arguments.json:
            self._write_event("away")

    def back(self, vault: Path) -> None:  # noqa: ARG002 (there is one)
        """The vault is there again."""
        self._say(f"{self._shown} is there")
        if self._arguments.json:
            self._write_event("back")

    @property
    def _shown(self) -> str:
        return show_path(encode_path(str(self._vault)))

    def _write_event(self, event: str, **more: object) -> None:
        document = {"schema": "kb.watch/1", "event": event, "vault": self._shown, **more}
        write_json(self._environment, document, indent=False)
        flush_data(self._environment)

    def _say_new(self, about: str, lines: Sequence[str]) -> None:
        """What is worth a line, unless the run before said it, too."""
        said = self._said.get(about, frozenset())
        for line in lines:
            if line not in said:
                self._say(line)
        self._said[about] = frozenset(lines)

    def _say(self, line: str) -> None:
        if not self._arguments.quiet:
            say(self._environment, f"kb: {line}")
