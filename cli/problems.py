"""The notes of an index that could not be read in full: the first few named, or all with why."""

from __future__ import annotations

from collections.abc import Sequence

from kb.cli.environment import Environment
from kb.cli.escape import escape_line, flatten
from kb.cli.output import write_lines
from kb.cli.render_json import Document, path_keys
from kb.cli.render_plain import render_path_field
from kb.store.index_records import SkippedFile
from kb.store.paths import show_path

# How many are named where only their number was asked for.
NAMED = 3


def name_problems(count: int, first: Sequence[SkippedFile]) -> str:
    """How many notes have problems, which are the first, and how to see all."""
    if not count:
        return "none"
    named = list(dict.fromkeys(show_path(one.path) for one in first))
    more = f" and {count - len(named)} more" if count > len(named) else ""
    noun = "note" if count == 1 else "notes"
    told = f"{count} {noun} could not be read in full: {', '.join(named)}{more}"
    return f"{told} (`kb status --problems` says why)"


def show_problems(environment: Environment, problems: Sequence[SkippedFile]) -> None:
    """Print a line a problem: the note, a tab, what is wrong."""
    terminal = environment.on_terminal
    clean = escape_line if terminal else flatten
    write_lines(
        environment,
        [f"{render_path_field(one.path, terminal)}\t{clean(one.reason)}" for one in problems],
    )


def problem_documents(problems: Sequence[SkippedFile]) -> list[Document]:
    """Each problem with the keys of its note and the `reason`."""
    return [{**path_keys(one.path), "reason": one.reason} for one in problems]
