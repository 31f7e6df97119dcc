"""A vault that is watched: whatever happens to its files, the index follows, and keeps what it may.

Each test is a script: a change is made, and the next one as soon as a run is told after which the
index is as it should be. Nothing waits for a time; a script that comes to no end is interrupted.
"""

from __future__ import annotations

import _thread
import os
import shutil
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from embedding_material import write_model
from index_support import Watch, assert_same, dump, paths, rows, run, write

from kb.indexer import hearing
from kb.indexer.options import IndexOptions
from kb.indexer.watch import watch_vault
from kb.store.errors import IndexMissingError, KbError, VaultError
from kb.store.index_records import IndexReport
from kb.store.lock import writer_lock

GUARD = 60
NOTES = {"a.md": "# A heron [[c]]\n", "sub/b.md": "# B heron\n", "sub/deep/c.md": "# C [[a]]\n"}
Step = tuple[Callable[[], object], Callable[[], bool]]


class EndedError(Exception):
    """The script is over."""


class Script(Watch):
    """An audience that does the next thing once the goal of the last one is reached."""

    def __init__(self, *steps: Step) -> None:
        super().__init__()
        self.told: list[Any] = []
        self.wanted = IndexOptions()
        self._steps = list(steps)
        self._goal: Callable[[], bool] = lambda: True

    def options(self, *, first: bool) -> IndexOptions:
        return self.wanted if first else self.wanted._replace(embed=None)

    def ran(self, report: IndexReport) -> None:
        self._tell(report)

    def failed(self, error: Exception) -> None:
        self._tell(error)

    def away(self, vault: Path) -> None:
        self._tell(f"away: {vault.name}")

    def back(self, vault: Path) -> None:
        self._tell(f"back: {vault.name}")

    def _tell(self, what: Any) -> None:
        self.told.append(what)
        while self._goal():
            if not self._steps:
                raise EndedError
            act, self._goal = self._steps.pop(0)
            act()


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    (tmp_path / "vault").mkdir()
    return write((tmp_path / "vault").resolve(), NOTES)


@pytest.fixture
def index(tmp_path: Path) -> Path:
    return tmp_path / "index.sqlite"


@pytest.fixture(params=["told", "looking"])
def poll(request: pytest.FixtureRequest) -> float:
    if request.param == "looking":
        return 0.05
    pytest.importorskip("watchfiles", reason="watchfiles has no wheel here")
    return 0.0


def watch(vault: Path, index: Path, script: Script, poll: float = 0.0) -> list[Any]:
    """What the script was told, up to its end."""
    with guarded(script), pytest.raises(EndedError):
        watch_vault(vault, index, script, script, poll=poll, deciding=(".kb.toml",))
    return script.told


@contextmanager
def guarded(script: Script) -> Iterator[None]:
    """Fail where the script comes to no end."""
    hung = threading.Event()

    def interrupt() -> None:
        hung.set()
        _thread.interrupt_main()

    timer = threading.Timer(GUARD, interrupt)
    timer.start()
    try:
        yield
    except KeyboardInterrupt:
        if not hung.is_set():
            raise
        pytest.fail(f"the script came to no end: {script.told}")
    finally:
        timer.cancel()


def holds(index: Path, *expected: str) -> Callable[[], bool]:
    return lambda: paths(index) == sorted(expected)


def says(index: Path, path: str, word: str) -> Callable[[], bool]:
    sql = "SELECT p.text FROM passages AS p JOIN notes AS n ON n.id = p.note_id WHERE n.path = ?"
    return lambda: any(word in text for (text,) in rows(index, sql, path))


def save(file: Path, text: str) -> Callable[[], object]:
    return lambda: file.write_text(text, encoding="utf-8")


def save_as_editors_do(file: Path, text: str) -> Callable[[], object]:
    def act() -> None:
        beside = file.with_name(f".{file.name}.tmp")
        beside.write_text(text, encoding="utf-8")
        beside.replace(file)

    return act


