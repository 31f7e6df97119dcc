"""What is true of every note, whatever its bytes."""

from __future__ import annotations

import json
from functools import cache
from itertools import pairwise
from pathlib import Path

import apsw

from kb.indexer.front_matter import parse_front_matter
from kb.indexer.parse import parse_note
from kb.indexer.prepare import Job, PreparedNote, Settings, prepare_note
from kb.indexer.write import NoteWriter
from kb.store.note_records import ParsedNote
from kb.store.schema import SCHEMA
from kb.text.decode import decode

from .reader import temporary_folder

PATH = "folder/A note.md"


def check_note(data: bytes) -> None:
    """Parse one note, and hold what came out to what went in."""
    _check(data, dendron=False)


def check_dendron(data: bytes) -> None:
    """As `check_note`, in a vault of Dendron's."""
    _check(data, dendron=True)


def _check(data: bytes, *, dendron: bool) -> None:
    note = parse_note(PATH, data, dendron=dendron)
    check_passages(note, data)
    check_names(note, data)
    assert parse_note(PATH, data, dendron=dendron) == note, "parsed twice, it is two notes"
    check_line_ends(note, data, dendron)
    check_rows(data, dendron)


def check_passages(note: ParsedNote, data: bytes) -> None:
    """Passages stand where they say, in order, and hold all that the text says."""
    text = decode(data).text
    lines = text.split("\n")
    for passage in note.passages:
        assert 1 <= passage.line <= passage.end_line <= len(lines), "a line outside the note"
        there = "\n".join(lines[passage.line - 1 : passage.end_line])
        assert passage.text in there, "a passage is not on its lines"
        assert passage.text == passage.text.strip()
        assert passage.end_line - passage.line == passage.text.count("\n")
        assert all(heading == " ".join(heading.split()) for heading in passage.heading)
    for one, other in pairwise(note.passages):
        assert one.end_line <= other.line, "passages overlap"
    if not any("passages were kept" in problem for problem in note.problems):
        body = text[parse_front_matter(text).body_start :]
        held = "".join("".join(passage.text.split()) for passage in note.passages)
        assert held == "".join(body.split()), "words of the note are in no passage"


def check_names(note: ParsedNote, data: bytes) -> None:
    """Whatever has a line has one of the file; whatever is a name can be shown and stored."""
    count = decode(data).text.count("\n") + 1
    assert all(1 <= link.line <= count for link in note.links), "a link outside the note"
    assert all(link.target or link.fragment for link in note.links)
    assert note.title.strip()
    assert all(tag.strip() for tag in note.tags)
    assert all(alias.strip() for alias in note.aliases)
    assert all(entity.kind for entity in note.entities)
    assert len(note.problems) <= 20
    assert json.loads(json.dumps(note)) is not None
    note_text = json.dumps(note, ensure_ascii=False)
    note_text.encode()  # nothing that is no text
    assert "\\u0000" not in note_text


def check_line_ends(note: ParsedNote, data: bytes, dendron: bool) -> None:
    """A mark in front, and other line ends, are the same note."""
    if b"\r" in data or data.startswith(b"\xef\xbb\xbf"):
        return
    try:
        data.decode()
    except UnicodeDecodeError:
        return
    if b"\0" in data:
        return
    forms = (
        b"\xef\xbb\xbf" + data,
        data.replace(b"\n", b"\r\n"),
        data.replace(b"\n", b"\r"),
    )
    other = forms[len(data) % len(forms)]
    assert parse_note(PATH, other, dendron=dendron) == note, "line ends or a mark matter"


@cache
def _folder() -> Path:
    """A folder in memory, where there is one, that holds the note of this process."""
    shared = Path("/dev/shm")
    return temporary_folder(shared if shared.is_dir() else None)


@cache
def _database() -> apsw.Connection:
    connection = apsw.Connection(":memory:")
    connection.execute(SCHEMA)
    return connection


def check_rows(data: bytes, dendron: bool = False) -> None:
    """The rows of a note can be written, found in the index, and taken out again."""
    (_folder() / "note.md").write_bytes(data)
    note = prepare_note(Job("note.md", len(data)), Settings(str(_folder()), dendron=dendron))
    assert isinstance(note, PreparedNote), note
    tokens = sum(len(column) for row in note.tokens for column in row)
    assert tokens <= 40 * len(data) + 10_000, "one note fills the index"
    connection = _database()
    connection.execute("BEGIN")
    try:
        writer = NoteWriter(connection)
        writer.put(note, None, hidden=False)
        writer.finish()
        word = next((w for row in note.tokens for column in row for w in column.split()), "")
        if word:
            sql = "SELECT count(*) FROM passages_fts WHERE passages_fts MATCH ?"
            ((found,),) = connection.execute(sql, ('"' + word.replace('"', '""') + '"',))
            assert found, f"the token {word!r} is not found"
    finally:
        connection.execute("ROLLBACK")


def check_front_matter(data: bytes) -> None:
    """As `check_note`, of a note whose first part is front matter."""
    mark = b"+++" if data[:1] == b"+" else b"---"
    check_note(mark + b"\n" + data[data[:1] == b"+" :] + b"\n" + mark + b"\nthe body\n")
