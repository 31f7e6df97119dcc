"""A query's terms as an FTS5 expression. Every token is quoted: query text is never syntax."""

from __future__ import annotations

from collections.abc import Iterable

from kb.text import Alternative, Term


def match_any(terms: Iterable[Term]) -> str:
    """An expression that a passage matches when any term does; "" for no terms."""
    phrases: dict[str, None] = {}
    for term in terms:
        for alternative in term.alternatives:
            if phrase := match_alternative(alternative):
                phrases[phrase] = None
    return " OR ".join(phrases)


def match_alternative(alternative: Alternative) -> str:
    """One run of consecutive tokens, in the column of whole forms where it is one."""
    tokens = " ".join(token.replace('"', '""') for token in alternative.tokens)
    if not tokens:
        return ""
    return f'whole:"{tokens}"' if alternative.whole else f'"{tokens}"'
