"""Nothing that a terminal obeys, and nothing that hides, gets through."""

from __future__ import annotations

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.cli.escape import escape_block, escape_json, escape_line, escape_path, flatten
from kb.store.paths import encode_path

HARMLESS = "plain ASCII, Ünïcödé, 日本語, हिन्दी, العربية, [[link]] #tag 👍"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (HARMLESS, HARMLESS),
        ("\x1b[31mred\x1b[0m", r"\x1b[31mred\x1b[0m"),
        ("\x1b]52;c;ZXZpbA==\x07", r"\x1b]52;c;ZXZpbA==\x07"),
        ("\x9b31m", r"\x9b31m"),
        ("a\x7fb\x00c", r"a\x7fb\x00c"),
        ("invoice\u202efdp.md", r"invoice\u202efdp.md"),
        ("a\u2066b\u2069", r"a\u2066b\u2069"),
        ("pass\u200bword", r"pass\u200bword"),
        ("pass\u200dword", r"pass\u200dword"),
        ("\ufeffstart", r"\ufeffstart"),
        ("soft\u00adhyphen", r"soft\xadhyphen"),
        ("\U000e0041", r"\U000e0041"),
        ("one\ttwo\nthree\r\nfour", "one two three four"),
        ("\ud83d", r"\ud83d"),
        # a joiner that belongs to the spelling stays
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("👩\u200d💻", "👩\u200d💻"),
    ],
)
def test_a_line_is_shown_as(text: str, shown: str) -> None:
    assert escape_line(text) == shown


def test_a_block_keeps_its_lines() -> None:
    assert escape_block("one\r\n\ttwo\x1b\n") == "one\n    two\\x1b\n"


def test_a_path_shows_its_line_breaks_and_bytes() -> None:
    assert escape_path("a\nb\t\x1b.md") == r"a\x0ab\x09\x1b.md"
    assert escape_path(encode_path("caf\udce9.md")) == r"caf\xe9.md"


def is_hidden(character: str) -> bool:
    """What Unicode itself calls a control, a format character, a separator or no character."""
    return unicodedata.category(character) in ("Cc", "Zl", "Zp", "Cs") or (
        unicodedata.bidirectional(character)
        in ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")
    )


@given(st.text(alphabet=st.characters()))
def test_no_text_leaves_anything_hidden(text: str) -> None:
    assert not any(map(is_hidden, escape_line(text)))
    assert not any(is_hidden(character) for character in escape_block(text) if character != "\n")


@given(st.text())
def test_escaped_json_is_the_same_json(text: str) -> None:
    document = json.dumps({"text": text}, ensure_ascii=False, indent=2)
    escaped = escape_json(document)
    assert json.loads(escaped) == {"text": text}
    assert not any(is_hidden(character) for character in escaped if character != "\n")


def test_a_field_has_no_breaks() -> None:
    assert flatten("a\tb\r\n\nc\u2028d\x0be") == "a b c d e"
