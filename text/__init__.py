"""One analyser for notes and queries."""

from kb.text.characters import fold
from kb.text.compounds import compounds
from kb.text.entities import entity_candidates, entity_key, entity_words
from kb.text.languages import detect_language
from kb.text.marking import mark, snippet
from kb.text.query import Query, parse_query
from kb.text.stopwords import stop_words
from kb.text.terms import Alternative, Term
from kb.text.tokens import ANALYSER_VERSION, analyse, token_text

__all__ = [
    "ANALYSER_VERSION",
    "Alternative",
    "Query",
    "Term",
    "analyse",
    "compounds",
    "detect_language",
    "entity_candidates",
    "entity_key",
    "entity_words",
    "fold",
    "mark",
    "parse_query",
    "snippet",
    "stop_words",
    "token_text",
]
