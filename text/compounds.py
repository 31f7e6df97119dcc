"""Identifiers, versions, dates, addresses and hyphenated words, each as one token."""

from __future__ import annotations

import re
from enum import StrEnum
from functools import cache
from itertools import chain, islice, pairwise
from typing import TYPE_CHECKING, NamedTuple

from kb.text.characters import classes_of, plain
from kb.text.tokens import LONGEST_TOKEN, is_plain_word, name_parts

if TYPE_CHECKING:
    from collections.abc import Iterator

# No text gives more forms than this: a page of coordinates must not fill the index.
MOST_FORMS = 2_000
_MEMO_LIMIT = 100_000
_LONGEST_PIECE = 1_000
_LONGEST_WORD = 256

_WORD = "[Ulbd][Ulbdmz]*"
_BETWEEN = r"_*(?:[-.@+&]|::?)_*|_+"
_COMPOUND = re.compile(
    rf"""(?<![Ulbdmzca])
    (?P<dot>(?<![.!?_])\.(?=[Ulb]))?
    (?P<body>{_WORD}(?:(?:{_BETWEEN}){_WORD})*)
    (?P<suffix>\+\+|\#)?(?![Ulbdmz#+])""",
    re.VERBOSE,
)
_CONNECTOR = re.compile(_BETWEEN)
_OPERATORS = frozenset(
    (
        "->", "=>", "<-", "!=", "!==", "==", "===", "<=", ">=", "&&", "||", "::", "++", "-=", "+=",
        "??", ":=",
    )
)  # fmt: skip
_VERSION = re.compile(r"v(?=[0-9]+\.[0-9])")


class Kind(StrEnum):
    """What a compound is, which decides what may stand for it."""

    EXACT = "exact"  # c++, .net, ->: its parts alone are something else
    DATE = "date"
    NAME = "name"  # getUserName
    HYPHENATED = "hyphenated"  # real-time: letters only, its parts in a row are the same
    IDENTIFIER = "identifier"  # inc-2041, foo_bar, 1.0.21, user@host.org


class Compound(NamedTuple):
    """A compound in a text: its span, its canonical forms, and its letters without punctuation.

    `joined` is "" where leaving the punctuation out would mislead (`c++`, `1.0.21`).
    """

    kind: Kind
    start: int
    end: int
    forms: tuple[str, ...]
    joined: str = ""


def compounds(text: str, language: str) -> list[str]:  # noqa: ARG001 (the forms fit all)
    """The whole forms in `text`, in order, each one token: `inc-2041`, `c++`, `2026-06-04`.

    A hyphenated word gives its joined form (`realtime`), since its parts stand in a row in the
    other columns; `node.js` gives both, a date its ISO form, `v1.0.21` also `1.0.21`, a name in
    camel case its lower case. At most 2,000.
    """
    memo = _memo
    forms = chain.from_iterable(filter(None, map(memo.__getitem__, text.split())))
    return list(islice(forms, MOST_FORMS))


# A word with nothing about it, perhaps between brackets or before a full stop: most pieces.
_PLAIN = re.compile(r"[(\[\"'*_#]*[A-Za-z]?[a-z]*[)\]\"'*_,;:!?.]*")


_ODD = re.compile(rf"(?<!\S)(?!{_PLAIN.pattern}(?!\S))\S+")


def odd_pieces(text: str) -> set[str]:
    """The pieces between white space that may have forms: all but plain words."""
    return set(_ODD.findall(text))


class _Memo(dict[str, tuple[str, ...]]):
    """Piece between white space to its forms; starts again when it has grown too large."""

    def __missing__(self, piece: str) -> tuple[str, ...]:
        forms: tuple[str, ...] = ()
        if not _PLAIN.fullmatch(piece):
            found = _in_piece(piece[:_LONGEST_PIECE], 0)
            forms = tuple(form for compound in found for form in all_forms(compound))
        if len(piece) <= LONGEST_TOKEN:
            if len(self) >= _MEMO_LIMIT:
                self.clear()
            self[piece] = forms
        return forms


_memo = _Memo()


def all_forms(compound: Compound) -> list[str]:
    """The forms that a compound puts into the index, none twice."""
    return [form for form in dict.fromkeys((*compound.forms, compound.joined)) if form]


def forms_of(piece: str) -> tuple[str, ...]:
    """The forms of one piece between white space; quickest for words with nothing about them."""
    word = piece.rstrip(",.;:")
    return () if is_plain_word(word) else _memo[piece]


def forms_by_piece(text: str) -> Iterator[tuple[int, str, tuple[str, ...]]]:
    """Each piece of `text` between white space: its start, itself, its forms."""
    for match in _PIECE.finditer(text):
        yield match.start(), match.group(), _memo[match.group()]


_PIECE = re.compile(r"\S+")


def find_compounds(text: str) -> Iterator[Compound]:
    """The compounds of `text` with their spans, by start; dates may overlap the others."""
    for match in _PIECE.finditer(text):
        # What is longer than a page is data, and its start is enough to find it by.
        piece = match.group()[:_LONGEST_PIECE]
        yield from _in_piece(piece, match.start())


