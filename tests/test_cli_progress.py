"""What a progress bar says: steps done, of how many, how fast; and nothing before it knows."""

from __future__ import annotations

import io

import pytest
from conftest import Terminal

from kb.cli.environment import Environment
from kb.cli.progress import make_progress


def watched(stage: str, total: int, steps: int) -> str:
    """What is on the screen after so many steps, without the marks of the bar."""
    screen = io.BytesIO()
    stderr = Terminal(screen, encoding="utf-8", write_through=True)
    environment = Environment(io.StringIO(), io.StringIO(), stderr, {"TERM": "xterm"}, 80)
    progress = make_progress(environment, quiet=False)
    progress.begin(stage, total)
    for _ in range(steps):
        progress.advance()
    progress.end()
    return screen.getvalue().decode()


@pytest.mark.parametrize(
    ("stage", "total", "steps", "said"),
    [
        ("embed", 129, 7, "7/129 passages"),
        ("embed", 1290, 0, "0/1,290 passages"),
        ("read", 60, 60, "60/60 notes"),
        ("fetching a model", 200, 50, "25 %"),
    ],
)
def test_a_bar_counts_its_steps(stage: str, total: int, steps: int, said: str) -> None:
    assert said in watched(stage, total, steps)


@pytest.mark.parametrize(("stage", "total"), [("read", 20), ("embed", 2), ("fetching", 9)])
def test_little_work_has_no_bar(stage: str, total: int) -> None:
    assert watched(stage, total, total) == ""
