"""The note that a broken link may mean: in another folder, spelled a little otherwise."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable

from kb.store.paths import name_key
from kb.text import fold

_SEPARATORS = re.compile(r"[\W_]+")
# A shorter name is one letter away from too many; of a longer one the variants would be too many.
_SHORTEST, _LONGEST = 5, 60


class NearestNames:
    """Every note's name, to be found by one that is nearly the same.

    Two names are near where they have the same letters, or differ by a slip of one letter. They
    have a form in common then that lacks one letter, by which they are found (Garbe's symmetric
    delete).
    """

    def __init__(self, paths: Iterable[str]) -> None:
        self._by_letters: dict[str, list[str]] = defaultdict(list)
        self._shortened: dict[str, str] = {}
        for path in paths:
            self._by_letters[_letters(path)].append(path)
        for letters in self._by_letters:
            for form in _shortened(letters):
                self._shortened.setdefault(form, letters)

    def of(self, target: str) -> str:
        """The path of the note that is nearest to a link's target, "" where none is near.

        Of several, the one that ends as the target is written, then the one in fewest folders.
        """
        letters = _letters(target)
        known = letters if letters in self._by_letters else self._near(letters)
        found = self._by_letters.get(known)
        if not letters or not found:
            return ""
        ending = fold("/" + target.lstrip("./"))
        return min(found, key=lambda path: (not _ends(path, ending), path.count("/"), path))

    def _near(self, letters: str) -> str:
        """The letters of a name that differs by one slip, "" where there is none."""
        for form in (letters, *_shortened(letters)):
            for near in (form if form in self._by_letters else "", self._shortened.get(form, "")):
                if near and _is_near(near, letters):
                    return near
        return ""


def _ends(path: str, ending: str) -> bool:
    folded = fold(f"/{path}")
    return folded.endswith(ending) or folded.rpartition(".")[0].endswith(ending)


def _letters(path: str) -> str:
    return _SEPARATORS.sub("", name_key(path))


def _shortened(letters: str) -> list[str]:
    if not _SHORTEST <= len(letters) <= _LONGEST:
        return []
    return [letters[:at] + letters[at + 1 :] for at in range(len(letters))]


def _is_near(name: str, other: str) -> bool:
    """Whether one letter was added, left out or replaced, or two neighbours were exchanged.

    Digits must be the same: the day after is not a day misspelled.
    """
    if [*filter(str.isdigit, name)] != [*filter(str.isdigit, other)]:
        return False
    pairs = enumerate(zip(name, other, strict=False))
    start = next((at for at, (one, two) in pairs if one != two), min(len(name), len(other)))
    left, right = name[start:], other[start:]
    exchanged = left[1::-1] + left[2:]
    return right in (left[1:], exchanged) or left == right[1:] or left[1:] == right[1:]
