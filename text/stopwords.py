"""Function words by language: they carry no topic, and they tell languages apart."""

from __future__ import annotations

from functools import cache

from kb.text.stopword_lists import WORDS


@cache
def stop_words(language: str) -> frozenset[str]:
    """The function words of `language` (ISO 639-1), lower case and as written; empty if unknown."""
    return frozenset(WORDS.get(_SAME.get(language, language), "").split())


_SAME = {"nb": "no", "nn": "no"}


@cache
def stop_languages() -> tuple[str, ...]:
    """The languages that have a list."""
    return tuple(WORDS)
