"""The one form in which names of things are compared: titles, tags, aliases, query words."""

from __future__ import annotations

import re
from typing import NamedTuple

from kb.text.characters import classes_of, fold_script, normalise
from kb.text.tokens import clusters

_LONGEST_DENSE = 16
# A query of more words than this names nothing by all of them.
_MOST_ATOMS = 512

_UNIT = re.compile(
    r"""(?P<dense>[ca][camz]*)
    | (?P<word>\.?[Ulbd](?:[Ulbdmz]|['·.+#&@:]|(?<=d),(?=d)|(?<=b)"(?=b))*)
    | (?P<symbol>[st][semz]*)""",
    re.VERBOSE,
)
_SPACED = str.maketrans("-_/", "   ")
_ELISION = re.compile(r"(?:qu|[ldjmtsncb])'(?=\w)")


class _Atom(NamedTuple):
    """A word, or one grapheme of a run without spaces. `joined`: no space before it."""

    text: str
    start: int
    end: int
    dense: bool
    joined: bool


def entity_key(text: str) -> str:
    """The key under which a name is stored and looked for.

    NFKC, no case, no diacritics (Latin, Greek), no leading `#`; `-`, `_`, `/`, white space and
    brackets become one space; `c++`, `node.js` and `.net` keep their punctuation.
    """
    if text.isascii() and text.isalnum():  # one word
        return text.lower()
    return " ".join(entity_words(text))


def entity_words(text: str) -> list[str]:
    """The words of `text` such that joining a run of them with spaces gives an `entity_key`.

    A run of a script without spaces is one item. Symbols count only where there are no words.
    """
    if text.isascii():
        plain = text.translate(_SPACED)
        if plain.replace(" ", "").isalnum():  # most names, and much faster
            return plain.lower().split()
    words = [word for kind, word, _, _ in _units(text) if kind != "symbol"]
    return words or [word for _, word, _, _ in _units(text)]


def entity_candidates(text: str, longest: int = 8) -> list[tuple[str, int, int]]:
    """Every key that a part of `text` may name, with the part's start and end.

    Runs of up to `longest` words; within runs of a script without spaces, every part of up to
    16 graphemes. In order of start, then length; no key twice at one place.
    """
    units = _units(text)
    named = _atoms([unit for unit in units if unit[0] != "symbol"])[:_MOST_ATOMS]
    symbols = _atoms([unit for unit in units if unit[0] == "symbol"])[:_MOST_ATOMS]
    found = [
        candidate
        for atoms in (named, symbols)
        for first in range(len(atoms))
        for candidate in _from(atoms[first : first + _LONGEST_DENSE + longest], longest)
    ]
    return sorted(dict.fromkeys(found), key=lambda candidate: candidate[1:])


def _units(text: str) -> list[tuple[str, str, int, int]]:
    """The words, runs and symbols of `text` as (kind, key, start, end)."""
    found: list[tuple[str, str, int, int]] = []
    for match in _UNIT.finditer(classes_of(text)):
        kind, (start, end) = match.lastgroup or "", match.span()
        found.extend((kind, word, start, end) for word in _keys(kind, text[start:end]))
    return found


def _keys(kind: str, raw: str) -> list[str]:
    if kind == "symbol":
        return ["".join(c for c, k in zip(raw, classes_of(raw), strict=True) if k in "st")]
    if kind == "dense":
        return ["".join(cluster.text for cluster in clusters(raw))]
    classes = classes_of(raw)
    kept = "".join(
        "'" if kind == "'" else char
        for char, kind in zip(raw, classes, strict=True)
        if kind not in "z·"
    )
    word = fold_script(normalise(kept))
    word = _ELISION.sub(lambda match: match.group()[:-1] + " ", word)
    return [key for key in map(_trimmed, word.split()) if key]


def _trimmed(word: str) -> str:
    """`word` without punctuation at its end, save that of `c++` and `c#`, and without 's."""
    word = word.rstrip(".:'&@,\"")
    if word.endswith("'s"):
        word = word[:-2]
    return word if word.rstrip("+#") else ""


def _atoms(units: list[tuple[str, str, int, int]]) -> list[_Atom]:
    atoms = []
    for kind, word, start, end in units:
        if kind == "dense":
            atoms.extend(_dense_atoms(word, start, end))
        else:
            atoms.append(_Atom(word, start, end, dense=False, joined=False))
    return atoms


def _dense_atoms(word: str, start: int, end: int) -> list[_Atom]:
    parts = clusters(word)
    # Normalising may change the length; then a part's place is that of the whole run.
    exact = len(word) == end - start
    return [
        _Atom(
            part.text,
            start + part.start if exact else start,
            start + part.end if exact else end,
            dense=True,
            joined=index > 0,
        )
        for index, part in enumerate(parts)
    ]


def _from(atoms: list[_Atom], longest: int) -> list[tuple[str, int, int]]:
    """The candidates that start at the first atom."""
    found = []
    key, words, graphemes = "", 0, 0
    for atom in atoms:
        graphemes += atom.dense
        words += not atom.joined or not key
        if words > longest or graphemes > _LONGEST_DENSE:
            break
        key = atom.text if not key else key + ("" if atom.joined else " ") + atom.text
        found.append((key, atoms[0].start, atom.end))
    return found
