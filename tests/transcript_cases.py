"""Transcripts: what is typed and what is printed, as text files that read like a session.

    == a title
    $ kb query ADR-016 -n 1 -l
    decisions/ADR-016 Leave MySQL for Postgres.md
    ! a line on stderr
    ? 2

Below a command stand its lines on stdout, those on stderr behind `! `, and its status behind `? `
where it is not 0. `<<< 'text'` at the end of a command line is its stdin. Besides `kb` there are
`write PATH TEXT`, `remove PATH` and `move FROM TO`, which change the vault. Lines above the first
title say whether the cases share a vault that is indexed (`vault: indexed`) or each has one of its
own that is not (`vault: new`).
"""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(slots=True)
class Step:
    """One command and what it should print."""

    command: list[str]
    stdin: str = ""
    out: list[str] = field(default_factory=list)
    err: list[str] = field(default_factory=list)
    status: int = 0


@dataclass(frozen=True, slots=True)
class Transcript:
    """One case. `new_vault`: it has a vault of its own, not indexed."""

    file: str
    title: str
    new_vault: bool
    steps: list[Step]


def read_transcripts(folder: Path) -> list[Transcript]:
    """Every case of every file, in order."""
    return [
        case
        for path in sorted(folder.glob("*.txt"))
        for case in parse_transcripts(path.stem, path.read_text(encoding="utf-8"))
    ]


def parse_transcripts(file: str, text: str) -> list[Transcript]:
    """The cases of one file. Raises ValueError for a line that belongs nowhere."""
    head, *parts = re.split(r"^== (.*)\n", text, flags=re.MULTILINE)
    new_vault = "vault: new" in head
    return [
        Transcript(file, title, new_vault, _parse_steps(title, body.rstrip("\n")))
        for title, body in zip(parts[::2], parts[1::2], strict=True)
    ]


def _parse_steps(title: str, body: str) -> list[Step]:
    steps: list[Step] = []
    for line in body.split("\n"):
        if line.startswith("$ "):
            command, stdin = _parse_command(line[2:])
            steps.append(Step(command, stdin))
        elif not steps:
            raise ValueError(f"{title}: {line!r} stands before any command")
        elif line.startswith("! "):
            steps[-1].err.append(line[2:])
        elif line.startswith("? "):
            steps[-1].status = int(line[2:])
        else:
            steps[-1].out.append(line)
    for step in steps:
        while step.out and not step.out[-1]:
            step.out.pop()
    return steps


def _parse_command(line: str) -> tuple[list[str], str]:
    typed, _, given = line.partition(" <<< ")
    stdin = "".join(f"{text}\n" for text in shlex.split(given))
    return shlex.split(typed), stdin


def masked(text: str, places: dict[str, str]) -> list[str]:
    """The lines of a text with `<n>` for seconds and sizes, `<time>`, names for places, `␀`."""
    for place, name in places.items():
        text = text.replace(place, name)
    text = text.replace("\0", "␀")
    text = re.sub(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00", "<time>", text)
    text = re.sub(r"\d+(\.\d+)? (s|MB)\b", r"<n> \2", text)
    return text.split("\n")[:-1] if text.endswith("\n") else text.split("\n") if text else []
