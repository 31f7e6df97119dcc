"""The text of a note, or of a part of it, as it stands in the vault now."""

from __future__ import annotations

import re
from difflib import get_close_matches
from pathlib import Path
from typing import NamedTuple

import apsw

from kb.fusion.naming import NamedNote, resolve_target
from kb.fusion.reading import Reading, reading
from kb.store.errors import KbError, UsageError, VaultError
from kb.store.files import is_at_hand
from kb.store.hashes import digest_of
from kb.store.paths import decode_path, show_path
from kb.store.read import FileContent, NotRegularError, OutsideError, read_inside, reason_of
from kb.store.rows import read_rows
from kb.text.decode import decode
from kb.text.note_parts import Part, Parts, heading_key

_LINES = re.compile(r"L?(\d{1,9})(?:(-|:|\.\.)L?(\d{1,9})?)?")
_PART_HINT = (
    "a part is `#Heading`, `#Heading#Heading below it`, `#^block-id`,"
    " or lines such as `10-20`, `10-` and `10`"
)
_NAMED = 8


class NoteText(NamedTuple):
    """The text of a note from `line` to `end_line` (1-based, inclusive), of `lines` in the file.

    `heading` is the trail above its first line, where a part was asked for.
    `next_line` is where to read on, None where all that was asked for is here. `changed` says
    that the file is not what was indexed. Line ends are `\\n`, whatever the file has.
    """

    note_id: int
    path: str
    title: str
    vault: str
    line: int
    end_line: int
    lines: int
    heading: tuple[str, ...]
    text: str
    next_line: int | None
    changed: bool
    notices: tuple[str, ...] = ()


def read_note(
    index: Path,
    name: str,
    part: str = "",
    *,
    most: int = 0,
    connection: apsw.Connection | None = None,
) -> NoteText:
    """The text of the note that `name` stands for (see `resolve_note`), read from the vault.

    `part` is `#Heading` (its section), `#Heading#Below`, `#^block`, or lines as `10-20`, `10-`,
    `10`; "" for all. `name` may carry a heading or block as a link does. `most` bounds the text
    in characters, cut between lines; 0 for no bound.

    Only notes of the index are read, and only inside the vault. Raises UsageError for a name or
    part that fits nothing, VaultError where the vault is away, KbError for a file that is gone or
    cannot be read.
    """
    with reading(index, connection) as state:
        note, fragment = resolve_target(state.connection, state.vault, name)
        if fragment and part:
            raise UsageError(
                f"`{show_path(name)}` and `{part}` both name a part", "name one of them"
            )
        content = _read(state, note)
        changed = _is_changed(state, note, content)
    decoded = decode(content.data)
    parts = Parts(decoded.text)
    found, notices = resolve_part(parts, note.path, part or fragment)
    end_line, text = _bounded(parts, found, most)
    if most and len(text) > most:
        notices.append(f"line {end_line} alone is longer than {most:,} characters and was cut")
        text = text[:most]
    return NoteText(
        note_id=note.note_id,
        path=note.path,
        title=note.title,
        vault=state.vault,
        line=found.line,
        end_line=end_line,
        lines=len(parts.lines),
        heading=found.heading,
        text=text,
        next_line=end_line + 1 if end_line < found.end_line else None,
        changed=changed,
        notices=(*decoded.problems, *notices),
    )


def resolve_part(parts: Parts, path: str, part: str) -> tuple[Part, list[str]]:
    """The lines that a part names, and what to know of them. Raises UsageError for none."""
    wanted = part.strip()
    if not wanted.strip("#"):
        return parts.whole, []
    if wanted.startswith("#^"):
        block = parts.block(wanted[2:])
        if block is None:
            raise UsageError(f"no block `{wanted}` in {show_path(path)}", _PART_HINT)
        return block, []
    if wanted.startswith("#"):
        return _section(parts, path, wanted)
    return _line_range(parts, path, wanted), []


def _section(parts: Parts, path: str, wanted: str) -> tuple[Part, list[str]]:
    headings = [heading for heading in wanted.split("#") if heading.strip()]
    # A heading may hold the mark that parts headings: as a whole first.
    found = parts.sections([wanted.lstrip("#")]) or parts.sections(headings)
    if not found:
        raise UsageError(
            f"no heading `{wanted}` in {show_path(path)}", _headings_hint(parts, wanted)
        )
    if len(found) == 1:
        return found[0], []
    others = ", ".join(str(one.line) for one in found[1 : _NAMED + 1])
    notice = f"{len(found)} headings are called so; this is the first, others are on line {others}"
    return found[0], [notice]


def _headings_hint(parts: Parts, wanted: str) -> str:
    names = list(dict.fromkeys(trail[-1] for trail in parts.headings()))
    if not names:
        return "it has no headings; ask for lines such as `1-40`"
    by_key = {heading_key(name): name for name in reversed(names)}
    close = get_close_matches(heading_key(wanted), by_key, n=3, cutoff=0.5)
    named = [by_key[key] for key in close] or names[:_NAMED]
    more = f" and {len(names) - len(named)} more" if not close and len(names) > len(named) else ""
    listed = ", ".join(f"`#{name}`" for name in named)
    return f"did you mean {listed}?" if close else f"its headings are {listed}{more}"


def _line_range(parts: Parts, path: str, wanted: str) -> Part:
    found = _LINES.fullmatch(wanted)
    if not found:
        raise UsageError(f"`{wanted}` is no part of a note", _PART_HINT)
    first, count = int(found[1]), len(parts.lines)
    last = int(found[3]) if found[3] else (count if found[2] else first)
    if first < 1 or last < first:
        raise UsageError(f"`{wanted}` is no range of lines", "lines start at 1: `10-20`")
    if first > count:
        noun = "line" if count == 1 else "lines"
        raise UsageError(f"{show_path(path)} has {count:,} {noun}", "ask for lines that it has")
    return Part(first, min(last, count), parts.trail_of(first))


def _bounded(parts: Parts, found: Part, most: int) -> tuple[int, str]:
    """The last line that fits, at least the first one, and the text up to it."""
    lines = parts.lines[found.line - 1 : found.end_line]
    if most:
        size, kept = 0, 0
        for line in lines:
            size += len(line) + 1
            if kept and size - 1 > most:
                break
            kept += 1
        lines = lines[:kept]
    return found.line + len(lines) - 1, "\n".join(lines)


def _read(state: Reading, note: NamedNote) -> FileContent:
    root = decode_path(state.vault)
    shown = show_path(note.path)
    if not root or not is_at_hand(Path(root)):
        raise VaultError(
            f"the vault {show_path(state.vault)} is not there",
            "bring it back; passages of its notes are in the index and can be searched",
        )
    try:
        return read_inside(root, decode_path(note.path))
    except FileNotFoundError as error:
        raise KbError(
            f"{shown} is gone since it was indexed", "run `kb index` to bring the index up to date"
        ) from error
    except OutsideError as error:
        raise KbError(
            f"{shown} leads out of the vault and is not read",
            "run `kb index` if a folder was replaced by a link",
        ) from error
    except NotRegularError as error:
        raise KbError(f"{shown} cannot be read ({error})", "run `kb index`") from error
    except OSError as error:
        raise KbError(
            f"{shown} cannot be read ({reason_of(error)})", "check its permissions"
        ) from error


def _is_changed(state: Reading, note: NamedNote, content: FileContent) -> bool:
    ((digest,),) = read_rows(
        state.connection, "SELECT hash FROM notes WHERE id = ?", (note.note_id,)
    )
    return bool(digest_of(content.data) != digest)
