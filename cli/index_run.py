"""`kb index`, from what was typed to a report: which vault, which file, run, tell."""

from __future__ import annotations

import os
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from kb.cli.environment import Environment
from kb.cli.output import say, write_data, write_json
from kb.cli.place import is_inside, read_vault_path
from kb.cli.progress import make_progress
from kb.cli.render_json import Document, path_keys
from kb.cli.settings import Settings, read_settings
from kb.cli.settings_file import VAULT_FILE
from kb.cli.signals import ended_on_request
from kb.cli.status import ExitStatus
from kb.indexer.embed import NotEmbeddedError
from kb.indexer.sync import IndexOptions, index_vault
from kb.store.connection import open_reader
from kb.store.errors import IndexMissingError, UsageError, VaultError
from kb.store.files import is_folder, user_path
from kb.store.index_records import IndexReport, SkippedFile
from kb.store.locations import current_folder, find_index, index_path
from kb.store.meta import Meta, read_meta
from kb.store.paths import encode_path, show_path

_HOW_TO_EMBED = (
    "kb: words, entities and links are searched; `kb index --embed` adds meaning"
    " (it may take minutes the first time)"
)


class IndexArguments(NamedTuple):
    """Every argument and option of `kb index`, as typed. None and empty: not given."""

    folder: str = ""
    vault: str = ""
    index: str = ""  # type: ignore[assignment]  # in place of tuple's
    rebuild: bool = False
    ignore: bool | None = None
    embed: bool | None = None
    model: str = ""
    json: bool = False
    quiet: bool = False


def run_index(environment: Environment, arguments: IndexArguments) -> int:
    """Index one vault and report. Returns the exit status; raises KbError."""
    if arguments.folder and arguments.vault:
        raise UsageError("the vault is named twice", "write `kb index FOLDER` without `--vault`")
    vault = find_vault(arguments.folder or arguments.vault, arguments.index, current_folder())
    index = index_file(environment, vault, arguments.index)
    settings = read_settings(environment.variables, vault, {"model": arguments.model or None})
    if not arguments.quiet:
        for warning in settings.warnings:
            say(environment, f"kb: {warning}")
    options = index_options(settings, arguments)
    progress = make_progress(environment, quiet=arguments.quiet or arguments.json)
    try:
        with ended_on_request():
            report = index_vault(vault, index, options, progress)
    except NotEmbeddedError as error:
        _tell(environment, arguments, error.report)
        raise
    _tell(environment, arguments, report)
    if not arguments.quiet and _is_first(report) and not _is_embedded(index):
        say(environment, _HOW_TO_EMBED)
    return ExitStatus.FOUND


def _is_first(report: IndexReport) -> bool:
    """Whether nothing was known before; whoever runs it again has read how to embed."""
    return bool(report.added) and not (report.changed or report.removed or report.unchanged)


def _is_embedded(index: Path) -> bool:
    with closing(open_reader(index)) as connection:
        return read_meta(connection).get(Meta.EMBED) == "1"


def update_index(
    environment: Environment, vault: Path, index: Path, settings: Settings, *, quiet: bool
) -> IndexReport:
    """Bring an index up to date before a query."""
    check_vault(vault)
    options = index_options(settings, IndexArguments())
    return index_vault(vault, index, options, make_progress(environment, quiet=quiet))


def find_vault(named: str, index: str, folder: Path | None) -> Path:
    """The vault to index, which is there: see `locate_vault`. Raises VaultError, UsageError."""
    vault = locate_vault(named, index, folder)
    check_vault(vault)
    return Path(os.path.realpath(vault))


def locate_vault(named: str, index: str, folder: Path | None) -> Path:
    """The vault that is meant: the one named, the known one, or the folder we are in.

    `folder` is the current one, None where there is none any more. Raises UsageError.
    """
    if named:
        return user_path(named)
    if known := _known_vault(index, folder):
        return known
    if folder is not None and _is_marked(folder):
        return folder
    raise UsageError("no vault named", "run `kb index FOLDER` with your folder of notes")


def _is_marked(folder: Path) -> bool:
    """Whether a folder says itself that it is a vault."""
    return any(os.path.lexists(folder / mark) for mark in (".obsidian", VAULT_FILE))


