"""A run of the indexer: what it counts, keeps, refuses, and leaves behind when it is stopped."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from index_support import Watch, assert_same, counts, dump, links, paths, rows, run, write

from kb.indexer import apply, prepare, versions
from kb.indexer import walk as walk_module
from kb.indexer.changes import Changes, pending_changes
from kb.indexer.prepare import Job, PreparedNote, Settings, prepare_note
from kb.indexer.sync import IndexOptions, index_vault
from kb.store import read
from kb.store.connection import open_reader, open_writer
from kb.store.errors import IndexDamagedError, IndexVersionError, VaultError
from kb.store.lock import writer_lock
from kb.store.meta import Meta, read_meta, write_meta

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX file system")
YEAR = 365 * 24 * 3600


def age(root: Path, seconds: int = YEAR) -> None:
    """Make every note old, so that its time of change can be trusted."""
    for file in root.rglob("*.md"):
        stat = file.stat()
        os.utime(file, ns=(stat.st_atime_ns, stat.st_mtime_ns - seconds * 1_000_000_000))


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    root = write(
        tmp_path / "vault",
        {
            "a.md": "---\ntags: [x/y]\naliases: [First]\n---\n# Alpha\n[[b]] [[First]] [[gone]]",
            "b.md": "# Beta\n[[a]] ![[pic.png]]",
            "sub/c.md": "[[b]] #x",
            "pic.png": "",
        },
    )
    age(root)
    return root


@pytest.fixture
def index(tmp_path: Path) -> Path:
    return tmp_path / "index.sqlite"


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the files that are read."""
    seen: list[str] = []

    def read_file(path: str, *most: int, within: str = "") -> read.FileContent:
        seen.append(Path(path).name)
        return read.read_file(path, *most, within=within)

    monkeypatch.setattr(prepare, "read_file", read_file)
    return seen


def test_a_first_run_and_one_without_changes(vault: Path, index: Path, reads: list[str]) -> None:
    assert counts(run(vault, index)) == (3, 0, 0, 0)
    assert paths(index) == ["a.md", "b.md", "sub/c.md"]
    reads.clear()
    before = dump(index)
    assert counts(run(vault, index)) == (0, 0, 0, 3)
    assert reads == []
    assert dump(index) == before


def test_links_are_resolved_and_counted_as_edges(vault: Path, index: Path) -> None:
    run(vault, index)
    assert links(index) == [
        ("a.md", "b", "resolved", "b.md"),
        ("a.md", "First", "alias", "a.md"),
        ("a.md", "gone", "unresolved", None),
        ("b.md", "a", "resolved", "a.md"),
        ("b.md", "pic.png", "attachment", None),
        ("sub/c.md", "b", "resolved", "b.md"),
    ]
    edges = [("a.md", "b.md", 1), ("b.md", "a.md", 1), ("sub/c.md", "b.md", 1)]
    assert dump(index)["edges"] == edges


def test_a_tag_stands_for_its_parents(vault: Path, index: Path) -> None:
    run(vault, index)
    assert dump(index)["tags"] == [
        ("a.md", "x", ""),
        ("a.md", "x/y", "x/y"),
        ("sub/c.md", "x", "x"),
    ]


def test_changes_are_counted(vault: Path, index: Path) -> None:
    run(vault, index)
    write(vault, {"a.md": "other", "new.md": "new"})
    (vault / "sub" / "c.md").unlink()
    assert counts(run(vault, index)) == (1, 1, 1, 1)
    assert paths(index) == ["a.md", "b.md", "new.md"]


def test_a_note_that_appears_repoints_links_elsewhere(vault: Path, index: Path) -> None:
    run(vault, index)
    write(vault, {"deep/gone.md": "", "sub/b.md": ""})
    run(vault, index)
    found = {(source, target): (status, to) for source, target, status, to in links(index)}
    assert found["a.md", "gone"] == ("resolved", "deep/gone.md")
    assert found["sub/c.md", "b"] == ("resolved", "b.md")  # the exact path goes first
    (vault / "b.md").unlink()
    run(vault, index)
    found = {(source, target): (status, to) for source, target, status, to in links(index)}
    assert found["a.md", "b"] == ("resolved", "sub/b.md")


