"""Keys of names: one form for a title, a tag, an alias and the words of a query."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.text import entity_candidates, entity_key, entity_words

KEYS = [
    ("#project/Billing", "project billing"),
    ("INC-2041", "inc 2041"),
    ("snake_case name", "snake case name"),
    ("Café Müller", "cafe muller"),
    ("Καφές", "καφεσ"),
    ("C++", "c++"),
    ("C#", "c#"),
    ("#c++", "c++"),
    (".NET", ".net"),
    ("Node.js", "node.js"),
    ("AT&T", "at&t"),
    ("Foo: the bar (2020)", "foo the bar 2020"),
    ("Smith's team.", "smith team"),
    ("l’été", "l ete"),
    ("redis,postgres", "redis postgres"),
    ("1,000 things", "1,000 things"),
    ("ｆｕｌｌ　ｗｉｄｔｈ", "full width"),
    ("Python入門", "python 入門"),
    ("Python 入門", "python 入門"),
    ("機械学習", "機械学習"),
    ("🐘 Postgres", "postgres"),
    ("🐘", "🐘"),
    ("   ", ""),
    ("?!", ""),
    ("Ünï — cödé…", "uni code"),
    ("हिन्दी", "हिन्दी"),  # marks matter here
]


@pytest.mark.parametrize(("text", "key"), KEYS)
def test_keys(text: str, key: str) -> None:
    assert entity_key(text) == key


def test_words_of_a_query_join_to_the_key_of_what_they_name() -> None:
    words = entity_words("what did Müller's C++ team do about INC-2041?")
    assert words == ["what", "did", "muller", "c++", "team", "do", "about", "inc", "2041"]
    assert " ".join(words[7:]) == entity_key("inc_2041")


def test_candidates_are_runs_with_their_place() -> None:
    query = "who is Ada Lovelace"
    found = {key: (start, end) for key, start, end in entity_candidates(query)}
    start, end = found["ada lovelace"]
    assert query[start:end] == "Ada Lovelace"
    assert "who is ada lovelace" in found
    assert "who ada" not in found


def test_candidates_stop_at_the_longest() -> None:
    assert [key for key, _, _ in entity_candidates("a b c", longest=2)] == [
        "a",
        "a b",
        "b",
        "b c",
        "c",
    ]


def test_candidates_inside_a_run_without_spaces() -> None:
    query = "機械学習とPython入門の本"
    found = {key: query[start:end] for key, start, end in entity_candidates(query)}
    assert found["機械学習"] == "機械学習"
    assert found["python 入門"] == "Python入門"
    assert found["本"] == "本"
    assert max(map(len, (key for key, _, _ in entity_candidates("中" * 60)))) == 16


def test_symbols_are_candidates_of_their_own() -> None:
    assert ("🐘", 0, 1) in entity_candidates("🐘 postgres")


NAMES = st.text(st.sampled_from("aBé中かß-_/ .'+#&🐘한ไ1٣"), max_size=12) | st.text(max_size=12)


@given(NAMES)
def test_a_name_is_found_in_a_query_of_itself(name: str) -> None:
    key = entity_key(name)
    if key and len(name) <= 8:
        assert key in {candidate for candidate, _, _ in entity_candidates(name)}


@given(NAMES)
def test_a_key_is_its_own_key_and_blind_to_form(name: str) -> None:
    key = entity_key(name)
    assert entity_key(unicodedata.normalize("NFD", name)) == key
    assert " ".join(entity_words(name)) == key


@given(st.text(max_size=60))
def test_candidates_have_their_place(text: str) -> None:
    for key, start, end in entity_candidates(text):
        assert key
        assert 0 <= start < end <= len(text)
