"""The part of a text that fits a size and shows most of what was asked for, whole sentences first.

A size is whatever `size` counts (characters, tokens), and a text may count as much as its parts
at most.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from kb.text.characters import CLASSES
from kb.text.fences import fenced, open_fence

Size = Callable[[str], int]

# Ends of lines, and of sentences within them.
_UNIT_END = re.compile(r"\n+|(?<=[^\d\s][.!?…])[\"'”’)\]*_]{0,3} +(?=\S)|(?<=[。！？])")
_WORD_CLASSES = "Ulbdmza"  # classes of what makes up words that have spaces between them
_BEFORE, _AFTER = "… ", " …"


class Excerpt(NamedTuple):
    """A part of a text. `first` and `last` are its lines, 0-based within the whole text."""

    text: str
    first: int
    last: int
    cut: bool


class _Unit(NamedTuple):
    start: int
    end: int
    size: int
    matches: frozenset[str]


def excerpt(
    text: str, spans: Sequence[tuple[int, int]], size: Size, limit: int, before: str = ""
) -> Excerpt | None:
    """The part that counts at most `limit`, None where not even a few words do.

    `spans` are what matches, `before` the fence of code that is open where the text begins; a
    block of code that is cut is opened and closed. Never cut within a word.
    """
    whole = fenced(text, before)
    if size(whole) <= limit:
        return Excerpt(whole, 0, text.count("\n"), cut=False)
    # What may have to be added at both ends takes its room first.
    room = limit - size(_BEFORE + _AFTER) - _fences_size(text, before, size)
    if room <= 0:
        return None
    bounds = _window(_units(text, spans, size), room) or _within_unit(text, spans, size, room)
    return _shown(text, bounds, before) if bounds else None


def _fences_size(text: str, before: str, size: Size) -> int:
    markers = {before, open_fence(text, before), *re.findall(r"`{3,}|~{3,}", text)} - {""}
    return max((size(f"{one}\n\n{one}") + 2 for one in markers), default=0)


def _units(text: str, spans: Sequence[tuple[int, int]], size: Size) -> list[_Unit]:
    units, start = [], 0
    ends = [found.end() for found in _UNIT_END.finditer(text)]
    for end in [*ends, len(text)]:
        if end > start:
            inside = frozenset(
                text[low:high].casefold() for low, high in spans if start <= low < end
            )
            units.append(_Unit(start, end, size(text[start:end]), inside))
            start = end
    return units


def _window(units: Sequence[_Unit], room: int) -> tuple[int, int] | None:
    """The run of units with most different matches, then most units that have any, the first."""
    matching = [place for place, unit in enumerate(units) if unit.matches]
    best: tuple[tuple[int, int], int, int] | None = None
    for first in dict.fromkeys([0, *(max(0, place - 1) for place in matching), *matching]):
        last, left = first, room
        while last < len(units) and units[last].size <= left:
            left -= units[last].size
            last += 1
        if last == first:
            continue
        run = units[first:last]
        different = frozenset[str]().union(*(one.matches for one in run))
        score = (len(different), sum(bool(one.matches) for one in run))
        if best is None or score > best[0]:
            best = (score, units[first].start, units[last - 1].end)
    if best is None or (matching and not best[0][0]):
        return None  # what matches stands in a unit that is too long
    return best[1], best[2]


def _within_unit(
    text: str, spans: Sequence[tuple[int, int]], size: Size, room: int
) -> tuple[int, int] | None:
    """A part of a long sentence, from a little before its first match on."""
    first = spans[0][0] if spans else 0
    start = _backwards(text, first, size, room // 4)
    low, high = start, len(text)
    while low < high:  # the longest that fits
        middle = (low + high + 1) // 2
        low, high = (middle, high) if size(text[start:middle]) <= room else (low, middle - 1)
    end = low
    while end > start and not is_between_words(text, end):
        end -= 1
    return (start, end) if text[start:end].strip() else None


def _backwards(text: str, place: int, size: Size, room: int) -> int:
    """The first place between words of its line from which on `place` is within `room`."""
    low, high = text.rfind("\n", 0, place) + 1, place
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if size(text[middle:place]) <= room else (middle + 1, high)
    while low < place and not is_between_words(text, low):
        low += 1
    return low


def is_between_words(text: str, place: int) -> bool:
    """Whether a text may be cut before `place`: not within a word, nor within a character."""
    if not 0 < place < len(text):
        return True
    before, after = CLASSES[ord(text[place - 1])], CLASSES[ord(text[place])]
    if after in "mzae" or before == "z":
        return False
    return not (_is_word(before) and _is_word(after))


def _is_word(kind: str) -> bool:
    return kind in _WORD_CLASSES or kind in "_-'"


def _shown(text: str, bounds: tuple[int, int], before: str) -> Excerpt:
    start, end = bounds
    part = text[start:end]
    margin = "\n" if start == 0 or text[start - 1] == "\n" else None  # keep what indents a line
    start += len(part) - len(part.lstrip(margin))
    end -= len(part) - len(part.rstrip())
    part = text[start:end]
    at_start = start == 0 or text[start - 1] == "\n"
    at_end = end == len(text) or text[end] == "\n"
    inside = open_fence(text[:start], before)
    part = ("" if at_start else _BEFORE) + part + ("" if at_end else _AFTER)
    first = text.count("\n", 0, start)
    return Excerpt(fenced(part, inside), first, first + text.count("\n", start, end), cut=True)


def shingles(text: str) -> frozenset[str]:
    """The runs of four words of a text, or of eight characters where it has few spaces."""
    words = re.findall(r"\w+", text.casefold())
    joined = "".join(words)
    if len(joined) > 8 * len(words):
        return frozenset(joined[at : at + 8] for at in range(max(1, len(joined) - 7)))
    return frozenset(" ".join(words[at : at + 4]) for at in range(max(1, len(words) - 3)))
