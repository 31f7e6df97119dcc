"""`kb watch` as a process: what it prints, and how it begins and ends."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from conftest import MakeVault, RunKb
from process_support import running

NOTES = {"heron.md": "# Heron\n\nThe heron stands in the marsh.\n"}
Check = Callable[[Any], list[str]]
posix_only = pytest.mark.skipif(sys.platform == "win32", reason="processes end otherwise there")


class Watched:
    """A running `kb watch`."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process

    def line(self) -> str:
        """The next line on stdout, waited for."""
        assert self.process.stdout is not None
        return self.process.stdout.readline().decode()

    def said(self) -> str:
        """The next line on stderr, waited for."""
        assert self.process.stderr is not None
        return self.process.stderr.readline().decode()

    def event(self) -> Any:
        return json.loads(self.line())

    def until(self, done: Callable[[Any], bool]) -> Any:
        """The first event that is so; those before it are passed over."""
        while not done(event := self.event()):
            pass
        return event

    def end(self, number: int = signal.SIGTERM) -> tuple[int, str]:
        """Ask it to end: the exit status, and the rest of stderr."""
        self.process.send_signal(number)
        _, err = self.process.communicate()
        return self.process.returncode, err.decode()


Start = Callable[..., Any]


@pytest.fixture
def watching(kb_variables: dict[str, str]) -> Start:
    """Start `kb watch` with these arguments, and end it with the block."""

    @contextmanager
    def start(*arguments: str | Path, under: tuple[str, ...] = ()) -> Iterator[Watched]:
        with running(("watch", *arguments), kb_variables, under=under) as process:
            yield Watched(process)

    return start


def moved(event: Any) -> bool:
    report = event["report"]
    return bool(report["added"] or report["changed"] or report["removed"])


@posix_only
@pytest.mark.parametrize("how", [(), ("--poll", "0.1")])
def test_a_query_sees_what_was_saved(
    how: tuple[str, ...], watching: Start, make_vault: MakeVault, kb: RunKb, schema_errors: Check
) -> None:
    vault = make_vault(NOTES).resolve()
    with watching(vault, "--json", *how) as watch:
        first = watch.event()
        assert schema_errors(first) == schema_errors(first["report"]) == []
        assert (first["event"], first["report"]["added"]) == ("indexed", 1)
        assert watch.said() == f"kb: watching {vault}; Ctrl-C ends it\n"
        (vault / "zebra.md").write_text("# Zebra\n\nStripes.\n", encoding="utf-8")
        assert watch.until(moved)["report"]["added"] == 1
        assert kb("query", "stripes", "-l", "--vault", vault).lines == ["zebra.md"]
        assert watch.end() == (130, "kb: interrupted\n")
    assert sorted(path.name for path in vault.iterdir()) == ["heron.md", "zebra.md"]


@posix_only
@pytest.mark.parametrize("number", [signal.SIGINT, getattr(signal, "SIGHUP", 0)])
def test_an_interrupt_is_one_line(number: int, watching: Start, make_vault: MakeVault) -> None:
    vault = make_vault(NOTES).resolve()
    with watching(vault) as watch:
        assert watch.said() == f"kb: watching {vault}; Ctrl-C ends it\n"
        assert watch.end(number) == (130, "kb: interrupted\n")


@posix_only
def test_people_read_what_changed_and_nothing_else(watching: Start, make_vault: MakeVault) -> None:
    vault = make_vault({**NOTES, "broken.md": "---\na: [\n---\n# Broken\n"}).resolve()
    with watching("--vault", vault) as watch:
        assert watch.line().startswith("indexed 2 notes in ")
        assert watch.said().startswith("kb: broken.md: ")
        assert watch.said().startswith("kb: watching ")
        (vault / "picture.png").write_bytes(b"")  # a run, and nothing to tell
        (vault / "zebra.md").write_text("# Zebra\n", encoding="utf-8")
        assert watch.line().endswith(": 1 added, 0 changed, 0 removed, 2 unchanged\n")
        assert watch.end() == (130, "kb: interrupted\n")


@posix_only
def test_quiet_is_silent(watching: Start, make_vault: MakeVault, kb: RunKb) -> None:
    vault = make_vault(NOTES).resolve()
    with watching(vault, "-q") as watch:
        while kb("query", "heron", "-q", "--vault", vault).status != 0:
            assert watch.process.poll() is None
        watch.process.send_signal(signal.SIGTERM)
        assert watch.process.communicate()[0] == b""


