"""Tags in a note's text, by Obsidian's rules."""

from __future__ import annotations

import re
from collections.abc import Iterator

# A tag ends at white space, at ASCII punctuation but for `-`, `_` and `/`, and at the typographic
# and East Asian punctuation blocks (joiners stay, for emoji and Persian).
_END = (
    r"\x00-\x20\x7f-\xa0\s\u2000-\u200b\u200e-\u206f\u2e00-\u2e7f\u3000-\u3003\u3008-\u3011"
    r"\u3014-\u301f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65"
    r"«»!\"#$%&'()*+,.:;<=>?@\[\\\]^`{|}~"
)
# What may stand before the `#`: white space, opening and pausing punctuation, a picture.
_BEFORE = (
    r"\s(\[,;*_>|“‘„«「『【（〈《、。，！？；：…—–"
    r"\u2190-\u2bff\ufe0f\U0001f000-\U0001faff"
)
# The `#` first, so that the search jumps from one to the next.
_START = rf"#(?:(?<=^#)|(?<=[{_BEFORE}]#))"
_TAG = re.compile(rf"{_START}([^{_END}]{{1,200}}+)", re.MULTILINE)
# Dendron names a tag as it names a note: with dots inside.
_DENDRON_TAG = re.compile(
    rf"{_START}([^{_END}]{{1,200}}+(?:\.[^{_END}]{{1,200}}+){{0,20}}+)", re.MULTILINE
)
_BARE = re.compile(r"[-_/\u200c\u200d\ufe0f]*")


def find_tags(text: str, *, dendron: bool = False) -> Iterator[str]:
    """The tags of a text whose code, comments, links and addresses are blank, without `#`."""
    pattern = _DENDRON_TAG if dendron else _TAG
    for found in pattern.finditer(text) if "#" in text else ():
        tag = found[1].strip("/")
        if not tag.isdecimal() and not _BARE.fullmatch(tag):
            yield tag
