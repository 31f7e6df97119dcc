"""The figures of the run before, so that a change shows what it did."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from benchmarks.quality.measurement import Outcome

_NAME = "last.json"


def read_last(work: Path) -> dict[str, float]:
    """The fusion's nDCG@10 of earlier runs, by collection, way of indexing and half."""
    try:
        found = json.loads((work / _NAME).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}  # there was no run before
    return {str(key): float(value) for key, value in found.items()}


def write_last(work: Path, outcomes: Iterable[Outcome]) -> None:
    """Remember this run; what it did not measure stays as it was."""
    figures = read_last(work)
    for outcome in outcomes:
        for half, scores in outcome.halves.items():
            figures[_key(outcome, half)] = scores.fused
    (work / _NAME).write_text(json.dumps(figures, indent=1, sort_keys=True), encoding="utf-8")


def change(last: dict[str, float], outcome: Outcome, half: str) -> str:
    """How much the fusion gained since the run before, "" where there was none."""
    before = last.get(_key(outcome, half))
    return "" if before is None else f"{outcome.halves[half].fused - before:+.4f}"


def _key(outcome: Outcome, half: str) -> str:
    scores = outcome.halves[half]
    return f"{outcome.name} model={outcome.model} {half} {scores.queries}"
