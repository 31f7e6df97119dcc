"""What a narrow terminal shows: tables stacked, lines broken between words, paths whole."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.cli.environment import Environment
from kb.cli.render_stacked import is_too_narrow, stack_table
from kb.cli.render_table import TextTable, text_width
from kb.cli.render_terminal import print_table
from kb.cli.wrap import wrap_line

PATH = "decisions/ADR-016 Leave MySQL for Postgres.md:14"
TABLE = TextTable(
    title="score = Σ weight / (k + rank)",
    columns=("#", "note", "lexical\n×1", "entity\n×0.1", "score"),
    rows=(
        ("9", PATH, "#1\n0.016393", "-", "0.016393"),
        ("10", "Home.md:9", "#2\n0.016129", "#1\n0.001639", "0.017768"),
    ),
    numeric=frozenset({0, 2, 3, 4}),
    notes=("entity ×0.1: half of the words match",),
    wide=1,
)


@pytest.mark.parametrize(
    ("line", "width", "pieces"),
    [
        ("one two three four five", 20, ["one two three four", "    five"]),
        ("  needs: aaaa bbbb cccc", 20, ["  needs: aaaa bbbb", "      cccc"]),
        ("short", 20, ["short"]),
        ("see a/very-long-path-without-end.md now", 20,
         ["see", "    a/very-long-path-without-end.md", "    now"]),
        ("日本語日本 日本語日本", 20, ["日本語日本", "    日本語日本"]),
        ("four is less than can be", 4, ["four is less than", "    can be"]),
    ],
)  # fmt: skip
def test_a_line_breaks_between_words(line: str, width: int, pieces: list[str]) -> None:
    assert wrap_line(line, width) == pieces


@given(st.lists(st.text("ab", min_size=1, max_size=30)), st.integers(1, 60))
def test_a_broken_line_loses_no_word(words: list[str], width: int) -> None:
    pieces = wrap_line("  " + " ".join(words), width)
    assert " ".join(pieces).split() == words
    assert all(text_width(piece) <= max(width, 20) or len(piece.split()) == 1 for piece in pieces)


@pytest.mark.parametrize(
    ("width", "narrow"),
    # 5 for the number, twice 11 for the streams, 11 for the score, 1 for the last line
    [(39 + 3 + 40, False), (39 + 3 + 39, True)],
)
def test_a_table_is_too_narrow_where_paths_have_less_than_forty_columns(
    width: int, narrow: bool
) -> None:
    assert is_too_narrow(TABLE, width) is narrow


def test_short_paths_and_tables_without_a_wide_column_are_drawn() -> None:
    short = TextTable("", TABLE.columns, TABLE.rows[1:], wide=1)
    assert not is_too_narrow(short, 60)
    assert not is_too_narrow(TextTable("", TABLE.columns, TABLE.rows), 30)


def test_a_stacked_row_has_its_path_above_its_numbers() -> None:
    head, rows = stack_table(TABLE, 60)
    assert head == [" #   lexical ×1  entity ×0.1     score"]
    assert rows == [
        (f" 9  {PATH}", ["    #1 0.016393            -  0.016393"]),
        ("10  Home.md:9", ["    #2 0.016129  #1 0.001639  0.017768"]),
    ]


def test_numbers_stand_below_their_ranks_where_they_do_not_fit_beside_them() -> None:
    head, rows = stack_table(TABLE, 36)
    assert head == [" #   lexical    entity     score", "          ×1      ×0.1"]
    assert rows[1] == (
        "10  Home.md:9",
        ["          #2        #1  0.017768", "    0.016129  0.001639"],
    )


@pytest.mark.parametrize("color", ["never", "always"])
def test_a_narrow_terminal_shows_each_path_whole(color: str) -> None:
    environment = Environment(io.StringIO(), io.StringIO(), io.StringIO(), {}, 50, color)
    evil = ("3", "a\x1b]0;x\x07.md:1", "-", "-", "0.000000")
    print_table(environment, TABLE._replace(rows=(*TABLE.rows, evil)))
    assert isinstance(environment.stdout, io.StringIO)
    text = environment.stdout.getvalue()
    assert PATH in text
    assert TABLE.notes[0] in text
    assert "\x07" not in text
    assert "\x1b]" not in text
