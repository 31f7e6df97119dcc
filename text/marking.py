"""Where a query's terms stand in a text, and the piece of the text that shows them best."""

from __future__ import annotations

from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple

from kb.text.characters import CLASSES
from kb.text.compounds import all_forms, find_compounds, forms_by_piece, forms_of, odd_pieces
from kb.text.tokens import find_tokens, scan

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kb.text.query import Query

_ELLIPSIS = "…"
_EXTENDING = "amze"  # classes of what belongs to the character before


class _Span(NamedTuple):
    start: int
    end: int
    term: int


def mark(text: str, query: Query, language: str) -> list[tuple[int, int]]:
    """The spans of `text`, a passage in `language`, that match a term: sorted, disjoint."""
    return _merged(_spans(text, query, language))


def _merged(spans: list[_Span]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end, _ in spans:
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _spans(text: str, query: Query, language: str) -> list[_Span]:
    """Where each term stands in `text`, in order."""
    sequences: dict[str, list[tuple[tuple[str, ...], int]]] = {}
    whole: dict[str, int] = {}
    pairs = {(t.start, t.end) for t in query.terms if t.kind == "cjk" and len(t.surface) > 1}
    for number, term in enumerate(query.terms):
        # The first character of a word ranks with it and is no word to be shown.
        if term.kind == "cjk" and (term.start, term.start + 2) in pairs and len(term.surface) == 1:
            continue
        for alternative in term.alternatives:
            first = alternative.tokens[0]
            if alternative.whole:
                whole.setdefault(first, number)
            else:
                sequences.setdefault(first, []).append((alternative.tokens, number))
    return sorted(_sequence_spans(text, sequences, language) + _whole_spans(text, whole))


def _sequence_spans(
    text: str, sequences: dict[str, list[tuple[tuple[str, ...], int]]], language: str
) -> list[_Span]:
    alone = all(len(wanted) == 1 for found in sequences.values() for wanted, _ in found)
    if alone and text.isascii():
        return [
            _Span(start, end, number)
            for token, start, end in find_tokens(text, language, sequences)
            for _, number in sequences[token]
        ]
    firsts = "".join({first[0] for first in sequences}) if alone else ""
    tokens = list(scan(text, language, firsts))
    found = []
    for index, token in enumerate(tokens):
        for wanted, number in sequences.get(token.text, ()):
            part = tokens[index : index + len(wanted)]
            if tuple(each.text for each in part) == wanted:
                found.append(_Span(token.start, max(each.end for each in part), number))
    return found


def _whole_spans(text: str, whole: dict[str, int]) -> list[_Span]:
    odd = odd_pieces(text) if whole else ()
    if not any(form in whole for piece in odd for form in forms_of(piece)):
        return []
    return [
        _Span(start + compound.start, start + compound.end, whole[form])
        for start, piece, forms in forms_by_piece(text)
        if not whole.keys().isdisjoint(forms)
        for compound in find_compounds(piece)
        for form in all_forms(compound)
        if form in whole
    ]


def snippet(
    text: str, query: Query, language: str, width: int = 240
) -> tuple[str, tuple[tuple[int, int], ...]]:
    """The part of `text` with most of the terms, and the spans of it that match.

    White space is one space each; at most `width` characters (16 at least), `…` where the text
    goes on; cut between words where there are any, never inside a grapheme.
    """
    width = max(width, 16)
    text = " ".join(text.split())
    spans = _spans(text, query, language)
    marks = _merged(spans)
    if len(text) <= width:
        return text, tuple(marks)
    start, end = _window(text, spans, width - 2)
    before = _ELLIPSIS if start > 0 else ""
    after = _ELLIPSIS if end < len(text) else ""
    moved = (
        (max(low, start) - start + len(before), min(high, end) - start + len(before))
        for low, high in marks
        if low < end and high > start
    )
    return before + text[start:end] + after, tuple(moved)


def _window(text: str, spans: list[_Span], width: int) -> tuple[int, int]:
    """The bounds of the window: the one whose spans cover most distinct terms, then most spans."""
    best, best_first, best_last = (0, 0), 0, 0
    for index, first in enumerate(spans):
        inside = list(_within(spans, index, first.start + width))
        score = (len({span.term for span in inside}), len(inside))
        if inside and score > best:
            best, best_first = score, first.start
            best_last = max(span.end for span in inside)
    # A little of what comes before, so that the first match is read in its sentence.
    room = width - (best_last - best_first)
    start = max(0, min(best_first - room // 3, len(text) - width))
    start = _cut(text, start, forward=True, limit=max(best_first, start))
    end = min(len(text), start + width)
    end = _cut(text, end, forward=False, limit=min(best_last, end) if best[0] else start)
    return start, min(end, _whole_within(text, start, start + width))


def _whole_within(text: str, start: int, end: int) -> int:
    """The last place up to `end` that cuts no grapheme; `end` where all of it is one."""
    end = min(end, len(text))
    places = range(end, start, -1)
    return next((at for at in places if _is_boundary(text, at)), end)


def _within(spans: list[_Span], index: int, end: int) -> Iterator[_Span]:
    """The spans from `index` on that end by `end`."""
    for span in islice(spans, index, None):
        if span.start > end:
            return
        if span.end <= end:
            yield span


def _cut(text: str, place: int, *, forward: bool, limit: int) -> int:
    """The nearest place between words on the way to `limit`, else between two graphemes."""
    if place in (0, len(text)):
        return place
    step = 1 if forward else -1
    near = place
    for _ in range(30):
        if (near - limit) * step > 0 or near in (0, len(text)):
            break
        if text[near - 1 if forward else near] == " ":
            return near
        near += step
    # Towards the limit first, and where a grapheme goes on beyond that, the other way.
    towards = range(place, limit + step, step)
    away = range(place, 0 if forward else len(text), -step)
    found = (at for at in chain(towards, away) if _is_boundary(text, at))
    return next(found, 0 if forward else len(text))


def _is_boundary(text: str, place: int) -> bool:
    """Whether a text may be cut before `place` without splitting a grapheme."""
    if place in (0, len(text)):
        return True
    before, after = text[place - 1], text[place]
    if CLASSES[ord(after)] in _EXTENDING or before == "\u200d":
        return False
    flags = "\U0001f1e6" <= before <= "\U0001f1ff" and "\U0001f1e6" <= after <= "\U0001f1ff"
    return not flags
