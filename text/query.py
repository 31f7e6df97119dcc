"""Query text to terms. Forgiving: no text is an error, what makes no sense is read as words."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kb.text.characters import plain
from kb.text.compounds import find_compounds
from kb.text.languages import detect_language
from kb.text.stemming import distinct_languages
from kb.text.stopwords import stop_words
from kb.text.tokens import analyse, chunks, clusters

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from kb.text.compounds import Compound

MOST_TERMS = 64
_LONGEST_QUERY = 4_000
_MOST_LANGUAGES = 6


@dataclass(frozen=True, slots=True)
class Alternative:
    """Consecutive tokens to look for; `whole`: in the column of whole forms, else in the others."""

    tokens: tuple[str, ...]
    whole: bool = False


@dataclass(frozen=True, slots=True)
class Term:
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


@dataclass(frozen=True, slots=True)
class Query:
    """A query as it was understood.

    `text` is the query in NFC; spans refer to it. `terms` are all that rank, phrases included;
    `phrases` those of them that were quoted; `excluded` must not match. `notices` say what
    was not taken as it was typed.
    """

    text: str
    language: str
    terms: tuple[Term, ...]
    phrases: tuple[Term, ...] = ()
    excluded: tuple[Term, ...] = ()
    notices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Segment:
    """A part of the query: plain text, or what stands between quotes, or what is excluded."""

    start: int
    end: int
    quoted: bool = False
    excluded: bool = False


_QUOTES = '"\u201c\u201d\u201e\u201f\uff02'
_QUOTE = re.compile(f"[{_QUOTES}]")
_EXCLUSION = re.compile(r"(?<!\S)-(?=[^\W\d_])\S+")
_OPERATOR = re.compile(r"(?<!\S)(?:AND|OR|NOT|NEAR)(?!\S)")


def parse_query(text: str, languages: Sequence[str] = ()) -> Query:
    """The terms of `text` for an index whose notes are in `languages`, most common first.

    A language of "" stands for notes whose language is unknown. Never raises.
    """
    notices: list[str] = []
    text = unicodedata.normalize("NFC", text)
    if len(text) > _LONGEST_QUERY:
        text = text[:_LONGEST_QUERY]
        notices.append(f"only the first {_LONGEST_QUERY} characters of the query are used")
    known = tuple(languages)[:_MOST_LANGUAGES] or ("",)
    language = _language_of(text, known)
    segments = _segments(text, notices)
    reader = _Reader(text, known, language)
    excluded: list[Term] = []
    for segment in segments:
        if segment.excluded:
            excluded.extend(reader.excluded(segment))
        else:
            reader.read(segment)
    terms = reader.finished()
    if excluded and not terms:
        notices.append("nothing is left to search for beside `-`, so it is read as text")
        for segment in segments:
            if segment.excluded:
                reader.read(_Segment(segment.start, segment.end, segment.quoted))
        terms, excluded = reader.finished(), []
    if len(terms) > MOST_TERMS:
        terms = terms[:MOST_TERMS]
        notices.append(f"only the first {MOST_TERMS} terms of the query are used")
    phrases = tuple(term for term in terms if term.kind == "phrase")
    return Query(text, language, tuple(terms), phrases, tuple(excluded), tuple(notices))


def _language_of(text: str, languages: tuple[str, ...]) -> str:
    language = detect_language(text)
    # A few Han characters are Chinese or Japanese alike.
    if language == "zh" and "zh" not in languages and "ja" in languages:
        return "ja"
    return language


def _segments(text: str, notices: list[str]) -> list[_Segment]:
    """The text cut at its quotes and exclusions; says what did not pair."""
    quotes = [match.start() for match in _QUOTE.finditer(text) if not _is_gershayim(text, match)]
    if len(quotes) % 2:
        notices.append("a quote has no partner and is read as text")
        quotes.pop()
    segments = []
    start = 0
    for opening, closing in zip(quotes[::2], quotes[1::2], strict=True):
        minus = (
            opening > 0
            and text[opening - 1] == "-"
            and not text[: opening - 1].strip()[-1:].isalnum()
        )
        segments.extend(_plain_segments(text, start, opening))
        segments.append(_Segment(opening + 1, closing, quoted=True, excluded=minus))
        start = closing + 1
    segments.extend(_plain_segments(text, start, len(text)))
    if text.count("(") != text.count(")"):
        notices.append("a parenthesis has no partner and is read as text")
    operators = dict.fromkeys(_OPERATOR.findall(text))
    if operators and not text.isupper():
        named = ", ".join(f"`{operator}`" for operator in operators)
        notices.append(f"{named} is read as a word: any of the words may match")
    return segments


def _is_gershayim(text: str, match: re.Match[str]) -> bool:
    """Whether the quote stands between two Hebrew letters, where it marks an abbreviation."""
    around = text[match.start() - 1 : match.start()] + text[match.end() : match.end() + 1]
    return len(around) == 2 and all("\u05d0" <= char <= "\u05ea" for char in around)


def _plain_segments(text: str, start: int, end: int) -> Iterable[_Segment]:
    for match in _EXCLUSION.finditer(text, start, end):
        yield _Segment(start, match.start())
        yield _Segment(match.start() + 1, match.end(), excluded=True)
        start = match.end()
    yield _Segment(start, end)


class _Reader:
    """Collects the terms of one query."""

    def __init__(self, text: str, languages: tuple[str, ...], language: str) -> None:
        self._text = text
        self._languages = languages
        self._stops = _stop_list(language, languages)
        self._terms: list[Term] = []

    def finished(self) -> list[Term]:
        """The terms read so far, none twice; stop words only if there is nothing else."""
        unique: dict[tuple[Alternative, ...], Term] = {}
        for term in self._terms:
            unique.setdefault(term.alternatives, term)
        kept = [term for term in unique.values() if not term.stop]
        return kept or list(unique.values())

    def excluded(self, segment: _Segment) -> list[Term]:
        """What one `-word` or `-"phrase"` says must not match: all of it, together."""
        term = self._phrase(segment, "phrase" if segment.quoted else "word")
        return [term] if term else []

    def read(self, segment: _Segment) -> None:
        """Adds the terms of a segment."""
        if segment.quoted:
            term = self._phrase(segment, "phrase")
            self._terms.extend([term] if term else [])
            return
        text, offset = self._text[segment.start : segment.end], segment.start
        covered: list[tuple[int, int]] = []
        for compound in find_compounds(text):
            self._terms.append(self._compound(compound, text, offset))
            covered.append((compound.start, compound.end))
        for kind, start, end in chunks(text):
            inside = any(low <= start and end <= high for low, high in covered)
            if kind == "dense":
                self._terms.extend(self._dense(text[start:end], offset + start))
            else:
                self._terms.extend(self._words(text[start:end], offset + start, inside))

    def _phrase(self, segment: _Segment, kind: str) -> Term | None:
        surface = self._text[segment.start : segment.end]
        alternatives = self._sequences(surface)
        found = list(find_compounds(surface))
        if len(found) >= 1 and found[0].start == 0 and found[0].end == len(surface.strip()):
            alternatives = [*self._whole(found[0].forms), *alternatives]
        elif kind == "word" and surface.isalpha():
            alternatives += self._whole([plain(surface)])
        if not alternatives:
            return None
        return Term(surface, _distinct(alternatives), kind, False, segment.start, segment.end)

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

    def _compound(self, compound: Compound, text: str, offset: int) -> Term:
        surface = text[compound.start : compound.end]
        alternatives = self._whole([*compound.forms, compound.joined])
        if not compound.exact:
            alternatives += self._sequences(surface)
        if compound.joined:
            alternatives += self._sequences(compound.joined)
        start, end = offset + compound.start, offset + compound.end
        return Term(surface, _distinct(alternatives), "compound", False, start, end)

    def _words(self, chunk: str, offset: int, inside: bool) -> Iterable[Term]:
        """The term of a word that stands alone, or of a compound's part that is a word."""
        key = plain(chunk).replace("'", "").replace("\u2019", "")
        stop = key in self._stops
        if inside and (stop or len(key) < (3 if key.isdecimal() else 2)):
            return
        alternatives = self._sequences(chunk)
        if key.isalpha() and len(key) > 2 and not stop:
            alternatives += self._whole([key])
        if alternatives:
            end = offset + len(chunk)
            yield Term(chunk, _distinct(alternatives), "word", stop, offset, end)

    def _dense(self, run: str, offset: int) -> Iterable[Term]:
        """One term for one or two graphemes, else one for each two that are neighbours."""
        parts = clusters(run)
        if len(parts) <= 2:
            tokens = tuple(analyse(run, ""))
            if tokens:
                yield Term(run, (Alternative(tokens),), "cjk", False, offset, offset + len(run))
            return
        for first, second in zip(parts, parts[1:], strict=False):
            surface = run[first.start : second.end]
            pair = (Alternative((first.text + second.text,)),)
            yield Term(surface, pair, "cjk", False, offset + first.start, offset + second.end)


def _distinct(alternatives: Iterable[Alternative]) -> tuple[Alternative, ...]:
    return tuple(dict.fromkeys(alternatives))


def _stop_list(language: str, languages: tuple[str, ...]) -> frozenset[str]:
    if stop_words(language):
        return stop_words(language)
    lists = [stop_words(known or "en") for known in languages]
    return frozenset().union(*lists) if any(lists) else stop_words("en")
