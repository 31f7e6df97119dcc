"""What ignore files and settings leave out of a vault, by gitignore's rules.

`.kbignore` decides before `.ignore`, and `.ignore` before `.gitignore`; of one kind, the file
nearest to a note decides first (ripgrep's order). `.gitignore` counts inside a git work tree
only, and there the ones above the vault count too.
"""

# Paths are plain text here: pathlib costs more than the system call it stands for.
# ruff: noqa: PTH118, PTH120

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from kb.store.globs import parse_ignore_lines
from kb.store.paths import encode_path
from kb.store.read import NotRegularError, read_file, reason_of

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

GIT_IGNORE = ".gitignore"
# The kinds of ignore files, the one that decides first at the front.
IGNORE_NAMES = (".kbignore", ".ignore", GIT_IGNORE)
_MOST_BYTES = 1024 * 1024


@dataclass(frozen=True, slots=True)
class _Level:
    """One ignore file. A path is looked up without the first `cut` characters, after `lead`."""

    spec: GitIgnoreSpec
    cut: int
    lead: str = ""

    def decides(self, path: str) -> bool | None:
        return self.spec.check_file(self.lead + path[self.cut :]).include


@dataclass(frozen=True, slots=True)
class IgnoreRules:
    """The rules that hold in one folder. `levels` has, for each kind, the deepest file first."""

    in_git: bool = False
    exclude: _Level | None = None
    levels: dict[str, tuple[_Level, ...]] = field(default_factory=dict)

    @property
    def active(self) -> bool:
        """Whether there is any rule at all."""
        return self.exclude is not None or bool(self.levels)

    def leaves_out(self, path: str, *, is_folder: bool = False) -> bool:
        """Whether a vault path is left out. Nothing below a folder that is left out comes back."""
        looked_up = f"{path}/" if is_folder else path
        if self.exclude is not None and self.exclude.decides(looked_up):
            return True
        for name in IGNORE_NAMES:
            for level in self.levels.get(name, ()):
                decision = level.decides(looked_up)
                if decision is not None:
                    return decision
        return False

    def with_folder(
        self, location: str, prefix: str, names: Iterable[str], notices: list[str]
    ) -> IgnoreRules:
        """The rules inside a folder that holds `names`.

        `location` is its path on disk, `prefix` its path in the vault, with a slash at the end.
        """
        held = set(names)
        rules = replace(self, in_git=self.in_git or ".git" in held)
        for name in IGNORE_NAMES:
            if name in held and (rules.in_git or name != GIT_IGNORE):
                # A link that led out of the vault since this folder was listed is not followed.
                folder = location.rstrip("/" + os.sep) or os.sep
                spec = _read_spec(os.path.join(location, name), prefix + name, notices, folder)
                if spec is not None:
                    rules = rules._with_level(name, _Level(spec, len(prefix)))
        return rules

    def _with_level(self, name: str, level: _Level) -> IgnoreRules:
        return replace(self, levels={**self.levels, name: (level, *self.levels.get(name, ()))})


def exclude_rules(patterns: Iterable[str], notices: list[str]) -> IgnoreRules:
    """Rules from settings: globs as in an ignore file at the root of the vault."""
    spec = _parse_spec(list(patterns), "the setting `exclude`", notices)
    return IgnoreRules(exclude=_Level(spec, 0) if spec is not None else None)


def rules_above(root: str, rules: IgnoreRules, notices: list[str]) -> IgnoreRules:
    """Add what holds above the vault: whether it lies in a git work tree, and its .gitignore files.

    A vault that its own work tree ignores is indexed all the same, since it was asked for.
    """
    folders = _work_tree_above(root)
    if folders is None:
        return rules
    levels: tuple[_Level, ...] = ()
    for folder in folders:
        file = os.path.join(folder, GIT_IGNORE)
        if os.path.lexists(file):
            spec = _read_spec(file, file, notices)
            if spec is not None:
                lead = os.path.relpath(root, folder).replace(os.sep, "/") + "/"
                levels = (_Level(spec, 0, lead), *levels)
    above = IgnoreRules(levels={GIT_IGNORE: levels} if levels else {})
    if above.leaves_out(""):
        notices.append("the vault is left out by a `.gitignore` above it, which is not followed")
        above = IgnoreRules()
    return replace(rules, in_git=True, levels=above.levels)


def _work_tree_above(root: str) -> list[str] | None:
    """The folders above the vault up to the work tree's own, the highest first; None outside."""
    folders: list[str] = []
    folder = root
    while not os.path.lexists(os.path.join(folder, ".git")):
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folders.insert(0, parent)
        folder = parent
    return folders


def _read_spec(file: str, shown: str, notices: list[str], within: str = "") -> GitIgnoreSpec | None:
    shown = encode_path(shown)
    try:
        data = read_file(file, _MOST_BYTES, within).data
    except FileNotFoundError:
        return None
    except (OSError, NotRegularError) as error:
        reason = reason_of(error) if isinstance(error, OSError) else str(error)
        notices.append(f"cannot read {shown} ({reason}); its rules are not followed")
        return None
    text = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "surrogateescape")
    return _parse_spec(text.replace("\r\n", "\n").split("\n"), shown, notices)


def _parse_spec(lines: list[str], shown: str, notices: list[str]) -> GitIgnoreSpec | None:
    if not any(line.strip() and not line.startswith("#") for line in lines):
        return None
    spec, problems = parse_ignore_lines(lines)
    notices.extend(f"{shown}: {problem}" for problem in problems)
    return spec
