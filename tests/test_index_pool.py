"""Preparing notes in several processes gives what one process gives, whatever dies."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from index_support import write

from kb.indexer import pool, prepare
from kb.indexer.many import prepare_all
from kb.indexer.prepare import FailedNote, Job, Outcome, PreparedNote, Settings, prepare_notes


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return write(tmp_path, {f"{number:03}.md": f"# Note {number}\n[[1]]" for number in range(150)})


def jobs_of(vault: Path) -> list[Job]:
    return [Job(file.name, 20) for file in sorted(vault.glob("*.md"))]


def test_processes_give_the_same_in_the_same_order(vault: Path) -> None:
    jobs, settings = jobs_of(vault), Settings(str(vault))
    expected = prepare_notes(jobs, settings)
    assert list(prepare_all(jobs, settings, processes=2)) == expected
    assert list(prepare_all(jobs, settings, processes=0)) == expected
    assert all(isinstance(outcome, PreparedNote) for outcome in expected)


def test_a_note_that_ends_its_process_is_skipped_and_no_other(vault: Path, tmp_path: Path) -> None:
    """In a process of its own, since what is replaced must be replaced in the workers too."""
    code = f"""
import os, sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
from test_index_pool import deadly, jobs_of
from pathlib import Path
from kb.indexer import many, pool
from kb.indexer.prepare import FailedNote, Settings
pool._start_worker = deadly
if __name__ == "__main__":
    vault = Path({str(vault)!r})
    found = list(many.prepare_all(jobs_of(vault), Settings(str(vault)), processes=2))
    print(len(found), [(one.path, one.gone) for one in found if isinstance(one, FailedNote)])
"""
    script = tmp_path / "run.py"
    script.write_text(code)
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "150 [('007.md', False), ('100.md', False)]"


def deadly() -> None:
    """What a worker starts with in the test above: two notes end the process that reads them."""
    real = prepare.prepare_note

    def prepare_note(job: Job, settings: Settings) -> Outcome:
        if job.path in ("007.md", "100.md"):
            os._exit(1)
        return real(job, settings)

    prepare.prepare_note = prepare_note
    pool.prepare_note = prepare_note


def test_where_no_process_can_be_started_one_does_it_all(
    vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError("no semaphores here")

    monkeypatch.setattr(pool, "ProcessPoolExecutor", refuse)
    found = list(prepare_all(jobs_of(vault), Settings(str(vault)), processes=2))
    assert len(found) == 150
    assert not any(isinstance(outcome, FailedNote) for outcome in found)


def test_a_script_without_a_guard_neither_hangs_nor_indexes_twice(
    vault: Path, tmp_path: Path
) -> None:
    script = tmp_path / "unguarded.py"
    script.write_text(
        f"""
import sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
from pathlib import Path
from kb.indexer import many
from index_support import run
many._MANY_NOTES = 10
print(run(Path({str(vault)!r}), Path({str(tmp_path / "i.sqlite")!r})).added)
"""
    )
    done = subprocess.run(
        [sys.executable, script], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout == "150\n"
