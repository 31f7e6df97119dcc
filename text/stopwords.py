"""Function words by language: they carry no topic, and they tell languages apart."""

from __future__ import annotations

from functools import cache

from kb.text.characters import fold_script

_SAME = {"nb": "no", "nn": "no"}
_FOLDED = frozenset(("ru", "uk", "bg", "sr", "el", "ar", "fa", "he", "yi"))


@cache
def stop_words(language: str) -> frozenset[str]:
    """The function words of `language` (ISO 639-1), case-folded; empty if it has no list.

    Contractions stand without their apostrophe. Where readers take spellings as the same (ё
    and е, Greek accents) both are in it.
    """
    # Not needed before the first query or note.
    from kb.text.stopword_lists import WORDS  # noqa: PLC0415

    language = _SAME.get(language, language)
    words = frozenset(WORDS.get(language, "").casefold().split())
    return words | frozenset(map(fold_script, words)) if language in _FOLDED else words
