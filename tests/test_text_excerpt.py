"""The part of a text that fits, fences of code, and what says the same as another."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.text.excerpt import excerpt, is_between_words, shingles
from kb.text.fences import fenced, open_fence

SENTENCES = "First there was sand. Then came the heron. It stood still. Nobody knows why."


def spans(text: str, *words: str) -> list[tuple[int, int]]:
    return sorted(found.span() for word in words for found in re.finditer(re.escape(word), text))


def test_what_fits_is_whole() -> None:
    shown = excerpt(SENTENCES, [], len, len(SENTENCES))
    assert shown is not None
    assert (shown.text, shown.first, shown.last, shown.cut) == (SENTENCES, 0, 0, False)


def test_the_sentences_with_most_of_the_words_are_kept() -> None:
    shown = excerpt(SENTENCES, spans(SENTENCES, "heron", "still"), len, 60)
    assert shown is not None
    assert shown.cut
    assert "Then came the heron. It stood still." in shown.text
    assert shown.text.startswith("… ")


def test_without_a_match_the_beginning_is_kept() -> None:
    shown = excerpt(SENTENCES, [], len, 50)
    assert shown is not None
    assert shown.text == "First there was sand. Then came the heron.  …".replace("  ", " ")


def test_lines_are_counted_from_the_top_of_the_text() -> None:
    text = "one\n\ntwo heron\n\nthree\n\n" + "four and more " * 20
    shown = excerpt(text, spans(text, "heron"), len, 40)
    assert shown is not None
    lines = text.split("\n")
    assert "two heron" in shown.text
    assert lines[shown.first].startswith(shown.text.split("\n")[0].removeprefix("… "))
    assert shown.text.split("\n")[-1].removesuffix(" …") in lines[shown.last]


def test_numbers_of_a_list_stand_with_their_lines() -> None:
    text = "1. Copy it all.\n2. Shadow it.\n3. Switch over at night, when few are about."
    shown = excerpt(text, [], len, 45)
    assert shown is not None
    assert shown.text == "1. Copy it all.\n2. Shadow it."


def test_a_long_sentence_is_cut_around_its_match() -> None:
    text = "word " * 100 + "heron " + "more " * 100
    shown = excerpt(text, spans(text, "heron"), len, 60)
    assert shown is not None
    assert " heron " in shown.text
    assert shown.text.startswith("… word")
    assert len(shown.text) <= 60


def test_a_word_that_does_not_fit_leaves_nothing() -> None:
    assert excerpt("x" * 500, [], len, 100) is None
    assert excerpt("some words", [], len, 0) is None


CODE = "Before.\n\n```python\nfirst = 1\nheron = 2\nthird = 3\n```\n\nAfter it all."


@pytest.mark.parametrize("limit", range(20, len(CODE) + 8, 3))
def test_code_is_opened_and_closed(limit: int) -> None:
    shown = excerpt(CODE, spans(CODE, "heron"), len, limit)
    if shown is None:
        return
    assert len(shown.text) <= limit
    assert open_fence(shown.text) == ""
    if "heron = 2" in shown.text:
        assert shown.text.index("```") < shown.text.index("heron")


def test_a_text_that_begins_within_code() -> None:
    shown = excerpt("second = 2\n```\n\nAfter.", [], len, 100, before="```")
    assert shown is not None
    assert shown.text == "```\nsecond = 2\n```\n\nAfter."


@pytest.mark.parametrize(
    ("text", "before", "after"),
    [
        ("plain", "", ""),
        ("```\ncode", "", "```"),
        ("```\ncode\n```", "", ""),
        ("````\n```\n", "", "````"),
        ("~~~\n```\n~~~", "", ""),
        ("~~~ `a` ~~~\n", "", "~~~"),
        ("```one line``` of code", "", ""),
        ("``` x ` y\n", "", ""),
        ("code\n```", "```", ""),
        ("code\n``` no end", "```", "```"),
        ("> ```\n> code", "", "```"),
        ("  - ```", "", ""),
        ("", "~~~~", "~~~~"),
    ],
)
def test_which_fence_is_open(text: str, before: str, after: str) -> None:
    assert open_fence(text, before) == after
    assert open_fence(fenced(text, before)) == ""


TEXTS = st.text(
    st.sampled_from("ab heron. \n`~#>-1é日本。ก็\u0301\u200d👩🏽…"), min_size=1, max_size=300
)


@given(TEXTS, st.integers(0, 200), st.data())
def test_an_excerpt_never_counts_more_and_is_from_the_text(
    text: str, limit: int, data: st.DataObject
) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    shown = excerpt(text, [(start, end)], len, limit)
    if shown is None:
        return
    assert len(shown.text) <= limit
    assert 0 <= shown.first <= shown.last <= text.count("\n")
    assert open_fence(shown.text) == ""
    if not shown.cut:
        return
    lines = shown.text.split("\n")
    kept = "\n".join(line for line in lines if not re.fullmatch(r"[`~]{3,}", line))
    core = kept.removeprefix("… ").removesuffix(" …")
    plain = "\n".join(line for line in text.split("\n") if not re.fullmatch(r"[`~]{3,}", line))
    assert core.strip() in plain


@pytest.mark.parametrize(
    ("text", "place", "may"),
    [
        ("two words", 3, True),
        ("two words", 4, True),
        ("two words", 1, False),
        ("snake_case", 5, False),
        ("don't", 3, False),
        ("日本語", 1, True),
        ("e\u0301t", 1, False),
        ("กำ", 1, False),
        ("a👩", 1, True),
        ("👩🏽", 1, False),
        ("👩\u200d🔬", 1, False),
        ("👩\u200d🔬", 2, False),
        ("end", 3, True),
    ],
)
def test_where_a_text_may_be_cut(text: str, place: int, may: bool) -> None:
    assert is_between_words(text, place) is may


def test_texts_that_say_the_same_share_most_of_their_runs() -> None:
    one = shingles("The grey heron stands in the shallow water at dawn.")
    same = shingles("the grey heron stands in the shallow water, at dawn!")
    other = shingles("A boat lies in the harbour and waits for the tide to turn.")
    assert one == same
    assert not one & other
    dense = shingles("梅雨の間、シベリアから中国大陸にかけての広範囲")
    assert len(dense) > 3
    assert shingles("") == {""}