def check_vault(vault: Path) -> None:
    """Raise VaultError where there is no such folder."""
    if is_folder(vault):
        return
    problem = "is a file, not a folder" if os.path.lexists(vault) else "does not exist"
    raise VaultError(
        f"{show_path(encode_path(str(vault)))} {problem}", "name the folder that holds your notes"
    )


def _known_vault(index: str, folder: Path | None) -> Path | None:
    try:
        location = find_index("", index, folder)
    except IndexMissingError:
        return None
    if location.guessed:
        return None
    if location.vault is not None:
        return location.vault
    with closing(open_reader(location.index)) as connection:
        return read_vault_path(connection)


def index_file(environment: Environment, vault: Path, named: str) -> Path:
    """The file of a vault's index: as named, as the environment says, or its own place.

    Raises UsageError for one inside the vault, and for a folder.
    """
    named = named or environment.variables.get("KB_INDEX", "")
    index = user_path(named).absolute() if named else index_path(vault)
    if is_inside(index, vault):
        raise UsageError(
            f"{index} lies inside the vault, and nothing is ever written there",
            "name a file elsewhere with `--index`, or leave it out",
        )
    if is_folder(index):
        raise UsageError(f"{index} is a folder", "name a file with `--index`")
    return index


def index_options(settings: Settings, arguments: IndexArguments) -> IndexOptions:
    """How to index, by what was typed and what is set."""
    return IndexOptions(
        rebuild=arguments.rebuild,
        no_ignore=None if arguments.ignore is None else not arguments.ignore,
        embed=arguments.embed,
        model=settings.text("model"),
        default_language=settings.text("language"),
        exclude=settings.texts("exclude"),
    )


def _tell(environment: Environment, arguments: IndexArguments, report: IndexReport) -> None:
    if not arguments.quiet:
        for line in notice_lines(report):
            say(environment, f"kb: {line}")
    if arguments.json:
        write_json(environment, index_document(report), indent=True)
    elif not arguments.quiet:
        write_data(environment, summary_line(report) + "\n")


def summary_line(report: IndexReport) -> str:
    """What a run did, in one line."""
    notes = report.added + report.changed + report.unchanged
    counts = [
        f"{report.added} added",
        f"{report.changed} changed",
        f"{report.removed} removed",
        f"{report.unchanged} unchanged{_reread(report)}",
    ]
    if report.skipped:
        counts.append(f"{len(report.skipped)} skipped")
    if report.embedded:
        passages = "passage" if report.embedded == 1 else "passages"
        counts.append(f"{report.embedded} {passages} embedded")
    noun = "note" if notes == 1 else "notes"
    return f"indexed {notes} {noun} in {report.seconds:.2f} s: {', '.join(counts)}"


def _reread(report: IndexReport) -> str:
    if not report.reread:
        return ""
    return f" ({'all' if report.reread == report.unchanged else report.reread} read anew)"


def notice_lines(report: IndexReport) -> list[str]:
    """What was skipped, could not be read in full, or should be known."""
    lines = [f"skipped {show_path(one.path)}: {one.reason}" for one in report.skipped]
    if not (report.added or report.changed or report.unchanged):
        lines.append("no note was found: notes are files whose names end in `.md` or `.markdown`")
    lines += [
        f"{show_path(folder)} could not be read; what was known of it is kept"
        for folder in report.unseen
    ]
    if report.problems:
        count = len(report.problems)
        first = report.problems[0]
        problems = "problem" if count == 2 else "problems"
        more = f"; {count - 1} more {problems} (`kb status --problems` lists all)"
        lines.append(f"{show_path(first.path)}: {first.reason}{more if count > 1 else ''}")
    return lines + [show_path(notice) for notice in report.notices]


def index_document(report: IndexReport) -> Document:
    """What a run did, schema `kb.index/1`."""
    return {
        "schema": "kb.index/1",
        "vault": show_path(report.vault),
        "index": show_path(report.index),
        "notes": report.added + report.changed + report.unchanged,
        "added": report.added,
        "changed": report.changed,
        "removed": report.removed,
        "unchanged": report.unchanged,
        "reread": report.reread,
        "skipped": [_file_document(one) for one in report.skipped],
        "problems": [_file_document(one) for one in report.problems],
        "unseen": [show_path(folder) for folder in report.unseen],
        "embedded": report.embedded,
        "seconds": report.seconds,
        "notices": [show_path(notice) for notice in report.notices],
    }


def _file_document(one: SkippedFile) -> Document:
    return {**path_keys(one.path), "reason": one.reason}
