"""Identifiers, versions, dates, addresses and hyphenated words, each as one token."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from kb.text.characters import classes_of, plain
from kb.text.tokens import LONGEST_TOKEN, name_parts

if TYPE_CHECKING:
    from collections.abc import Iterator

# No text gives more forms than this: a page of coordinates must not fill the index.
MOST_FORMS = 2_000
_MEMO_LIMIT = 100_000
_LONGEST_PIECE = 1_000

_WORD = "[Ulbd][Ulbdmz]*"
_COMPOUND = re.compile(
    rf"""(?<![Ulbdmzca])
    (?P<dot>(?<![.!?])\.(?=[Ulb]))?
    (?P<body>{_WORD}(?:(?:[-.@+&]|_+|::?){_WORD})*)
    (?P<suffix>\+\+|\#)?(?![Ulbdmz#+])""",
    re.VERBOSE,
)
_CONNECTOR = re.compile(r"[-.@+&]|_+|::?")
_OPERATOR = re.compile(r"(?:->|=>|<-|[!=]==?|[<>]=|&&|\|\||::|\+\+|[-+]=|\?\?|:=)")
_DATES = (
    re.compile(
        r"(?<![0-9])(?P<y>[0-9]{4})([-/.年])(?P<m>[0-9]{1,2})(?:\2|月)(?P<d>[0-9]{1,2})(?![0-9])"
    ),
    re.compile(r"(?<![0-9.])(?P<d>[0-9]{1,2})\.(?P<m>[0-9]{1,2})\.(?P<y>[0-9]{4})(?![0-9])"),
    re.compile(
        r"(?<![0-9A-Za-z])(?P<y>(?:19|20)[0-9]{2})(?P<m>[0-9]{2})(?P<d>[0-9]{2})(?![0-9A-Za-z])"
    ),
)
_VERSION = re.compile(r"v(?=[0-9]+\.[0-9])")


class Kind(StrEnum):
    """What a compound is, which decides what may stand for it."""

    EXACT = "exact"  # c++, .net, ->: its parts alone are something else
    DATE = "date"
    NAME = "name"  # getUserName
    HYPHENATED = "hyphenated"  # real-time: letters only, its parts in a row are the same
    IDENTIFIER = "identifier"  # inc-2041, foo_bar, 1.0.21, user@host.org


@dataclass(frozen=True, slots=True)
class Compound:
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

    A hyphenated, dotted or snake-case word also gives its joined form (`realtime`), a date its
    ISO form, `v1.0.21` also `1.0.21`, a name in camel case its lower case. At most 2,000.
    """
    found: list[str] = []
    for piece in text.split():
        found.extend(_memo[piece])
        if len(found) >= MOST_FORMS:
            return found[:MOST_FORMS]
    return found


class _Memo(dict[str, tuple[str, ...]]):
    """Piece between white space to its forms; starts again when it has grown too large."""

    def __missing__(self, piece: str) -> tuple[str, ...]:
        if piece.isalpha() and piece[1:].islower():
            return ()
        forms = tuple(
            form
            for compound in find_compounds(piece)
            for form in dict.fromkeys([*compound.forms, compound.joined])
            if form
        )
        if len(piece) <= LONGEST_TOKEN:
            if len(self) >= _MEMO_LIMIT:
                self.clear()
            self[piece] = forms
        return forms


_memo = _Memo()


def find_compounds(text: str) -> Iterator[Compound]:
    """The compounds of `text` with their spans, by start; dates may overlap the others."""
    for match in re.finditer(r"\S+", text):
        # What is longer than a page is data, and its start is enough to find it by.
        piece = match.group()[:_LONGEST_PIECE]
        yield from _in_piece(piece, match.start())


def _in_piece(piece: str, offset: int) -> Iterator[Compound]:
    if _OPERATOR.fullmatch(piece):
        yield Compound(Kind.EXACT, offset, offset + len(piece), (piece,))
        return
    classes = classes_of(piece)
    if "d" in classes:
        yield from _dates(piece, offset)
    for match in _COMPOUND.finditer(classes):
        start, end = match.span()
        compound = _compound(piece[start:end], match, offset)
        if compound:
            yield compound


def _dates(piece: str, offset: int) -> Iterator[Compound]:
    for pattern in _DATES:
        for match in pattern.finditer(piece):
            year, month, day = match["y"], int(match["m"]), int(match["d"])
            if 1 <= month <= 12 and 1 <= day <= 31:
                form = f"{year}-{month:02d}-{day:02d}"
                yield Compound(Kind.DATE, offset + match.start(), offset + match.end(), (form,))


def _compound(raw: str, match: re.Match[str], offset: int) -> Compound | None:
    """The compound that the match over the class string stands for, None for a plain word."""
    classes = match.group()
    dot, suffix = match["dot"] or "", match["suffix"] or ""
    body = raw[len(dot) : len(raw) - len(suffix)]
    body_classes = match["body"]
    words, connectors = _split(body, body_classes)
    span = (offset + match.start(), offset + match.end())
    if not connectors and not dot and not suffix:
        parts = name_parts(body)
        if len(parts) < 2 or classes[0] == "d" or body[1:].isdecimal():
            return None
        whole = plain(body)[:LONGEST_TOKEN]
        return Compound(Kind.NAME, *span, (whole,), whole)
    form = words[0] + "".join(c + w for c, w in zip(connectors, words[1:], strict=True))
    joined = _joined(words, connectors)
    if dot or suffix:
        forms = [dot + form + suffix, *([form] if connectors else [])]
        kind = Kind.IDENTIFIER if connectors else Kind.EXACT
    elif set(connectors) == {"-"} and "".join(words).isalpha():
        # The index finds it by its parts in a row; only what is written as one word needs a form.
        return Compound(Kind.HYPHENATED, *span, (joined,) if joined else (), joined)
    else:
        forms = [form, *([form[1:]] if _VERSION.match(form) else [])]
        kind = Kind.IDENTIFIER
    return Compound(kind, *span, tuple(each[:LONGEST_TOKEN] for each in forms), joined)


def _split(body: str, classes: str) -> tuple[list[str], list[str]]:
    """The words of a compound in their plain form, and what stands between them."""
    words, connectors = [], []
    start = 0
    for match in _CONNECTOR.finditer(classes):
        words.append(plain(body[start : match.start()]))
        connectors.append(match.group())
        start = match.end()
    words.append(plain(body[start:]))
    return words, connectors


def _joined(words: list[str], connectors: list[str]) -> str:
    """`realtime` for real-time, `nodejs` for node.js; "" where joining would mislead."""
    kinds = {connector[0] for connector in connectors}
    most = 2 if "." in kinds else 4
    if len(words) > most or not kinds <= {"-", "_", "."}:
        return ""
    pairs = zip(words, words[1:], strict=False)
    if any(not a or not b or (a[-1].isdigit() and b[0].isdigit()) for a, b in pairs):
        return ""
    return "".join(words)[:LONGEST_TOKEN]
