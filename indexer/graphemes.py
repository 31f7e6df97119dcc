"""Where a text may be cut: after a sentence, else between words, never inside a character."""

from __future__ import annotations

import re
import unicodedata

# Signs of scripts that take a word piece or more each: Hangul, kana, Han.
_DENSE = (
    "[\u1100-\u11ff\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff66-\uff9f"
    "\U00020000-\U0003ffff]"
)
_DENSE_WEIGHT = 2.5
_SENTENCE_END = re.compile(r"[.!?…][\"'”’)\]*_]{0,3}\s+|[。！？；][」』”’）】]{0,3}\s*")
_SPACE = re.compile(r"\s+")
_ZERO_WIDTH_JOINER = "\u200d"
# A cluster longer than this is no character that anyone reads.
_LONGEST_CLUSTER = 64


def weight(text: str) -> float:
    """How much room a text takes, in characters of Latin script."""
    if text.isascii():
        return len(text)
    return len(text) + (_DENSE_WEIGHT - 1) * len(re.findall(_DENSE, text))


def cut_position(text: str, start: int, end: int, most: float) -> int:
    """Where to cut `text[start:end]` so that the part before weighs at most `most`.

    Behind the last sentence in the second half of that part, else behind the last white space
    there, else between two characters. Always more than `start`; `end` where all of it fits.
    """
    fits = _fitting(text, start, end, most)
    if fits >= end:
        return end
    middle = start + (fits - start) // 2
    for pattern in (_SENTENCE_END, _SPACE):
        ends = [found.end() for found in pattern.finditer(text, middle, fits)]
        if ends:
            return ends[-1]
    position = fits
    while position > max(start + 1, fits - _LONGEST_CLUSTER) and joins(text, position):
        position -= 1
    return fits if joins(text, position) else position


def _fitting(text: str, start: int, end: int, most: float) -> int:
    """The largest offset, to within some characters, up to which the text weighs `most`."""
    length = min(end - start, int(most))
    while length > 1:
        weighs = weight(text[start : start + length])
        if weighs <= most:
            break
        length = max(1, min(length - 1, int(length * most / weighs)))
    return start + max(1, length)


def joins(text: str, position: int) -> bool:
    """Whether the characters before and behind `position` are one to a reader."""
    before, behind = text[position - 1], text[position]
    if behind.isascii():
        return before == "\r" and behind == "\n"
    if _ZERO_WIDTH_JOINER in (before, behind):
        return True
    if unicodedata.category(behind) in ("Mn", "Me", "Mc") or "\U0001f3fb" <= behind <= "\U0001f3ff":
        return True
    if _is_flag_part(before) and _is_flag_part(behind):
        return _flag_parts_before(text, position) % 2 == 1
    # Hangul syllables written as their letters: a vowel or final consonant goes with what precedes.
    return "\u1160" <= behind <= "\u11ff" and "\u1100" <= before <= "\u11ff"


def _is_flag_part(character: str) -> bool:
    return "\U0001f1e6" <= character <= "\U0001f1ff"


def _flag_parts_before(text: str, position: int) -> int:
    count = 0
    while (
        count < position and count < _LONGEST_CLUSTER and _is_flag_part(text[position - 1 - count])
    ):
        count += 1
    return count