def test_the_date_follows_the_file_where_the_note_has_none(vault: Path, index: Path) -> None:
    write(vault, {"own.md": "---\ndate: 2020-02-03\n---\n"})
    run(vault, index)
    moment = 1_600_000_000
    for name in ("own.md", "b.md"):
        os.utime(vault / name, (moment, moment))
    assert counts(run(vault, index)) == (0, 0, 0, 4)
    dates = dict(rows(index, "SELECT path, date FROM notes"))
    assert dates["own.md"] == "2020-02-03"
    assert dates["b.md"] == prepare.day_of(moment * 1_000_000_000)


def test_a_touched_note_is_read_once_and_unchanged(
    vault: Path, index: Path, reads: list[str]
) -> None:
    run(vault, index)
    age(vault, 1000)
    reads.clear()
    assert counts(run(vault, index)) == (0, 0, 0, 3)
    assert sorted(reads) == ["a.md", "b.md", "c.md"]
    reads.clear()
    run(vault, index)
    assert reads == []


def test_an_edit_of_the_same_size_within_one_tick_is_seen(vault: Path, index: Path) -> None:
    note = vault / "fresh.md"
    note.write_text("first")
    stat = note.stat()
    run(vault, index)
    note.write_text("other")
    os.utime(note, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    assert pending_changes(index) == Changes(0, 1, 0)
    assert counts(run(vault, index)) == (0, 1, 0, 3)
    assert rows(index, "SELECT text FROM passages WHERE text = 'other'") == [("other",)]


def test_a_note_that_changes_while_it_is_read_is_read_again(
    vault: Path, index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, note = os.read, vault / "b.md"
    times = iter(range(1, 100))

    def read_and_write(handle: int, size: int) -> bytes:
        data = real(handle, size)
        if data.startswith(b"# Beta"):
            note.write_text(f"# Beta {next(times)}\n" + "x" * 100)
        return data

    monkeypatch.setattr(read.os, "read", read_and_write)
    run(vault, index)
    monkeypatch.setattr(read.os, "read", real)
    assert counts(run(vault, index)) == (0, 1, 0, 2)
    assert rows(index, "SELECT title FROM notes WHERE path = 'b.md'") == [("Beta 3",)]


def test_a_note_that_goes_while_the_vault_is_read_is_not_there(
    vault: Path, index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(vault, index)
    write(vault, {"b.md": "changed", "brief.md": ""})

    def read_file(path: str, within: str = "") -> read.FileContent:
        if Path(path).name in ("b.md", "brief.md"):
            raise FileNotFoundError(2, "No such file or directory", path)
        return read.read_file(path, within=within)

    monkeypatch.setattr(prepare, "read_file", read_file)
    report = run(vault, index)
    assert counts(report) == (0, 0, 1, 2)
    assert report.skipped == ()
    assert paths(index) == ["a.md", "sub/c.md"]


def test_an_unreadable_note_is_skipped_with_a_word_and_what_was_known_is_kept(
    vault: Path, index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(vault, index)
    write(vault, {"b.md": "changed", "d.md": "new"})

    def read_file(path: str, within: str = "") -> read.FileContent:
        if Path(path).name in ("b.md", "d.md"):
            raise PermissionError(13, "Permission denied", path)
        return read.read_file(path, within=within)

    monkeypatch.setattr(prepare, "read_file", read_file)
    for rebuild in (False, True):
        report = run(vault, index, rebuild=rebuild)
        assert [(one.path, one.reason) for one in report.skipped] == [
            ("b.md", "Permission denied"),
            ("d.md", "Permission denied"),
        ]
        assert paths(index) == ["a.md", "b.md", "sub/c.md"]
        assert rows(index, "SELECT title FROM notes WHERE path = 'b.md'") == [("Beta",)]
    monkeypatch.setattr(prepare, "read_file", read.read_file)
    assert counts(run(vault, index)) == (1, 1, 0, 2)


def test_what_is_below_an_unreadable_folder_is_kept(
    vault: Path, index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(vault, {"sub/pic.gif": ""})
    run(vault, index)
    before = dump(index)
    real = os.scandir

    def scandir(path: str) -> Any:
        if Path(path).name == "sub":
            raise PermissionError(13, "Permission denied", path)
        return real(path)

    with monkeypatch.context() as patch:
        patch.setattr(walk_module.os, "scandir", scandir)
        for rebuild in (False, True):
            report = run(vault, index, rebuild=rebuild)
            assert report.unseen == ("sub",)
            assert counts(report) == (0, 0, 0, 3)
            assert paths(index) == ["a.md", "b.md", "sub/c.md"]
            assert dump(index)["attachments"] == before["attachments"]
        assert pending_changes(index).unseen == ("sub",)
    run(vault, index)
    assert dump(index) == before


def test_a_missing_vault_changes_nothing(vault: Path, index: Path, tmp_path: Path) -> None:
    run(vault, index)
    before = dump(index)
    vault.rename(tmp_path / "elsewhere")
    with pytest.raises(VaultError, match="there is no folder"):
        run(vault, index)
    with pytest.raises(VaultError):
        run(vault, index, rebuild=True)
    with pytest.raises(VaultError):
        pending_changes(index)
    assert dump(index) == before


def test_a_vault_that_never_was_leaves_no_trace(tmp_path: Path, index: Path) -> None:
    with pytest.raises(VaultError):
        run(tmp_path / "typo", index)
    assert list(tmp_path.iterdir()) == []


def test_a_vault_that_has_become_empty_is_refused_unless_meant(vault: Path, index: Path) -> None:
    run(vault, index)
    before = dump(index)
    for file in sorted(vault.rglob("*"), reverse=True):
        file.rmdir() if file.is_dir() else file.unlink()
    with pytest.raises(VaultError, match="is empty, and 3 notes") as caught:
        run(vault, index)
    assert "--rebuild" in caught.value.hint
    assert dump(index) == before
    assert counts(run(vault, index, rebuild=True)) == (0, 0, 3, 0)
    assert counts(run(vault, index)) == (0, 0, 0, 0)


def test_an_empty_vault_may_be_indexed(tmp_path: Path, index: Path) -> None:
    assert counts(run(write(tmp_path / "empty", {"x.txt": ""}), index)) == (0, 0, 0, 0)


def test_another_vault_does_not_take_the_place_of_the_one_indexed(
    vault: Path, index: Path, tmp_path: Path
) -> None:
    run(vault, index)
    other = write(tmp_path / "other", {"o.md": ""})
    with pytest.raises(VaultError, match="holds the vault"):
        run(other, index)
    assert counts(run(other, index, rebuild=True)) == (1, 0, 3, 0)
    assert paths(index) == ["o.md"]


@posix_only
def test_the_same_vault_by_another_name_is_the_same(
    vault: Path, index: Path, tmp_path: Path
) -> None:
    run(vault, index)
    (tmp_path / "link").symlink_to(vault)
    assert counts(run(tmp_path / "link", index)) == (0, 0, 0, 3)


def test_an_error_half_way_leaves_the_index_as_it_was(
    vault: Path, index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(vault, index)
    before = dump(index)
    write(vault, {"a.md": "changed", "n.md": ""})
    (vault / "b.md").unlink()
    for error in (KeyboardInterrupt, RuntimeError):

        def stop(*_: object, error: type[BaseException] = error, **__: object) -> None:
            raise error

        with monkeypatch.context() as patch:
            patch.setattr(apply, "write_statistics", stop)
            with pytest.raises(error):
                run(vault, index)
        assert dump(index) == before
    assert counts(run(vault, index)) == (1, 1, 1, 1)


def test_a_killed_run_leaves_the_index_as_it_was(vault: Path, index: Path) -> None:
    run(vault, index)
    before = dump(index)
    write(vault, {"a.md": "changed", "n.md": ""})
    code = f"""
import os
from pathlib import Path
from kb.indexer import apply
from kb.indexer.sync import IndexOptions, index_vault
import index_support
apply.relink = lambda *_, **__: os._exit(9)
index_support.run(Path({str(vault)!r}), Path({str(index)!r}))
"""
    died = subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parent, check=False)
    assert died.returncode == 9
    assert dump(index) == before
    assert counts(run(vault, index)) == (1, 1, 0, 2)


def test_a_note_that_breaks_the_parser_is_skipped_and_the_run_goes_on(
    vault: Path, index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(vault, index)
    write(vault, {"b.md": "changed"})
    real = prepare.parse_note

    def parse_note(path: str, *data: Any, **settings: Any) -> Any:
        if path == "b.md":
            raise RecursionError("too deep")
        return real(path, *data, **settings)

    monkeypatch.setattr(prepare, "parse_note", parse_note)
    report = run(vault, index)
    assert counts(report) == (0, 0, 1, 2)
    assert report.skipped[0].path == "b.md" and "too deep" in report.skipped[0].reason
    monkeypatch.undo()
    assert counts(run(vault, index)) == (1, 0, 0, 2)


def test_a_note_too_large_is_skipped(vault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(read.NotRegularError, match="larger than 0 KiB"):
        read.read_file(str(vault / "a.md"), 10)
    monkeypatch.setattr(
        prepare, "read_file", lambda path, **named: read.read_file(path, 10, **named)
    )
    outcome = prepare_note(Job("a.md", 99), Settings(str(vault)))
    assert outcome == prepare.FailedNote("a.md", "larger than 0 KiB")


@posix_only
def test_nothing_but_a_regular_file_is_opened_even_if_it_was_swapped(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.md")
    (tmp_path / "link.md").symlink_to("/etc/hostname")
    settings = Settings(str(tmp_path))
    for name in ("pipe.md", "link.md"):
        outcome = prepare_note(Job(name, 1), settings)
        assert isinstance(outcome, prepare.FailedNote)


@pytest.mark.parametrize("name", ["PARSER_VERSION", "ANALYSER_VERSION"])
def test_another_parser_or_analyser_reaches_notes_that_did_not_change(
    vault: Path, index: Path, monkeypatch: pytest.MonkeyPatch, reads: list[str], name: str
) -> None:
    run(vault, index)
    before = dump(index)
    monkeypatch.setattr(versions, name, 10_000)
    reads.clear()
    report = run(vault, index)
    assert len(reads) == 3
    assert counts(report) == (0, 0, 0, 3)
    assert len(report.notices) == 1
    assert dump(index) == before
    reads.clear()
    assert run(vault, index).notices == ()
    assert reads == []


def test_settings_that_decide_how_notes_are_read_reach_every_note(
    vault: Path, index: Path, reads: list[str]
) -> None:
    run(vault, index)
    reads.clear()
    assert run(vault, index, default_language="de").notices
    write(vault, {"dendron.yml": ""})
    assert run(vault, index, default_language="de").notices
    assert len(reads) == 6
    assert run(vault, index, default_language="de").notices == ()


def test_what_could_not_be_read_in_such_a_run_is_read_as_soon_as_it_can(
    vault: Path, index: Path, monkeypatch: pytest.MonkeyPatch, reads: list[str]
) -> None:
    run(vault, index)
    real = os.scandir

    def scandir(path: str) -> Any:
        if Path(path).name == "sub":
            raise PermissionError(13, "Permission denied", path)
        return real(path)

    monkeypatch.setattr(versions, "PARSER_VERSION", 10_000)
    with monkeypatch.context() as patch:
        patch.setattr(walk_module.os, "scandir", scandir)
        run(vault, index)
    reads.clear()
    run(vault, index)
    assert reads == ["c.md"]


def test_ignoring_is_remembered_from_run_to_run(vault: Path, index: Path) -> None:
    write(vault, {".ignore": "sub/\n"})
    run(vault, index)
    assert paths(index) == ["a.md", "b.md"]
    run(vault, index, no_ignore=True)
    assert paths(index) == ["a.md", "b.md", "sub/c.md"]
    assert counts(run(vault, index)) == (0, 0, 0, 3)
    assert pending_changes(index) == Changes(0, 0, 0)
    run(vault, index, no_ignore=False)
    assert paths(index) == ["a.md", "b.md"]


def test_exclusions_of_the_settings_are_known_to_status(vault: Path, index: Path) -> None:
    run(vault, index, exclude=("sub/",))
    assert paths(index) == ["a.md", "b.md"]
    assert pending_changes(index) == Changes(0, 0, 0)


def test_notes_that_the_vault_hides_are_marked_and_stay_link_targets(
    vault: Path, index: Path
) -> None:
    run(vault, index)
    write(vault, {".obsidian/app.json": '{"userIgnoreFilters": ["b.md"]}'})
    assert counts(run(vault, index)) == (0, 0, 0, 3)
    marked = "SELECT path FROM notes WHERE ignored = 1"
    assert rows(index, marked) == [("b.md",)]
    assert ("a.md", "b", "resolved", "b.md") in links(index)
    write(vault, {"b.md": "edited"})
    run(vault, index)
    assert rows(index, marked) == [("b.md",)]
    write(vault, {".obsidian/app.json": "{}"})
    run(vault, index)
    assert rows(index, marked) == []


def test_rebuild_parses_everything_and_keeps_vectors(
    vault: Path, index: Path, reads: list[str]
) -> None:
    run(vault, index)
    ((key,),) = rows(index, "SELECT embed_key FROM passages ORDER BY id LIMIT 1")
    with closing(open_writer(index)) as connection:
        connection.execute("INSERT INTO vectors(embed_key, vector) VALUES (?, x'01')", (key,))
    before = dump(index)
    reads.clear()
    assert counts(run(vault, index, rebuild=True)) == (0, 0, 0, 3)
    assert len(reads) == 3
    assert rows(index, "SELECT embed_key, vector FROM vectors") == [(key, b"\x01")]
    assert dump(index) == before


def with_vectors(index: Path) -> None:
    with closing(open_writer(index)) as connection:
        connection.execute(
            "INSERT INTO vectors(embed_key, vector) SELECT DISTINCT embed_key, x'07' FROM passages"
        )
        write_meta(connection, Meta.MODEL_FINGERPRINT, "f")


@pytest.mark.parametrize(
    "damage",
    [
        lambda file: file.write_bytes(b"not a database, but long enough to look at" * 100),
        lambda file: file.write_bytes(file.read_bytes()[:5000]),
        lambda file: sqlite3_execute(file, "DELETE FROM meta WHERE key = 'schema_version'"),
        lambda file: sqlite3_execute(file, "DROP TABLE links"),
    ],
)
def test_a_damaged_index_is_named_and_made_anew_on_demand(
    vault: Path, index: Path, tmp_path: Path, damage: Callable[[Path], object]
) -> None:
    run(vault, index)
    damage(index)
    size = index.stat().st_size
    write(vault, {"b.md": "changed"})
    with pytest.raises(IndexDamagedError):
        run(vault, index)
    report = run(vault, index, rebuild=True)
    assert counts(report)[0] == 3
    assert len(report.notices) == 1
    assert (tmp_path / "index.sqlite.damaged").stat().st_size == size
    run(vault, tmp_path / "new.sqlite")
    assert_same(index, tmp_path / "new.sqlite")


def sqlite3_execute(file: Path, sql: str) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
        connection.execute(sql)
        connection.commit()


def test_vectors_that_can_still_be_read_survive_a_damaged_index(vault: Path, index: Path) -> None:
    run(vault, index)
    with_vectors(index)
    sqlite3_execute(index, "DELETE FROM meta WHERE key = 'schema_version'")
    run(vault, index, rebuild=True)
    assert rows(index, "SELECT DISTINCT vector FROM vectors") == [(b"\x07",)]
    assert rows(index, "SELECT count(*) FROM vectors") == [(3,)]


def test_a_newer_index_is_refused_and_left_alone(vault: Path, index: Path) -> None:
    run(vault, index)
    sqlite3_execute(index, "UPDATE meta SET value = '999' WHERE key = 'schema_version'")
    for rebuild in (False, True):
        with pytest.raises(IndexVersionError, match="newer"):
            run(vault, index, rebuild=rebuild)


def test_an_older_index_is_made_anew(vault: Path, index: Path) -> None:
    run(vault, index)
    sqlite3_execute(index, "UPDATE meta SET value = '0' WHERE key = 'schema_version'")
    assert counts(run(vault, index)) == (3, 0, 0, 0)


def test_the_vault_is_never_written_to(vault: Path, index: Path) -> None:
    def state() -> dict[str, tuple[bytes, int]]:
        return {
            str(file): (file.read_bytes(), file.stat().st_mtime_ns)
            for file in vault.rglob("*")
            if file.is_file()
        }

    before = state()
    run(vault, index)
    run(vault, index, rebuild=True)
    pending_changes(index)
    assert state() == before


def test_progress_is_told_from_begin_to_end(vault: Path, index: Path) -> None:
    watch = Watch()
    index_vault(vault, index, IndexOptions(), watch)
    assert watch.stages == [("read", 3)]
    assert watch.steps == {"read": 3}
    assert watch.ended == 1


def test_a_second_writer_waits_and_is_told(vault: Path, index: Path) -> None:
    with writer_lock(index):
        code = f"""
import sys
from pathlib import Path
from kb.indexer import sync
from kb.store.errors import IndexBusyError
import index_support
real = sync.writer_lock
sync.writer_lock = lambda index, waiting: real(index, wait=0.1, waiting=waiting)
watch = index_support.Watch()
try:
    sync.index_vault(Path({str(vault)!r}), Path({str(index)!r}), sync.IndexOptions(), watch)
except IndexBusyError:
    print(len(watch.notices))
"""
        done = subprocess.run(
            [sys.executable, "-c", code],
            cwd=Path(__file__).parent,
            capture_output=True,
            text=True,
            check=True,
        )
    assert done.stdout.strip() == "1"


def test_a_reader_sees_one_state_while_a_run_writes(
    vault: Path, index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(vault, index)
    write(vault, {"n.md": ""})
    real, seen = apply.relink, []

    def relink(*values: Any, **named: Any) -> None:
        seen.append(paths(index))
        real(*values, **named)

    monkeypatch.setattr(apply, "relink", relink)
    run(vault, index)
    assert seen == [["a.md", "b.md", "sub/c.md"]]
    assert "n.md" in paths(index)


def test_a_run_without_changes_loads_nothing_heavy(vault: Path, index: Path) -> None:
    run(vault, index)
    code = f"""
import sys
from pathlib import Path
import index_support
report = index_support.run(Path({str(vault)!r}), Path({str(index)!r}))
assert report.unchanged == 3
heavy = {{"yaml", "frontmatter", "markdown_it", "pathspec", "numpy", "networkx", "rich",
          "fastembed", "onnxruntime", "Stemmer", "multiprocessing"}}
print(sorted(heavy & set(sys.modules)))
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=Path(__file__).parent,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "[]"


def test_meta_says_what_a_query_needs(vault: Path, index: Path) -> None:
    run(vault, index)
    with closing(open_reader(index)) as connection:
        meta = read_meta(connection)
    assert meta[Meta.VAULT] == os.path.realpath(vault)
    assert meta[Meta.AVERAGES] == '{"notes": 3, "passages": 3}'
    assert meta[Meta.INDEXED_AT].endswith("+00:00")
    assert meta[Meta.EDGES_MARK]


@pytest.mark.parametrize(
    ("value", "number"),
    [
        ("12", 12.0),
        ("-1.5", -1.5),
        ("1e3", 1000.0),
        (".5", 0.5),
        ("1_000", None),
        ("nan", None),
        ("1e999", None),
        ("٣", None),
        ("12 kg", None),
        ("", None),
    ],
)
def test_numbers_of_properties(tmp_path: Path, value: str, number: float | None) -> None:
    root = write(tmp_path, {"a.md": f'---\nkey: "{value}"\n---\n'})
    note = prepare_note(Job("a.md", 1), Settings(str(root)))
    assert isinstance(note, PreparedNote)
    assert [prop[4] for prop in note.properties] == [number]


def test_the_name_of_the_file_is_searched_beside_the_title(tmp_path: Path) -> None:
    root = write(tmp_path, {"quarterly-budget.md": "# Money\ntext", "money.md": "# Money\ntext"})
    named, same = (
        prepare_note(Job(name, 1), Settings(str(root)))
        for name in ("quarterly-budget.md", "money.md")
    )
    assert isinstance(named, PreparedNote) and isinstance(same, PreparedNote)
    assert same.tokens[0][0].split() == ["money"] or same.tokens[0][0].split()[0] == "money"
    assert len(named.tokens[0][0].split()) == 3


def test_a_rebuild_leaves_nothing_of_notes_that_have_gone(vault: Path, index: Path) -> None:
    run(vault, index)
    for name in ("a.md", "b.md", "sub/c.md"):
        (vault / name).unlink()
    assert counts(run(vault, index, rebuild=True)) == (0, 0, 3, 0)
    said = dump(index)
    tables = ("notes", "passages", "words", "tags", "aliases", "entities", "links", "edges")
    assert [said[table] for table in tables] == [[]] * len(tables)
    assert said["averages"] == {"notes": 0, "passages": 0}


@posix_only
def test_a_vault_whose_own_path_is_not_utf8(tmp_path: Path, index: Path) -> None:
    root = Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9"))
    try:
        write(root, {"a.md": "", ".ignore": "!\n"})
    except OSError:
        pytest.skip("this file system takes UTF-8 names only")
    report = run(root, index)
    assert counts(report) == (1, 0, 0, 0)
    "".join((report.vault, *report.notices)).encode("utf-8")
    assert counts(run(root, index)) == (0, 0, 0, 1)
    assert pending_changes(index) == Changes(0, 0, 0)
