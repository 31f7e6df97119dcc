"""Stems by script and language, from the Snowball algorithms (snowballstem.org)."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from kb.text.characters import fold_script, script_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    import Stemmer

_LATIN = {
    "ca": "catalan", "cs": "czech", "da": "danish", "de": "german", "en": "english",
    "eo": "esperanto", "es": "spanish", "et": "estonian", "eu": "basque", "fi": "finnish",
    "fr": "french", "ga": "irish", "hu": "hungarian", "id": "indonesian", "it": "italian",
    "lt": "lithuanian", "nb": "norwegian", "nl": "dutch", "nn": "norwegian", "no": "norwegian",
    "pl": "polish", "pt": "portuguese", "ro": "romanian", "sr": "serbian", "st": "sesotho",
    "sv": "swedish", "tr": "turkish",
}  # fmt: skip
# Latin-script languages that Snowball has no algorithm for: their words stay as they are.
_LATIN_UNSTEMMED = frozenset("vi sk sl hr bs lv sq af is mt cy sw tl ms gl az uz".split())
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

_lock = threading.Lock()
_stemmers: dict[str, Stemmer.Stemmer | None] = {}


def algorithm_for(script: str, language: str) -> str:
    """The name of the Snowball algorithm for words of `script` in a note in `language`, or ""."""
    default, by_language = _ALGORITHMS.get(script, ("", {}))
    return by_language.get(language, default)


def distinct_languages(word: str, languages: Sequence[str]) -> list[str]:
    """The first of `languages` for each algorithm that may have stemmed `word` in a note."""
    script = script_of(word)
    chosen: dict[tuple[str, bool], str] = {}
    for language in languages:
        chosen.setdefault((algorithm_for(script, language), language == "tr"), language)
    return list(chosen.values())


def _stemmer(algorithm: str) -> Stemmer.Stemmer | None:
    if algorithm not in _stemmers:
        import Stemmer  # noqa: PLC0415 (not needed before the first word)

        known = algorithm in Stemmer.algorithms()
        _stemmers[algorithm] = Stemmer.Stemmer(algorithm, 0) if known else None
    return _stemmers[algorithm]


_TO_PERSIAN = str.maketrans("يىك", "ییک")


def stem(word: str, language: str) -> str:
    """The stem of `word` (normalised) in a note in `language`, in its script's folded spelling.

    A word with a digit is an identifier and keeps its ending.
    """
    script = script_of(word)
    algorithm = algorithm_for(script, language)
    if not algorithm or len(word) < 3 or not word.isalpha() and any(c.isdigit() for c in word):
        return fold_script(word)
    if script == "arabic":
        word = fold_script(word)
        if algorithm == "persian":
            word = word.translate(_TO_PERSIAN)
    elif script in ("cyrillic", "hebrew"):
        word = fold_script(word)
    with _lock:
        stemmer = _stemmer(algorithm)
        stemmed = stemmer.stemWord(word) if stemmer else word
    return fold_script(stemmed) or fold_script(word)
