"""A whole note: entities, purity, and nothing that any bytes can break."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.indexer.parse import PARSER_VERSION, parse_note
from kb.store.note_records import Entity, ParsedNote


def entities(text: str, path: str = "note.md") -> set[tuple[str, str]]:
    return {(e.kind, e.label) for e in parse_note(path, text.encode()).entities}


ENTITIES = [
    ("tags: [work/deep/er]", {("tag", "work/deep/er"), ("tag", "work/deep"), ("tag", "work")},
     "a nested tag brings its parents"),
    ("aliases: [PG, Postgres]", {("alias", "PG"), ("alias", "Postgres")}, "aliases"),
    ("type: Decision", {("type", "Decision")}, "the type"),
    ("title: A title", {("title", "A title"), ("name", "note")}, "title and file name"),
    ("people: ['[[people/Ann Lee|Ann]]']", {("link", "Ann Lee"), ("people", "Ann")},
     "a link's target and what it shows"),
    ("Status: done\ncreated: 2026-04-14", {("status", "done"), ("created", "2026-04-14")},
     "any property, by its folded name"),
    ("keyword: foo bar", {("keyword", "foo bar")}, "a value of two words"),
    ("id: ADR-016", {("id", "ADR-016")}, "an identifier"),
    ("a: {b: c}", {("a.b", "c")}, "a nested value"),
]  # fmt: skip


@pytest.mark.parametrize(("block", "expected"), [pytest.param(*c[:2], id=c[2]) for c in ENTITIES])
def test_entities(block: str, expected: set[tuple[str, str]]) -> None:
    assert expected <= entities(f"---\n{block}\n---\n")


LEFT_OUT = [
    ("draft: true", "draft", "a switch"),
    ("note: nine words are one more than a name has here", "note", "a sentence"),
    ("note: " + "x" * 81, "note", "a long value"),
    ("note: null", "note", "nothing"),
    ("cssclasses: wide", "cssclasses", "what is about looks"),
    ("tags: a", "tags", "what has a kind of its own"),
    ("note: '{{note}}'", "note", "a template that was not filled"),
    ("note: '---'", "note", "what has no word in it"),
]


@pytest.mark.parametrize(("block", "kind"), [pytest.param(*c[:2], id=c[2]) for c in LEFT_OUT])
def test_no_entities(block: str, kind: str) -> None:
    assert kind not in {found for found, _ in entities(f"---\n{block}\n---\n")}


def test_inline_fields_and_tags_are_entities() -> None:
    found = entities("text #Big/Idea\n\nOwner:: [[Ann]]\n", "log/2026-06-04.md")
    assert {("tag", "Big/Idea"), ("tag", "Big"), ("owner", "Ann"), ("link", "Ann")} <= found
    assert ("name", "2026-06-04") in found


def test_an_entity_stands_once_and_their_number_is_bounded() -> None:
    note = parse_note(
        "n.md", ("---\ntags: [" + ", ".join(f"t{n}" for n in range(900)) + "]\n---\n").encode()
    )
    assert len(note.entities) == 500
    assert len(note.tags) == 900
    note = parse_note("n.md", b"---\na: [X, x, X]\n---\n")
    assert [e for e in note.entities if e.kind == "a"] == [Entity("a", "x", "X")]


def test_a_record_survives_the_way_between_processes() -> None:
    note = parse_note("n.md", b"---\na: [[b]]\n---\n# H\n[[c]] #d\n")
    assert pickle.loads(pickle.dumps(note)) == note
    assert PARSER_VERSION >= 1


def check(note: ParsedNote, data: bytes) -> None:
    """What holds for the parse of any bytes."""
    lines = data.count(b"\n") + data.count(b"\r") + 1
    assert note.title
    assert note.passages
    for passage in note.passages:
        assert 1 <= passage.line <= passage.end_line <= lines
        assert passage.end_line - passage.line == passage.text.count("\n")
    assert all(1 <= link.line <= lines for link in note.links)
    assert all(link.target or link.fragment for link in note.links)
    assert all(tag and "#" not in tag for tag in note.tags)
    assert all(entity.key for entity in note.entities)
    assert len({(e.kind, e.key) for e in note.entities}) == len(note.entities)
    pickle.dumps(note)
    repr(note).encode()  # nothing that cannot be stored as UTF-8


@given(st.binary(max_size=600))
def test_any_bytes(data: bytes) -> None:
    check(parse_note("a.md", data), data)


MARKS = """--- ---⏎ +++⏎ ...⏎ { } [ ] [[ ]] ( ) ]( < > ` ```⏎ %% <!-- --> # :: : | \\ ! ^ ~~~⏎ ===⏎
a é 漢 🐘 &a *a !!x ' " ? tags title date 2021-02-30 1e5 {{x}} << @ % = , null http://x.y/#z == _"""
SPACES = ["\n", "\r", "\r\n", "\t", "    ", " ", "- ", "> ", "* ", "1. ", "# ", ": ", "b c"]
ODD = ["\u0301", "\u200d", "\0", "\ufeff", "\u2028", "\x85"]
PARTS = st.sampled_from([*MARKS.replace("⏎", "\n").split(" "), *SPACES, *ODD])


@given(st.lists(PARTS, max_size=60).map("".join), st.booleans())
def test_any_mixture_of_marks(text: str, dendron: bool) -> None:
    data = text.encode()
    check(parse_note("a.md", data, dendron=dendron), data)


@given(st.lists(PARTS, max_size=40).map("".join))
def test_any_front_matter(block: str) -> None:
    data = f"---\n{block}\n---\nbody\n".encode()
    note = parse_note("a.md", data)
    check(note, data)
    assert note.passages[-1].text.endswith("body")


@given(st.lists(PARTS, max_size=40).map("".join))
def test_any_toml_or_json(block: str) -> None:
    for text in (f"+++\n{block}\n+++\nbody\n", f'{{"a": {block}}}\nbody\n'):
        check(parse_note("a.md", text.encode()), text.encode())
