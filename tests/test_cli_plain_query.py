"""`kb query` read without Typer: as Typer reads it, or left to Typer."""

from __future__ import annotations

import io
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import kb.cli.query_run
from kb.cli.app import build_app, load_command
from kb.cli.environment import Environment
from kb.cli.plain_query import OPTIONS, read_plain
from kb.cli.query_arguments import QueryArguments

# Options that have to be read by Typer, with the reason.
LEFT_TO_TYPER = {"--help", "-h"}


def options_of_typer() -> dict[str, tuple[str, Any]]:
    """The table as Typer's parameters have it."""
    found: dict[str, tuple[str, Any]] = {}
    for parameter in load_command("query").params:
        if parameter.param_type_name != "option":
            continue
        kind: Any
        if parameter.is_flag:
            found |= dict.fromkeys(parameter.opts, (parameter.name, True))
            found |= dict.fromkeys(parameter.secondary_opts, (parameter.name, False))
            continue
        if hasattr(parameter.type, "min"):
            kind = (parameter.type.min, parameter.type.max)
        else:
            assert parameter.type.name == "str"
            kind = "texts" if parameter.multiple else "text"
        found |= dict.fromkeys(parameter.opts, (parameter.name, kind))
    return {name: entry for name, entry in found.items() if name not in LEFT_TO_TYPER}


def test_the_table_is_that_of_typer() -> None:
    assert options_of_typer() == OPTIONS


def test_the_fields_are_those_of_the_arguments() -> None:
    assert {field for field, _ in OPTIONS.values()} | {"words"} == set(QueryArguments._fields)


def read_by_typer(arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> QueryArguments:
    """What Typer makes of them; whatever it raises goes through."""
    seen: list[QueryArguments] = []

    def run(_: Environment, asked: QueryArguments) -> int:
        seen.append(asked)
        return 0

    environment = Environment(io.StringIO(), io.StringIO(), io.StringIO())
    with monkeypatch.context() as patch:
        patch.setattr(kb.cli.query_run, "run_query", run)
        build_app().main(
            ["query", *arguments], prog_name="kb", standalone_mode=False, obj=environment
        )
    return seen[0]


VALUES = st.sampled_from(["a", "two words", "x=1", "3", "0", "2", "007", "1000001", "", "-", "é"])
WORDS = st.sampled_from(["heron", "", "-", "query", "--", "@x", "stone lake", "\udc80", "*.md"])
ARGUMENTS = st.lists(
    st.one_of(
        st.tuples(WORDS),
        st.tuples(st.sampled_from(sorted(OPTIONS)), VALUES),
        st.tuples(st.sampled_from(sorted(OPTIONS))),
        st.builds(
            lambda name, value: (f"{name}={value}",), st.sampled_from(sorted(OPTIONS)), VALUES
        ),
    ),
    max_size=5,
).map(lambda parts: [argument for part in parts for argument in part])


@given(arguments=ARGUMENTS)
@example(arguments=["heron", "--tag", "a", "--tag=b", "-n", "3", "--json", "--", "--tag", "c"])
@example(arguments=["--json", "--no-json", "--pretty", "--plain", "--k", "3", "--k", "4"])
def test_what_is_read_is_what_typer_reads(arguments: list[str]) -> None:
    plain = read_plain(arguments)
    if plain is not None:
        with pytest.MonkeyPatch.context() as patch:
            assert read_by_typer(arguments, patch) == plain


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["-n5"],
        ["-lq"],
        ["-n=5"],
        ["--limit", "many"],
        ["--limit", "-1"],
        ["--hops", "3"],
        ["--limit"],
        ["--limit", ""],
        ["--limit", "٣"],
        ["--tag", "--json"],
        ["--vault", ""],
        ["--vault="],
        ["--json=1"],
        ["--jso"],
        ["-word"],
        ["--unknown"],
    ],
    ids=" ".join,
)
def test_what_is_not_plain_is_left_to_typer(arguments: list[str]) -> None:
    assert read_plain(["heron", *arguments]) is None
    assert read_plain(["heron", "--", *arguments]) == QueryArguments(("heron", *arguments))
