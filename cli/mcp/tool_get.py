"""The tool `get`."""

from __future__ import annotations

from kb.cli.mcp.parameters import NOTE, UNTRUSTED, number, text
from kb.cli.mcp.tool import Answer, Call, Tool
from kb.cli.render_note_json import note_document
from kb.fusion.note_text import NoteText
from kb.store.errors import UsageError
from kb.store.paths import show_path

USUAL_CHARACTERS = 20_000
MOST_CHARACTERS = 100_000


def run(call: Call) -> Answer:
    """Read a note or a part of it."""
    section, lines = call.text("section").strip(), call.text("lines").strip()
    if section and lines:
        raise UsageError("`section` and `lines` both name a part", "give one of them")
    part = f"#{section.removeprefix('#')}" if section else lines
    most = call.number("max_characters", USUAL_CHARACTERS)
    note = call.vault.note(call.text("note"), part, most=most)
    return Answer(note_document(note), render_note(note))


def render_note(note: NoteText) -> str:
    """The text of a note under a line that says what it is, and above one on how to go on."""
    place = f"{show_path(note.path)}, lines {note.line}-{note.end_line} of {note.lines}"
    trail = f" ({' › '.join(note.heading)})" if note.heading else ""
    head = [f"{place}{trail}", *(f"notice: {notice}" for notice in note.notices)]
    if note.changed:
        head.append("notice: the file has changed since it was indexed")
    end = [f'[more follows: `lines` "{note.next_line}-"]'] if note.next_line else []
    return "\n".join([*head, "", note.text, *end])


TOOL = Tool(
    name="get",
    title="Read a note",
    description=(
        "Read the text of a note, or only a section or some lines of it, as it stands now. Use it"
        " after `search` to read around a result, or when the user names a note. Long text is cut:"
        " `next_line` says where to go on. Only notes of the vault can be read."
        f" {UNTRUSTED}"
    ),
    properties={
        "note": NOTE,
        "section": text(
            "Only this section with what stands below it: a heading (`Why`, or `Plan#Why`"
            " where several are called so), or a block (`^id`)."
        ),
        "lines": text("Only these lines of the file, from 1: `10-20`, `10-` or `10`."),
        "max_characters": number(
            f"How much text at most ({USUAL_CHARACTERS}).", 200, MOST_CHARACTERS
        ),
    },
    required=("note",),
    schema="kb.note-1",
    run=run,
)
