"""Bytes to text: whatever encoding a note was saved in, and whatever ends its lines.

A line ends at `\\n`, `\\r\\n` or `\\r`, nowhere else, and each becomes `\\n`: so line numbers here
are the ones an editor shows.
"""

from __future__ import annotations

import codecs
from typing import NamedTuple

# A larger file is read this far: a note that long was not written by hand.
MAX_BYTES = 8 * 1024 * 1024

# UTF-32 before UTF-16: the mark of the first begins with the mark of the second.
_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_REPLACEMENT = "\ufffd"
_SAMPLE = 4_096


class Decoded(NamedTuple):
    """The text of a note, lines ended by `\\n` alone, and what was wrong with its bytes."""

    text: str
    problems: tuple[str, ...]


def decode(data: bytes) -> Decoded:
    """Text for any bytes; a problem for each thing that was not plain UTF-8 or UTF-16."""
    problems: list[str] = []
    cut = len(data) > MAX_BYTES
    if cut:
        problems.append(f"the file has {len(data):,} bytes; only the first {MAX_BYTES:,} were read")
        data = data[:MAX_BYTES]
    text = _to_text(data, cut, problems)
    if "\0" in text:
        problems.append(f"{text.count(chr(0)):,} NUL characters were replaced")
        text = text.replace("\0", _REPLACEMENT)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return Decoded(text, tuple(problems))


def _to_text(data: bytes, cut: bool, problems: list[str]) -> str:
    encoding = _unmarked_encoding(data)
    for mark, name in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            data, encoding = data[len(mark) :], name
            while data.startswith(mark):  # as each program that adds one leaves behind
                data = data[len(mark) :]
            break
    try:
        # `final=not cut`: a character that the bound cut in two is left out, not reported.
        return codecs.getincrementaldecoder(encoding)("strict").decode(data, final=not cut)
    except UnicodeDecodeError:
        if encoding == "utf-8":
            return _broken_utf8(data, problems)
    text = data.decode(encoding, "replace")
    problems.append(f"not valid {encoding.upper()}; what could not be read was replaced")
    return text


def _unmarked_encoding(data: bytes) -> str:
    """UTF-8, or UTF-16 where every second byte is mostly NUL: text never looks so in UTF-8."""
    sample = data[:_SAMPLE]
    pairs = len(sample) // 2
    if pairs < 2 or b"\0" not in sample:
        return "utf-8"
    first, second = sample[0::2].count(0), sample[1::2].count(0)
    if second * 2 > pairs and first * 10 < pairs:
        return "utf-16-le"
    if first * 2 > pairs and second * 10 < pairs:
        return "utf-16-be"
    return "utf-8"


def _broken_utf8(data: bytes, problems: list[str]) -> str:
    """UTF-8 with its bad bytes replaced, or Windows-1252 where that explains the bytes better.

    Bytes above 127 that never form a UTF-8 character are what an old Windows or Latin-1 editor
    writes; a few bad bytes among good UTF-8 characters are damage.
    """
    text = data.decode("utf-8", "replace")
    bad = text.count(_REPLACEMENT)
    good = len(text) - len(text.encode("ascii", "ignore")) - bad
    if good >= bad:
        problems.append(f"not valid UTF-8; {bad:,} unreadable places were replaced")
        return text
    problems.append("not UTF-8; read as Windows-1252")
    # Five bytes mean nothing in Windows-1252: they become the replacement character.
    return data.decode("cp1252", "replace")
