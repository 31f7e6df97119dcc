"""Notes that could not be read in full: the first named by `kb status`, all of them on request."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import MakeVault, RunKb

from kb.cli.problems import name_problems
from kb.store.index_records import SkippedFile

BROKEN = "---\na: b: c\n---\ntext\n"


@pytest.fixture
def vault(make_vault: MakeVault, kb: RunKb) -> Path:
    vault = make_vault({"good.md": "fine\n", **{f"bad {n}.md": BROKEN for n in range(5)}})
    said = kb("index", vault).err
    assert "bad 0.md: " in said
    assert "4 more problems (`kb status --problems` lists all)" in said
    return vault


def test_the_first_are_named_and_how_to_see_all(kb: RunKb, vault: Path) -> None:
    (line,) = [line for line in kb("status", cwd=vault).lines if line.startswith("problems")]
    told = "5 notes could not be read in full: bad 0.md, bad 1.md, bad 2.md and 2 more"
    assert line == f"problems    {told} (`kb status --problems` says why)"


def test_all_are_listed_with_why(kb: RunKb, vault: Path) -> None:
    result = kb("status", "--problems", cwd=vault)
    fields = [line.split("\t") for line in result.lines]
    assert [path for path, _ in fields] == [f"bad {n}.md" for n in range(5)]
    assert all("front matter" in reason for _, reason in fields)
    assert result.status == 0


def test_json_lists_them_on_request(
    kb: RunKb, vault: Path, schema_errors: Callable[[Any], list[str]]
) -> None:
    short = kb("status", "--json", cwd=vault).json
    assert "problem_notes" not in short
    document = kb("status", "--json", "--problems", cwd=vault).json
    assert schema_errors(document) == []
    assert document["problems"] == short["problems"] == 5
    assert [one["path"] for one in document["problem_notes"]] == [f"bad {n}.md" for n in range(5)]


def test_a_narrow_terminal_breaks_the_status_between_words(kb: RunKb, vault: Path) -> None:
    lines = kb("status", cwd=vault, terminal=True, width=60).lines
    place = next(number for number, line in enumerate(lines) if line.startswith("problems"))
    assert all(len(line) <= 60 for line in lines[place:])
    assert all(line.startswith(" " * 12) for line in lines[place + 1 :])
    assert "bad 2.md and 2 more" in " ".join(" ".join(lines[place:]).split())


def test_no_problem_is_none(kb: RunKb, make_vault: MakeVault) -> None:
    vault = make_vault({"good.md": "fine\n"})
    kb("index", vault)
    assert "problems    none" in kb("status", cwd=vault).lines
    assert kb("status", "--problems", cwd=vault).out == ""


def test_a_note_with_two_problems_is_named_once() -> None:
    first = [SkippedFile("a.md", "one"), SkippedFile("a.md", "two")]
    assert name_problems(1, first).startswith("1 note could not be read in full: a.md (")
