"""What an index holds, as JSON and as lines for people."""

from __future__ import annotations

import os
from pathlib import Path

from kb.cli.environment import Environment
from kb.cli.escape import escape_breaks, escape_line
from kb.cli.problems import name_problems
from kb.cli.render_json import Document
from kb.cli.wrap import wrap_line
from kb.indexer.status import Status
from kb.store.paths import encode_path, show_path

_NAME_WIDTH = 12


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


def status_lines(status: Status) -> list[tuple[str, str]]:
    """The status as names and values."""
    counts = status.counts
    return [
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


def render_status(status: Status, environment: Environment) -> list[str]:
    """The status as lines of a name and a value."""
    rows = status_lines(status)
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
