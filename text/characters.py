"""What kind each character is, and the forms that compare equal.

A text is looked at through its class string: every character replaced by one letter that says
what it is, so that plain regular expressions can speak of Unicode categories.
"""

from __future__ import annotations

import unicodedata

# The letters of a class string. ASCII punctuation stands for itself.
#   U upper and title case letter     l any other letter      b Hebrew letter
#   d number                          m combining mark        z joins a word without being part
#   c letter of a script without spaces                       a extends such a letter
#   s symbol or emoji                 t trade mark signs      e emoji modifier
#   "'" apostrophe   "-" hyphen   "·" middle dot   " " white space   "!" anything else

APOSTROPHES = "'\u2019\u2018\u02bc\u00b4\u201b\uff07\u05f3"
_HYPHENS = "\u2010\u2011\u2212\ufe63\uff0d"
_JOINERS = "\u00ad\u034f\u061c\u180e\u200c\u200d\u200e\u200f\u2060\ufeff\u17b4\u17b5"
_TRADE_MARKS = "\u00a9\u00ae\u2117\u2120\u2122"
_LETTER_LIKE_PUNCTUATION = "\u00a7\u00b6\u2020\u2021\u203b\u2030\u2031\u2042\u203d\u2047\u2049"

# Scripts written without spaces between words.
_DENSE = (
    (0x0E00, 0x0EFF),  # Thai, Lao
    (0x1000, 0x109F),  # Myanmar
    (0x1100, 0x11FF),  # Hangul jamo
    (0x1780, 0x17FF),  # Khmer
    (0x1950, 0x19FF),  # Tai Le, New Tai Lue, Khmer symbols
    (0x1A20, 0x1AAF),  # Tai Tham
    (0x2E80, 0x2FDF),  # Han radicals
    (0x3005, 0x3007),
    (0x3021, 0x3029),
    (0x3031, 0x303C),
    (0x3041, 0x30FA),  # Hiragana, Katakana
    (0x30FC, 0x318F),  # Katakana, Bopomofo, compatibility jamo
    (0x31A0, 0x31FF),
    (0x3400, 0x4DBF),
    (0x4E00, 0xA4CF),  # Han, Yi
    (0xA960, 0xA97F),
    (0xA9E0, 0xA9FF),
    (0xAA60, 0xAADF),  # Myanmar extended, Tai Viet
    (0xAC00, 0xD7FF),  # Hangul
    (0xF900, 0xFAFF),
    (0xFF66, 0xFFDC),  # half-width Katakana and Hangul
    (0x1AFF0, 0x1B2FF),
    (0x20000, 0x3FFFF),
)
# Letters that complete the one before: Thai and Lao AM, jamo vowels and finals, voiced marks.
_EXTENDERS = (
    (0x0E33, 0x0E33),
    (0x0EB3, 0x0EB3),
    (0x1160, 0x11FF),
    (0xD7B0, 0xD7FF),
    (0xFF9E, 0xFF9F),
)
_HAN_NUMBERS = ((0x3007, 0x3007), (0x3021, 0x3029))
# Lines and bullets that draw rather than say.
_DRAWING = ((0x2500, 0x259F), (0x25AA, 0x25AB), (0x25CB, 0x25CF), (0x25E6, 0x25E6))


def _within(code: int, ranges: tuple[tuple[int, int], ...]) -> bool:
    return any(low <= code <= high for low, high in ranges)


# The class of the few characters that their category does not describe.
_SPECIAL = {
    char: kind
    for kind, chars in (
        ("'", APOSTROPHES),
        ("-", _HYPHENS),
        ("z", _JOINERS),
        ("t", _TRADE_MARKS),
        ("s", _LETTER_LIKE_PUNCTUATION),
        ("·", "\u00b7\u2027"),
        ('"', "\u05f4"),
        ("/", "\u2044"),
    )
    for char in chars
}
_MODIFIERS = ((0xFE00, 0xFE0F), (0x1F3FB, 0x1F3FF), (0x20E3, 0x20E3))


def _letter_class(code: int, category: str) -> str:
    if _within(code, _EXTENDERS):
        return "a"
    if _within(code, _DENSE):
        return "c"
    if category in ("Lu", "Lt"):
        return "U"
    return "b" if 0x05D0 <= code <= 0x05F2 else "l"


def _symbol_class(char: str, code: int, category: str) -> str:
    if category[0] == "S":
        return "!" if category == "Sk" or _within(code, _DRAWING) else "s"
    compatible = unicodedata.normalize("NFKC", char)
    return CLASSES[ord(compatible)] if len(compatible) == 1 and compatible.isascii() else "!"


