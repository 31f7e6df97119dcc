"""What a vault holds on disk: its notes with size and time of change, and its other files.

Folders and files whose name starts with a dot, and `node_modules`, are no part of a vault.
Nothing is opened here but ignore files, and no symbolic link is followed: one that stays inside
the vault leads to what is walked anyway, one that leaves it leads to what is not the vault's.
"""

# Paths are plain text here: pathlib costs more than the system call it stands for.
# ruff: noqa: PTH116, PTH118

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from operator import attrgetter

from kb.indexer.hidden import HiddenFilters, read_hidden_filters
from kb.indexer.ignore import IgnoreRules, exclude_rules, rules_above
from kb.store.errors import VaultError
from kb.store.files import change_time
from kb.store.index_records import SkippedFile
from kb.store.paths import decode_path, encode_path
from kb.store.read import reason_of

_NOTE_EXTENSIONS = (".md", ".markdown")


@dataclass(frozen=True, slots=True)
class Walk:
    """What is there now. Paths are vault-relative, in their stored form.

    `notes` gives size and time of change (nanoseconds). `unseen` are folders that could not be
    read, `unread` notes whose size could not: of neither is it known that they are gone.
    `files` counts all files that were met, those left out by a rule included. `mounts` are the
    folders that are a drive of their own.
    """

    notes: dict[str, tuple[int, int]] = field(default_factory=dict)
    attachments: set[str] = field(default_factory=set)
    skipped: list[SkippedFile] = field(default_factory=list)
    unseen: list[str] = field(default_factory=list)
    unread: set[str] = field(default_factory=set)
    hidden: HiddenFilters = field(default_factory=HiddenFilters)
    notices: list[str] = field(default_factory=list)
    files: int = 0
    mounts: list[str] = field(default_factory=list)

    def is_unseen(self, path: str) -> bool:
        """Whether a path may still be there although the walk did not find it."""
        return path in self.unread or any(path.startswith(f"{name}/") for name in self.unseen)

    def keep_unmounted(self, mounted: Iterable[str]) -> list[str]:
        """Those drives of which nothing is there now, which are taken for unseen from here on."""
        away = [
            folder
            for folder in mounted
            if folder not in self.mounts and not self._holds(f"{folder}/")
        ]
        self.unseen.extend(away)
        return away

    def _holds(self, prefix: str) -> bool:
        return any(path.startswith(prefix) for path in (*self.notes, *self.attachments))


def is_note(name: str) -> bool:
    """Whether a file of this name is a note."""
    return name.lower().endswith(_NOTE_EXTENSIONS)


def walk_vault(vault: str, *, no_ignore: bool = False, exclude: tuple[str, ...] = ()) -> Walk:
    """Walk a vault. `exclude` are globs of the settings, which `no_ignore` leaves in force.

    Raises VaultError where the vault itself is missing, no folder, or unreadable.
    """
    return _Walker(check_vault(vault), no_ignore).walk(exclude)


def check_vault(named: str) -> str:
    """The real path of a vault that is there and can be read. Raises VaultError."""
    root = os.path.realpath(named)
    hint = "check the path, or that the drive is there; what was indexed of it is kept"
    try:
        mode = os.stat(root).st_mode
        if not stat.S_ISDIR(mode):
            raise VaultError(f"{named} is not a folder", hint)
        os.scandir(root).close()
    except FileNotFoundError as error:
        raise VaultError(f"there is no folder {named}", hint) from error
    except OSError as error:
        raise VaultError(f"cannot read the vault {named} ({reason_of(error)})", hint) from error
    return root


