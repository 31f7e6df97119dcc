"""Whole forms: what stands in one piece in the second column."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.text import compounds
from kb.text.compounds import MOST_FORMS, find_compounds, forms_of, odd_pieces

CASES = [
    ("plain words only.", ""),
    ("INC-2041", "inc-2041 inc2041"),
    ("foo_bar", "foo_bar"),
    ("getUserName", "getusername"),
    ("GitHub and iPhone", "github"),
    ("real-time", "realtime"),
    ("real‑time", "realtime"),  # a hyphen that does not break
    ("node.js", "node.js nodejs"),
    ("v1.0.21", "v1.0.21 1.0.21"),
    ("2026.4.10", "2026-04-10 2026.4.10"),
    ("3.5 percent", ""),  # its parts in a row are enough
    ("C++ and C# and .NET", "c++ c# .net"),
    ("(C++)", "c++"),
    ("ASP.NET", "asp.net aspnet"),
    ("U.S.A. but e.g.", "usa"),
    ("User@Host.org", "user@host.org"),
    ("https://www.docs.python.org/3/", "docs.python.org"),
    ("http://localhost:8080/", "localhost:8080"),
    ("grammar::fa", "grammar::fa"),
    ("__init__.py", "init__.py"),
    ("--error-on-warnings", "erroronwarnings"),
    ("a -> b != c", "-> !="),
    ("end of one. Start of next", ""),
    ("wait...what", ""),
    ("café-bar", "cafebar"),
    ("интернет-магазин", "интернетмагазин"),
]
DATES = ["2026-06-04", "2026/06/04", "2026-6-4", "4.6.2026", "20260604", "2026年6月4日"]


@pytest.mark.parametrize(("text", "forms"), CASES)
def test_forms(text: str, forms: str) -> None:
    assert compounds(text, "en") == forms.split()


@pytest.mark.parametrize("date", DATES)
def test_a_date_is_found_in_any_notation(date: str) -> None:
    assert "2026-06-04" in compounds(f"on {date}, we", "en")


@pytest.mark.parametrize("number", ["2026-13-04", "2026-06-44", "120260604", "12026-06-04"])
def test_what_is_no_date_gives_none(number: str) -> None:
    assert not any(form in ("2026-06-04", "2026-13-04") for form in compounds(number, "en")[1:])


def test_the_number_of_forms_is_bounded() -> None:
    assert len(compounds("a_b " * 10_000, "en")) == MOST_FORMS
    assert len(compounds("a_b." * 10_000, "en")) <= MOST_FORMS


@given(st.text())
def test_no_text_raises_and_forms_are_clean(text: str) -> None:
    for form in compounds(text, ""):
        assert 0 < len(form) <= 64
        assert not set(form) & set("\"'")
        assert not any(char.isspace() or unicodedata.category(char) == "Cc" for char in form)
    for compound in find_compounds(text):
        assert 0 <= compound.start < compound.end <= len(text)


@given(st.one_of(st.from_regex(r"[(\"'*_]*[A-Za-z.]*[,;:.!]*", fullmatch=True), st.text()))
def test_the_forms_of_a_piece_are_those_of_a_text_of_it(text: str) -> None:
    for piece in text.split():
        assert list(forms_of(piece)) == compounds(piece, "")


PIECES = st.lists(
    st.one_of(
        st.sampled_from(
            ["the", "Heron,", "(marsh)", "real-time", "c++", "getName", "v1.2", "U.S.A."]
        ),
        st.text(alphabet="aB1-._+#(,é日 \n", max_size=6),
    )
).map(" ".join)


@given(text=PIECES)
def test_only_odd_pieces_have_forms(text: str) -> None:
    odd = odd_pieces(text)
    assert odd <= set(text.split())
    assert {piece for piece in text.split() if forms_of(piece)} <= odd


def test_a_character_that_stands_for_several_words_is_in_one_form() -> None:
    """Found by fuzzing: a form with spaces in it is several tokens to the index."""
    forms = compounds("use\ufdfar a-\ufdfab", "en")
    assert forms
    assert all(form.split() == [form] for form in forms)