def _class_of(code: int) -> str:
    char = chr(code)
    category = unicodedata.category(char)
    if char.isspace() or category in ("Cc", "Cf", "Cs", "Cn"):
        result = _SPECIAL.get(char, " ")
    elif char in _SPECIAL:
        result = _SPECIAL[char]
    elif _within(code, _MODIFIERS):
        result = "e"
    elif category[0] == "M":
        result = "m"
    elif category[0] == "L" or category == "Co" or _within(code, _HAN_NUMBERS):
        result = _letter_class(code, category)
    elif category[0] == "N":
        result = "d"
    else:
        result = char if code < 128 else _symbol_class(char, code, category)
    return result


class _Classes(dict[int, str]):
    """A table for `str.translate` that learns a character when it first meets it."""

    def __missing__(self, code: int) -> str:
        self[code] = result = _class_of(code)
        return result


CLASSES = _Classes()

_WITHOUT_JOINERS = dict.fromkeys(map(ord, _JOINERS))


def without_joiners(text: str) -> str:
    """`text` without the characters that join or break words and are not seen."""
    return text.translate(_WITHOUT_JOINERS)


def classes_of(text: str) -> str:
    """The class string of `text`, character for character."""
    return text.translate(CLASSES)


# Letters that look like a letter with a mark and do not decompose.
_SINGULAR = str.maketrans(
    {
        "ø": "o", "đ": "d", "ð": "d", "ł": "l", "ħ": "h", "ı": "i", "ŧ": "t", "æ": "ae",
        "œ": "oe", "ß": "ss", "þ": "th", "ŋ": "n", "ſ": "s", "ƒ": "f", "ς": "σ",
    }
)  # fmt: skip
_ARABIC = str.maketrans("أإآٱىیکە", "ااااييكه", "\u0640")
_CYRILLIC = str.maketrans("ёѐѝ", "еей")


def script_of(text: str) -> str:
    """The script of the first letter: latin, greek, cyrillic, …, "" for one that needs no care."""
    for char in text:
        if not char.isalpha():
            continue
        code = ord(char)
        for low, high, name in _SCRIPTS:
            if low <= code <= high:
                return name
        return ""
    return ""


_SCRIPTS = (
    (0x0041, 0x02AF, "latin"),
    (0x0370, 0x03FF, "greek"),
    (0x0400, 0x052F, "cyrillic"),
    (0x0530, 0x058F, "armenian"),
    (0x0590, 0x05FF, "hebrew"),
    (0x0600, 0x06FF, "arabic"),
    (0x0750, 0x077F, "arabic"),
    (0x0870, 0x08FF, "arabic"),
    (0x0900, 0x097F, "devanagari"),
    (0x0B80, 0x0BFF, "tamil"),
    (0x1C80, 0x1C8F, "cyrillic"),
    (0x1E00, 0x1EFF, "latin"),
    (0x1F00, 0x1FFF, "greek"),
    (0x2C60, 0x2C7F, "latin"),
    (0xA640, 0xA69F, "cyrillic"),
    (0xA720, 0xA7FF, "latin"),
    (0xFB50, 0xFDFF, "arabic"),
    (0xFE70, 0xFEFC, "arabic"),
)


def fold(text: str) -> str:
    """`text` in NFC and without case: equal for names that differ only so."""
    if text.isascii():
        return text.lower()
    folded = unicodedata.normalize("NFC", text).casefold()
    return unicodedata.normalize("NFC", folded)


def normalise(word: str) -> str:
    """`word` in NFKC, without case, with decimal digits of any script as ASCII digits."""
    if word.isascii():
        return word.lower()
    folded = unicodedata.normalize("NFKC", word).casefold()
    folded = unicodedata.normalize("NFKC", folded)
    if folded.isalpha():
        return folded
    return "".join(
        str(unicodedata.decimal(char)) if char.isdecimal() and not char.isascii() else char
        for char in folded
    )


def without_marks(word: str) -> str:
    """`word` without combining marks, precomposed ones too."""
    return "".join(
        char for char in unicodedata.normalize("NFD", word) if unicodedata.category(char) != "Mn"
    )


def fold_script(word: str) -> str:
    """`word` (normalised) in the spelling that its script's readers take as the same.

    Latin and Greek lose their diacritics, Arabic and Hebrew their points, ё becomes е, and
    the forms of alef, yeh and kaf become one each.
    """
    if word.isascii():
        return word
    script = script_of(word)
    if script in ("latin", "greek"):
        return without_marks(word.translate(_SINGULAR))
    if script == "cyrillic":
        return _without_loose_marks(word.translate(_CYRILLIC))
    if script == "arabic":
        return _without_loose_marks(word.translate(_ARABIC))
    return _without_loose_marks(word) if script == "hebrew" else word


def _without_loose_marks(word: str) -> str:
    """`word` without the marks that do not compose: harakat, points, stress marks."""
    return "".join(char for char in word if unicodedata.category(char) != "Mn")


def plain(word: str) -> str:
    """The form of one word that keeps its ending: what `whole` forms are made of."""
    return fold_script(normalise(word))
