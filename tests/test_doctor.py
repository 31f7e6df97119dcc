"""`kb doctor`: what it finds is there, what is there it finds, and the status says so."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import apsw
import pytest
from conftest import MakeVault, Result, RunKb

from kb.indexer.doctor import CHECKS
from kb.indexer.doctor_nearest import NearestNames
from kb.store.connection import open_writer
from kb.store.meta import Meta, write_meta

Errors = Callable[[Any], list[str]]
FAULTS = [check.name for check in CHECKS if check.is_fault]
REMARKS = [check.name for check in CHECKS if not check.is_fault]


@pytest.fixture
def doctor(make_vault: MakeVault, kb: RunKb) -> Callable[..., Result]:
    """Index notes and examine them: the plain lines, path, line, check and message each."""

    def run(notes: dict[str, str | bytes], *arguments: str) -> Result:
        vault = make_vault(notes)
        assert kb("index", vault).status == 0
        return kb("doctor", "--vault", vault, *arguments)

    return run


def findings(result: Result) -> list[tuple[str, str, str]]:
    """Path, line and check of each finding."""
    return [tuple(line.split("\t")[:3]) for line in result.lines]  # type: ignore[misc]


def test_a_sound_vault_has_nothing_to_mend(doctor: Callable[..., Result]) -> None:
    result = doctor({"a.md": "# A\n[[b]] #heron\n", "sub/b.md": "# B\n[up](../a.md) #heron\n"})
    assert (result.out, result.status) == ("", 0)


FOUND: list[tuple[str, dict[str, str | bytes], list[tuple[str, str]], str]] = [
    (
        "broken",
        {"a.md": "# A\n\n[x](gone.md)\n\n![[plan.png]]\n\n[[sub/away]]\n[web](https://a.b/c)\n"},
        [("a.md", "3"), ("a.md", "5"), ("a.md", "7")],
        "the link to `gone.md` leads nowhere",
    ),
    (
        "broken",
        {"a.md": "[[Postgers migration]]", "sub/Postgres migration.md": "# P\n[[a]]"},
        [("a.md", "1")],
        "link to `sub/Postgres migration.md`, if that is meant",
    ),
    (
        "broken",
        {"a.md": "[home](www.example.com/x)\n"},
        [("a.md", "1")],
        "write `https://` before it",
    ),
    (
        "ambiguous",
        {"a.md": "# A\n\n[[plan]]\n", "x/plan.md": "# X", "y/plan.md": "# Y"},
        [("a.md", "3")],
        "`[[plan]]` is taken for x/plan.md, and could mean y/plan.md",
    ),
    (
        "unread",
        {"a.md": "---\ntitle: [\n---\n# A\n", "b.md": b"# caf\xe9\n"},
        [("a.md", "1"), ("b.md", "1")],
        "the front matter could not be read",
    ),
    (
        "ids",
        {"a.md": "---\nid: N-7\n---\n", "b.md": "---\nID: n-7\n---\n", "c.md": "id:: N-7"},
        [("a.md", "1")],
        "its id `N-7` is that of b.md",
    ),
    (
        "unwritten",
        {"a.md": "# A\n\n[[a book to come]]\n[[2026-01-02]]\n", "2026-01-01.md": "[[a]]"},
        [("a.md", "3"), ("a.md", "4")],
        "`[[a book to come]]` names no note",
    ),
    (
        "alias",
        {"a.md": "[[the bird]]", "heron.md": "---\naliases: [The Bird]\n---\n# Heron\n"},
        [("a.md", "1")],
        "write `[[heron|the bird]]`",
    ),
    (
        "titles",
        {"a.md": "# Tide\n", "sub/b.md": "# tide\n", "sub/c.md": "# Tide\n", "d.md": "# T\n"},
        [("a.md", "1")],
        "its title `Tide` is that of sub/b.md, sub/c.md",
    ),
    (
        "tags",
        {"a.md": "#Bird", "b.md": "#bird", "c.md": "#bird", "d.md": "#birds #glass #glas"},
        [("a.md", "1"), ("d.md", "1")],
        "tag `#Bird` (1 note) beside `#bird` (2 notes)",
    ),
    (
        "tags",
        {"a.md": "#work/to-do", "b.md": "#Work/todo #city", "c.md": "#work/todo #cities"},
        [("a.md", "1"), ("b.md", "1"), ("b.md", "1")],
        "tag `#work/to-do` (1 note) beside `#Work/todo` (2 notes)",
    ),
    (
        "orphans",
        {"a.md": "[[a]] alone", "b.md": "[[c]]", "c.md": "# C", "d.md": "![[pic.png]]"},
        [("a.md", "1"), ("d.md", "1")],
        "no note links to it",
    ),
]


@pytest.mark.parametrize(("check", "notes", "places", "said"), FOUND)
def test_what_is_there_is_found(
    check: str,
    notes: dict[str, str | bytes],
    places: list[tuple[str, str]],
    said: str,
    doctor: Callable[..., Result],
) -> None:
    result = doctor(notes, "--check", check)
    assert [found[:2] for found in findings(result)] == places
    assert {found[2] for found in findings(result)} == {check}
    assert said in result.out
    assert result.status == 1  # asked for by its name, a remark counts


def test_a_folder_is_somewhere(doctor: Callable[..., Result]) -> None:
    notes: dict[str, str | bytes] = {"a.md": "[f](sub/) [g](/sub) [b](sub/b.md)", "sub/b.md": "x"}
    assert doctor(notes, "--check", "broken").status == 0


def test_a_remark_alone_is_no_fault(doctor: Callable[..., Result]) -> None:
    result = doctor({"a.md": "# Tide\n[[to come]]", "b.md": "# Tide\n#tide", "c.md": "#tides"})
    assert {check for _, _, check in findings(result)} == set(REMARKS) - {"alias"}
    assert result.status == 0


def test_what_the_owner_hides_is_not_examined(doctor: Callable[..., Result]) -> None:
    hidden = '{"userIgnoreFilters": ["old/"]}'
    result = doctor({".obsidian/app.json": hidden, "old/a.md": "[x](gone.md)", "b.md": "# B"})
    assert findings(result) == [("b.md", "1", "orphans")]


def test_drift_is_what_the_next_run_would_do(make_vault: MakeVault, kb: RunKb) -> None:
    vault = make_vault({"a.md": "# A", "b.md": "# B [[a]]", "c.md": "# C [[a]]"})
    assert kb("index", vault).status == 0
    (vault / "a.md").write_text("# A, changed")
    (vault / "b.md").unlink()
    (vault / "new.md").write_text("# New [[a]]")
    result = kb("doctor", "--vault", vault, "--check", "drift")
    assert [line.split("\t") for line in result.lines] == [
        ["a.md", "1", "drift", "changed since it was indexed; run `kb index`"],
        ["b.md", "1", "drift", "is indexed, and no longer there; run `kb index`"],
        ["new.md", "1", "drift", "is not indexed yet; run `kb index`"],
    ]
    assert kb("index", vault).status == 0
    assert kb("doctor", "--vault", vault, "--check", "drift").status == 0


def test_a_vault_that_is_away_is_said_once_and_its_links_are_examined(
    make_vault: MakeVault, kb: RunKb
) -> None:
    vault = make_vault({"a.md": "[x](gone.md)"})
    assert kb("index", vault).status == 0
    vault.rename(vault.with_name("away"))
    result = kb("doctor", "--vault", vault, "--check", "drift,unread,broken")
    assert [found[2] for found in findings(result)] == ["drift", "broken"]
    assert "there is no folder" in result.out
    vault.mkdir()  # where a drive would be mounted
    result = kb("doctor", "--vault", vault, "--check", "drift")
    assert [found[2] for found in findings(result)] == ["drift"]
    assert "is empty" in result.out


@pytest.mark.skipif(sys.platform == "win32", reason="no symbolic links for everyone")
def test_files_that_no_run_can_index(make_vault: MakeVault, kb: RunKb) -> None:
    vault = make_vault({"a.md": "# A", "folder.md/x.md": "# X"})
    (vault / "out.md").symlink_to("/etc/hostname")
    with (vault / "large.md").open("wb") as file:
        file.truncate(65 * 1024 * 1024)
    assert kb("index", vault).status == 0
    result = kb("doctor", "--vault", vault, "--check", "unread,drift")
    assert findings(result) == [
        (path, "1", "unread") for path in ("folder.md", "large.md", "out.md")
    ]
    assert "not indexed: larger than 64 MiB" in result.out


def test_embeddings_are_examined_where_there_are_to_be_some(
    make_vault: MakeVault, kb: RunKb, tmp_path: Path, schema_errors: Errors
) -> None:
    vault = make_vault({"a.md": "# A\n[[b]]", "b.md": "# B\n"})
    index = tmp_path / "i.sqlite"
    assert kb("index", vault, "--index", index).status == 0
    document = kb("doctor", "--index", index, "--json", "--check", "embeddings").json
    assert schema_errors(document) == []
    assert document["checks"][0]["made"] is False
    assert "kb index --embed" in document["checks"][0]["reason"]
    with closing(open_writer(index)) as connection:
        write_meta(connection, Meta.EMBED, "1")
        write_meta(connection, Meta.MODEL_SETTING, str(tmp_path / "no-model"))
        connection.execute(
            "INSERT INTO vectors(embed_key, vector) SELECT p.embed_key, x'01' FROM passages AS p"
            " JOIN notes AS n ON n.id = p.note_id WHERE n.path = 'a.md'"
        )
    result = kb("doctor", "--index", index, "--check", "embeddings")
    assert [found[0] for found in findings(result)] == ["", "b.md"]
    assert "1 of 1 passage has no embedding" in result.out


# What a query would not notice, each with words of what is said.
DAMAGE = {
    "DELETE FROM passages_fts WHERE rowid = 1": "not in the full-text index",
    "DELETE FROM edges": "not what the links say",
    "UPDATE edges SET count = 9": "not what the links say",
    "UPDATE links SET target_id = 99": "leads to a note that is none",
    "DELETE FROM note_entities WHERE note_id = 1": "counted on other notes",
    "UPDATE tags SET note_id = 77": "belongs to none",
    "INSERT INTO vectors(embed_key, vector) VALUES (x'00', x'0102')": "another dimension",
    "DROP INDEX links_key": "`links_key` is missing",
    "UPDATE passages_fts_data SET block = x'00' WHERE id > 10": "",
}


@pytest.mark.parametrize("sql", DAMAGE)
def test_a_damaged_index_is_found_and_nothing_is_built_on_it(
    sql: str, make_vault: MakeVault, kb: RunKb, tmp_path: Path, schema_errors: Errors
) -> None:
    vault = make_vault({"a.md": "# A\n[[b]] #heron", "b.md": "# B\n[x](gone.md)"})
    index = tmp_path / "i.sqlite"
    assert kb("index", vault, "--index", index).status == 0
    with closing(apsw.Connection(str(index))) as connection:
        connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 0)
        connection.execute("PRAGMA foreign_keys = OFF")
        connection.execute("INSERT OR REPLACE INTO meta VALUES ('model_dimension', '9')")
        connection.execute(sql)
    result = kb("doctor", "--index", index, "--json")
    assert result.status == 1
    assert schema_errors(result.json) == []
    first, *others = result.json["checks"]
    assert first["check"] == "index"
    assert first["findings"]
    assert DAMAGE[sql] in first["findings"][0]["message"]
    assert "--rebuild" in first["findings"][0]["hint"]
    assert not any(check["made"] for check in others)
    assert kb("index", vault, "--index", index, "--rebuild").status == 0
    assert kb("doctor", "--index", index, "--check", "index").status == 0


def test_an_index_that_cannot_be_opened_is_the_finding(
    tmp_path: Path, kb: RunKb, schema_errors: Errors
) -> None:
    index = tmp_path / "i.sqlite"
    index.write_text("no database at all" * 1000)
    result = kb("doctor", "--index", index, "--json")
    assert (result.status, schema_errors(result.json)) == (1, [])
    assert result.json["vault"] is None
    assert "is damaged" in result.json["checks"][0]["findings"][0]["message"]
    plain = kb("doctor", "--index", index)
    assert plain.status == 1
    assert plain.out.startswith("\t0\tindex\t")
    assert kb("doctor", "--index", index, "--check", "broken").status == 2
    assert kb("doctor", "--index", tmp_path / "none").status == 2


MANY = {f"{number}.md": f"[x](gone-{number}.md)" for number in range(12)}


def test_every_form_counts_all_and_shows_what_was_asked(
    make_vault: MakeVault, kb: RunKb, schema_errors: Errors
) -> None:
    vault = make_vault(MANY)
    assert kb("index", vault).status == 0
    run = ("doctor", "--vault", str(vault), "--check", "broken")
    assert len(kb(*run).lines) == 12
    assert len(kb(*run, "-n", "3").lines) == 3
    assert len(kb(*run, "-n", "3", "--all").lines) == 12
    document = kb(*run, "-n", "3", "--json").json
    assert schema_errors(document) == []
    assert (document["faults"], document["checks"][0]["count"]) == (12, 12)
    assert len(document["checks"][0]["findings"]) == 3
    shown = kb(*run, terminal=True).out
    assert "broken (12)" in shown
    assert "and 7 more" in shown
    assert "12 to mend" in shown
    assert "and 7 more" not in kb(*run, "--all", terminal=True).out
    quiet = kb(*run, "-q")
    assert (quiet.out, quiet.err, quiet.status) == ("", "", 1)


def test_an_unknown_check_is_named_with_those_that_there_are(kb: RunKb) -> None:
    result = kb("doctor", "--check", "brokn")
    assert result.status == 2
    assert "`brokn`" in result.err
    for check in CHECKS:
        assert check.name in result.err


def test_text_of_the_vault_says_nothing_to_a_terminal(make_vault: MakeVault, kb: RunKb) -> None:
    vault = make_vault(
        {"a\x1b[31m.md": "# \x1b]0;x\x07 T\n[[g\x1b[2Jone]]", "b.md": "# \x1b]0;x\x07 T"}
    )
    assert kb("index", vault).status == 0
    shown = kb("doctor", "--vault", vault, "--all", terminal=True)
    assert "\x1b[31m.md" not in shown.out
    assert "\x1b]" not in shown.out
    assert "\x1b[2J" not in shown.out
    assert all(line.count("\t") == 3 for line in kb("doctor", "--vault", vault).lines)


@pytest.mark.skipif(sys.platform != "linux", reason="names of any bytes")
def test_a_path_that_is_not_utf8_can_be_opened_from_the_plain_lines(
    make_vault: MakeVault, kb: RunKb
) -> None:
    vault = make_vault({"a.md": "# A"})
    Path(os.fsdecode(os.fsencode(vault) + b"/caf\xe9.md")).write_text("# C")
    assert kb("index", vault).status == 0
    assert b"\ncaf\xe9.md\t1\torphans\t" in kb("doctor", "--vault", vault).raw


@pytest.mark.parametrize(
    ("target", "path"),
    [
        ("heron", "birds/heron.md"),
        ("Heron", "birds/heron.md"),
        ("harbour master", "harbour-master.md"),
        ("harbour mster", "harbour-master.md"),
        ("harbuor master", "harbour-master.md"),
        ("old/notes", "old/notes.md"),
        ("/notes.md", "notes.md"),
        ("harbour", ""),
        ("2026-07-02", ""),
        ("gale", ""),
        ("gate s", "gate.md"),
        ("gate", "gate.md"),
        ("", ""),
    ],
)
def test_the_nearest_name(target: str, path: str) -> None:
    paths = ["birds/heron.md", "harbour-master.md", "old/notes.md", "notes.md", "2026-07-01.md"]
    assert NearestNames([*paths, "gate.md"]).of(target) == path


@pytest.mark.parametrize(
    ("one", "other", "near"),
    [
        ("postgres", "postgers", True),
        ("herons", "heron", True),
        ("heron", "haron", True),
        ("readme", "rename", False),
        ("chapter1", "chapter2", False),
        ("abcdef", "abxyef", False),
    ],
)
def test_one_slip_is_near(one: str, other: str, near: bool) -> None:
    assert bool(NearestNames([f"{one}.md"]).of(other)) is near
    assert bool(NearestNames([f"{other}.md"]).of(one)) is near


def test_each_check_is_on_its_page() -> None:
    page = (Path(__file__).parent.parent / "docs" / "doctor.md").read_text(encoding="utf-8")
    for check in CHECKS:
        kind = "fault" if check.is_fault else "remark"
        assert f"| `{check.name}` | {kind} |" in page
