"""`kb status`: what an index holds, and what has changed since it was made."""

from __future__ import annotations

import datetime
import os
from dataclasses import dataclass
from glob import escape
from pathlib import Path
from typing import Annotated

import typer

from kb.cli.environment import Environment
from kb.cli.escape import escape_breaks, escape_line
from kb.cli.options import IndexOption, JsonOption, VaultOption, environment_of
from kb.cli.output import write_json, write_lines
from kb.cli.place import Place, opened_place
from kb.cli.problems import NAMED, name_problems, problem_documents, show_problems
from kb.cli.render_json import Document
from kb.cli.status import ExitStatus
from kb.cli.wrap import wrap_line
from kb.indexer.changes import Changes, pending_changes
from kb.store.counts import Counts, read_counts, read_problems
from kb.store.errors import VaultError
from kb.store.files import is_at_hand, is_folder
from kb.store.index_records import SkippedFile
from kb.store.lock import side_file
from kb.store.meta import Meta, read_meta
from kb.store.paths import encode_path, show_path

_NAME_WIDTH = 12


@dataclass(frozen=True, slots=True)
class Status:
    """What is known of one index. `age` is in seconds since the last run, None where unknown.

    `pending` is None where the vault cannot be compared, `away` says why. `problems` are the first
    of them, or all where they were asked for.
    """

    vault: Path
    index: Path
    size: int
    indexed_at: str
    age: float | None
    model: str
    counts: Counts
    pending: Changes | None
    away: str = ""
    problems: tuple[SkippedFile, ...] = ()


def command(
    context: typer.Context,
    vault: VaultOption = "",
    index: IndexOption = "",
    json: JsonOption = False,
    *,
    problems: Annotated[
        bool,
        typer.Option(
            "--problems/--no-problems",
            help="List the notes that could not be read in full, and why.",
            show_default=False,
        ),
    ] = False,
) -> int:
    """Show what an index holds and what has changed since."""
    environment = environment_of(context)
    with opened_place(environment, vault, index, quiet=False) as place:
        now = datetime.datetime.now(datetime.UTC)
        status = read_status(place, now, every_problem=problems)
    if json:
        document = status_document(status)
        if problems:
            document["problem_notes"] = problem_documents(status.problems)
        write_json(environment, document, indent=True)
    elif problems:
        show_problems(environment, status.problems)
    else:
        write_lines(environment, render_status(status, environment))
    return ExitStatus.FOUND


def read_status(place: Place, now: datetime.datetime, *, every_problem: bool = False) -> Status:
    """Gather everything about an index; nothing is written."""
    meta = read_meta(place.connection)
    pending, away = _compare(place)
    indexed_at = meta.get(Meta.INDEXED_AT, "")
    return Status(
        vault=place.vault,
        index=place.index,
        size=_size(place.index),
        indexed_at=indexed_at,
        age=_age(indexed_at, now),
        model=meta.get(Meta.MODEL, ""),
        counts=read_counts(place.connection),
        pending=pending,
        away=away,
        problems=tuple(read_problems(place.connection, 0 if every_problem else NAMED)),
    )


def _compare(place: Place) -> tuple[Changes | None, str]:
    """What differs on disk, or why that cannot be told."""
    if not is_at_hand(place.vault):
        there = is_folder(place.vault)
        return None, f"the vault is {'empty or cannot be read' if there else 'not there'}"
    try:
        return pending_changes(place.index), ""
    except VaultError as error:
        return None, error.message


def _size(index: Path) -> int:
    """Bytes of the index and of the files beside it that carry its name."""
    files = [
        index,
        Path(f"{index}-wal"),
        *index.parent.glob(side_file(Path(escape(index.name)), "*").name),
    ]
    return sum(file.stat().st_size for file in files if file.is_file())


def _age(indexed_at: str, now: datetime.datetime) -> float | None:
    try:
        then = datetime.datetime.fromisoformat(indexed_at)
    except ValueError:
        return None
    if then.tzinfo is None:
        then = then.replace(tzinfo=datetime.UTC)
    return max((now - then).total_seconds(), 0.0)


