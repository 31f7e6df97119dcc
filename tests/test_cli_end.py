"""Runs that are asked to end, and vaults that go away under them: what was there is kept."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import MakeVault
from index_support import Watch, counts, dump, run
from process_support import running

from kb.cli.signals import ended_on_request
from kb.indexer.sync import IndexOptions, index_vault
from kb.store.errors import VaultError
from kb.store.lock import writer_lock

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="processes end otherwise there")


@posix_only
@pytest.mark.parametrize("asked", ["SIGTERM", "SIGINT", "SIGHUP"])
def test_a_run_that_waits_its_turn_ends_when_asked(
    asked: str, make_vault: MakeVault, tmp_path: Path, kb_variables: dict[str, str]
) -> None:
    index = tmp_path / "index.sqlite"
    vault = make_vault({"a.md": "heron\n"})
    with (
        writer_lock(index),
        running(("index", vault, "--index", index), kb_variables) as process,
    ):
        assert process.stderr is not None
        said = process.stderr.readline().decode()
        assert said == f"kb: waiting for process {os.getpid()}, which is writing this index\n"
        process.send_signal(getattr(signal, asked))
        _, err = process.communicate()
        assert (process.returncode, err) == (130, b"kb: interrupted\n")
    assert not index.exists()
    assert counts(run(vault, index)) == (1, 0, 0, 0)


@posix_only
def test_a_request_is_an_interrupt_for_as_long_as_it_is_taken_for_one() -> None:
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(KeyboardInterrupt), ended_on_request():
        os.kill(os.getpid(), signal.SIGTERM)
    assert signal.getsignal(signal.SIGTERM) == before


@posix_only
def test_a_request_that_is_ignored_stays_so() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with ended_on_request():
            os.kill(os.getpid(), signal.SIGHUP)
    finally:
        signal.signal(signal.SIGHUP, before)


class Mover(Watch):
    """Does something to the vault as soon as the run reads notes."""

    def __init__(self, move: Callable[[], object]) -> None:
        super().__init__()
        self._move = move

    def begin(self, stage: str, total: int) -> None:
        super().begin(stage, total)
        self._move()


@pytest.mark.skipif(sys.platform == "win32", reason="an open folder cannot be renamed there")
@pytest.mark.parametrize("rebuild", [False, True])
@pytest.mark.parametrize("empty", [False, True])
def test_a_vault_that_goes_away_while_it_is_read_is_not_deleted(
    rebuild: bool, empty: bool, make_vault: MakeVault, tmp_path: Path
) -> None:
    vault = make_vault({f"{name}.md": f"# {name} [[a]]\n" for name in "abc"})
    index = tmp_path / "index.sqlite"
    run(vault, index)
    before = dump(index)
    (vault / "a.md").write_text("# changed\n", encoding="utf-8")

    def unmount() -> None:
        vault.rename(tmp_path / "away")
        if empty:
            vault.mkdir()

    with pytest.raises(VaultError, match="went away while it was read"):
        index_vault(vault, index, IndexOptions(rebuild=rebuild), Mover(unmount))
    assert dump(index) == before