def test_the_index_follows_and_is_as_a_new_one(
    vault: Path, index: Path, poll: float, tmp_path: Path
) -> None:
    script = Script(
        (save(vault / "a.md", "# A kingfisher\n"), says(index, "a.md", "kingfisher")),
        (save_as_editors_do(vault / "a.md", "# A grebe\n"), says(index, "a.md", "grebe")),
        (lambda: write(vault, {"new/d.md": "# D\n"}), holds(index, *NOTES, "new/d.md")),
        (save(vault / "new/e.md", "# E\n"), holds(index, *NOTES, "new/d.md", "new/e.md")),
        (
            lambda: (vault / "new").rename(vault / "moved"),
            holds(index, *NOTES, "moved/d.md", "moved/e.md"),
        ),
        (save(vault / "moved/d.md", "# D [[a]] [[f]]\n"), says(index, "moved/d.md", "[[f]]")),
        (lambda: shutil.rmtree(vault / "sub"), holds(index, "a.md", "moved/d.md", "moved/e.md")),
        ((vault / "moved/e.md").unlink, holds(index, "a.md", "moved/d.md")),
    )
    told = watch(vault, index, script, poll)
    assert all(isinstance(one, IndexReport) for one in told)
    fresh = tmp_path / "fresh.sqlite"
    run(vault, fresh)
    assert_same(index, fresh)
    assert sorted(path.name for path in vault.iterdir()) == ["a.md", "moved"]


def test_what_decides_is_followed(vault: Path, index: Path, poll: float) -> None:
    hidden = "SELECT path FROM notes WHERE ignored = 1"
    rule = '{"userIgnoreFilters": ["sub/b"]}'
    script = Script(
        (lambda: write(vault, {".ignore": "deep/\n"}), holds(index, "a.md", "sub/b.md")),
        ((vault / ".ignore").unlink, holds(index, *NOTES)),
        (
            lambda: write(vault, {".obsidian/app.json": rule}),
            lambda: rows(index, hidden) == [("sub/b.md",)],
        ),
        (save(vault / ".obsidian/app.json", "{}"), lambda: rows(index, hidden) == []),
    )
    watch(vault, index, script, poll)


def test_settings_are_read_before_each_run(vault: Path, index: Path, poll: float) -> None:
    script = Script()

    def exclude() -> None:
        script.wanted = IndexOptions(exclude=("sub/",))
        (vault / ".kb.toml").write_text('exclude = ["sub/"]\n', encoding="utf-8")

    script._steps = [(exclude, holds(index, "a.md"))]
    watch(vault, index, script, poll)


@pytest.mark.skipif(sys.platform == "win32", reason="a watched folder cannot be renamed there")
@pytest.mark.parametrize("mount_point", [False, True])
def test_a_vault_that_goes_away_is_kept_and_waited_for(
    vault: Path, index: Path, poll: float, mount_point: bool, tmp_path: Path
) -> None:
    away = tmp_path / "away"
    before: list[Any] = []
    script = Script()

    def unmount() -> None:
        before.append(dump(index))
        vault.rename(away)
        if mount_point:
            vault.mkdir()

    def mount() -> None:
        assert dump(index) == before[0]
        write(away, {"d.md": "# D\n"})
        if mount_point:
            vault.rmdir()
        away.rename(vault)

    script._steps = [
        (unmount, lambda: "away: vault" in script.told),
        (mount, holds(index, *NOTES, "d.md")),
        (save(vault / "e.md", "# E\n"), holds(index, *NOTES, "d.md", "e.md")),
    ]
    told = [one for one in watch(vault, index, script, poll) if isinstance(one, str)]
    assert told == ["away: vault", "back: vault"]


def test_a_vault_that_is_away_at_the_start_is_waited_for(vault: Path, index: Path) -> None:
    run(vault, index)
    away = vault.rename(vault.with_name("away"))
    script = Script(
        (lambda: away.rename(vault), holds(index, *NOTES)),
        (save(vault / "d.md", "# D\n"), holds(index, *NOTES, "d.md")),
    )
    assert watch(vault, index, script)[:2] == ["away: vault", "back: vault"]


def test_an_empty_folder_may_become_a_vault(tmp_path: Path, index: Path, poll: float) -> None:
    vault = (tmp_path / "vault").resolve()
    vault.mkdir()
    script = Script((save(vault / "a.md", "# A\n"), holds(index, "a.md")))
    watch(vault, index, script, poll)


