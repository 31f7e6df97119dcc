"""A run that is killed leaves an index that opens and answers, and the next run finishes it."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Result, clean_environment
from kill_support import KINDS, WORDS, Victim

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


SEED = int(os.environ.get("KB_TEST_SEED") or random.SystemRandom().randrange(10**6))


@posix_only
@pytest.mark.parametrize(("kind", "count"), [*zip(KINDS, (4, 4, 3, 3, 3, 3), strict=True)])
def test_twenty_kills_anywhere(
    kind: str, count: int, tmp_path: Path, kb_variables: dict[str, str]
) -> None:
    """Other moments each time; `KB_TEST_SEED` brings those of a failure back."""
    print(f"KB_TEST_SEED={SEED}")
    victim = Victim(kind, SEED, tmp_path / kind, clean_environment(kb_variables), notes=80)
    kills = [victim.kill() for _ in range(count)]
    assert [kill for kill in kills if kill.problem] == []
    assert victim.finish() == ""


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
