"""The commands over the sample vault, as sessions: what is typed, what is printed, the status."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from conftest import RunKb
from sample_index import ROOT, sample
from transcript_cases import Step, Transcript, masked, read_transcripts

CASES = read_transcripts(Path(__file__).parent / "transcripts")


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.file}: {case.title}")
def test_session(case: Transcript, kb: RunKb, tmp_path: Path) -> None:
    if case.new_vault:
        folder = tmp_path / "own"
        vault = folder / "sample_vault"
        shutil.copytree(ROOT / "sample_vault", vault)
    else:
        made = sample(embed=False)
        folder, vault = made.folder, made.vault
    for step in case.steps:
        check(step, kb, folder, vault)


def check(step: Step, kb: RunKb, folder: Path, vault: Path) -> None:
    if step.command[0] != "kb":
        change(vault, *step.command)
        return
    env = {"KB_DATA": str(folder / "data"), "KB_CONFIG": str(folder / "config" / "config.toml")}
    result = kb(*step.command[1:], stdin=step.stdin, env=env, cwd=vault)
    places = {
        shown: name
        for path, name in ((vault, "<vault>"), (folder / "config", "<config>"))
        for shown in (path.as_posix(), os.path.realpath(path).replace(os.sep, "/"))
    }
    said = (masked(result.out, places), masked(result.err, places), result.status)
    assert said == (step.out, step.err, step.status), " ".join(step.command)


def change(vault: Path, action: str, path: str, more: str = "") -> None:
    """Change one file of the vault as a person would."""
    file = vault / path
    if action == "write":
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(more.replace("\\n", "\n") + "\n", encoding="utf-8")
    elif action == "remove":
        file.unlink()
    elif action == "move":
        (vault / more).parent.mkdir(parents=True, exist_ok=True)
        file.rename(vault / more)
    else:
        raise ValueError(f"a transcript knows no `{action}`")
