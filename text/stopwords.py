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
    from kb.text.stopword_lists import WORDS

    language = _SAME.get(language, language)
    words = frozenset(WORDS.get(language, "").casefold().split())
    return words | frozenset(map(fold_script, words)) if language in _FOLDED else words


def is_stop_word(word: str, language: str) -> bool:
    """Whether a word, which holds no space, is one of `stop_words`; makes no set of them."""
    if _SAME.get(language, language) in _FOLDED:
        return word in stop_words(language)
    return f" {word} " in _listed(language)


@cache
def _listed(language: str) -> str:
    """The words of a list with a space on either side of each."""
    from kb.text.stopword_lists import WORDS

    listed = WORDS.get(_SAME.get(language, language), "").casefold()
    return f" {listed} ".replace("\n", " ")


# Function words of one language that mean something in English. A query whose language is not
# known keeps them where English notes may be meant.
_ENGLISH_MEANING = """ad ada all bare bin biz bus cad car care comment dan den die dig dock dog
door dos due end era face fare fast fin font hal hang hat kali lain link main man men mine most need
net pan para per plus pod post pour pro pure sale sea sin solo son state sub super sure tel ton want
war were"""
_OTHER_SCRIPTS = (
    "ru", "uk", "bg", "sr", "el", "ar", "fa", "he", "yi", "hi", "ne", "ta", "hy", "zh", "ja", "ko",
    "th",
)  # fmt: skip


def query_stop_words(language: str, languages: tuple[str, ...]) -> frozenset[str]:
    """The words that a query in `language` does without, in an index of notes in `languages`.

    Where the query's language is not known: those of all the notes' languages.
    """
    if words := stop_words(language):
        # Queries in other scripts carry English with them.
        return words | stop_words("en") if language in _OTHER_SCRIPTS else words
    found: frozenset[str] = frozenset().union(*(stop_words(known or "en") for known in languages))
    if not found:
        return stop_words("en")
    english = "en" in languages or "" in languages
    meaning = frozenset(_ENGLISH_MEANING.split()) - stop_words("en")
    return found - meaning if english else found
