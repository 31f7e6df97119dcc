"""Notes that nobody wrote by hand: each is read as far as it can be, in bounded work.

Sizes are such that work which grew with their square would take longer than anyone waits for.
"""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from conftest import MakeVault, RunKb
from hostile_kinds import KINDS

from kb.indexer.prepare import Job, PreparedNote, Settings, prepare_note
from kb.text.decode import decode

MANY = 100_000


def prepare(folder: Path, data: bytes) -> PreparedNote:
    (folder / "note.md").write_bytes(data)
    note = prepare_note(Job("note.md", len(data)), Settings(str(folder)))
    assert isinstance(note, PreparedNote), note
    return note


@pytest.mark.parametrize("kind", KINDS)
def test_a_note_of_one_thing_without_end(kind: str, tmp_path: Path) -> None:
    data = KINDS[kind](MANY)
    note = prepare(tmp_path, data)
    assert 1 <= len(note.passages) <= 5_000
    assert len(note.links) <= 20_000
    assert len(note.properties) <= 3_000
    assert len(note.tags) <= 2_000 * 100
    assert len(note.aliases) <= 2_000
    assert len(note.title) <= 500
    assert sum(len(text) for _, _, _, text, _ in note.passages) <= len(data)
    tokens = sum(len(column) for row in note.tokens for column in row)
    assert tokens < 40 * len(data) + 1_000


BOMBS = {
    "lists in lists": "a: &a [x, x, x, x, x, x, x, x, x]\n"
    + "".join(f"{b}: &{b} [{', '.join([f'*{a}'] * 9)}]\n" for a, b in pairwise("abcdefghi")),
    "maps in maps": "a: &a {x: 1}\n"
    + "".join(
        f"{b}: &{b} {{{', '.join(f'k{number}: *{a}' for number in range(9))}}}\n"
        for a, b in pairwise("abcdefghi")
    ),
    "merged maps": "a: &a {x: 1}\n"
    + "".join(
        f"{b}: &{b} {{<<: [{', '.join([f'*{a}'] * 9)}], y{b}: 1}}\n"
        for a, b in pairwise("abcdefghi")
    ),
    "a list in itself": "a: &a [*a]\nb: &b {c: *b}\n",
    "a map merged with itself": "a: &a\n  <<: *a\n",
}


@pytest.mark.parametrize("kind", BOMBS)
def test_a_few_lines_do_not_become_gigabytes(kind: str, tmp_path: Path) -> None:
    note = prepare(tmp_path, f"---\n{BOMBS[kind]}---\nbody\n".encode())
    assert len(note.properties) <= 2_000
    assert [text for _, _, _, text, _ in note.passages] == ["body"]


@pytest.mark.parametrize(
    "line",
    [
        'a: !!python/object/apply:os.system ["touch {mark}"]',
        'a: !!python/object/new:subprocess.check_output [["touch", "{mark}"]]',
        "a: !!python/name:os.system",
        'a: !!python/object/apply:builtins.open ["{mark}", "w"]',
    ],
)
def test_nothing_in_front_matter_is_run(line: str, tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    note = prepare(tmp_path, f"---\n{line.format(mark=mark)}\n---\nbody\n".encode())
    assert not mark.exists()
    assert [text for _, _, _, text, _ in note.passages] == ["body"]


ODD = {
    "dates that are none": "date: 2021-02-30\ncreated: 0000-00-00\nmodified: 9999-99-99",
    "a time that is none": "d: 2021-13-01T25:61:61Z\ne: 2021-01-01T00:00:00+99:99",
    "keys that are no text": "1: a\n1.5: b\ntrue: c\nnull: d\n[a, b]: e\n{x: y}: f\n~: g",
    "a key that is a list of nothing": "? \n- ?",
    "keys twice": "a: 1\na: 2\nA: 3",
    "tags of every kind": "tags: [2021-01-01, 1.5, true, null, [a, [b]], {c: d}, 99]\naliases: 5",
    "numbers that are none": "a: .inf\nb: .nan\nc: 1e999",
    "wrong tags of YAML": "a: !!binary x\nb: !!int x\nc: !!timestamp x\nd: !!set {a, b}",
    "half a character": 'title: "\\ud800 x"\n"\\udfff": ["\\udc00"]',
    "a list": "- a\n- b",
    "a number": "42",
    "a text": "hello",
    "nothing": "null",
}


@pytest.mark.parametrize("kind", ODD)
def test_odd_front_matter_never_costs_the_note(kind: str, make_vault: MakeVault, kb: RunKb) -> None:
    vault = make_vault({"odd.md": f"---\n{ODD[kind]}\n---\n\nThe heron.\n", "good.md": "a heron"})
    assert kb("index", vault).status == 0
    found = kb("query", "heron", "--json", "--vault", vault).json["results"]
    assert sorted(hit["path"] for hit in found) == ["good.md", "odd.md"]
    assert kb("query", "heron", "--explain", "--vault", vault).status == 0
    assert kb("status", "--json", "--vault", vault).json["notes"] == 2


ENCODED = {
    "UTF-16 without its mark": "# Heron\n\nnote".encode("utf-16-le"),
    "UTF-16, high byte first": "# Heron\n\nnote".encode("utf-16-be"),
    "two marks": b"\xef\xbb\xbf\xef\xbb\xbf# Heron\n\nnote",
    "carriage returns": b"# Heron\r\rnote",
    "every line end": b"# Heron\r\n\rnote\n",
}


@pytest.mark.parametrize("kind", ENCODED)
def test_whatever_an_editor_saves_is_read(kind: str) -> None:
    text, problems = decode(ENCODED[kind])
    assert text.strip() == "# Heron\n\nnote"
    assert problems == ()


def test_bytes_that_are_mostly_nul_are_no_utf16() -> None:
    for data in (b"\0" * 100, b"a\0", b"abc\0\0\0\0\0\0", b"\0"):
        text, _ = decode(data)
        assert len(text) == len(data)


def test_a_file_of_many_megabytes_is_left_out_with_a_word(make_vault: MakeVault, kb: RunKb) -> None:
    vault = make_vault({"good.md": "a heron"})
    with (vault / "large.md").open("wb") as file:
        file.truncate(200 * 1024 * 1024)
    result = kb("index", vault)
    assert result.status == 0
    assert "skipped large.md: larger than 64 MiB" in result.err
    assert kb("query", "heron", "-c", "--vault", vault).out == "1\n"


def test_one_note_does_not_cost_another(make_vault: MakeVault, kb: RunKb) -> None:
    kinds = [kind for kind in KINDS if "above many" in kind or "nested" in kind]
    vault = make_vault({f"{number}.md": KINDS[kind](MANY) for number, kind in enumerate(kinds)})
    (vault / "plain.md").write_text("# A heron\n\nAs plain as can be.\n")
    result = kb("index", vault, "--json")
    assert result.status == 0
    assert result.json["skipped"] == []
    assert result.json["added"] == len(kinds) + 1
    assert kb("query", "heron plain", "-l", "--vault", vault).lines[0] == "plain.md"
