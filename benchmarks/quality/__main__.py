"""Build, index, ask and show; see the package for how to call it."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from benchmarks.quality import __doc__ as usage
from benchmarks.quality.history import change, read_last, write_last
from benchmarks.quality.material import ALL, REPORT, TUNING, has_material
from benchmarks.quality.measurement import Outcome, Task, measure_task
from benchmarks.quality.page import render_page
from benchmarks.quality.reference import COLLECTIONS
from benchmarks.quality.tables import (
    NOTHING_HEAD,
    ablation_head,
    ablation_rows,
    arm,
    mean_row,
    nothing_row,
    quality_head,
    quality_row,
    render_plain,
)
from benchmarks.quality.weights import tune_weights


def main() -> None:
    """Measure what was asked for."""
    given = _parse()
    names = [name for name in given.only.split(",") if name] or list(COLLECTIONS)
    here = [name for name in names if has_material(name)]
    for name in sorted(set(names) - set(here)):
        _say(f"{name}: no such collection in the material; left out")
    if not here:
        raise SystemExit("no collection at hand; `KB_TEST_MATERIAL` names the folder that has them")
    arms = [model for model in (True, False) if not (given.no_model if model else given.only_model)]
    halves = (REPORT, TUNING) if given.half == "both" else (given.half,)
    tasks = [
        Task(
            name,
            model,
            given.work,
            dict(map(_weight, given.weight)),
            given.k,
            halves,
            given.fast,
            not given.no_nonsense,
        )
        for model in arms
        for name in here
    ]
    if given.tune:
        sys.stdout.write(tune_weights(tasks, _say))
        return
    if given.write and (given.no_nonsense or given.half != "both"):
        raise SystemExit("the page needs both halves and the nonsense queries")
    outcomes = list(_measured(tasks, given.jobs))
    for half in outcomes[0].halves:
        nonsense = half == REPORT and not given.no_nonsense
        sys.stdout.write(_report(outcomes, half, given.work, nonsense))
    write_last(given.work, outcomes)
    if given.write:
        given.write.write_text(render_page(outcomes), encoding="utf-8")


def _parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="benchmarks.quality", description=usage)
    parser.add_argument("--only", default="", help="collections, with commas between")
    parser.add_argument("--no-model", action="store_true", help="without embeddings only")
    parser.add_argument("--only-model", action="store_true", help="with embeddings only")
    parser.add_argument("--half", choices=(TUNING, REPORT, "both"), default="both")
    parser.add_argument("--fast", action="store_true", help="at most 150 to 299 queries of a half")
    parser.add_argument("--no-nonsense", action="store_true", help="leave nonsense queries out")
    parser.add_argument("--weight", action="append", default=[], metavar="STREAM=N")
    parser.add_argument("--k", type=int, default=0)
    parser.add_argument("--tune", action="store_true", help="choose weights on the tuning halves")
    parser.add_argument("--jobs", type=int, default=1, help="processes at a time")
    parser.add_argument(
        "--work",
        type=Path,
        default=Path(tempfile.gettempdir()) / "kb-quality",
        help="where vaults and indexes are kept between runs",
    )
    parser.add_argument("--write", type=Path, help="the page to write")
    return parser.parse_args()


def _weight(text: str) -> tuple[str, float]:
    name, _, value = text.partition("=")
    return name, float(value)


def _measured(tasks: Sequence[Task], jobs: int) -> Iterator[Outcome]:
    """Outcomes in the order of the tasks, each named as it comes."""
    if jobs <= 1:
        outcomes: Iterator[Outcome] = map(measure_task, tasks)
        yield from map(_told, outcomes)
        return
    with ProcessPoolExecutor(jobs) as pool:
        yield from map(_told, pool.map(measure_task, tasks))


def _told(outcome: Outcome) -> Outcome:
    fused = ", ".join(f"{half} {scores.fused:.3f}" for half, scores in outcome.halves.items())
    _say(f"{outcome.name} {arm(outcome.model)}: {fused}")
    return outcome


def _report(outcomes: Sequence[Outcome], half: str, work: Path, nonsense: bool) -> str:
    last = read_last(work)
    parts = []
    for model in (True, False):
        group = [one for one in outcomes if one.model == model]
        if not group:
            continue
        rows = [[*quality_row(one, half), change(last, one, half)] for one in group]
        rows.append([*mean_row(group, half), ""])
        parts.append(f"{_named(half)}, {arm(model)}: nDCG@10\n")
        parts.append(render_plain([*quality_head(model), "since last"], rows))
        if half != ALL:
            parts.append("what each stream adds\n")
            parts.append(render_plain(ablation_head(model), ablation_rows(group, half)))
        if nonsense:
            parts.append("share of nonsense that finds nothing\n")
            parts.append(render_plain(NOTHING_HEAD, [nothing_row(one, half) for one in group]))
        parts.append("\n")
    return "".join(parts)


def _named(half: str) -> str:
    return "all queries" if half == ALL else f"{half} half"


def _say(message: str) -> None:
    sys.stderr.write(f"{message}\n")
    sys.stderr.flush()


if __name__ == "__main__":
    main()
