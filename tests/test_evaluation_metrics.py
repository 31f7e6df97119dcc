"""Metrics against their formulas, and against trec_eval itself."""

from __future__ import annotations

import struct
from itertools import pairwise
from math import log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.evaluation.judgements import JudgedQuery
from kb.evaluation.metrics import MAIN_METRIC, METRICS, measure, ndcg, recall, reciprocal_rank
from kb.evaluation.refuse import Listed
from kb.evaluation.run_files import falling_scores, render_run

GRADES = {"a.md": 3.0, "b.md": 1.0, "c.md": 0.0}


def test_ndcg_takes_the_grade_as_gain() -> None:
    best = 3 + 1 / log2(3)
    assert ndcg(["b.md", "x.md", "a.md"], GRADES, 10) == pytest.approx((1 + 3 / log2(4)) / best)
    assert ndcg(["a.md", "b.md"], GRADES, 10) == pytest.approx(1.0)


def test_ndcg_is_cut_for_the_list_and_for_the_best_possible() -> None:
    assert ndcg(["x.md", "a.md"], GRADES, 1) == 0.0
    assert ndcg(["a.md"], GRADES, 1) == 1.0


def test_the_reciprocal_rank_is_that_of_the_first_right_note() -> None:
    assert reciprocal_rank(["c.md", "b.md", "a.md"], GRADES, 10) == 1 / 2
    assert reciprocal_rank(["x.md"] * 10 + ["a.md"], GRADES, 10) == 0.0


def test_recall_counts_notes_with_a_grade_above_zero() -> None:
    assert recall(["c.md", "b.md"], GRADES, 10) == 1 / 2
    assert recall([f"{n}.md" for n in range(100)] + ["a.md"], {"a.md": 1.0}, 100) == 0.0


def test_an_empty_list_scores_nothing_and_no_right_note_is_no_error() -> None:
    assert measure([], GRADES) == dict.fromkeys(METRICS, 0.0)
    assert measure(["a.md"], {"a.md": 0.0}) == dict.fromkeys(METRICS, 0.0)


def test_a_negative_grade_is_worth_nothing() -> None:
    assert ndcg(["a.md", "b.md"], {"a.md": -1.0, "b.md": 1.0}, 10) == pytest.approx(1 / log2(3))


NAMES = st.text("abcdefgh ä漢", min_size=1, max_size=4).map(lambda name: f"{name.strip()}_.md")
RANKED = st.lists(
    st.tuples(NAMES, st.floats(-5, 20, width=32)), max_size=150, unique_by=lambda one: one[0]
)
JUDGED = st.dictionaries(NAMES, st.integers(0, 4), min_size=1, max_size=20)


@given(RANKED, JUDGED)
def test_metrics_agree_with_trec_eval_on_our_run_files(
    ranked: list[tuple[str, float]], grades: dict[str, int]
) -> None:
    trec = pytest.importorskip("pytrec_eval")
    notes = [Listed(path, score) for path, score in sorted(ranked, key=lambda one: -one[1])]
    query = JudgedQuery("q", "words", {path: float(grade) for path, grade in grades.items()})
    run = {}
    for line in render_run(query.id, notes).decode().splitlines():
        path, _, score, _ = line.removeprefix("q Q0 ").rsplit(" ", 3)
        run[path] = float(score)
    wanted = {"ndcg_cut.10", "recip_rank", "recall.10,100"}
    theirs = trec.RelevanceEvaluator({"q": grades}, wanted).evaluate({"q": run}).get("q")
    ours = measure([note.path for note in notes], query.grades)
    if theirs is None:  # it leaves out a query for which nothing was found
        assert not notes
        return
    first = theirs["recip_rank"]
    assert ours[MAIN_METRIC] == pytest.approx(theirs["ndcg_cut_10"])
    assert ours["mrr@10"] == pytest.approx(first if first >= 1 / 10 else 0.0)
    assert ours["recall@10"] == pytest.approx(theirs["recall_10"])
    assert ours["recall@100"] == pytest.approx(theirs["recall_100"])


@given(st.lists(st.floats(-1e6, 1e6)))
def test_scores_of_a_run_fall_in_single_precision(scores: list[float]) -> None:

    falling = falling_scores(sorted(scores, reverse=True))
    single = [struct.unpack("<f", struct.pack("<f", score))[0] for score in falling]
    assert all(one > other for one, other in pairwise(single))


def test_a_score_that_falls_anyway_is_written_as_it_is() -> None:
    assert falling_scores([0.25, 0.1, 0.1]) == [0.25, 0.1, pytest.approx(0.1, rel=1e-6)]


def test_a_run_line_keeps_a_path_with_spaces_and_joins_the_words_of_an_id() -> None:
    notes = [Listed("my notes/a b.md", 0.5)]
    assert render_run("my query", notes) == b"my_query Q0 my notes/a b.md 1 0.5 kb\n"


def test_a_run_line_holds_the_bytes_of_a_path_that_is_no_text() -> None:
    from kb.store.paths import encode_path

    stored = encode_path(b"caf\xe9.md".decode("utf-8", "surrogateescape"))
    assert render_run("1", [Listed(stored, 1.0)]) == b"1 Q0 caf\xe9.md 1 1.0 kb\n"