def _in_piece(piece: str, offset: int) -> Iterator[Compound]:
    if piece in _OPERATORS:
        yield Compound(Kind.EXACT, offset, offset + len(piece), (piece,))
        return
    classes = classes_of(piece)
    if classes.count("d") >= _FEWEST_DIGITS:
        yield from _dates(piece, offset)
    for match in _COMPOUND.finditer(classes):
        start, end = match.span()
        compound = _compound(piece[start:end], match, offset)
        if compound:
            yield compound


@cache
def _date_patterns() -> tuple[re.Pattern[str], ...]:
    """Year first, day first, eight digits."""
    return (
        re.compile(
            r"(?<![0-9])(?P<y>[0-9]{4})([-/.年])(?P<m>[0-9]{1,2})(?:\2|月)(?P<d>[0-9]{1,2})(?![0-9])"
        ),
        re.compile(r"(?<![0-9.])(?P<d>[0-9]{1,2})\.(?P<m>[0-9]{1,2})\.(?P<y>[0-9]{4})(?![0-9])"),
        re.compile(
            r"(?<![0-9A-Za-z])(?P<y>(?:19|20)[0-9]{2})(?P<m>[0-9]{2})(?P<d>[0-9]{2})(?![0-9A-Za-z])"
        ),
    )


_FEWEST_DIGITS = 6  # of a date


def _dates(piece: str, offset: int) -> Iterator[Compound]:
    for pattern in _date_patterns():
        for match in pattern.finditer(piece):
            year, month, day = match["y"], int(match["m"]), int(match["d"])
            if 1 <= month <= 12 and 1 <= day <= 31:
                form = f"{year}-{month:02d}-{day:02d}"
                yield Compound(Kind.DATE, offset + match.start(), offset + match.end(), (form,))


def _compound(raw: str, match: re.Match[str], offset: int) -> Compound | None:
    """The compound that the match over the class string stands for, None for a plain word."""
    dot, suffix = match["dot"] or "", match["suffix"] or ""
    body = raw[len(dot) : len(raw) - len(suffix)]
    words, connectors = _split(body, match["body"])
    span = (offset + match.start(), offset + match.end())
    form = words[0] + "".join(c + w for c, w in zip(connectors, words[1:], strict=True))
    if dot or suffix:
        whole = (dot + form + suffix)[:LONGEST_TOKEN]
        return Compound(Kind.IDENTIFIER if connectors else Kind.EXACT, *span, (whole,))
    if not connectors:
        is_name = not body[0].isdigit() and not body[1:].isdecimal() and len(name_parts(body)) > 1
        return Compound(Kind.NAME, *span, (form[:LONGEST_TOKEN],), form) if is_name else None
    if words[0] == "www" and len(words) > 2:
        form = form[len("www.") :]
    joined = _joined(words, connectors)
    # The index finds these by their parts in a row; only what is written as one word needs a form.
    if set(connectors) == {"-"} and "".join(words).isalpha():
        return Compound(Kind.HYPHENATED, *span, (joined,) if joined else (), joined)
    if set(connectors) == {"."} and (_is_acronym(words) or _is_decimal(words)):
        acronym = joined if joined and body.isupper() else ""
        return Compound(Kind.IDENTIFIER, *span, (acronym,) if acronym else (), acronym)
    forms = [form, *([form[1:]] if _VERSION.match(form) else [])]
    return Compound(Kind.IDENTIFIER, *span, tuple(each[:LONGEST_TOKEN] for each in forms), joined)


def _is_acronym(words: list[str]) -> bool:
    """U.S.A. and e.g.: single letters."""
    return all(len(word) == 1 and word.isalpha() for word in words)


def _is_decimal(words: list[str]) -> bool:
    return len(words) == 2 and all(word.isdecimal() for word in words)


def _split(body: str, classes: str) -> tuple[list[str], list[str]]:
    """The words of a compound in their plain form, and what stands between them."""
    if body.isascii():
        # The same as below, and most of them.
        lowered = body.lower()
        found = [match.span() for match in _CONNECTOR.finditer(classes)]
        bounds = [0, *chain.from_iterable(found), len(body)]
        words = [lowered[start:end] for start, end in zip(bounds[::2], bounds[1::2], strict=True)]
        return words, [classes[start:end] for start, end in found]
    words, connectors = [], []
    start = 0
    for match in _CONNECTOR.finditer(classes):
        words.append(_word(body[start : match.start()]))
        connectors.append(match.group())
        start = match.end()
    words.append(_word(body[start:]))
    return words, connectors


def _word(raw: str) -> str:
    """The plain form of one word, as much of it as a form can hold."""
    word = plain(raw[:_LONGEST_WORD])
    return word if word.isalnum() else "".join(word.split())  # U+FDFA stands for four words


def _joined(words: list[str], connectors: list[str]) -> str:
    """`realtime` for real-time, `nodejs` for node.js; "" where joining would mislead."""
    kinds = set(connectors)
    acronym = kinds == {"."} and _is_acronym(words)
    if kinds not in ({"-"}, {"."}) or len(words) > (2 if kinds == {"."} and not acronym else 4):
        return ""
    if any(a[-1].isdigit() and b[0].isdigit() for a, b in pairwise(words)):
        return ""
    return "".join(words)[:LONGEST_TOKEN]
