"""Stems by script and language, from the Snowball algorithms (snowballstem.org)."""

from __future__ import annotations

import importlib
from _thread import allocate_lock  # threading takes longer to load than a word to stem
from typing import TYPE_CHECKING

from kb.text.characters import fold_script, script_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_LATIN = {
    "ca": "catalan", "cs": "czech", "da": "danish", "de": "german", "en": "english",
    "eo": "esperanto", "es": "spanish", "et": "estonian", "eu": "basque", "fi": "finnish",
    "fr": "french", "ga": "irish", "hu": "hungarian", "id": "indonesian", "it": "italian",
    "lt": "lithuanian", "nb": "norwegian", "nl": "dutch", "nn": "norwegian", "no": "norwegian",
    "pl": "polish", "pt": "portuguese", "ro": "romanian", "sr": "serbian", "st": "sesotho",
    "sv": "swedish", "tr": "turkish",
}  # fmt: skip
# Latin-script languages that Snowball has no algorithm for: their words stay as they are.
_LATIN_UNSTEMMED = (
    "vi",
    "sk",
    "sl",
    "hr",
    "bs",
    "lv",
    "sq",
    "af",
    "is",
    "mt",
    "cy",
    "sw",
    "tl",
    "ms",
    "gl",
)
_CYRILLIC = {"ru": "russian", "sr": "serbian", "uk": "", "bg": "", "be": "", "mk": "", "kk": ""}

# For each script: the algorithm of a note whose language is not written in it, and the others.
_ALGORITHMS: dict[str, tuple[str, dict[str, str]]] = {
    "latin": ("english", _LATIN | dict.fromkeys(_LATIN_UNSTEMMED, "")),
    "cyrillic": ("russian", _CYRILLIC),
    "greek": ("greek", {}),
    "arabic": ("arabic", {"fa": "persian", "ur": ""}),
    "devanagari": ("hindi", {"ne": "nepali"}),
    "tamil": ("tamil", {}),
    "armenian": ("armenian", {}),
    "hebrew": ("", {"yi": "yiddish"}),
}

_lock = allocate_lock()
_stemmers: dict[str, Callable[[str], str] | None] = {}


def algorithm_for(script: str, language: str) -> str:
    """The name of the Snowball algorithm for words of `script` in a note in `language`, or ""."""
    default, by_language = _ALGORITHMS.get(script, ("", {}))
    return by_language.get(language, default)


def keeps_first_letter(language: str) -> bool:
    """Whether the stem of a Latin word in a note in `language` begins as the word does."""
    return algorithm_for("latin", language) == "english"


def distinct_languages(word: str, languages: Sequence[str]) -> list[str]:
    """The first of `languages` for each algorithm that may have stemmed `word` in a note."""
    script = script_of(word)
    chosen: dict[tuple[str, bool], str] = {}
    for language in languages:
        chosen.setdefault((algorithm_for(script, language), language == "tr"), language)
    return list(chosen.values())


def _stemmer(algorithm: str) -> Callable[[str], str] | None:
    """The function of an algorithm, None where the installed PyStemmer lacks it."""
    if algorithm not in _stemmers:
        snowball = importlib.import_module("Stemmer")  # not needed before the first word
        known = algorithm in snowball.algorithms()
        # No cache of its own: the tokens of a word are kept further up.
        _stemmers[algorithm] = snowball.Stemmer(algorithm, 0).stemWord if known else None
    return _stemmers[algorithm]


def _has_no_digit(word: str) -> bool:
    return not any(map(str.isdigit, word))


_TO_PERSIAN = str.maketrans("يىك", "ییک")


def stem(word: str, language: str) -> str:
    """The stem of `word` (normalised) in a note in `language`, in its script's folded spelling.

    A word with a digit is an identifier and keeps its ending.
    """
    script = "latin" if word.isascii() else script_of(word)
    algorithm = algorithm_for(script, language)
    if not algorithm or len(word) < 3 or not (word.isalpha() or _has_no_digit(word)):
        return fold_script(word)
    if script in ("cyrillic", "hebrew", "arabic"):
        word = fold_script(word)
    if algorithm == "persian":
        word = word.translate(_TO_PERSIAN)
    with _lock:
        stemmer = _stemmer(algorithm)
        stemmed = stemmer(word) if stemmer else word
    return fold_script(stemmed) or fold_script(word)
