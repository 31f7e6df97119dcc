"""Passages hold all of a note's text, in order, at their true lines, in sensible sizes."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.indexer.graphemes import cut_position, weight
from kb.indexer.parse import parse_note
from kb.indexer.passages import AIM, MOST, embed_text
from kb.store.note_records import Passage

SENTENCE = "Ten words are what this short plain sentence is of. "  # 52 characters


def passages(text: str) -> tuple[Passage, ...]:
    return parse_note("note.md", text.encode()).passages


def shape(text: str) -> list[tuple[tuple[str, ...], int, int]]:
    return [(p.heading, p.line, p.end_line) for p in passages(text)]


def section(heading: str, sentences: int) -> str:
    return f"{heading}\n\n{SENTENCE * sentences}\n\n"


SHAPES = [
    ("one\n\ntwo\n", [((), 1, 3)], "a short note stays whole"),
    ("\n\n  one\n\n\n", [((), 3, 3)], "blank lines around are left out"),
    ("# A\n\none\n\n## B\n\ntwo\n", [(("A",), 1, 7)], "under the headings its parts share"),
    ("intro\n# A\none\n", [((), 1, 3)], "text before the first heading shares none"),
    ("# A\n## B\n### C\nx\n## D\ny\n", [(("A",), 1, 6)], "the common trail"),
    (section("# A", 25) + section("# B", 25), [(("A",), 1, 3), (("B",), 5, 7)], "a section each"),
    (section("# A", 0) + section("## B", 25) + section("## C", 25),
     [(("A",), 1, 1), (("A", "B"), 5, 7), (("A", "C"), 9, 11)],
     "a heading alone, where both do not fit"),
    ("# A\n\n" + section("## B", 15) + section("## C", 25) + section("## D", 25),
     [(("A",), 1, 5), (("A", "C"), 7, 9), (("A", "D"), 11, 13)],
     "a heading alone joins the section below"),
    (section("# A", 30) + section("## B", 1) + section("## C", 1) + section("## D", 1)
     + section("# E", 25),
     [(("A",), 1, 3), (("A",), 5, 15), (("E",), 17, 19)],
     "tiny sections of one parent are joined"),
    (section("# A", 25) + section("## B", 1) + section("# C", 25),
     [(("A",), 1, 3), (("A", "B"), 5, 7), (("C",), 9, 11)], "a tiny section alone stays alone"),
    ("---\na: 1\n---\n" + section("# A", 25) + section("# B", 25),
     [(("A",), 4, 6), (("B",), 8, 10)], "lines count from the start of the file"),
    ((SENTENCE * 10 + "\n\n") * 6, [((), 1, 3), ((), 5, 7), ((), 9, 11)],
     "a long section parts at paragraphs"),
    ("", [((), 1, 1)], "no text at all"),
    ("---\na: 1\n---\n\n", [((), 1, 1)], "front matter alone"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), [pytest.param(*c[:2], id=c[2]) for c in SHAPES])
def test_shape(text: str, expected: list[tuple[tuple[str, ...], int, int]]) -> None:
    assert shape(text) == expected


def test_a_paragraph_is_not_cut_where_it_fits() -> None:
    for passage in passages((SENTENCE * 7 + "\n\n") * 9):
        assert passage.text.startswith("Ten words")
        assert passage.text.endswith("is of.")


def test_a_long_code_block_is_cut_at_lines() -> None:
    found = passages("```\n" + "x = 1234567890\n" * 300 + "```\n")
    assert len(found) > 2
    assert all(set(p.text.split("\n")) <= {"```", "x = 1234567890"} for p in found)
    assert found[0].end_line + 1 == found[1].line


def test_a_line_of_157_595_characters() -> None:
    line = (SENTENCE * 3_100)[:157_595]
    found = passages(f"# H\n\n{line}\nlast\n")
    assert all(p.line in (1, 3) and p.end_line in (3, 4) for p in found)
    assert all(p.text.endswith("is of.") for p in found[:-1])  # cut between sentences
    assert max(len(p.text) for p in found) <= MOST
    assert 157_595 / MOST <= len(found) <= 2 * 157_595 / AIM


def test_a_word_without_end_is_cut_all_the_same() -> None:
    found = passages("a" * 10_000)
    assert "".join(p.text for p in found) == "a" * 10_000
    assert max(len(p.text) for p in found) <= MOST


def test_chinese_takes_more_room() -> None:
    assert weight("汉字") == 5.0
    assert weight("ab") == 2.0
    found = passages("这是一个句子。" * 400)
    assert max(len(p.text) for p in found) <= MOST / 2.5
    assert all(p.text.endswith("。") for p in found)


CLUSTERS = [
    ("👨‍👩‍👧‍👦", "a family"),
    ("🇩🇪", "a flag"),
    ("👍🏽", "a skin tone"),
    ("e\u0301", "a letter and its accent"),
    ("नि", "a Devanagari syllable"),
    ("\u1112\u1161\u11ab", "a Hangul syllable in parts"),
]


@pytest.mark.parametrize("cluster", [pytest.param(c[0], id=c[1]) for c in CLUSTERS])
def test_a_character_is_never_cut(cluster: str) -> None:
    text = cluster * 3_000
    found = passages(text)
    assert len(found) > 1
    assert "".join(p.text for p in found) == text
    assert all(len(p.text) % len(cluster) == 0 for p in found)


@given(st.text(min_size=1, max_size=60), st.floats(1, 20))
def test_a_cut_always_gets_on(text: str, most: float) -> None:
    position = cut_position(text, 0, len(text), most)
    assert 0 < position <= len(text)


def test_passages_are_bounded() -> None:
    note = parse_note("n.md", ("a" * 1_599 + "\n\n").encode() * 5_001)
    assert len(note.passages) == 5_000
    assert "only the first 5,000 passages were kept" in note.problems


BLOCKS = st.sampled_from(
    [
        "# One\n", "## Two\n", "Under\n===\n", "- a\n  - b\n", "> q\n", "```\ncode\n```\n", "\n",
        "    indented\n", "<!-- c\nd -->\n", "%%\nx\n%%\n", "| a |\n|---|\n| b |\n", "漢字。" * 90,
        SENTENCE * 4 + "\n", SENTENCE * 40 + "\n", "x" * 2_000 + "\n", "\r\n", "\u2028y\u0085",
        "![[e]] [[l]] #t\n", "---\n", "\t\n", "👨‍👩‍👧 " * 30, "* * *\n", "~~~\n", "1. n\n",
    ]
)  # fmt: skip


@given(st.lists(BLOCKS, max_size=40).map("".join))
def test_passages_cover_the_text_in_order(blocks: str) -> None:
    text = f"no front matter\n\n{blocks}"
    note = parse_note("note.md", text.encode())
    body = text.replace("\r\n", "\n")
    lines = body.split("\n")
    assert "".join("".join(p.text.split()) for p in note.passages) == "".join(body.split())
    last = 1
    for passage in note.passages:
        assert last <= passage.line <= passage.end_line <= len(lines)
        last = passage.end_line
        source = "\n".join(lines[passage.line - 1 : passage.end_line])
        assert passage.text in source
        if passage.text:
            first, *_, end = [*passage.text.split("\n"), passage.text.split("\n")[-1]]
            assert first in lines[passage.line - 1]
            assert end in lines[passage.end_line - 1]


@given(st.lists(BLOCKS, max_size=20).map("".join), st.lists(BLOCKS, max_size=20).map("".join))
def test_a_link_stands_on_its_line(before: str, after: str) -> None:
    note = parse_note("note.md", f"{before}\n\nsee [[Target 7|x]] now\n\n{after}".encode())
    body = f"{before}\n\nsee [[Target 7|x]] now\n\n{after}".replace("\r\n", "\n")
    lines = body.split("\n")
    for link in note.links:
        assert (link.target or link.fragment) in lines[link.line - 1]


def test_embedded_text_says_each_thing_once() -> None:
    passage = Passage(
        ("Note", "Why *not*"), 1, 3, "## Why *not*\n\nSee [the doc](https://a.b/c) and [[X|y]]."
    )
    assert embed_text("Note", passage) == "Note › Why *not*\n## Why *not*\n\nSee the doc and y."
    passage = Passage(("Note", "Why"), 1, 3, "## Why\n\nText.")
    assert embed_text("Note", passage) == "Note › Why\nText."
    assert embed_text("Note", Passage((), 1, 1, "")) == "Note"
    assert embed_text("Note", Passage((), 1, 1, "# Note\ntext")) == "Note\n# Note\ntext"


def test_weight_counts_marks() -> None:
    assert weight("e\u0301") == 2
    assert unicodedata.category("\u0301") == "Mn"
