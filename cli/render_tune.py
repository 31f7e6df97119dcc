"""What `kb tune` found, as a table and as JSON."""

from __future__ import annotations

from collections.abc import Mapping

from kb.cli.render_eval import render_p
from kb.cli.render_json import Document
from kb.cli.render_table import TextTable
from kb.cli.setting_kinds import Value
from kb.evaluation.candidates import Candidate
from kb.evaluation.tune import Fold, Tuning
from kb.store.paths import show_path
from kb.streams.registry import STREAM_NAMES


def tune_table(tuning: Tuning) -> TextTable:
    """What is set, what is proposed, what each fold chose, and what that gained."""
    rows = [_row("now", tuning.current, tuning.current_score, "")]
    rows += [
        _row(f"fold {number}", fold.chosen, fold.held_out, f"{fold.held_out - fold.current:+.4f}")
        for number, fold in enumerate(tuning.folds, start=1)
    ]
    rows.append(_row("held out", None, tuning.held_out, f"{tuning.gain:+.4f}"))
    gain = tuning.score - tuning.current_score
    rows.append(_row("proposed", tuning.proposed, tuning.score, f"{gain:+.4f}"))
    columns = ("setting", *STREAM_NAMES, "k", "nDCG@10", "gain")
    return TextTable(
        title=f"{len(tuning.judgements.queries)} judged queries, {tuning.tried} settings tried",
        columns=columns,
        rows=tuple(rows),
        numeric=frozenset(range(1, len(columns))),
        notes=(
            "each fold is measured with what was chosen on the other folds, and `held out` is all"
            " of them; `proposed` is measured on the queries that it was chosen on",
            *(f"{name} took part in no query, and keeps its weight" for name in tuning.unused),
            verdict(tuning),
        ),
    )


def verdict(tuning: Tuning) -> str:
    """What the held-out gain says, in one sentence."""
    if tuning.proposed == tuning.current:
        return "what is set is the best that was tried"
    figures = (
        f"{tuning.gain:+.4f} (95 % interval {tuning.low:+.4f} to {tuning.high:+.4f},"
        f" p {render_p(tuning.p)})"
    )
    if tuning.gain <= 0:
        return f"queries that were held out gain nothing: {figures}"
    if tuning.low <= 0:
        return f"queries that were held out gain {figures}, which may be chance"
    return f"queries that were held out gain {figures}"


def _row(name: str, chosen: Candidate | None, score: float, gain: str) -> tuple[str, ...]:
    if chosen is None:
        return (name, *("" for _ in STREAM_NAMES), "", f"{score:.4f}", gain)
    weights = (f"{chosen.weight(stream):g}" for stream in STREAM_NAMES)
    return (name, *weights, str(chosen.k), f"{score:.4f}", gain)


def tune_document(tuning: Tuning, applied: Mapping[str, Value]) -> Document:
    """What was found, schema `kb.tune/1`. `applied` are the settings that were written."""
    return {
        "schema": "kb.tune/1",
        "metric": "ndcg@10",
        "judged_queries": len(tuning.judgements.queries),
        "unjudged_queries": tuning.judgements.unjudged,
        "missing_notes": [show_path(path) for path in tuning.judgements.missing],
        "tried": tuning.tried,
        "current": {**_setting(tuning.current), "score": tuning.current_score},
        "proposed": {**_setting(tuning.proposed), "score": tuning.score},
        "held_out": tuning.held_out,
        "gain": {"mean": tuning.gain, "low": tuning.low, "high": tuning.high, "p": tuning.p},
        "verdict": verdict(tuning),
        "folds": [_fold_document(fold) for fold in tuning.folds],
        "unused_streams": list(tuning.unused),
        "applied": dict(applied),
    }


def _setting(chosen: Candidate) -> Document:
    return {
        "weights": {name: chosen.weight(name) for name in STREAM_NAMES},
        "k": chosen.k,
    }


def _fold_document(fold: Fold) -> Document:
    return {
        **_setting(fold.chosen),
        "queries": fold.queries,
        "current": fold.current,
        "held_out": fold.held_out,
    }
