"""Vault-relative paths as text that SQLite and JSON can hold.

A path of the operating system may hold bytes that are not UTF-8; Python shows them as lone
surrogates, which no UTF-8 text can carry. In the index each such byte stands as one private-use
character (U+10FE00 + byte), so that no path is lost and two paths never become one.
"""

from __future__ import annotations

import os
import re
import sys
import unicodedata
from contextlib import suppress

_BASE = 0x10FE00
# Compiled when a path is met that is not ASCII.
_SURROGATE = "[\udc80-\udcff]"
_PRIVATE = f"[{chr(_BASE + 0x80)}-{chr(_BASE + 0xFF)}]"
# Without UTF-8 as its encoding of file names (a bare C locale), Python decodes names otherwise.
_LOCALE_IS_OTHER = sys.getfilesystemencoding().lower().replace("-", "") != "utf8"


def encode_path(path: str) -> str:
    """The stored form of a path as `os.walk` or `os.fsdecode` gives it, with `/` between parts.

    The same for every locale: the bytes of a name are read as UTF-8, whatever Python made of them.
    """
    if os.sep != "/":
        path = path.replace(os.sep, "/")
    if path.isascii():
        return path
    if _LOCALE_IS_OTHER:
        with suppress(UnicodeEncodeError):  # not as that locale gives it: it is text already
            path = os.fsencode(path).decode("utf-8", "surrogateescape")
    return re.sub(_SURROGATE, lambda match: chr(_BASE + ord(match[0]) - 0xDC00), path)


def decode_path(stored: str) -> str:
    """The path to give to the operating system, from its stored form."""
    if stored.isascii():
        return stored
    path = re.sub(_PRIVATE, lambda match: chr(ord(match[0]) - _BASE + 0xDC00), stored)
    if _LOCALE_IS_OTHER:
        path = os.fsdecode(path.encode("utf-8", "surrogateescape"))
    return path


def show_path(stored: str) -> str:
    r"""The form for people and JSON: a byte that is not UTF-8 is written `\xNN`."""
    if stored.isascii():
        return stored
    return re.sub(_PRIVATE, lambda match: f"\\x{ord(match[0]) - _BASE:02x}", stored)


def parse_shown_path(shown: str) -> str:
    r"""The stored form of a path as `show_path` gives it, where each `\xNN` stands for a byte."""
    return re.sub(r"\\x([89a-f][0-9a-f])", lambda match: chr(_BASE + int(match[1], 16)), shown)


def name_key(path: str) -> str:
    """What a link names a note by: its file name without extension, NFC and case-folded."""
    name = path.rpartition("/")[2]
    stem, dot, extension = name.rpartition(".")
    if dot and extension.lower() in ("md", "markdown"):
        name = stem
    if name.isascii():
        return name.lower()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())
