"""What is true of every query, whatever is typed, and of what is shown of its answer."""

from __future__ import annotations

import datetime
from functools import cache
from pathlib import Path

import apsw

from kb.cli.dates import parse_day
from kb.fusion.options import SearchOptions
from kb.fusion.search import search
from kb.indexer.sync import IndexOptions, index_vault
from kb.store.connection import open_reader
from kb.store.errors import UsageError
from kb.store.records import Filters
from kb.streams.where import OPERATORS
from kb.text import detect_language, mark, parse_query, snippet, token_text
from kb.text.plain import plain_snippet

from .reader import Reader, temporary_folder

SAMPLE = Path(__file__).parent.parent.parent / "sample_vault"
LANGUAGES = ("en", "de", "ja", "ru", "")


class _Quiet:
    def begin(self, stage: str, total: int) -> None: ...
    def advance(self, count: int = 1) -> None: ...
    def end(self) -> None: ...
    def notice(self, message: str) -> None: ...


@cache
def _index() -> Path:
    index = temporary_folder() / "index.db"
    index_vault(SAMPLE, index, IndexOptions(embed=False), _Quiet())
    return index


@cache
def _reader() -> apsw.Connection:
    return open_reader(_index())


def check_query(data: bytes) -> None:
    """Read a query, ask it, and show where it stands in a text."""
    reader = Reader(data)
    text = reader.line()
    passage = reader.rest() or text
    query = parse_query(text, LANGUAGES)
    assert query == parse_query(text, LANGUAGES)
    assert len(query.terms) <= 64
    for term in (*query.terms, *query.excluded):
        assert 0 <= term.start <= term.end <= len(query.text)
        assert term.alternatives
        assert all(token.split() == [token] for one in term.alternatives for token in one.tokens)
    result = search(_index(), text, SearchOptions(limit=5), connection=_reader())
    assert [hit.rank for hit in result.hits] == list(range(1, len(result.hits) + 1))
    for hit in result.hits:
        check_spans(hit.passage.snippet, hit.passage.marks)
    language = detect_language(passage)
    check_spans(passage, mark(passage, query, language))
    for width in (0, 16, 40):
        shown, spans = snippet(passage, query, language, width)
        assert len(shown) <= max(width, 16)
        check_spans(shown, spans)
        shown, spans = plain_snippet(passage, passage.split("\n")[:1], query, language, width)
        check_spans(shown, spans)
    check_found(passage, language)


def check_spans(text: str, spans: object) -> None:
    """Spans stand inside the text, in order and apart."""
    end = 0
    for start, stop in spans:  # type: ignore[attr-defined]
        assert end <= start < stop <= len(text), "a mark outside the text"
        end = stop


def check_found(text: str, language: str) -> None:
    """A word of a text, asked for as it stands there, is found there."""
    tokens = token_text(text, language)
    assert "\n" not in tokens
    word = next((word for word in text.split() if word.isalnum() and len(word) < 60), "")
    asked = parse_query(word, (language,))
    if not asked.terms:
        return
    padded = f" {tokens} "
    assert any(
        f" {' '.join(one.tokens)} " in padded
        for term in asked.terms
        for one in term.alternatives
        if not one.whole
    ) or any(one.whole for term in asked.terms for one in term.alternatives), word


def check_filters(data: bytes) -> None:
    """Every filter is followed, or refused with a word."""
    reader = Reader(data)
    today = datetime.date(2026, 6, 4)
    operator = OPERATORS[reader.number(len(OPERATORS) - 1)]
    tag, path, name, value, left_out, text, day = (reader.line() for _ in range(7))
    filters = Filters(
        tags=(tag,) if tag else (),
        paths=(path,) if path else (),
        where=((name, operator, value),) if name else (),
        exclude=(left_out,) if left_out else (),
        include_ignored=True,
    )
    try:
        assert parse_day(day, today, "--since") <= parse_day(day, today, "--until", last=True)
    except UsageError as error:
        assert error.message
    try:
        result = search(_index(), text, SearchOptions(filters), connection=_reader())
    except UsageError as error:
        assert error.hint
        return
    same = search(_index(), text, SearchOptions(filters), connection=_reader())
    assert [hit.path for hit in same.hits] == [hit.path for hit in result.hits]
