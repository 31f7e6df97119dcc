"""A run that is killed leaves an index that opens and answers, and the next run finishes it."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import apsw
import pytest
from conftest import Result, clean_environment
from index_support import assert_same

WORDS = ["heron", "tide", "harbour", "ledger", "quay", "mast", "keel", "buoy", "rope", "gale"]
Run = Callable[..., Result]

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="processes end otherwise there")


def write_vault(root: Path, count: int, chance: random.Random) -> Path:
    root.mkdir()
    for number in range(count):
        words = " ".join(chance.choices(WORDS, k=150))
        link = f"[[n{chance.randrange(count)}]]"
        (root / f"n{number}.md").write_text(
            f"---\ntags: [t{number % 9}]\n---\n# N {words} {link}\n"
        )
    return root


def check(kb_process: Run, index: Path, counts: set[str]) -> None:
    """The index is whole and answers as before or after."""
    result = kb_process("query", "heron", "-c", "--index", index)
    if result.status == 2:
        assert "no index at" in result.err or "has not finished" in result.err, result.err
        assert "" in counts
        return
    assert result.out.strip() in counts
    with closing(apsw.Connection(str(index), flags=apsw.SQLITE_OPEN_READONLY)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


@posix_only
@pytest.mark.parametrize("how", ["new", "changed", "rebuild", "damaged"])
def test_five_kills_anywhere(
    how: str, tmp_path: Path, kb_process: Run, kb_variables: dict[str, str]
) -> None:
    chance = random.Random(how)
    vault = write_vault(tmp_path / "vault", 400, chance)
    index = tmp_path / "index.sqlite"
    arguments = [sys.executable, "-m", "kb.cli", "index", str(vault), "--index", str(index)]
    began = time.monotonic()
    assert kb_process(*arguments[3:]).status == 0
    length = time.monotonic() - began
    seen = {kb_process("query", "heron", "-c", "--index", index).out.strip()}
    if how == "new":
        index.unlink()
        seen.add("")
    for number in range(5):
        if how == "changed":
            for note in chance.sample(sorted(vault.iterdir()), 100):
                note.write_text(note.read_text() + f"\nheron {number}\n")
            seen |= {str(count) for count in range(401)}
        elif how == "damaged":
            damage(index)
            seen |= {"", "400"}
        wanted = [*arguments, "--rebuild"] if how in ("rebuild", "damaged") else arguments
        process = subprocess.Popen(
            wanted,
            env=clean_environment(kb_variables),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        time.sleep(chance.uniform(0.1, length * 1.1))
        process.send_signal(signal.SIGKILL)
        process.wait()
        if how != "damaged":
            check(kb_process, index, seen)
    rebuild = ("--rebuild",) if how == "damaged" else ()
    assert kb_process(*arguments[3:], *rebuild).status == 0
    fresh = tmp_path / "fresh.sqlite"
    assert kb_process("index", vault, "--index", fresh).status == 0
    assert_same(index, fresh)


def damage(index: Path) -> None:
    """Take a table out of an index, if the last run left one."""
    if index.exists():
        with closing(apsw.Connection(str(index))) as connection:
            connection.execute("DROP TABLE IF EXISTS links")


@posix_only
def test_many_runs_and_queries_at_once(
    tmp_path: Path, kb_process: Run, kb_variables: dict[str, str]
) -> None:
    vault = write_vault(tmp_path / "vault", 300, random.Random(4))
    command = [sys.executable, "-m", "kb.cli"]
    environment = clean_environment(kb_variables)

    def start(*arguments: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [*command, *arguments, "--vault", str(vault)],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    runs = [start("index") for _ in range(3)]
    for run in runs:
        _, err = run.communicate(timeout=100)
        assert run.returncode == 0, err
    (vault / "n0.md").write_text("# heron\n")
    asked = [start("index", "--rebuild")] + [start("query", "heron", "-c") for _ in range(4)]
    answers = {process.communicate(timeout=100)[0] for process in asked[1:]}
    asked[0].communicate(timeout=100)
    assert {process.returncode for process in asked} == {0}
    now = kb_process("query", "heron", "-c", "--vault", vault).out.encode()
    assert len(answers | {now}) <= 2  # before and after


@posix_only
def test_an_interrupt_at_the_terminal_is_one_line(
    tmp_path: Path, kb_variables: dict[str, str]
) -> None:
    vault = write_vault(tmp_path / "vault", 1_100, random.Random(5))  # enough for processes
    for delay in (0.4, 0.6, 0.8):
        with subprocess.Popen(
            [sys.executable, "-m", "kb.cli", "index", str(vault), "--rebuild"],
            env=clean_environment(kb_variables),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        ) as process:
            time.sleep(delay)
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGINT)  # as a terminal does
            _, err = process.communicate(timeout=60)
        if process.returncode == 130:
            assert err.decode().splitlines() == ["kb: interrupted"]
        else:
            assert process.returncode == 0
