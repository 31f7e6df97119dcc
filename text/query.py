"""Query text to terms. Forgiving: no text is an error, what makes no sense is read as words."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, NamedTuple

from kb.text.languages import detect_language
from kb.text.terms import Alternative, Reader, Term

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MOST_TERMS = 64
_LONGEST_QUERY = 4_000
_MOST_LANGUAGES = 6


class Query(NamedTuple):
    """A query as it was understood.

    `text` is the query in NFC; spans refer to it. `terms` are all that rank, phrases included;
    `phrases` those of them that were quoted; none of `excluded` may match. `notices` say what
    was not taken as it was typed, one sentence each.
    """

    text: str
    language: str
    terms: tuple[Term, ...]
    phrases: tuple[Term, ...] = ()
    excluded: tuple[Term, ...] = ()
    notices: tuple[str, ...] = ()


class _Segment(NamedTuple):
    """A part of the query: plain text, or what stands between quotes, or what is excluded."""

    start: int
    end: int
    quoted: bool = False
    excluded: bool = False


_QUOTES = '"\u201c\u201d\u201e\u201f\uff02'
_EXCLUSION = re.compile(r"(?<!\S)-(?=[^\W\d_])\S+")
_EXCLUDED_QUOTE = re.compile(r"(?<!\S)-$")
_OPERATOR = re.compile(r"(?<!\S)(?:AND|OR|NOT|NEAR)(?!\S)")


def parse_query(text: str, languages: Sequence[str] = ()) -> Query:
    """The terms of `text` for an index whose notes are in `languages`, most common first.

    A language of "" stands for notes whose language is not known. Never raises.
    """
    notices: list[str] = []
    text = unicodedata.normalize("NFC", text)
    if len(text) > _LONGEST_QUERY:
        text = text[:_LONGEST_QUERY]
        notices.append(f"only the first {_LONGEST_QUERY} characters of the query are used")
    known = tuple(languages)[:_MOST_LANGUAGES] or ("",)
    language = _language_of(text, known)
    reader = Reader(text, known, language)
    segments = list(_segments(text, notices))
    terms = _terms(reader, [segment for segment in segments if not segment.excluded])
    excluded = _excluded(reader, segments)
    if excluded and not any(term for term in terms if not term.stop):
        notices.append("there is nothing beside `-` to search for, so it is read as text")
        terms, excluded = _terms(reader, segments), []
    terms = _kept(terms, notices)
    if not terms and text.strip():
        notices.append("there is nothing in the query that can be searched for")
    phrases = tuple(term for term in terms if term.kind == "phrase")
    return Query(text, language, tuple(terms), phrases, tuple(excluded), tuple(notices))


def _language_of(text: str, languages: tuple[str, ...]) -> str:
    language = detect_language(text)
    # A few Han characters are Chinese or Japanese alike.
    return "ja" if language == "zh" and "zh" not in languages and "ja" in languages else language


def _terms(reader: Reader, segments: list[_Segment]) -> list[Term]:
    terms: list[Term] = []
    for segment in segments:
        if segment.quoted:
            phrase = reader.phrase(segment.start, segment.end, "phrase")
            terms.extend([phrase] if phrase else [])
        else:
            terms.extend(reader.plain(segment.start, segment.end))
    return terms


def _excluded(reader: Reader, segments: list[_Segment]) -> list[Term]:
    found = (
        reader.phrase(segment.start, segment.end, "phrase" if segment.quoted else "word")
        for segment in segments
        if segment.excluded
    )
    return [term for term in found if term]


def _kept(terms: list[Term], notices: list[str]) -> list[Term]:
    """The terms, none twice, stop words only if there is nothing else, and not too many."""
    unique: dict[tuple[Alternative, ...], Term] = {}
    for term in terms:
        # `cat` and `cats` are one term: what they look for in the text is the same.
        words = tuple(each for each in term.alternatives if not each.whole) or term.alternatives
        unique.setdefault(words, term)
    kept = [term for term in unique.values() if not term.stop] or list(unique.values())
    if len(kept) > MOST_TERMS:
        notices.append(f"only the first {MOST_TERMS} of the query's {len(kept)} terms are used")
    return kept[:MOST_TERMS]


def _segments(text: str, notices: list[str]) -> Iterator[_Segment]:
    """The text cut at its quotes and exclusions; says what did not pair."""
    quotes = [at for at, char in enumerate(text) if char in _QUOTES and not _is_gershayim(text, at)]
    if len(quotes) % 2:
        notices.append("a quote has no partner and is read as text")
        quotes.pop()
    if text.count("(") != text.count(")"):
        notices.append("a parenthesis has no partner and is read as text")
    _note_operators(text, notices)
    start = 0
    for opening, closing in zip(quotes[::2], quotes[1::2], strict=True):
        minus = bool(_EXCLUDED_QUOTE.search(text[:opening]))
        yield from _plain_segments(text, start, opening - minus)
        yield _Segment(opening + 1, closing, quoted=True, excluded=minus)
        start = closing + 1
    yield from _plain_segments(text, start, len(text))


def _note_operators(text: str, notices: list[str]) -> None:
    operators = list(dict.fromkeys(_OPERATOR.findall(text)))
    # In a query typed in capitals throughout they are words like the others.
    if operators and (any(c.islower() for c in text) or not _OPERATOR.sub("", text).strip()):
        named = ", ".join(f"`{operator}`" for operator in operators)
        notices.append(f"{named} is read as a word: a note matches with any of the words")


def _is_gershayim(text: str, place: int) -> bool:
    """Whether the quote stands between two Hebrew letters, where it marks an abbreviation."""
    around = text[max(0, place - 1) : place] + text[place + 1 : place + 2]
    return len(around) == 2 and all("\u05d0" <= char <= "\u05ea" for char in around)


def _plain_segments(text: str, start: int, end: int) -> Iterator[_Segment]:
    for match in _EXCLUSION.finditer(text, start, end):
        yield _Segment(start, match.start())
        yield _Segment(match.start() + 1, match.end(), excluded=True)
        start = match.end()
    yield _Segment(start, end)