def test_a_burst_ends_as_a_new_index(vault: Path, index: Path, poll: float, tmp_path: Path) -> None:
    def check_out() -> None:
        for number in range(400):
            write(vault, {f"d{number % 20}/n{number}.md": f"# N {number} [[n{number // 2}]]\n"})
        shutil.rmtree(vault / "sub")

    def check_back() -> None:
        for number in range(0, 20, 2):
            shutil.rmtree(vault / f"d{number}")
        write(vault, {f"d1/n{number}.md": "# other\n" for number in range(1, 400, 20)})

    script = Script(
        (check_out, lambda: len(paths(index)) == 401),
        (check_back, lambda: len(paths(index)) == 201 and says(index, "d1/n1.md", "other")()),
        (save(vault / "last.md", "# last\n"), lambda: "last.md" in paths(index)),
    )
    watch(vault, index, script, poll)
    fresh = tmp_path / "fresh.sqlite"
    run(vault, fresh)
    assert_same(index, fresh)


def test_a_run_waits_its_turn(vault: Path, index: Path) -> None:
    other = ExitStack()

    class Patient(Script):
        """Lets the other writer end once it is told that it is waited for."""

        def notice(self, message: str) -> None:
            super().notice(message)
            other.close()

    def save_while_another_writes() -> None:
        other.enter_context(writer_lock(index))
        (vault / "d.md").write_text("# D\n", encoding="utf-8")

    script = Patient((save_while_another_writes, holds(index, *NOTES, "d.md")))
    watch(vault, index, script)
    assert script.notices == [f"waiting for process {os.getpid()}, which is writing this index"]


def test_a_fault_of_one_run_does_not_end_the_watch(vault: Path, index: Path, poll: float) -> None:
    class Faulty(Script):
        fault: Exception | None = None

        def options(self, *, first: bool) -> IndexOptions:
            if self.fault is not None:
                raise self.fault
            return super().options(first=first)

    def fail_with(error: Exception | None, path: str) -> Callable[[], object]:
        def act() -> None:
            script.fault = error
            (vault / path).write_text("# more\n", encoding="utf-8")

        return act

    known, unknown = KbError("the settings cannot be read"), ZeroDivisionError("one in a run")
    script = Faulty()
    script._steps = [
        (fail_with(None, "d.md"), holds(index, *NOTES, "d.md")),
    ]
    if not poll:  # a look that fails says nothing new, and is no run
        script._steps[:0] = [
            (fail_with(known, "x.md"), lambda: known in script.told),
            (fail_with(unknown, "x.md"), lambda: unknown in script.told),
            ((vault / "x.md").unlink, lambda: True),
        ]
    watch(vault, index, script, poll)


def test_what_ends_the_first_run_ends_the_watch(vault: Path, index: Path, tmp_path: Path) -> None:
    other = write(tmp_path / "other", {"x.md": "x\n"})
    run(other, index)
    with pytest.raises(VaultError, match="this index holds the vault"):
        watch_vault(vault, index, Script(), Watch())


