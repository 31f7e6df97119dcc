"""What one query looks for: the records, and reading them from plain and quoted text."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from kb.text.characters import fold_script, normalise, plain
from kb.text.compounds import Kind, find_compounds
from kb.text.stemming import distinct_languages
from kb.text.stopwords import query_stop_words, stop_words
from kb.text.tokens import analyse, apostrophe_pieces, chunks, clusters, is_elided, name_parts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kb.text.compounds import Compound
    from kb.text.tokens import Token


class Alternative(NamedTuple):
    """Consecutive tokens to look for; `whole`: in the column of whole forms, else in the others."""

    tokens: tuple[str, ...]
    whole: bool = False


class Term(NamedTuple):
    """One thing that is looked for. It matches a passage where any alternative does.

    `kind` is word, compound, phrase or cjk. `stop`: a function word, kept because nothing else
    was left. `start` and `end` are the span in the query's text.
    """

    surface: str
    alternatives: tuple[Alternative, ...]
    kind: str
    stop: bool
    start: int
    end: int


# TCP/IP, and/or: a row of words, not a path.
_SLASHED = re.compile(r"(?<![\w/.:])[^\W_]+(?:/[^\W_]+){1,3}(?![\w/])")
_SHORTEST_WHOLE = 3
_SHORTEST_PART = dict.fromkeys(Kind, 2) | {Kind.EXACT: 4}  # .gitignore, but a net is no .NET


class Reader:
    """Reads terms from pieces of one query, for an index whose notes are in `languages`."""

    def __init__(self, text: str, languages: tuple[str, ...], language: str) -> None:
        self._text = text
        self._languages = languages
        self._stops = query_stop_words(language, languages)
        # HOW TO, typed in capitals throughout, is no acronym; the US in a sentence is.
        self._shouted = not any(char.islower() for char in text)
        self._dense_stops = stop_words(language) if language in ("zh", "ja") else frozenset()

    def phrase(self, start: int, end: int, kind: str) -> Term | None:
        """The span as one term (kind "phrase" or "word"), None if nothing in it can be found."""
        surface = self._text[start:end].strip()
        alternatives = self._sequences(surface)
        found = [c for c in find_compounds(surface) if (c.start, c.end) == (0, len(surface))]
        if found:
            forms = self._whole(form for compound in found for form in compound.forms)
            exact = any(compound.kind == Kind.EXACT for compound in found)
            alternatives = forms if exact else forms + alternatives
        elif kind == "word":
            alternatives += self._whole_word(plain(surface))
        if not alternatives:
            return None
        return Term(surface, _distinct(alternatives), kind, False, start, end)

    def plain(self, start: int, end: int) -> Iterator[Term]:
        """The terms of a span of plain text: compounds, their parts, words, runs; stops marked."""
        text = self._text[start:end]
        found = _without_dates_twice(list(find_compounds(text)))
        for compound in found:
            yield self._compound(compound, text, start)
        for match in _SLASHED.finditer(text):
            sequences = self._sequences(match.group())
            if any(len(sequence.tokens) > 1 for sequence in sequences):
                span = (start + match.start(), start + match.end())
                yield Term(match.group(), _distinct(sequences), "compound", False, *span)
        for kind, low, high in chunks(text):
            chunk, offset = text[low:high], start + low
            around = next((c for c in found if c.start <= low and high <= c.end), None)
            if kind == "dense":
                yield from self._dense(chunk, offset)
            elif kind == "symbol":
                yield from self._word(chunk, offset, offset + len(chunk))
            elif around:
                yield from self._parts(chunk, offset, around)
            else:
                yield from self._words(chunk, offset)

    def _compound(self, compound: Compound, text: str, offset: int) -> Term:
        surface = text[compound.start : compound.end]
        alternatives: list[Alternative] = []
        if compound.kind != Kind.HYPHENATED:
            alternatives += self._whole(compound.forms)
        if compound.kind not in (Kind.EXACT, Kind.DATE):
            alternatives += self._sequences(surface)
        if compound.joined and compound.joined not in self._stops:  # the U.S. is not us
            alternatives += self._sequences(compound.joined)
        start, end = offset + compound.start, offset + compound.end
        return Term(surface, _distinct(alternatives), "compound", False, start, end)

    def _parts(self, chunk: str, offset: int, compound: Compound) -> Iterator[Term]:
        """The parts of a compound that are words on their own, so that they rank too."""
        if compound.kind == Kind.DATE or not any(map(str.isalpha, "".join(compound.forms) or "a")):
            return
        parts = name_parts(chunk)
        if len(parts) == 2 and chunk[:1].isupper():  # GitHub is not about hubs
            return
        exact = parts[-1][2] == len(chunk) if parts else False
        for part, start, end in parts:
            shortest = _SHORTEST_PART[compound.kind] if part.isalpha() else 3
            if len(part) >= shortest and not self._is_stop(part):
                span = (start, end) if exact else (0, len(chunk))
                yield from self._word(part, offset + span[0], offset + span[1])

    def _words(self, chunk: str, offset: int) -> Iterator[Term]:
        pieces = apostrophe_pieces(chunk, "")
        for index, (piece, start, end) in enumerate(pieces):
            if index + 1 < len(pieces) and is_elided(piece):
                continue
            yield from self._word(chunk[start:end], offset + start, offset + end, piece)

    def _word(self, raw: str, start: int, end: int, key: str = "") -> Iterator[Term]:
        """The term of one word; `key` is the word without apostrophes, where it had any."""
        alternatives = self._sequences(raw)
        stop = self._is_stop(key or raw)
        if not stop:
            alternatives += self._whole_word(plain(key or raw))
        if alternatives:
            yield Term(raw, _distinct(alternatives), "word", stop, start, end)

    def _is_stop(self, word: str) -> bool:
        if len(word) > 1 and word.isupper() and not self._shouted:
            return word in ("AND", "OR", "NOT", "NEAR")
        folded = normalise(word)
        return folded in self._stops or (
            not folded.isascii() and fold_script(folded) in self._stops and not _is_latin(folded)
        )

    def _dense(self, run: str, offset: int) -> Iterator[Term]:
        """One term for one or two graphemes, else one for each two that are neighbours."""
        parts = clusters(run)
        if len(parts) <= 2:
            tokens = tuple(analyse(run, ""))
            if tokens:
                yield Term(run, (Alternative(tokens),), "cjk", False, offset, offset + len(run))
            return
        for first, second in pairwise(parts):
            pair = first.text + second.text
            # Pairs of particles match everywhere, and cost as much as they match.
            stop = pair in self._dense_stops or (
                first.text in self._dense_stops and second.text in self._dense_stops
            )
            span = (offset + first.start, offset + second.end)
            surface = run[first.start : second.end]
            yield Term(surface, (Alternative((pair,)),), "cjk", stop, *span)
        yield from self._word_starts(parts, offset)

    def _word_starts(self, parts: list[Token], offset: int) -> Iterator[Term]:
        """In Japanese, the first Han character after kana: a word starts there.

        Pairs across that border tell of the particle before it, so the word weighs too little
        (nDCG@10 of 2,221 questions: 0.950 without, 0.953 with them).
        """
        han = [_is_han(part.text[0]) for part in parts]
        if not any("\u3041" <= part.text[0] <= "\u30ff" for part in parts):
            return
        for index, part in enumerate(parts):
            if han[index] and (index == 0 or not han[index - 1]):
                stop = part.text in self._dense_stops
                span = (offset + part.start, offset + part.end)
                yield Term(part.text, (Alternative((part.text,)),), "cjk", stop, *span)

    def _sequences(self, surface: str) -> list[Alternative]:
        """The tokens of `surface` as each of the index's languages would have them."""
        found = []
        for language in distinct_languages(surface, self._languages):
            tokens = tuple(analyse(surface, language))
            if tokens:
                found.append(Alternative(tokens))
        return found

    @staticmethod
    def _whole(forms: Iterable[str]) -> list[Alternative]:
        return [Alternative((form,), whole=True) for form in forms if form]

    def _whole_word(self, word: str) -> list[Alternative]:
        """`realtime` also stands for real-time, whose joined form is in the other column."""
        long_enough = len(word) >= _SHORTEST_WHOLE and word.isalnum() and not word.isdecimal()
        return self._whole([word] if long_enough else [])


def _is_han(char: str) -> bool:
    return "\u3400" <= char <= "\u9fff" or "\uf900" <= char <= "\ufaff" or char >= "\U00020000"


def _is_latin(word: str) -> bool:
    return any("a" <= char <= "z" for char in word)


def _without_dates_twice(found: list[Compound]) -> list[Compound]:
    """The compounds less those that say the same as a date at their place."""
    dates = {(c.start, c.end): c.forms for c in found if c.kind == Kind.DATE}
    return [c for c in found if c.kind == Kind.DATE or dates.get((c.start, c.end)) != c.forms]


def _distinct(alternatives: Iterable[Alternative]) -> tuple[Alternative, ...]:
    return tuple(dict.fromkeys(alternatives))
