"""Notes related by words: those that the words most telling of one note find.

A word tells by tf / (tf + 1.2) times its idf over the passages of the vault (the parts of BM25:
Robertson and Zaragoza, 2009); those of the title count more often. The best of them are asked as a
query is, of the lexical stream.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping

from kb.store.records import Ranking, StreamStatus
from kb.store.rows import read_rows
from kb.streams import lexical
from kb.streams.request import Request, without
from kb.streams.totals import count_passages
from kb.text import Alternative, Query, Term, stop_words
from kb.text.tokens import scan

NAME = lexical.NAME

_MOST_WORDS = 24
_NAMED = 5  # of them, in the reason
_IN_TITLE = 3
_SATURATION = 1.2
# What is read of a note, in characters, and how many of its words are looked up.
_MOST_TEXT = 100_000
_MOST_LOOKED_UP = 400

_NOTE = "SELECT title, language FROM notes WHERE id = ?"
_PASSAGES = "SELECT text FROM passages WHERE note_id = ? ORDER BY ordinal"
_VOCABULARY = (
    "CREATE VIRTUAL TABLE IF NOT EXISTS temp.vocabulary USING fts5vocab(main, passages_fts, row)"
)
_FREQUENCY = "SELECT doc FROM temp.vocabulary WHERE term = ?"


def read_telling_query(request: Request, note_id: int) -> Query:
    """A query of the words that tell most of a note, the most telling first."""
    ((title, language),) = read_rows(request.connection, _NOTE, (note_id,))
    written = _read_words(request, note_id, title, language)
    words = _telling_words(request, {word: len(forms) for word, forms in written.items()})
    terms = tuple(
        Term(written[word][0], (Alternative((word,)),), "token", False, place, place)
        for place, word in enumerate(words)
    )
    return Query(title, language, terms)


def _read_words(request: Request, note_id: int, title: str, language: str) -> dict[str, list[str]]:
    """The words of a note as they are indexed, each with how it is written, time after time."""
    rows = read_rows(request.connection, _PASSAGES, (note_id,))
    text = "\n".join(passage for (passage,) in rows)[:_MOST_TEXT]
    stops = stop_words(language or "en")
    written: dict[str, list[str]] = defaultdict(list)
    for part in (*(title,) * _IN_TITLE, text):
        for token in scan(part, language):
            # Numbers are days and hours more often than names.
            if token.text not in stops and any(map(str.isalpha, token.text)):
                written[token.text].append(part[token.start : token.end])
    return written


def _telling_words(request: Request, counts: Mapping[str, int]) -> list[str]:
    """The words that another passage has too, by how much they tell."""
    total = count_passages(request.meta)
    request.connection.execute(_VOCABULARY)
    telling: dict[str, float] = {}
    often = sorted(counts.items(), key=lambda one: (-one[1], one[0]))
    for word, count in often[:_MOST_LOOKED_UP]:
        rows = read_rows(request.connection, _FREQUENCY, (word,))
        passages = rows[0][0] if rows else 0
        if passages > 1:
            idf = math.log(1 + (max(total - passages, 0) + 0.5) / (passages + 0.5))
            telling[word] = count / (count + _SATURATION) * idf
    return sorted(telling, key=lambda word: (-telling[word], word))[:_MOST_WORDS]


def rank(request: Request, note_id: int) -> Ranking:
    """Notes by the BM25 score of their best passage, for the words of `request.query`."""
    words = [term.surface for term in request.query.terms]
    if not words:
        reason = "it has no word that another note has too"
        return Ranking(NAME, StreamStatus.SKIPPED, reason=reason)
    depth = request.depth + 1 if request.depth else 0
    ranking = without(lexical.rank(request._replace(depth=depth)), note_id, request.depth)
    if not ranking.hits:
        reason = "no note that may be listed has one of its words"
        return Ranking(NAME, StreamStatus.SKIPPED, reason=reason)
    return ranking._replace(reason=f"by its words {', '.join(words[:_NAMED])}")
