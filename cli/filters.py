"""Options that say which notes may be ranked, turned into the record of filters."""

from __future__ import annotations

import datetime
import os
import re
from collections.abc import Sequence
from pathlib import Path

from kb.cli.environment import Environment
from kb.store.errors import KbError, UsageError
from kb.store.files import user_path
from kb.store.paths import encode_path, show_path
from kb.store.records import Filters

_WHERE_HINT = (
    "write `prop=value`, `prop!=value`, `prop<value`, `prop<=value`, `prop>value`, `prop>=value`,"
    " `prop` (has it) or `!prop` (lacks it)"
)
_CONDITION = r"(?s)(?P<name>[^=<>!]+?)\s*(?P<operator>!=|<=|>=|==?|<|>)\s*(?P<value>.*)"
_NAME = r"(?s)(?P<missing>!?)\s*(?P<name>[^=<>!]+)"


def build_filters(  # noqa: PLR0913 (one argument an option)
    *,
    tags: Sequence[str],
    not_tags: Sequence[str],
    paths: Sequence[str],
    exclude: Sequence[str],
    types: Sequence[str],
    where: Sequence[str],
    since: str,
    until: str,
    include_ignored: bool,
    current: bool = False,
    today: datetime.date,
) -> Filters:
    """The record of filters. Raises UsageError for a malformed value."""
    first, last = _parse_period(since, until, today) if since or until else ("", "")
    return Filters(
        tags=parse_named(tags, "--tag"),
        not_tags=parse_named(not_tags, "--not-tag"),
        paths=tuple(parse_glob(glob, "--path") for glob in paths),
        exclude=tuple(parse_glob(glob, "--exclude") for glob in exclude),
        types=parse_named(types, "--type"),
        where=tuple(map(parse_where, where)),
        since=first,
        until=last,
        include_ignored=include_ignored,
        current=today.isoformat() if current else "",
    )


def _parse_period(since: str, until: str, today: datetime.date) -> tuple[str, str]:
    from kb.cli.dates import parse_day

    first = parse_day(since, today, "--since") if since else ""
    return first, parse_day(until, today, "--until", last=True) if until else ""


def parse_named(values: Sequence[str], option: str) -> tuple[str, ...]:
    """Names of tags or types as typed. Raises UsageError for an empty one."""
    for value in values:
        if not value.strip().strip("#/"):
            raise UsageError(f"`{option}` needs a name, not `{value}`", f"write `{option} name`")
    return tuple(value.strip() for value in values)


def parse_where(text: str) -> tuple[str, str, str]:
    """A condition on a property as (name, operator, value)."""
    if match := re.fullmatch(_CONDITION, text.strip()):
        name = match["name"].strip()
        if name:
            operator = "=" if match["operator"] == "==" else match["operator"]
            return name, operator, match["value"].strip()
    elif (match := re.fullmatch(_NAME, text.strip())) and match["name"].strip():
        return match["name"].strip(), "missing" if match["missing"] else "exists", ""
    raise UsageError(f"`--where {text}` is no condition", _WHERE_HINT)


def parse_glob(text: str, option: str) -> str:
    """A glob on vault-relative paths, or one such path, in the form that is shown to people."""
    glob = show_path(encode_path(text.strip()))
    while glob.startswith("./"):
        glob = glob[2:]
    if not glob:
        raise UsageError(f"`{option}` needs a glob, not `{text}`", f"write `{option} 'folder/*'`")
    return glob


def read_excluded(environment: Environment, source: str, vault: Path | None) -> tuple[str, ...]:
    """The paths or globs that a file, or `-` for stdin, lists: a line each, or NUL between.

    It takes what `-l` and `-0` print.
    """
    data = _read_bytes(environment, source)
    parts = data.split(b"\0") if b"\0" in data else data.splitlines()
    globs = []
    for part in parts:
        path = relative_path(os.fsdecode(part).strip("\r\n"), vault)
        if path:
            globs.append(show_path(path))
    return tuple(globs)


def relative_path(path: str, vault: Path | None) -> str:
    """A path as a user may name a note, vault-relative and in stored form."""
    if vault is not None and os.path.isabs(path):  # noqa: PTH117 (bytes that are not UTF-8)
        for root in (str(vault), os.path.realpath(vault)):
            inside = os.path.relpath(path, root)
            if not inside.startswith(".."):
                path = inside
                break
    return encode_path(path).removeprefix("./")


def _read_bytes(environment: Environment, source: str) -> bytes:
    if source == "-":
        return read_stdin(environment)
    try:
        return user_path(source).read_bytes()
    except OSError as error:
        raise KbError(
            f"cannot read {source} ({error.strerror})", "name a file, or `-` for stdin"
        ) from error


def read_stdin(environment: Environment) -> bytes:
    """Everything on stdin."""
    buffer = getattr(environment.stdin, "buffer", None)
    if buffer is not None:
        return bytes(buffer.read())
    return environment.stdin.read().encode("utf-8", "surrogateescape")
