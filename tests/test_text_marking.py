"""Marked spans and snippets: the matching words of the text as it stands."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.text import mark, parse_query, snippet

MARKS = [
    ("postgres", "We chose Postgres.", "en", ["Postgres"]),
    ("running", "He runs and ran; run!", "en", ["runs", "run"]),
    ("real-time", "Real time, realtime and real-time", "en", ["Real", "time"]),
    ("getusername", "call getUserName()", "en", ["getUserName"]),
    ("user name", "call getUserName()", "en", ["UserName"]),
    ("don't know", "I don’t know", "en", ["know"]),
    ("smith", "Smith’s plan", "en", ["Smith"]),
    ("中文合約", "這是中文合約轉換", "zh", ["中文合約"]),
    ("新しい梅雨", "梅の木と梅雨", "ja", ["梅雨"]),
    ("ガス", "ｶﾞｽの話", "ja", ["ｶﾞｽ"]),
    ("café", "cafe\u0301 open", "fr", ["cafe\u0301"]),
    ("C++", "C and C++", "en", ["C++"]),
    ("2026-06-04", "am 4.6.2026 war", "de", ["4.6.2026"]),
    ('"new york"', "new york, york new", "en", ["new york"]),
    ("x -postgres", "x postgres", "en", ["x"]),
]


@pytest.mark.parametrize(("query", "text", "language", "marked"), MARKS)
def test_marks(query: str, text: str, language: str, marked: list[str]) -> None:
    spans = mark(text, parse_query(query, [language]), language)
    found = [text[start:end] for start, end in spans]
    assert all(word in found or any(word in each for each in found) for word in marked)
    if query != "real-time":
        assert found == marked


def test_a_short_text_is_its_own_snippet() -> None:
    query = parse_query("postgres", ["en"])
    assert snippet("We  chose\n\nPostgres", query, "en") == ("We chose Postgres", ((9, 17),))


def test_the_window_with_most_terms_wins() -> None:
    text = "cat " + "filler words " * 60 + "cat and dog together " + "more filler " * 60
    found, spans = snippet(text, parse_query("cat dog", ["en"]), "en", 100)
    assert [found[start:end] for start, end in spans] == ["cat", "dog"]
    assert found.startswith("…")
    assert found.endswith("…")
    assert len(found) <= 100


def test_cuts_are_between_words() -> None:
    text = "internationalisation " * 40 + "postgres " + "localisation " * 40
    found, _ = snippet(text, parse_query("postgres", ["en"]), "en", 120)
    words = set(found.strip("…").split())
    assert words == {"internationalisation", "postgres", "localisation"}


def test_without_a_match_the_start_is_shown() -> None:
    found, spans = snippet("alpha beta gamma " * 50, parse_query("zzz", ["en"]), "en", 60)
    assert found.startswith("alpha beta")
    assert spans == ()


def test_graphemes_stay_whole() -> None:
    family = "👩\u200d👩\u200d👧"
    found, _ = snippet(family * 100, parse_query("x", ["en"]), "en", 40)
    assert found.strip("…").replace(family, "") == ""
    thai = "น้ำ" * 100
    found, _ = snippet(thai, parse_query("x", ["en"]), "th", 40)
    assert not unicodedata.category(found.lstrip("…")[0]).startswith("M")


TEXTS = st.text(max_size=300) | st.lists(
    st.sampled_from(
        [
            "cat ",
            "dogs, ",
            "中文",
            "é",
            "e\u0301",
            "👩\u200d💻",
            "🇩🇪",
            "ไทยน้ำ",
            "\n",
            "a" * 40,
            "foo_bar ",
        ]
    ),
    max_size=80,
).map("".join)


@given(
    TEXTS, st.sampled_from(["cat", "中文", "foo_bar dogs", "é", "ไทย", "💻"]), st.integers(0, 80)
)
def test_spans_are_in_range_sorted_and_apart(text: str, asked: str, width: int) -> None:
    query = parse_query(asked, ["en"])
    found, inside = snippet(text, query, "en", width)
    assert len(found) <= max(width, 16) or len(found) <= len(" ".join(text.split()))
    assert "\n" not in found
    for where, spans in ((text, mark(text, query, "en")), (found, list(inside))):
        edges = [edge for span in spans for edge in span]
        assert edges == sorted(edges)
        assert all(start < end for start, end in spans)
        assert all(0 <= edge <= len(where) for edge in edges)


def test_a_snippet_is_never_wider_than_it_may_be() -> None:
    """Found by fuzzing: a match that ends before a combining mark took the mark along."""
    query = parse_query("\ufffd")
    for gap in range(1, 30):
        text = f"\ufffd{'x' * gap}\ufffd\u0301\u0301 and more of it"
        for width in (16, 17, 18, 20, 30):
            assert len(snippet(text, query, "", width)[0]) <= width
