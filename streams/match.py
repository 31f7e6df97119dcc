"""A query's terms as an FTS5 expression. Every token is quoted: query text is never syntax."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import product

from kb.text import Alternative, Term

# Tokens that may stand between two words that count as a pair.
_NEAR = 8


def match_any(terms: Iterable[Term]) -> str:
    """An expression that a passage matches when any term does; "" for no terms."""
    return " OR ".join(match_phrases(terms))


def match_phrases(terms: Iterable[Term], weighed: Collection[Alternative] = ()) -> list[str]:
    """The phrases of which a passage has any when it matches any term, none twice.

    Whole forms that a plain form of the term finds as well are left out, but for those that are
    to be `weighed`: BM25 counts them for themselves.
    """
    phrases: dict[str, None] = {}
    for term in terms:
        doubled = doubled_forms(term)
        for alternative in term.alternatives:
            if alternative in doubled and alternative not in weighed:
                continue
            if phrase := match_alternative(alternative):
                phrases[phrase] = None
    return list(phrases)


def doubled_forms(term: Term) -> list[Alternative]:
    """The whole forms that add no passage, since a plain form is the same in every column."""
    plain = [one.tokens for one in term.alternatives if not one.whole]
    return [one for one in term.alternatives if one.whole and one.tokens in plain]


def match_near(left: Term, right: Term) -> str:
    """An expression for a form of one word within eight tokens of a form of the other, or ""."""
    pairs = product(_single_tokens(left), _single_tokens(right))
    return " OR ".join(f'NEAR("{one}" "{other}", {_NEAR})' for one, other in pairs)


def _single_tokens(term: Term) -> list[str]:
    return [
        _quoted(one.tokens) for one in term.alternatives if len(one.tokens) == 1 and not one.whole
    ]


def _quoted(tokens: Iterable[str]) -> str:
    return " ".join(token.replace('"', '""') for token in tokens)


def match_alternative(alternative: Alternative) -> str:
    """One run of consecutive tokens, in the column of whole forms where it is one."""
    tokens = _quoted(alternative.tokens)
    if not tokens:
        return ""
    return f'whole:"{tokens}"' if alternative.whole else f'"{tokens}"'
