r"""Text that comes from a vault, made safe to show on a terminal.

A terminal obeys control characters, lets bidirectional overrides reorder what is read, and hides
characters of no width: a note or a file name from a stranger could move the cursor, write to the
clipboard, or show one name and be another. Each such character is shown as its escape (`\x1b`).
"""

from __future__ import annotations

import re
from functools import cache

from kb.store.paths import show_path

# Controls (C0, DEL, C1), line and paragraph separators, lone surrogates, interlinear annotation,
# and all that Unicode says is shown as nothing (Default_Ignorable_Code_Point): soft hyphen, zero
# width, marks and overrides of direction, fillers, joiners, variation selectors, tag characters.
_HIDDEN = (
    "\x00-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
    "\u2028-\u202e\u2060-\u206f\u3164\ud800-\udfff\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
# Between characters of a script that joins its letters, and inside emoji, these two belong to
# the spelling; nowhere else.
_JOINERS = "\u200c\u200d"
_FIRST_JOINED = "\u0590"
# One of these belongs to the sign before it, and says how that is drawn: as a picture, or as a
# variant of a Chinese character.
_SIGN_VARIANTS = "\ufe00\ufe01\ufe02\ufe0e\ufe0f"
_SIGNS = "#*0123456789\u00a9\u00ae"
_FIRST_SIGN = "\u2010"


@cache
def _hidden() -> re.Pattern[str]:
    return re.compile(f"[{_HIDDEN}]")  # made where it is needed, which for most texts it is not


@cache
def _breaks() -> re.Pattern[str]:
    return re.compile("[\t\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]+")


def escape_line(text: str) -> str:
    """Text for one line of a terminal: line breaks and tabs become spaces, the rest is escaped."""
    return escape_block(_breaks().sub(" ", text))


def escape_block(text: str) -> str:
    r"""Text of several lines: as `escape_line`, except that `\n` stays and a tab becomes spaces."""
    if text.isascii() and text.isprintable():
        return text
    text = text.replace("\r\n", "\n").expandtabs(4)
    return _hidden().sub(_escape, text)


def escape_path(stored: str) -> str:
    """A path in its stored form, for a terminal."""
    return _hidden().sub(_escape_in_path, show_path(stored))


def escape_breaks(path: str) -> str:
    r"""A path for one field of one line: what breaks lines or fields is escaped, `\x0a`."""
    return _breaks().sub(lambda match: "".join(map(_escaped, match[0])), path)


def flatten(text: str) -> str:
    """Text for one field of one line: whatever breaks lines or fields becomes one space."""
    return _breaks().sub(" ", text)


def escape_json(document: str) -> str:
    r"""JSON text in which hidden characters stand as `\uXXXX`: the same JSON, safe to show."""
    if document.isascii() and "\x7f" not in document:  # json escapes the other controls
        return document
    return _hidden().sub(_escape_for_json, document)


def _escape(match: re.Match[str]) -> str:
    character = match[0]
    if character == "\n" or (character in _JOINERS and _is_spelling(match)):
        return character
    return _escape_in_path(match)


def _escape_in_path(match: re.Match[str]) -> str:
    return match[0] if _is_variant(match) else _escaped(match[0])


def _is_spelling(match: re.Match[str]) -> bool:
    text, start, end = match.string, match.start(), match.end()
    return start > 0 and end < len(text) and text[start - 1] > _FIRST_JOINED < text[end]


def _is_variant(match: re.Match[str]) -> bool:
    """Whether this tells how the sign before it is drawn."""
    before = match.string[match.start() - 1 : match.start()]
    if match[0] in _SIGN_VARIANTS:
        small = before < _FIRST_SIGN
        return before != "" and before in _SIGNS if small else not _hidden().match(before)
    return "\U000e0100" <= match[0] <= "\U000e01ef" and "\u3400" <= before <= "\U0003ffff"


def _escaped(character: str) -> str:
    code = ord(character)
    if code < 0x100:
        return f"\\x{code:02x}"
    if 0xDC80 <= code <= 0xDCFF:
        return f"\\x{code - 0xDC00:02x}"  # a byte of a path that is not UTF-8
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _escape_for_json(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code in (0x09, 0x0A, 0x0D):
        return match[0]  # between tokens; inside strings json has escaped it
    if 0xD800 <= code <= 0xDFFF:
        return "\ufffd"
    if code < 0x10000:
        return f"\\u{code:04x}"
    code -= 0x10000
    return f"\\u{0xD800 + (code >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}"