def status_document(status: Status) -> Document:
    """The status, schema `kb.status/1`. Counts are plain integers."""
    counts, pending = status.counts, status.pending
    return {
        "schema": "kb.status/1",
        "vault": _shown(status.vault),
        "index": _shown(status.index),
        "bytes": status.size,
        "indexed_at": status.indexed_at,
        "age_seconds": status.age,
        "notes": counts.notes,
        "passages": counts.passages,
        "links": sum(counts.links.values()),
        "links_by_status": counts.links,
        "entities": counts.entities,
        "tags": counts.tags,
        "languages": counts.languages,
        "vectors": counts.vectors,
        "embedded_passages": counts.embedded,
        "model": status.model,
        "ignored": counts.ignored,
        "problems": counts.problems,
        "pending": None
        if pending is None
        else {
            "added": pending.added,
            "changed": pending.changed,
            "removed": pending.removed,
            "unseen": [show_path(folder) for folder in pending.unseen],
        },
    }


def render_status(status: Status, environment: Environment) -> list[str]:
    """The status as lines of a name and a value."""
    counts = status.counts
    rows = [
        ("vault", _shown(status.vault)),
        ("index", f"{_shown(status.index)} ({_megabytes(status.size)})"),
        ("indexed", f"{render_age(status.age)} ({status.indexed_at})"),
        ("pending", _render_pending(status)),
        ("notes", _with_extra(counts.notes, ("ignored", counts.ignored))),
        ("passages", str(counts.passages)),
        ("links", _with_extra(sum(counts.links.values()), *counts.links.items())),
        ("entities", str(counts.entities)),
        ("tags", str(counts.tags)),
        ("languages", _render_languages(counts.languages)),
        ("embeddings", _render_embeddings(status)),
        ("problems", name_problems(counts.problems, status.problems)),
    ]
    if not environment.on_terminal:
        return [f"{name:<{_NAME_WIDTH}}{escape_breaks(value)}" for name, value in rows]
    lines = []
    for name, value in rows:
        pieces = wrap_line(escape_line(value), environment.width - _NAME_WIDTH, hanging=0)
        names = [name] + [""] * (len(pieces) - 1)
        lines += [
            f"{name:<{_NAME_WIDTH}}{piece}" for name, piece in zip(names, pieces, strict=True)
        ]
    return lines


def render_age(seconds: float | None) -> str:
    """How long ago, in the largest unit that fits."""
    if seconds is None:
        return "never finished"
    for unit, length in (("day", 86400), ("hour", 3600), ("minute", 60)):
        count = int(seconds // length)
        if count:
            return f"{count} {unit}{'s' if count > 1 else ''} ago"
    return "just now"


def _render_pending(status: Status) -> str:
    pending = status.pending
    if pending is None:
        return status.away
    moved = [
        f"{number} {word}"
        for number, word in (
            (pending.added, "added"),
            (pending.changed, "changed"),
            (pending.removed, "removed"),
        )
        if number
    ]
    told = f"{', '.join(moved)} (run `kb index`)" if moved else "nothing"
    if unseen := len(pending.unseen):
        told += f"; {unseen} {'folder' if unseen == 1 else 'folders'} cannot be read"
    return told


def _with_extra(total: int, *extra: tuple[str, int]) -> str:
    told = ", ".join(f"{number} {name}" for name, number in extra if number)
    return f"{total} ({told})" if told else str(total)


def _render_languages(languages: dict[str, int]) -> str:
    return ", ".join(f"{code or 'unknown'} {number}" for code, number in languages.items()) or "-"


def _render_embeddings(status: Status) -> str:
    counts = status.counts
    if not counts.vectors:
        return "none (run `kb index --embed`)"
    share = 100 * counts.embedded / counts.passages if counts.passages else 0.0
    return (
        f"{counts.vectors} vectors, {counts.embedded} of {counts.passages} passages"
        f" ({share:.0f} %), model {status.model}"
    )


def _megabytes(size: int) -> str:
    return f"{size / 1_000_000:.1f} MB"


def _shown(path: Path) -> str:
    return show_path(encode_path(os.fspath(path)))
