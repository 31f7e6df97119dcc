"""What a link leads to, given every name in the vault. Pure functions, no disk.

In this order:

1. an empty target (`[[#Section]]`) is the note itself;
2. `./` and `../` are relative to the source, `/` is the vault's root, and nothing else is tried;
3. a Markdown link: relative to the source, before what follows;
4. the exact path from the root, the same case before any other case;
5. every path that ends in the target, whole components only (several: the nearest is taken and
   the link is marked ambiguous, see `Family`);
6. an alias, which Obsidian itself would not follow;
7. nothing.

A name may leave out `.md`. Files that are no notes are tried after all notes; but an embed or a
Markdown link with an extension (`![[plan.png]]`) means the file itself before a note that is
named after it (`plan.png.md`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from kb.indexer.names import Family, Group, Names, folder_of, link_keys
from kb.store.note_records import LinkKind, LinkStatus
from kb.store.paths import name_key
from kb.text import fold

__all__ = ["Names", "Resolution", "joined", "link_keys", "resolve_link"]

_EXTENSIONS = (".md", ".markdown")


class Resolution(NamedTuple):
    """Where a link leads. `path` is a note, or an attachment if `status` says so.

    `candidates` are the paths that fitted equally well, the one taken first; empty if only one.
    """

    status: LinkStatus
    path: str | None = None
    candidates: tuple[str, ...] = ()


_UNRESOLVED = Resolution(LinkStatus.UNRESOLVED)


def resolve_link(target: str, kind: str, source: str, names: Names) -> Resolution:
    """Where the link `target` in the note `source` leads.

    `target` is the part before `#`, decoded; `kind` a LinkKind; paths are vault-relative.
    """
    if not target:
        return Resolution(LinkStatus.RESOLVED, source)
    if "/" not in target and "." not in target and (only := names.only_note(name_key(target))):
        return Resolution(LinkStatus.RESOLVED, only)  # as below, and most links are such
    wanted = _Wanted.of(target, kind, source)
    if wanted is None:
        return _UNRESOLVED
    by_note, by_file = _find_note(wanted, names), _find_attachment(wanted, names)
    order = (by_file, by_note) if wanted.means_file else (by_note, by_file)
    for found in order:
        for resolution in found:
            return resolution
    return _UNRESOLVED if wanted.anchored else _find_alias(target, source, names)


@dataclass(frozen=True, slots=True)
class _Wanted:
    """A target, taken apart. `places` are the vault paths it may mean exactly, in order."""

    source: str
    places: tuple[str, ...]
    ending: str
    anchored: bool
    means_file: bool

    @classmethod
    def of(cls, target: str, kind: str, source: str) -> _Wanted | None:
        """None where the target leaves the vault or names no file."""
        name = target.rpartition("/")[2]
        if name in ("", ".", ".."):
            return None
        anchored = target.startswith(("./", "../", "/"))
        relative = target.startswith(("./", "../"))
        places: list[str | None] = []
        if relative or (kind == LinkKind.MARKDOWN and not anchored):
            places.append(joined(folder_of(source), target))
        if not relative:
            places.append(joined("", target.lstrip("/")))
        inside = tuple(dict.fromkeys(place for place in places if place is not None))
        if not inside:
            return None
        file_first = kind in (LinkKind.EMBED, LinkKind.MARKDOWN) and "." in name
        return cls(source, inside, inside[-1], anchored, file_first)


def joined(folder: str, target: str) -> str | None:
    """A path from a folder, with `.` and `..` taken away; None where it leaves the vault."""
    parts = folder.split("/") if folder else []
    for part in target.split("/"):
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)


def _find_note(wanted: _Wanted, names: Names) -> Iterator[Resolution]:
    for place in wanted.places:
        spellings = _spellings(place)
        groups = [(names.notes(name_key(spelling)), spelling) for spelling in spellings]
        yield from _exact(groups, wanted.source)
    if wanted.anchored:
        return
    if wanted.ending.lower().endswith(_EXTENSIONS):
        yield from _ending(names.notes(name_key(wanted.ending)), wanted, as_written=True)
    yield from _ending(names.notes(name_key(f"{wanted.ending}.md")), wanted, as_written=False)


def _spellings(place: str) -> list[str]:
    """The file names that a target can stand for, the likeliest first."""
    added = [place + extension for extension in _EXTENSIONS]
    return [place, *added] if place.lower().endswith(_EXTENSIONS) else added


def _find_attachment(wanted: _Wanted, names: Names) -> Iterator[Resolution]:
    for place in wanted.places:
        for found in _exact([(names.attachments(name_key(place)), place)], wanted.source):
            yield Resolution(LinkStatus.ATTACHMENT, found.path)
    if not wanted.anchored:
        group = names.attachments(name_key(wanted.ending))
        for found in _ending(group, wanted, as_written=True):
            yield Resolution(LinkStatus.ATTACHMENT, found.path)


def _exact(groups: list[tuple[Group, str]], source: str) -> Iterator[Resolution]:
    """The file at a path: the same case in any spelling, then any case."""
    for look_up in (Group.exact, Group.folded):
        for group, spelling in groups:
            found = look_up(group, spelling)
            if found:
                yield _chosen(Family(found, spelling), source, LinkStatus.RESOLVED)


def _ending(group: Group, wanted: _Wanted, *, as_written: bool) -> Iterator[Resolution]:
    """The files whose path ends in the target."""
    if not group.paths:
        return
    members = partial(_with_ending, group.paths, wanted.ending, as_written=as_written)
    family = group.family(wanted.ending, as_written, members)
    if family.members:
        yield _chosen(family, wanted.source, LinkStatus.RESOLVED)


def _with_ending(paths: Iterable[str], ending: str, *, as_written: bool) -> Iterator[str]:
    tail = f"/{fold(ending)}"
    for path in paths:
        folded = f"/{fold(path)}"
        whole = folded if as_written else folded.rpartition(".")[0]
        if whole.endswith(tail):
            yield path


def _find_alias(target: str, source: str, names: Names) -> Resolution:
    group = names.aliased(fold(target))
    if not group.paths:
        return _UNRESOLVED
    family = group.family("", True, lambda: group.paths)
    return _chosen(family, source, LinkStatus.ALIAS)


def _chosen(family: Family, source: str, status: LinkStatus) -> Resolution:
    if len(family.members) == 1:
        return Resolution(status, family.members[0])
    chosen = family.nearest(source)
    several = LinkStatus.AMBIGUOUS if status is LinkStatus.RESOLVED else status
    return Resolution(several, chosen, family.candidates(chosen))
