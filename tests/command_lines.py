"""A command line for every command there is, so that a new one is tried with the rest."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from kb.cli.app import load_command
from kb.cli.commands import COMMANDS

# What stands for a required argument, by its name in the command's own signature.
_ARGUMENTS = {"words": "heron", "name": "BAAI/bge-small-en-v1.5"}
# More than one way to call a command, beside the plainest.
_MORE = {
    "index": (["--rebuild"], ["--json"], ["--embed"]),
    "query": (
        ["--json"],
        ["#bird", "open", "--tag", "bird", "--explain"],
        ["water", "--where", "status=open", "--mode", "graph", "--pretty"],
        ["--why", "a.md"],
        ["--authority", "-l"],
        ["--update"],
        ["--mode", "semantic"],
    ),
    "related": (["--json"],),
    "status": (["--problems"], ["--json"]),
    "doctor": (["--json"], ["--check", "broken"], ["--check", "orphans"]),
    "config": (["k", "5"], ["k", "--unset"]),
}
FETCH = "model fetch"


def seconds_for(name: str) -> int:
    """After how long a command is told to end: at once where it goes on until it is told."""
    return 1 if name == "watch" else 60


def write_queries(folder: Path) -> Path:
    """A file of judged queries, for the commands that measure."""
    file = folder / "queries.jsonl"
    file.write_text('{"query": "heron", "relevant": ["a.md"]}\n', encoding="utf-8")
    return file


def command_lines(
    vault: Path, queries: Path, index: Path | None = None
) -> Iterator[tuple[str, list[str]]]:
    """The name of each command (`model list` is one) and what to type, without `kb`.

    The vault must hold `a.md`. Where a command takes an index, it gets `index`, or else the vault.
    What only asks what it may ask ends by itself or at the end of its stdin.
    """
    for name in COMMANDS:
        command: Any = load_command(name)
        below = getattr(command, "commands", {})
        for called, inner in [(f"{name} {key}", one) for key, one in below.items()] or [
            (name, command)
        ]:
            plain = [
                *called.split(),
                *_required(inner, vault, queries),
                *_place(inner, vault, index),
            ]
            yield called, plain
            for more in _MORE.get(called, ()):
                yield called, [*plain, *more]


def _required(command: Any, vault: Path, queries: Path) -> Iterator[str]:
    known = {**_ARGUMENTS, "note": "a.md", "vault": str(vault), "folder": str(vault)}
    known |= {"queries": str(queries), "file": str(queries)}
    for one in command.params:
        if one.param_type_name == "argument" and (one.required or one.name in ("folder", "words")):
            yield known.get(one.name, "heron")


def _place(command: Any, vault: Path, index: Path | None) -> list[str]:
    options = {name for one in command.params for name in one.opts}
    arguments = {one.name for one in command.params if one.param_type_name == "argument"}
    place = ["--yes"] if "--yes" in options else []
    if index is not None and "--index" in options:
        return [*place, "--index", str(index)]
    if "--vault" in options and "folder" not in arguments:
        return [*place, "--vault", str(vault)]
    return place
