"""Notes as resources: `kb://note/VAULT/PATH`, listed a page at a time."""

from __future__ import annotations

import base64
import binascii
import json
import os
from typing import NamedTuple
from urllib.parse import quote, unquote, unquote_to_bytes, urlsplit

from kb.cli.mcp.served import ServedVaults
from kb.cli.mcp.tool_get import render_note
from kb.fusion.note_list import ListedNote
from kb.store.errors import UsageError
from kb.store.paths import decode_path, encode_path

TEMPLATE = "kb://note/{vault}/{+path}"
PAGE = 100
_MOST_CHARACTERS = 100_000
_PREFIX = "kb://note/"


class Page(NamedTuple):
    """Some notes as (URI, note), and where the next page starts, "" after the last."""

    notes: tuple[tuple[str, ListedNote], ...]
    next_cursor: str


def note_uri(label: str, path: str) -> str:
    """The URI of a note, its path being in stored form."""
    return f"{_PREFIX}{quote(label, safe='')}/{quote(os.fsencode(decode_path(path)))}"


def list_page(vaults: ServedVaults, cursor: str) -> Page:
    """A page of the notes of all vaults. Raises UsageError for a cursor that is none of ours.

    A vault that cannot be asked now has no notes to list.
    """
    label, after = _read_cursor(cursor) if cursor else (vaults.labels[0], "")
    if label not in vaults.labels:
        raise UsageError("this cursor is of no vault that is served", "list from the start")
    notes = vaults.choose(label).open().notes(after=after, limit=PAGE + 1)
    shown = tuple((note_uri(label, note.path), note) for note in notes[:PAGE])
    if len(notes) > PAGE:
        return Page(shown, _make_cursor(label, notes[PAGE - 1].path))
    later = vaults.labels[vaults.labels.index(label) + 1 :]
    return Page(shown, _make_cursor(later[0], "") if later else "")


def read_resource(vaults: ServedVaults, uri: str) -> str:
    """The text of a note by its URI, cut where it is very long; a fragment is a section.

    `#L10-20` are lines. Raises KbError.
    """
    parts = urlsplit(uri)
    label, _, path = parts.path.removeprefix("/").partition("/")
    if not uri.startswith(_PREFIX) or parts.query or not path:
        raise UsageError(f"`{uri}` is no note", f"write `{TEMPLATE}`")
    name = encode_path(os.fsdecode(unquote_to_bytes(path)))
    vault = vaults.choose(unquote(label)).open()
    fragment = unquote(parts.fragment)
    part = fragment if fragment[:1] == "L" and fragment[1:2].isdigit() else f"#{fragment}"
    note = vault.note(name, part if fragment else "", most=_MOST_CHARACTERS)
    if note.path != name:
        raise UsageError(f"`{uri}` is no note", "its path must be the whole path of a note")
    return note.text if note.next_line is None else render_note(note)


def _make_cursor(label: str, after: str) -> str:
    return base64.urlsafe_b64encode(json.dumps([label, after]).encode()).decode("ascii")


def _read_cursor(cursor: str) -> tuple[str, str]:
    try:
        label, after = json.loads(base64.urlsafe_b64decode(cursor.encode("ascii")))
    except (ValueError, TypeError, binascii.Error) as error:
        raise UsageError("this is no cursor of this server", "list from the start") from error
    return str(label), str(after)
