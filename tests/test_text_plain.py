"""Passages and snippets as a reader sees them: no Markdown, the marks where they belong."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.text import parse_query
from kb.text.plain import plain_passage, plain_snippet

PASSAGES = [
    ("# Title\n\nText *a* **b** `c`.", "Title:\nText a b c.", "a heading ends with a colon"),
    ("## Why?\nSo.", "Why?\nSo.", "unless it ends with a sign of its own"),
    ("## One ##\n# C#\n#tag x", "One:\nC#:\n#tag x", "closing signs, a name, and a tag"),
    ("# Alone", "Alone", "nothing follows"),
    ("A line. ^cut-1\n\n^cut-2\nB", "A line.\nB", "names of blocks"),
    ("[[ADR-016 Leave MySQL]] [[a/b|shown]] [x](y.md)", "ADR-016 Leave MySQL shown x", "links"),
    ("| a | b |\n|---|:-:|\n| [[N\\|n]] | |\nEnd", "a | b;\nn\nEnd", "a table"),
    ("One\n\n---\n***\nTwo\n===", "One\nTwo", "rules"),
    ("> [!note]- Mind **this**\n> > and that", "Mind this\nand that", "quotes and callouts"),
    ("- [ ] *do*\n1. go", "- [ ] do\n1. go", "lists stay lists"),
    ("```sh\n# not **a** [[link]]\n```\n*b*", "# not **a** [[link]]\nb", "code stays as written"),
    ("~~~\n```\n*a*\n~~~~\n*b*", "```\n*a*\nb", "a fence ends with its own sign"),
    ("", "", "nothing"),
]


@pytest.mark.parametrize(("text", "plain"), [pytest.param(*c[:2], id=c[2]) for c in PASSAGES])
def test_a_passage_without_markdown(text: str, plain: str) -> None:
    assert plain_passage(text) == plain


def test_first_headings_that_are_shown_already_are_left_out() -> None:
    text = "# A *name*\n## Part\nText\n# A name"
    assert plain_passage(text, ("a name", "Part")) == "Text\nA name"
    assert plain_passage(text, ("Part",)) == "A name:\nPart:\nText\nA name"


@pytest.mark.parametrize(
    ("text", "words", "shown", "marked"),
    [
        ("# Oslo\n**Bold** [[a/Ferry plan]]", "ferry bold", "Bold Ferry plan", ["Bold", "Ferry"]),
        ("# Oslo\nA city", "oslo", "Oslo: A city", ["Oslo"]),
        ("# Oslo\nSee [[harbour|it]]", "harbour", "# Oslo See [[harbour|it]]", ["harbour"]),
        ("# Oslo\n*A* city", "trondheim", "A city", []),
        ("---", "oslo", "---", []),
        ("# Oslo", "trondheim", "Oslo", []),
    ],
    ids=[
        "in the text",
        "only in the title",
        "only in an address",
        "nowhere",
        "rule",
        "title alone",
    ],
)
def test_a_plain_snippet_marks_what_matches(
    text: str, words: str, shown: str, marked: list[str]
) -> None:
    query = parse_query(words, ["en"])
    found, spans = plain_snippet(text, ("Oslo",), query, "en", 240)
    assert found == shown
    assert [found[start:end] for start, end in spans] == marked


@given(st.text(alphabet="#*_`[]|>-~=^! \nab", max_size=80))
def test_marks_lie_in_the_snippet_whatever_the_text(text: str) -> None:
    found, spans = plain_snippet(text, ("a",), parse_query("a b", ["en"]), "en", 20)
    assert "\n" not in found
    assert all(0 <= start < end <= len(found) for start, end in spans)


@pytest.mark.parametrize("piece", ["`", "[[", "# ", "*a ", "a #", " ", "<!--", "| "])
def test_a_long_line_is_plain_text_at_its_end_too(piece: str) -> None:
    text = "x " + piece * 20_000 + "\n**end**"
    assert plain_passage(text).endswith("\nend")


def test_pieces_of_a_long_line_keep_their_spaces() -> None:
    words = "word " * 900
    assert plain_passage(f"{words}**end**") == f"{words}end"
