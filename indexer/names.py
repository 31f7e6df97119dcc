"""The names by which links find notes: every note, attachment and alias, looked up by key.

Names that many notes share must not cost each link a look at all of them, so each name that is
asked for is laid out once (`Family`) and then answered by walking up the source's folders.
"""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence

from kb.store.paths import name_key
from kb.text import fold

# Kept of an ambiguous link: the one taken and the next best. A name that thousands of notes share
# would otherwise be stored thousands of times for each of its links.
MOST_CANDIDATES = 20

Lookup = Callable[[str], Sequence[str]]


def nfc(text: str) -> str:
    """One spelling for text that looks the same (macOS writes names in pieces)."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def folder_of(path: str) -> str:
    """The folder of a vault path, "" for the root."""
    return path.rpartition("/")[0]


def above(folder: str) -> Iterator[str]:
    """A folder and all above it, the nearest first, the root ("") last."""
    while folder:
        yield folder
        folder = folder_of(folder)
    yield ""


def link_keys(path: str) -> set[str]:
    """The `target_key` of every link that could mean a note, attachment or alias of this name.

    `x.md.md` is found by `[[x.md]]`, whose key is `x`.
    """
    key = name_key(path)
    return {key, name_key(key)}


class Family:
    """The notes that one written target can mean, in the order in which a tie is broken.

    Obsidian does not say how it breaks ties. Here: the source's own folder, the longest folder
    prefix shared with the source, the fewest folders, the shortest path, the same case as
    written, the alphabet.
    """

    __slots__ = ("_below", "_own", "members")

    def __init__(self, paths: Iterable[str], written: str) -> None:
        tail = nfc(written)

        def preference(path: str) -> tuple[int, int, bool, str]:
            cased = nfc(path).rpartition(".")[0].endswith(tail) or nfc(path).endswith(tail)
            return path.count("/"), len(path), not cased, path

        self.members = sorted(paths, key=preference)
        self._own: dict[str, str] = {}
        self._below: dict[str, str] = {}
        for path in self.members:
            folder = folder_of(path)
            self._own.setdefault(folder, path)
            for ancestor in above(folder):
                self._below.setdefault(ancestor, path)

    def nearest(self, source: str) -> str:
        """The member that a link in the note `source` means."""
        folder = folder_of(source)
        own = self._own.get(folder)
        if own is not None:
            return own
        return next(self._below[ancestor] for ancestor in above(folder) if ancestor in self._below)

    def candidates(self, chosen: str) -> tuple[str, ...]:
        """The one chosen and the next best, at most MOST_CANDIDATES."""
        others = [path for path in self.members[:MOST_CANDIDATES] if path != chosen]
        return (chosen, *others)[:MOST_CANDIDATES]


class Group:
    """The files that share one key (or the notes that share one alias)."""

    __slots__ = ("_exact", "_families", "_folded", "paths")

    def __init__(self, paths: Sequence[str]) -> None:
        self.paths = paths
        self._exact: dict[str, list[str]] | None = None
        self._folded: dict[str, list[str]] = {}
        self._families: dict[tuple[str, bool], Family] = {}

    def exact(self, path: str) -> list[str]:
        """The files at this very path, in any Unicode form."""
        return self._by_path()[0].get(nfc(path), [])

    def folded(self, path: str) -> list[str]:
        """The files at this path, in any case."""
        return self._by_path()[1].get(fold(path), [])

    def _by_path(self) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
        if self._exact is None:
            exact, folded = defaultdict(list), defaultdict(list)
            for path in self.paths:
                exact[nfc(path)].append(path)
                folded[fold(path)].append(path)
            self._exact, self._folded = dict(exact), dict(folded)
        return self._exact, self._folded

    def family(self, written: str, whole: bool, select: Callable[[], Iterable[str]]) -> Family:
        """The family of a target as written, taken as a `whole` file name or as one without
        extension; `select` names its members the first time.
        """
        family = self._families.get((written, whole))
        if family is None:
            family = self._families[written, whole] = Family(select(), written)
        return family


class Names:
    """All names of a vault. The three look-ups give the paths for a key, in any order.

    Notes and attachments are looked up by `name_key`, aliases by `fold` of the whole alias.
    """

    def __init__(self, notes: Lookup, attachments: Lookup, aliases: Lookup) -> None:
        self._lookups = {"note": notes, "attachment": attachments, "alias": aliases}
        self._groups: dict[tuple[str, str], Group] = {}

    @classmethod
    def of(
        cls,
        notes: Iterable[str],
        attachments: Iterable[str] = (),
        aliases: Iterable[tuple[str, str]] = (),
    ) -> Names:
        """Names held in memory, from paths and (alias, path of its note)."""
        by_note = _by_key((name_key(path), path) for path in notes)
        by_file = _by_key((name_key(path), path) for path in attachments)
        by_alias = _by_key((fold(alias), path) for alias, path in aliases)
        return cls(
            lambda key: by_note.get(key, ()),
            lambda key: by_file.get(key, ()),
            lambda key: by_alias.get(key, ()),
        )

    def notes(self, key: str) -> Group:
        """The notes of this name."""
        return self._group("note", key)

    def only_note(self, key: str) -> str | None:
        """The note of this name, None where there is none or several."""
        paths = self._lookups["note"](key)
        return paths[0] if len(paths) == 1 else None

    def attachments(self, key: str) -> Group:
        """The files of this name that are no notes."""
        return self._group("attachment", key)

    def aliased(self, key: str) -> Group:
        """The notes with this alias."""
        return self._group("alias", key)

    def _group(self, sort: str, key: str) -> Group:
        group = self._groups.get((sort, key))
        if group is None:
            group = self._groups[sort, key] = Group(self._lookups[sort](key))
        return group


def _by_key(pairs: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for key, path in pairs:
        found[key].append(path)
    return dict(found)
