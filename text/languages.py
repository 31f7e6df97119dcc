"""Which language a text is in: by script first, then by its letters and function words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator
from functools import cache

from kb.text.stopwords import is_stop_word, stop_words

# A sample tells as well as the whole, and a long note must not cost more than a short one.
_SAMPLE = 2_000

# Ranges of letters, with a sign for their script.
_RANGES = (
    (0x0041, 0x005A, "L"), (0x0061, 0x007A, "L"), (0x00AA, 0x00AA, "L"), (0x00B5, 0x00B5, "L"),
    (0x00BA, 0x00BA, "L"), (0x00C0, 0x00D6, "L"), (0x00D8, 0x00F6, "L"), (0x00F8, 0x02AF, "L"),
    (0x0370, 0x03FF, "G"), (0x0400, 0x052F, "C"), (0x0531, 0x0587, "Y"), (0x05D0, 0x05F2, "H"),
    (0x0620, 0x064A, "A"), (0x0671, 0x06D5, "A"), (0x0750, 0x077F, "A"), (0x0904, 0x0939, "D"),
    (0x0958, 0x0961, "D"), (0x0985, 0x09B9, "b"), (0x0A05, 0x0A39, "p"), (0x0A85, 0x0AB9, "g"),
    (0x0B83, 0x0BB9, "T"), (0x0C05, 0x0C39, "t"), (0x0C85, 0x0CB9, "k"), (0x0D05, 0x0D3A, "m"),
    (0x0D85, 0x0DC6, "s"), (0x0E01, 0x0E30, "h"), (0x0E40, 0x0E46, "h"), (0x0E81, 0x0EC6, "l"),
    (0x0F40, 0x0F6C, "o"), (0x1000, 0x109F, "y"), (0x10A0, 0x10FF, "q"), (0x1100, 0x11FF, "K"),
    (0x1200, 0x137F, "a"), (0x1780, 0x17B3, "c"), (0x1E00, 0x1EFF, "L"), (0x1F00, 0x1FFF, "G"),
    (0x3041, 0x3096, "J"), (0x30A1, 0x30FA, "J"), (0x3400, 0x4DBF, "Z"), (0x4E00, 0x9FFF, "Z"),
    (0xAC00, 0xD7A3, "K"), (0xF900, 0xFAFF, "Z"), (0xFF66, 0xFF9D, "J"), (0x20000, 0x3FFFF, "Z"),
)  # fmt: skip
# Scripts of one language, or of one that is by far the most written.
_ONE_LANGUAGE = {
    "G": "el", "Y": "hy", "T": "ta", "K": "ko", "b": "bn", "p": "pa", "g": "gu", "t": "te",
    "k": "kn", "m": "ml", "s": "si", "h": "th", "l": "lo", "o": "bo", "y": "my", "q": "ka",
    "a": "am", "c": "km",
}  # fmt: skip


class _Scripts(dict[int, str]):
    """A table for `str.translate`: character to the letter of its script, "." for the rest."""

    def __missing__(self, code: int) -> str:
        found = (name for low, high, name in _RANGES if low <= code <= high)
        self[code] = result = next(found, ".")
        return result


_scripts = _Scripts()


def detect_language(text: str) -> str:
    """The ISO 639-1 code of the language of `text`, "" where it cannot be told.

    A short text gives a code only if its words leave no doubt. Looks at 2,000 characters.
    """
    sample = text[:_SAMPLE]
    script = "L" if sample.isascii() else _main_script(sample)
    if script == "L":
        return _latin_language(sample)
    if script == "C":
        return _cyrillic_language(sample.lower())
    if script == "A":
        return _arabic_script_language(sample)
    if script == "H":
        return "yi" if re.search("[װױײ]|אַ|אָ", sample) else "he"
    if script == "D":
        return "ne" if _hits(sample, "ne") > max(1, 1.5 * _hits(sample, "hi")) else "hi"
    return {"Z": "zh", "J": "ja"}.get(script, _ONE_LANGUAGE.get(script, ""))


def _main_script(sample: str) -> str:
    """The letter of the script that the sample is written in, "" if it has no letters.

    A letter of another script weighs more than a Latin one, since Latin names and code stand
    in texts of every script; one of a script that writes a word with two letters weighs most.
    """
    letters = sample.translate(_scripts)
    counts = {script: letters.count(script) for script in dict.fromkeys(letters) if script != "."}
    han, kana = counts.get("Z", 0), counts.pop("J", 0)
    if kana and kana * 20 >= han + kana:
        counts["J"] = han + kana
        counts.pop("Z", None)
    weights = {"L": 1, "Z": 4, "J": 4, "K": 3}
    weighted = {script: count * weights.get(script, 2) for script, count in counts.items()}
    return max(weighted, key=lambda script: (weighted[script], script), default="")


# What stands between the words of a text in ASCII and lower case, as spaces: quicker than a search.
_spaced = "".join(chr(code) if chr(code).islower() else " " for code in range(128))
_WORD = re.compile(r"[^\W\d_]+")


def _hits(sample: str, language: str) -> int:
    known = stop_words(language)
    # White space and not `_WORD`: marks are part of a word in these scripts.
    return sum(word.strip("।,.?!") in known for word in sample.split())


def _count(text: str, letters: str) -> int:
    return sum(text.count(letter) for letter in letters)


# Letters that one Cyrillic language has and the others lack.
_CYRILLIC_LETTERS = {
    "kk": "әғқңөұүһ", "mk": "ѓќѕ", "sr": "јљњћђџ", "be": "ў", "uk": "іїєґ", "ru": "ыэё", "bg": "ъ",
}  # fmt: skip


def _cyrillic_language(text: str) -> str:
    # One foreign name in a page must not decide: a letter has to come about as often as it does.
    enough = max(1, len(text) // 150)
    for language, letters in _CYRILLIC_LETTERS.items():
        if language == "bg":
            break
        if _count(text, letters) >= enough:
            return language
    words = _WORD.findall(text)
    hits = {known: sum(w in stop_words(known) for w in words) for known in ("ru", "uk", "bg", "sr")}
    hits["bg"] += _count(text, _CYRILLIC_LETTERS["bg"])
    best = max(hits, key=lambda known: hits[known])
    return best if hits[best] > hits["ru"] else "ru"


def _arabic_script_language(text: str) -> str:
    if _count(text, "ٹڈڑےںہھ") > _count(text, "ه"):
        return "ur"
    persian = _count(text, "پچژگکی")
    return "fa" if persian and persian * 20 >= _count(text, "يكةىإأ") else "ar"


# Letters that few languages use, as evidence beside the words.
_LETTERS = {
    "ß": "de", "ñ": "es", "¿": "es", "¡": "es", "ã": "pt", "õ": "pt et", "ő": "hu", "ű": "hu",
    "ğ": "tr", "ı": "tr", "ş": "tr ro", "ł": "pl", "ą": "pl lt", "ę": "pl lt", "ś": "pl",
    "ź": "pl", "ż": "pl", "ń": "pl", "ř": "cs", "ů": "cs", "ě": "cs", "ă": "ro", "ț": "ro",
    "ș": "ro", "ţ": "ro", "å": "sv da no", "ø": "da no", "æ": "da no", "œ": "fr", "ĝ": "eo",
    "ĉ": "eo", "ŭ": "eo", "ŝ": "eo", "ė": "lt", "ų": "lt", "į": "lt", "ì": "it", "ò": "it",
    "ç": "fr pt ca tr", "ë": "nl fr", "ć": "pl sr", "đ": "sr", "ü": "de tr hu et",
    "ä": "de sv fi et", "ö": "de sv fi et tr hu",
}  # fmt: skip
_LATIN_LISTS = (
    "en", "de", "fr", "es", "it", "pt", "nl", "sv", "da", "no", "fi", "pl", "cs", "hu", "ro",
    "tr", "id", "ca", "sr", "lt", "et", "eu", "ga", "eo", "st",
)  # fmt: skip


# The commonest words of each, which a sentence hardly does without.
_COMMONEST = {
    "en": "the of and to in a is that for it as was with be by on are this from an",
    "de": "der die und in den von zu das mit sich des auf für ist im dem nicht ein eine als",
    "fr": "de la le et les des en un du une que est pour qui dans a par plus pas au sur",
    "es": "de la que el en y a los se del las un por con no una su para es al lo",
    "it": "di e il la che in a per è un del si una le con i da non sono della",
    "pt": "de a o que e do da em um para com não uma os no se na por mais as dos",
    "nl": "de van een het en in is dat op te zijn met voor niet aan er die om door",
    "sv": "och i att det som en på är av för med till den har de inte om ett",
    "da": "og i at det er en til på af for med den der som ikke de et har",
    "no": "og i det er på som en til av for at med den har de ikke et om",
    "fi": "ja on ei se että oli hän joka mutta ovat myös kuin tai sen",
    "pl": "w i na z się do nie to że jest o jak po od za dla przez",
    "cs": "a se na v je že s z do o k i jako by za pro který",
    "hu": "a az és hogy nem is egy van ez de meg csak volt",
    "ro": "de și în a la cu pe nu o un din care să este mai ce se",
    "tr": "ve bir bu da de için ile olarak çok daha gibi en kadar olan",
    "id": "yang dan di dengan untuk ini dari dalam itu tidak pada adalah ke akan",
    "ca": "de la i el que a en els l les del un per una és amb d no",
    "sr": "je i u se da na su za od sa ne koji kao o bi",
    "lt": "ir yra į kad iš su tai ne kaip o buvo apie",
    "et": "ja on ei see et oli ta kui ka mis ning aga",
    "eu": "eta da du ez bat zen izan ere dira zuen",
    "ga": "an na agus ar is i a go do bhí le ní",
    "eo": "la de kaj en estas al ne ke mi por kun li pri",
    "st": "ho le ya ka ba ke ea tse e ha mme o",
}
# What a word says for a language, in the natural logarithm of how much likelier it is there:
# about 150 times for the commonest words, 10 times for other function words, scaled to 1.
_COMMONEST_WEIGHT = 1.0
_FUNCTION_WEIGHT = 0.46
# A letter alone may be an article, and as well a variable or an initial: no evidence by itself.
_LETTER_WEIGHT = 0.25


@cache
def _word_weights() -> dict[str, tuple[tuple[str, float], ...]]:
    """Each function word of a Latin-script language: the languages that have it, with weights."""
    found: dict[str, tuple[tuple[str, float], ...]] = {}
    for language in _LATIN_LISTS:
        commonest = frozenset(_COMMONEST[language].split())
        for word in stop_words(language) | commonest:
            weight = _COMMONEST_WEIGHT if word in commonest else _FUNCTION_WEIGHT
            weight = _LETTER_WEIGHT if len(word) == 1 else weight
            found[word] = (*found.get(word, ()), (language, weight))
    return found


# For so few words, looking for each is quicker than putting all lists together.
_FEW = 16


def _weights_of(words: Collection[str]) -> dict[str, tuple[tuple[str, float], ...]]:
    """As `_word_weights`, for these words at least."""
    if len(words) > _FEW or _word_weights.cache_info().currsize:
        return _word_weights()
    return {word: tuple(_weights(word)) for word in dict.fromkeys(words)}


def _weights(word: str) -> Iterator[tuple[str, float]]:
    for language in _LATIN_LISTS:
        common = f" {word} " in f" {_COMMONEST[language]} "
        if common or is_stop_word(word, language):
            weight = _COMMONEST_WEIGHT if common else _FUNCTION_WEIGHT
            yield language, _LETTER_WEIGHT if len(word) == 1 else weight


def _latin_language(sample: str) -> str:
    lowered = sample.lower()
    words = lowered.translate(_spaced).split() if lowered.isascii() else _WORD.findall(lowered)
    if not words:
        return ""
    if not lowered.isascii():
        vietnamese = sum("\u1ea0" <= char <= "\u1ef9" or char in "ơưăđ" for char in lowered)
        if vietnamese > 1 and vietnamese * 3 >= len(words):
            return "vi"
    scores, evidence = _scores(words, lowered)
    ranked = sorted(scores, key=lambda known: (-scores[known], _LATIN_LISTS.index(known)))
    if not ranked:
        return ""
    best = ranked[0]
    second = scores[ranked[1]] if len(ranked) > 1 else 0.0
    if len(words) >= 40:
        return best if scores[best] * 25 >= len(words) else ""
    # Neighbours share most of their words: with more of them, a smaller lead will do.
    lead = 1.08 if len(words) >= 8 and evidence[best] >= 4 else 1.5
    clear = scores[best] >= 0.9 and scores[best] >= lead * second
    return best if evidence[best] >= 2 and clear else ""


def _scores(words: list[str], lowered: str) -> tuple[dict[str, float], dict[str, int]]:
    """For each language: what its words and letters weigh, and how many distinct ones there are.

    A word that comes again weighs half: a title repeated is no second witness.
    """
    scores: dict[str, float] = {}
    evidence: dict[str, int] = {}
    known = _weights_of(words)
    for word, times in Counter(filter(known.__contains__, words)).items():
        for language, weight in known[word]:
            scores[language] = scores.get(language, 0.0) + weight * (times + 1) / 2
            evidence[language] = evidence.get(language, 0) + (len(word) > 1)
    if not lowered.isascii():
        for letter, names in _LETTERS.items():
            times = min(lowered.count(letter), 2 + len(words) // 20)
            for language in names.split() if times else ():
                weight = 0.6 * times / len(names.split())
                scores[language] = scores.get(language, 0.0) + weight
                evidence[language] = evidence.get(language, 0) + 1
    return scores, evidence
