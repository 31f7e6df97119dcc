"""Any bytes become text, with the lines an editor shows and a word on what was wrong."""

from __future__ import annotations

import codecs

import pytest

from kb.text import decode as module
from kb.text.decode import decode

CASES = [
    pytest.param(b"", "", "", id="an empty file"),
    pytest.param("naïve".encode(), "naïve", "", id="plain UTF-8"),
    pytest.param(codecs.BOM_UTF8 + b"---\r\n", "---\n", "", id="a UTF-8 mark is dropped"),
    pytest.param(codecs.BOM_UTF16_LE + "né".encode("utf-16-le"), "né", "", id="UTF-16 LE"),
    pytest.param(codecs.BOM_UTF16_BE + "né".encode("utf-16-be"), "né", "", id="UTF-16 BE"),
    pytest.param(codecs.BOM_UTF32_LE + "né".encode("utf-32-le"), "né", "", id="UTF-32 LE"),
    pytest.param(codecs.BOM_UTF16_LE + b"n\0e", "n\ufffd", "UTF-16", id="half a UTF-16 unit"),
    pytest.param(b"caf\xe9 \x80", "café €", "Windows-1252", id="Windows-1252"),
    pytest.param(b"\x81", "\ufffd", "Windows-1252", id="a byte that no encoding knows"),
    pytest.param(
        "größe, üb".encode() + b"\xff", "größe, üb\ufffd", "UTF-8", id="one bad byte among good"
    ),
    pytest.param(b"a\0b", "a\ufffdb", "1 NUL", id="a NUL byte"),
    pytest.param(b"a\r\nb\rc\nd\r\r\ne", "a\nb\nc\nd\n\ne", "", id="mixed line ends"),
    pytest.param("a\u2028b\x0bc\x85d".encode(), "a\u2028b\x0bc\x85d", "", id="no other line ends"),
]


@pytest.mark.parametrize(("data", "text", "problem"), CASES)
def test_decode(data: bytes, text: str, problem: str) -> None:
    decoded = decode(data)
    assert decoded.text == text
    assert len(decoded.problems) == bool(problem)
    assert problem in "".join(decoded.problems)


def test_a_file_over_the_bound_is_read_that_far(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_BYTES", 4)
    decoded = decode("abcé".encode())
    assert decoded.text == "abc"  # the bound cuts é in two: it is left out, not replaced
    assert len(decoded.problems) == 1
    assert "first 4" in decoded.problems[0]