@posix_only
def test_settings_that_break_and_mend(
    watching: Start, make_vault: MakeVault, kb_variables: dict[str, str], schema_errors: Check
) -> None:
    vault = make_vault(NOTES).resolve()
    config = Path(kb_variables["KB_CONFIG"])
    config.parent.mkdir()
    with watching(vault, "--jsonl") as watch:
        watch.event()
        watch.said()
        config.write_text("nonsense = 1\n", encoding="utf-8")
        (vault / "zebra.md").write_text("# Zebra\n", encoding="utf-8")
        failed = watch.event()
        assert schema_errors(failed) == []
        assert failed["event"] == "failed"
        assert "`nonsense`" in failed["message"]
        assert "`nonsense`" in watch.said()
        config.unlink()
        (vault / "zebra.md").write_text("# Zebra again\n", encoding="utf-8")
        indexed = watch.until(lambda event: event["event"] == "indexed")
        assert indexed["report"]["added"] == 1


@posix_only
def test_away_and_back_are_events(
    watching: Start, make_vault: MakeVault, schema_errors: Check, tmp_path: Path
) -> None:
    vault = make_vault(NOTES).resolve()
    with watching(vault, "--json") as watch:
        watch.event()
        watch.said()
        vault.rename(tmp_path / "away")
        away = watch.event()
        assert watch.said() == (
            f"kb: {vault} is empty or not there; what is indexed is kept, waiting for it\n"
        )
        (tmp_path / "away").rename(vault)
        back = watch.event()
        assert [away["event"], back["event"]] == ["away", "back"]
        assert schema_errors(away) == schema_errors(back) == []
        assert watch.event()["report"]["unchanged"] == 1


@posix_only
def test_a_reader_that_has_enough_ends_the_watch(watching: Start, make_vault: MakeVault) -> None:
    vault = make_vault(NOTES).resolve()
    with watching(vault, "--jsonl") as watch:
        watch.event()
        watch.said()
        watch.process.stdout.close()
        (vault / "zebra.md").write_text("# Zebra\n", encoding="utf-8")
        assert watch.process.wait() == 0
        assert watch.process.stderr.read() == b""


@pytest.mark.skipif(sys.platform != "linux", reason="needs the limits of inotify")
def test_where_no_more_folders_may_be_watched_the_vault_is_looked_at(
    watching: Start, make_vault: MakeVault
) -> None:
    few = "echo 3 > /proc/sys/user/max_inotify_watches"
    limited = ("unshare", "--user", "--map-root-user", "sh", "-e", "-c", f'{few}; exec "$0" "$@"')
    if (
        shutil.which("unshare") is None
        or subprocess.run([*limited, "true"], check=False).returncode
    ):
        pytest.skip("limits cannot be set here")
    vault = make_vault({f"d{number}/n.md": "# N\n" for number in range(5)}).resolve()
    with watching(vault, "--json", under=limited) as watch:
        assert watch.event()["report"]["added"] == 5
        assert watch.said() == (
            "kb: the system does not tell of changes (it watches no more folders for this user;"
            " raise `fs.inotify.max_user_watches`); looking every 2 seconds instead, or as"
            " `--poll` says\n"
        )
        (vault / "zebra.md").write_text("# Zebra\n", encoding="utf-8")
        assert watch.until(moved)["report"]["added"] == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("{vault}/none",), "does not exist"),
        (("{vault}", "--vault", "{vault}"), "the vault is named twice"),
        (("{vault}", "--index", "{vault}/x.sqlite"), "lies inside the vault"),
        (("{vault}", "--poll", "0"), "--poll"),
        (("{vault}/heron.md",), "is a file, not a folder"),
        (("",), "is empty"),
    ],
)
def test_what_cannot_begin(
    arguments: tuple[str, ...], said: str, make_vault: MakeVault, kb: RunKb
) -> None:
    vault = make_vault(NOTES).resolve()
    result = kb("watch", *(one.format(vault=vault) for one in arguments))
    assert (result.status, result.out) == (2, "")
    assert said in result.err
    assert "hint: " in result.err


def test_an_index_of_another_vault_is_left_alone(
    make_vault: MakeVault, kb: RunKb, tmp_path: Path
) -> None:
    index = tmp_path / "index.sqlite"
    assert kb("index", make_vault(NOTES), "--index", index).status == 0
    result = kb("watch", make_vault(NOTES, "other"), "--index", index)
    assert (result.status, result.out) == (2, "")
    assert "this index holds the vault" in result.err