class _Walker:
    def __init__(self, root: str, no_ignore: bool) -> None:
        self.root = root
        self.no_ignore = no_ignore
        self.files = 0
        self.device = os.stat(root).st_dev
        notices: list[str] = []
        self.found = Walk(hidden=read_hidden_filters(root, notices), notices=notices)

    def walk(self, exclude: tuple[str, ...]) -> Walk:
        rules = exclude_rules(exclude, self.found.notices)
        if not self.no_ignore:
            rules = rules_above(self.root, rules, self.found.notices)
        pending = [("", rules)]
        while pending:
            prefix, rules = pending.pop()
            entries = self._list(prefix)
            self._note_device(prefix)
            if not self.no_ignore:
                location = os.path.join(self.root, prefix)
                names = [entry.name for entry in entries if entry.name[0] == "."]
                rules = rules.with_folder(location, prefix, names, self.found.notices)
            folders = self._sort_out(entries, prefix, rules)
            pending.extend((f"{folder}/", rules) for folder in reversed(folders))
        return self._finished()

    def _note_device(self, prefix: str) -> None:
        """Remember a folder that is a drive of its own; what is below it is that drive's."""
        if not prefix or any(prefix.startswith(f"{mount}/") for mount in self.found.mounts):
            return
        with suppress(OSError):
            if os.stat(os.path.join(self.root, prefix)).st_dev != self.device:
                self.found.mounts.append(encode_path(prefix.rstrip("/")))

    def _list(self, prefix: str) -> list[os.DirEntry[str]]:
        try:
            with os.scandir(os.path.join(self.root, prefix)) as listing:
                return sorted(listing, key=attrgetter("name"))
        except (FileNotFoundError, NotADirectoryError) as error:
            if prefix:
                return []  # gone since its parent was listed
            raise VaultError(f"the vault {self.root} went away while it was read") from error
        except OSError as error:
            if not prefix:
                raise VaultError(f"cannot read {self.root} ({reason_of(error)})") from error
            self.found.unseen.append(encode_path(prefix.rstrip("/")))
            return []

    def _sort_out(
        self, entries: list[os.DirEntry[str]], prefix: str, rules: IgnoreRules
    ) -> list[str]:
        """File the entries of one folder, and say which folders are to be walked."""
        folders = []
        active = rules if rules.active else None
        plain = active is None and os.name != "nt"  # where a file is no junction
        for entry in entries:
            if entry.name[0] == ".":
                continue
            path = prefix + entry.name
            try:
                if plain and entry.is_file(follow_symlinks=False) and path.isascii():
                    self._file(entry, path)
                elif self._is_folder_to_walk(entry, path, active):
                    folders.append(path)
            except OSError as error:  # not even what it is can be told
                self._skip(path, reason_of(error))
                self.found.unread.add(encode_path(path))
                self.found.unseen.append(encode_path(path))
        return folders

    def _is_folder_to_walk(
        self, entry: os.DirEntry[str], path: str, rules: IgnoreRules | None
    ) -> bool:
        is_folder = entry.is_dir(follow_symlinks=False)
        if rules is not None and rules.leaves_out(path, is_folder=is_folder):
            self.files += 1
        elif not path.isascii() and not _can_be_stored(path):
            self._skip(path, "its name holds characters that cannot be stored")
        elif entry.is_symlink() or _is_junction(entry):
            self._file_link(entry, path)
        elif is_folder:
            if not is_note(entry.name):
                return entry.name != "node_modules"
            self._skip(path, "a folder, not a file")
        elif entry.is_file(follow_symlinks=False):
            self._file(entry, path)
        elif is_note(entry.name):
            self._skip(path, "not a regular file")
        return False

    def _file(self, entry: os.DirEntry[str], path: str) -> None:
        self.files += 1
        stored = encode_path(path)
        if not entry.name.endswith(".md") and not is_note(entry.name):
            self.found.attachments.add(stored)
            return
        try:
            status = entry.stat(follow_symlinks=False)
        except FileNotFoundError:
            return
        except OSError as error:
            self._skip(path, reason_of(error))
            self.found.unread.add(stored)
            return
        self.found.notes[stored] = (status.st_size, change_time(status))

    def _file_link(self, entry: os.DirEntry[str], path: str) -> None:
        """A link that could stand for a note or a folder is not followed; others are files."""
        try:
            target = os.stat(entry.path)
        except OSError as error:
            if is_note(entry.name):
                self._skip(path, f"a symbolic link that leads nowhere ({reason_of(error)})")
            return
        is_folder = stat.S_ISDIR(target.st_mode)
        if not is_folder and not is_note(entry.name):
            if stat.S_ISREG(target.st_mode):
                self.found.attachments.add(encode_path(path))
        elif not self._is_inside(os.path.realpath(entry.path)):
            self._skip(path, "a symbolic link out of the vault, not followed")

    def _is_inside(self, real: str) -> bool:
        try:
            return os.path.commonpath([self.root, real]) == self.root
        except ValueError:
            return False  # on another drive

    def _skip(self, path: str, reason: str) -> None:
        self.files += 1
        stored = encode_path(path).encode("utf-8", "replace").decode("utf-8")
        self.found.skipped.append(SkippedFile(stored, reason))

    def _finished(self) -> Walk:
        found = self.found
        return Walk(
            notes=found.notes,
            attachments=found.attachments,
            skipped=sorted(found.skipped, key=lambda skipped: skipped.path),
            unseen=sorted(found.unseen),
            unread=found.unread,
            hidden=found.hidden,
            notices=found.notices,
            files=self.files,
            mounts=sorted(found.mounts),
        )


def _can_be_stored(path: str) -> bool:
    """Whether the stored form of a path is text, and leads back to the path."""
    stored = encode_path(path)
    try:
        stored.encode()
    except UnicodeEncodeError:
        return False  # half a surrogate pair, which Windows allows in a name
    return decode_path(stored) == path.replace(os.sep, "/")


def _is_junction(entry: os.DirEntry[str]) -> bool:
    """Whether an entry is a junction of Windows, which is a link to a folder by another name."""
    if os.name != "nt":
        return False
    status = entry.stat(follow_symlinks=False)
    mount_point = getattr(stat, "IO_REPARSE_TAG_MOUNT_POINT", None)
    return getattr(status, "st_reparse_tag", 0) == mount_point