def test_an_index_that_was_removed_is_not_made_again(vault: Path, index: Path, poll: float) -> None:
    def forget() -> None:
        for file in index.parent.glob(f"{index.name}*"):
            file.unlink()
        (vault / "d.md").write_text("# D\n", encoding="utf-8")

    script = Script((forget, lambda: False))
    with guarded(script), pytest.raises(IndexMissingError, match="was removed"):
        watch_vault(vault, index, script, script, poll=poll)
    assert not index.exists()


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (OSError("OS file watch limit reached. about []"), "it watches no more folders"),
        (RuntimeError("Too many open files"), "Too many open files"),
    ],
)
def test_where_the_system_does_not_tell_the_vault_is_looked_at(
    fault: Exception, said: str, vault: Path, index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    watchfiles = pytest.importorskip("watchfiles", reason="watchfiles has no wheel here")

    def refuse(*_: object, **__: object) -> Iterator[set[Any]]:
        yield from ()
        raise fault

    monkeypatch.setattr(watchfiles, "watch", refuse)
    monkeypatch.setattr("kb.indexer.watch._POLL", 0.05)
    script = Script((save(vault / "d.md", "# D\n"), holds(index, *NOTES, "d.md")))
    watch(vault, index, script)
    [notice] = script.notices
    assert said in notice
    assert notice.endswith("; looking every 0.05 seconds instead, or as `--poll` says")


def test_without_the_library_the_vault_is_looked_at(
    vault: Path, index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "watchfiles", None)
    monkeypatch.setattr("kb.indexer.watch._POLL", 0.05)
    script = Script((save(vault / "d.md", "# D\n"), holds(index, *NOTES, "d.md")))
    watch(vault, index, script)
    assert script.notices[0].startswith("watchfiles is not installed")


def test_where_the_system_stops_telling_the_vault_is_looked_at(
    vault: Path, index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("watchfiles", reason="watchfiles has no wheel here")

    class Deaf(hearing.ToldEar):
        def wait(self) -> bool:
            raise OSError("the queue is gone")

    monkeypatch.setattr("kb.indexer.watch.ToldEar", Deaf)
    monkeypatch.setattr("kb.indexer.watch._POLL", 0.05)
    script = Script((save(vault / "d.md", "# D\n"), holds(index, *NOTES, "d.md")))
    watch(vault, index, script)
    assert script.notices[0].startswith("the system tells of changes no more (the queue is gone)")


def test_what_nobody_tells_is_seen_by_looking(
    vault: Path, index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    watchfiles = pytest.importorskip("watchfiles", reason="watchfiles has no wheel here")

    def tell_nothing(*_: object, **__: object) -> Iterator[set[Any]]:
        while True:
            yield set()

    monkeypatch.setattr(watchfiles, "watch", tell_nothing)
    monkeypatch.setattr(hearing, "_MISTRUST", 0.0)
    script = Script((save(vault / "d.md", "# D\n"), holds(index, *NOTES, "d.md")))
    watch(vault, index, script)
    assert script.notices == []


def test_new_notes_are_embedded(vault: Path, index: Path, tmp_path: Path) -> None:
    for name in ("numpy", "onnxruntime", "fastembed"):
        pytest.importorskip(name, reason="the extra `model` is not installed")
    model = write_model(tmp_path / "m", dimension=2, pooling="cls")
    script = Script()
    script.wanted = IndexOptions(embed=True, model=str(model))
    missing = "SELECT 1 FROM passages WHERE embed_key NOT IN (SELECT embed_key FROM vectors)"
    script._steps = [
        (save(vault / "d.md", "# red green\n"), holds(index, *NOTES, "d.md")),
    ]
    told = watch(vault, index, script)
    assert told[0].embedded == len(rows(index, "SELECT 1 FROM vectors")) - told[-1].embedded
    assert told[-1].embedded == 1
    assert rows(index, missing) == []


def test_folders_that_come_while_it_begins_to_listen_are_heard(
    vault: Path, index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each listing of the folders is followed by another folder, more often than it is tried."""
    pytest.importorskip("watchfiles", reason="watchfiles has no wheel here")
    plainly, made = hearing.list_folders, []

    def list_late(root: str) -> list[str]:
        folders = plainly(root)
        if len(made) < 17:
            made.append(vault / f"late{len(made):02d}")
            made[-1].mkdir()
        return folders

    monkeypatch.setattr(hearing, "list_folders", list_late)
    monkeypatch.setattr(hearing, "_FOLDER_BY_FOLDER", True)
    monkeypatch.setattr(hearing, "_SILENCE", 60)
    last = [f"late{number:02d}/n.md" for number in range(17)]

    def save_in_each() -> None:
        for path in last:
            (vault / path).write_text("# N\n", encoding="utf-8")

    script = Script(
        (lambda: None, lambda: len(made) == 17),
        (lambda: write(vault, {"d.md": "# D\n"}), holds(index, *NOTES, "d.md")),
        (save_in_each, holds(index, *NOTES, "d.md", *last)),
    )
    watch(vault, index, script)
    assert script.notices == []


@pytest.mark.skipif(sys.platform == "win32", reason="a watched folder cannot be renamed there")
def test_a_vault_that_goes_while_it_begins_to_listen_is_waited_for(
    vault: Path, index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("watchfiles", reason="watchfiles has no wheel here")
    run(vault, index)
    away = vault.with_name("away")
    plainly, lost = hearing.list_folders, []

    def lose_once(root: str) -> list[str]:
        if not lost:
            lost.append(vault.rename(away))
        return plainly(root)

    monkeypatch.setattr(hearing, "list_folders", lose_once)
    monkeypatch.setattr(hearing, "_FOLDER_BY_FOLDER", True)
    monkeypatch.setattr(hearing, "_SILENCE", 60)
    script = Script(
        (lambda: away.rename(vault), lambda: "back: vault" in script.told),
        (save(vault / "d.md", "# D\n"), holds(index, *NOTES, "d.md")),
    )
    told = watch(vault, index, script)
    assert [one for one in told if isinstance(one, str)] == ["away: vault", "back: vault"]
    assert script.notices == []
