"""What `--since`, `--where` and their like are taken to mean."""

from __future__ import annotations

import datetime
import io
import os
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.cli.dates import parse_day
from kb.cli.environment import Environment
from kb.cli.filters import build_filters, parse_where, read_excluded, relative_path
from kb.store.errors import UsageError
from kb.store.records import Filters

TODAY = datetime.date(2026, 3, 31)


@pytest.mark.parametrize(
    ("text", "since", "until"),
    [
        ("2026-01-05", "2026-01-05", "2026-01-05"),
        ("2026-01-05T10:30:00", "2026-01-05", "2026-01-05"),
        ("2024-02", "2024-02-01", "2024-02-29"),
        ("2025", "2025-01-01", "2025-12-31"),
        ("today", "2026-03-31", "2026-03-31"),
        ("Yesterday", "2026-03-30", "2026-03-30"),
        ("0d", "2026-03-31", "2026-03-31"),
        ("7d", "2026-03-24", "2026-03-24"),
        ("2w", "2026-03-17", "2026-03-17"),
        ("1m", "2026-02-28", "2026-02-28"),  # February has no 31st
        ("4m", "2025-11-30", "2025-11-30"),
        ("1y", "2025-03-31", "2025-03-31"),
    ],
)
def test_a_day_is_read(text: str, since: str, until: str) -> None:
    assert parse_day(text, TODAY, "--since") == since
    assert parse_day(text, TODAY, "--until", last=True) == until


@pytest.mark.parametrize(
    "text", ["soon", "2026-02-30", "2026-13", "26-01-01", "7", "d", "-3d", "9999y", "0000", "7 d x"]
)
def test_no_day_names_the_option_and_the_forms(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_day(text, TODAY, "--since")
    assert caught.value.message == f"`--since {text}` is no date"
    assert "`7d`" in caught.value.hint
    assert "`2026-03-01`" in caught.value.hint


@given(st.dates(min_value=datetime.date(1, 1, 1)))
def test_every_day_reads_as_itself(day: datetime.date) -> None:
    assert parse_day(day.isoformat(), TODAY, "--since") == day.isoformat()


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("status=done", ("status", "=", "done")),
        ("status==done", ("status", "=", "done")),
        ("status != done", ("status", "!=", "done")),
        ("rating>=4", ("rating", ">=", "4")),
        ("rating<=4", ("rating", "<=", "4")),
        ("rating>4", ("rating", ">", "4")),
        ("due<2026-01-01", ("due", "<", "2026-01-01")),
        ("due date = next week", ("due date", "=", "next week")),
        ("formula=a=b", ("formula", "=", "a=b")),
        ("status=", ("status", "=", "")),
        ("status", ("status", "exists", "")),
        ("!status", ("status", "missing", "")),
        ("url=https://x.example/?a<b", ("url", "=", "https://x.example/?a<b")),
    ],
)
def test_a_condition_is_read(text: str, condition: tuple[str, str, str]) -> None:
    assert parse_where(text) == condition


@pytest.mark.parametrize("text", ["", "=done", "!", "!status=done", "<", " = "])
def test_no_condition_names_the_forms(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_where(text)
    assert "`prop>=value`" in caught.value.hint


NOTHING: dict[str, tuple[str, ...]] = {
    "tags": (),
    "not_tags": (),
    "paths": (),
    "exclude": (),
    "types": (),
    "where": (),
}


def build(**given_options: object) -> Filters:
    options: dict[str, object] = {
        **NOTHING,
        "since": "",
        "until": "",
        "include_ignored": False,
        "today": TODAY,
    }
    return build_filters(**{**options, **given_options})  # type: ignore[arg-type]


def test_no_option_is_no_restriction() -> None:
    assert build() == Filters()


def test_options_become_filters() -> None:
    assert build(
        tags=("#work", "home"), paths=("./a/*",), since="2026", until="2026", where=("x",)
    ) == Filters(
        tags=("#work", "home"),
        paths=("a/*",),
        since="2026-01-01",
        until="2026-12-31",
        where=(("x", "exists", ""),),
    )


@pytest.mark.parametrize(
    ("option", "value"), [("tags", "#"), ("not_tags", " "), ("types", ""), ("paths", "./")]
)
def test_an_empty_name_is_refused(option: str, value: str) -> None:
    with pytest.raises(UsageError):
        build(**{option: (value,)})


def environment(data: bytes) -> Environment:
    stdin = io.TextIOWrapper(io.BytesIO(data), encoding="utf-8")
    return Environment(stdin, io.StringIO(), io.StringIO())


@pytest.mark.parametrize(
    ("data", "globs"),
    [
        (b"a.md\nb/c.md\n", ("a.md", "b/c.md")),
        (b"a.md\r\nb.md", ("a.md", "b.md")),
        (b"a.md\0b c.md\0", ("a.md", "b c.md")),
        (b"line\nbreak.md\0", ("line\nbreak.md",)),
        (b"notes [old].md\n", ("notes [old].md",)),
        (b"journal/*\n", ("journal/*",)),
        (b"\n\n", ()),
        (b"", ()),
    ],
)
def test_paths_to_leave_out_are_read(data: bytes, globs: tuple[str, ...]) -> None:
    assert read_excluded(environment(data), "-", None) == globs


@pytest.mark.skipif(sys.platform == "win32", reason="paths are text on Windows")
def test_a_path_that_is_not_utf8_is_read_back() -> None:
    (glob,) = read_excluded(environment(b"caf\xe9.md\n"), "-", None)
    assert glob == r"caf\xe9.md"


def test_a_path_may_be_absolute(tmp_path: Path) -> None:
    note = os.fspath(tmp_path / "a" / "b.md")
    assert relative_path(note, tmp_path) == "a/b.md"
    assert relative_path("./a/b.md", tmp_path) == "a/b.md"
    outside = os.path.realpath(tmp_path.parent / "elsewhere.md")
    assert relative_path(outside, tmp_path).endswith("elsewhere.md")
