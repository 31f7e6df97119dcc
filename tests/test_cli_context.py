"""`kb context` as it is typed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import MakeVault, RunKb

NOTES = {
    "heron.md": "# Heron\n\nThe grey heron waits in the shallow water.\n",
    "boat.md": "# Boat\n\nA boat named heron.\n",
    "odd\x1b.md": "# Odd\n\nA heron with \x1b[31mcolour\x1b[0m.\n",
}


@pytest.fixture
def vault(make_vault: MakeVault, kb: RunKb) -> Path:
    vault = make_vault(NOTES)
    assert kb("index", vault, "-q").status == 0
    return vault


def test_markdown_and_json_are_the_same_pack(
    vault: Path, kb: RunKb, schema_errors: Callable[[Any], list[str]]
) -> None:
    asked = ("context", "grey", "heron", "--budget", "2000", "--vault", vault)
    printed = kb(*asked)
    assert printed.status == 0
    document = kb(*asked, "--json").json
    assert schema_errors(document) == []
    assert document["budget"] == {
        "amount": 2000,
        "unit": "characters",
        "counted_by": "characters",
        "used": len(printed.out),
    }
    assert document["passages"][0]["path"] == "heron.md"
    assert document["passages"][0]["text"] in printed.out
    assert printed.out.startswith("`heron.md:1-3` (lexical 1")


def test_the_budget_is_that_of_the_command_then_of_the_settings(vault: Path, kb: RunKb) -> None:
    def amount(*options: str, **variables: str) -> tuple[int, str]:
        asked = ("context", "heron", "--json", *options, "--vault", vault)
        budget = kb(*asked, env=variables).json["budget"]
        return budget["amount"], budget["unit"]

    assert amount() == (4000, "characters")
    assert amount("--unit", "tokens") == (4000, "tokens")
    assert amount("--budget", "500t") == (500, "tokens")
    assert amount(KB_BUDGET="700") == (700, "characters")
    assert amount("--budget", "500", KB_BUDGET="700") == (500, "characters")
    assert kb("config", "budget", "800t").status == 0
    assert amount() == (800, "tokens")
    (vault / ".kb.toml").write_text('budget = "900"\n')
    assert amount() == (900, "characters")
    assert kb("config", "budget", "much").status == 2
    for options in (("--budget", "0"), ("--unit", "words"), ("--budget", "5t", "--unit", "c")):
        assert kb("context", "heron", *options, "--vault", vault).status == 2


def test_filters_hold_and_nothing_found_is_status_1(vault: Path, kb: RunKb) -> None:
    only = kb("context", "heron", "--path", "boat.md", "--json", "--vault", vault).json
    assert [one["path"] for one in only["passages"]] == ["boat.md"]
    nothing = kb("context", "xyzzy", "--vault", vault)
    assert (nothing.out, nothing.status) == ("", 1)
    assert "no note found" in nothing.err
    small = kb("context", "heron", "--budget", "10", "--vault", vault)
    assert (small.out, small.status) == ("", 1)
    assert "too small" in small.err
    assert kb("context", "heron", "--budget", "10", "-q", "--vault", vault).err == ""


def test_a_terminal_obeys_nothing(vault: Path, kb: RunKb) -> None:
    shown = kb("context", "odd", "--vault", vault, terminal=True)
    assert shown.status == 0
    assert "\x1b" not in shown.out
    assert "\x1b" in kb("context", "odd", "--vault", vault).out


def test_the_question_may_come_from_stdin(vault: Path, kb: RunKb) -> None:
    piped = kb("context", "-", "--vault", vault, stdin="grey heron\n")
    assert piped.out == kb("context", "grey", "heron", "--vault", vault).out


def test_several_vaults(vault: Path, make_vault: MakeVault, kb: RunKb) -> None:
    other = make_vault({"more.md": "# More\n\nAnother heron.\n"}, "other")
    kb("index", other, "-q")
    document = kb("context", "heron", "--json", "--vault", vault, "--vault", other).json
    assert {one["vault"] for one in document["passages"]} == {str(vault), str(other)}
    assert kb("context", "heron", "--json", "--all-vaults").json["vaults"] == sorted(
        [str(vault), str(other)]
    )
