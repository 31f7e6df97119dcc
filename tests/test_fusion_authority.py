"""The multiplier after fusion: rules, age, links, their bounds, and notes that hold no more."""

from __future__ import annotations

from math import prod
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from search_support import Library, make_library, make_options

from kb.fusion.authority import authority_of, recency
from kb.fusion.options import Rule
from kb.fusion.related import related
from kb.store.errors import UsageError
from kb.store.records import Factor, Filters, Hit, SearchResult
from kb.streams.lapsed import lapse_of

TODAY = "2026-06-15"
NOTES = {
    "a plan.md": "---\nstatus: draft\ndate: 2026-06-15\n---\nA heron.\n",
    "archive/old.md": "---\ntags: [canonical/main]\ndate: 2020-01-01\n---\nA heron.\n",
    "b.md": "---\nstatus: superseded\ntype: decision\ndate: 2026-03-17\n---\nA heron.\n",
    "c.md": "---\nsuperseded-by: '[[a plan]]'\n---\nA heron.\n",
    "d.md": "---\nvalid until: 2026-06-14\nexpires: 2026-07-01\n---\nA heron.\n",
    "e.md": "---\nexpires: 2026-06-15\nstatus: accepted\n---\nA heron.\n",
}
DRAFT = Rule("where status=draft", Filters(where=(("status", "=", "draft"),)), 0.8)
CANONICAL = Rule("tag canonical", Filters(tags=("canonical",)), 1.4)
ARCHIVE = Rule("path archive/", Filters(paths=("archive/",)), 0.9)
DECISION = Rule("type decision", Filters(types=("decision",)), 0.5)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    return make_library(tmp_path_factory.mktemp("authority"), NOTES)


def by_path(result: SearchResult) -> dict[str, Hit]:
    return {hit.path: hit for hit in result.hits}


def check(result: SearchResult) -> None:
    """What holds of every result: the score is the sum times the product, and sets the order."""
    for hit in result.hits:
        product = prod(one.value for one in hit.factors)
        assert hit.authority == min(1.5, max(0.5, product))
        assert hit.score == hit.rrf * hit.authority
    order = [(-hit.score, hit.path) for hit in result.hits]
    assert order == sorted(order)


def test_each_rule_weighs_the_notes_that_it_names(library: Library) -> None:
    rules = (DRAFT, CANONICAL, ARCHIVE, DECISION)
    result = library.search("heron", rules=rules, mode="lexical")
    check(result)
    found = {path: hit.factors for path, hit in by_path(result).items() if hit.factors}
    assert found == {
        "a plan.md": (Factor("where status=draft", 0.8),),
        "archive/old.md": (Factor("tag canonical", 1.4), Factor("path archive/", 0.9)),
        "b.md": (Factor("type decision", 0.5),),
    }
    assert result.hits[0].path == "archive/old.md"
    assert result.hits[-1].path == "b.md"
    assert by_path(result)["archive/old.md"].authority == 1.4 * 0.9


def test_without_rules_nothing_is_weighed(library: Library) -> None:
    for hit in library.search("heron", today=TODAY).hits:
        assert (hit.authority, hit.factors) == (1.0, ())
        assert hit.score == hit.rrf


def test_the_product_stays_within_its_bounds(library: Library) -> None:
    twice = (CANONICAL, CANONICAL._replace(name="again"), DECISION, DECISION)
    result = library.search("heron", rules=twice)
    check(result)
    assert by_path(result)["archive/old.md"].authority == 1.5
    assert by_path(result)["b.md"].authority == 0.5


@given(st.lists(st.floats(0.5, 1.5), max_size=6))
def test_authority_is_the_bounded_product(values: list[float]) -> None:
    factors = tuple(Factor("one", value) for value in values)
    assert 0.5 <= authority_of(factors) <= 1.5
    if 0.5 <= prod(values) <= 1.5:
        assert authority_of(factors) == prod(values)


@pytest.mark.parametrize("factor", [0.49, 1.51, 0, float("nan")])
def test_a_factor_out_of_bounds_is_refused(factor: float, library: Library) -> None:
    with pytest.raises(UsageError, match="factor of where status=draft"):
        library.search("heron", rules=(DRAFT._replace(factor=factor),))


def test_age_counts_only_where_asked_and_from_the_day_given(library: Library) -> None:
    result = library.search("heron", recent=True, half_life=90, today=TODAY)
    check(result)
    hits = by_path(result)
    # 2026-03-17 is 90 days before, one half life.
    assert hits["a plan.md"].factors == (Factor("recent", 1.2),)
    assert hits["b.md"].factors == (Factor("recent", 1.1),)
    assert 1 <= hits["archive/old.md"].authority < 1.0001
    later = by_path(library.search("heron", recent=True, today="2026-09-13"))
    assert later["a plan.md"].authority == 1.1
    with pytest.raises(UsageError, match="no day"):
        library.search("heron", recent=True)


def test_a_note_of_tomorrow_is_as_new_as_one_of_today() -> None:
    assert recency(-5, 90) == recency(0, 90) == 1.2


def test_why_tells_the_factors_of_a_note_however_deep(library: Library) -> None:
    report = library.why("heron", "b.md", rules=(DECISION, CANONICAL), limit=1)
    assert (report.authority, report.factors) == (0.5, (Factor("type decision", 0.5),))
    assert report.rank == 6
    hits = by_path(library.search("heron", rules=(DECISION, CANONICAL)))
    assert report.score == hits["b.md"].score


def test_related_notes_are_weighed_and_labelled_alike(library: Library) -> None:
    options = make_options(rules=(DRAFT,), today=TODAY)
    hits = by_path(related(library.index, "archive/old", options).result)
    assert hits["a plan.md"].factors == (Factor("where status=draft", 0.8),)
    assert [one.label for one in hits["b.md"].lapses] == ["superseded"]


def labels(library: Library, day: str) -> dict[str, list[str]]:
    hits = by_path(library.search("heron", today=day))
    return {path: [one.label for one in hit.lapses] for path, hit in hits.items() if hit.lapses}


def test_what_holds_no_more_is_labelled_by_the_day_given(library: Library) -> None:
    said = {"b.md": ["superseded"], "c.md": ["superseded"]}
    assert labels(library, "") == said
    assert labels(library, "2026-06-14") == said  # the last day is part of the time
    assert labels(library, TODAY) == {**said, "d.md": ["expired"]}
    assert labels(library, "2026-06-16") == {**said, "d.md": ["expired"], "e.md": ["expired"]}
    assert labels(library, "2026-07-02")["d.md"] == ["expired", "expired"]
    lapses = by_path(library.search("heron", today=TODAY))["c.md"].lapses
    assert lapses[0].reason == "superseded-by: [[a plan]]"


def test_what_holds_no_more_is_left_out_on_request(library: Library) -> None:
    find = library.find
    assert set(find("heron", filters={"current": TODAY})) == {"a plan.md", "archive/old.md", "e.md"}
    assert set(find("heron", filters={"current": "2026-06-01"})) == {
        "a plan.md",
        "archive/old.md",
        "d.md",
        "e.md",
    }
    told = library.why("heron", "b.md", filters={"current": TODAY})
    assert "--current" in told.verdict


@pytest.mark.parametrize(
    ("name", "value", "label"),
    [
        ("status", "superseded", "superseded"),
        ("status", "superseded by adr-7", "superseded"),
        ("status", "[[deprecated]]", "deprecated"),
        ("state", "archived", "archived"),
        ("status", "obsolete!", "obsolete"),
        ("status", "accepted", ""),
        ("status", "not superseded", ""),
        ("status", "supersededness", ""),
        ("archived", "true", "archived"),
        ("archived", "false", ""),
        ("superseded_by", "adr-7", "superseded"),
        ("replaced by", "adr-7", "superseded"),
        ("expires", "2026-06-14", "expired"),
        ("expires", "2026-06-15", ""),
        ("expires", "2026-06-14t10:00", "expired"),
        ("expires-on", "[[2026-06-14]]", "expired"),
        ("expires", "2026-05", "expired"),
        ("expires", "2026-06", ""),
        ("valid_until", "2025", "expired"),
        ("validuntil", "2026", ""),
        ("valid until", "when it rains", ""),
        ("expires", "20260614", ""),
    ],
)
def test_what_a_property_says_of_its_note(name: str, value: str, label: str) -> None:
    assert lapse_of(name, value, TODAY) == label


def test_filters_within_which_a_query_is_asked_hold_too(library: Library) -> None:
    scope = Filters(types=("decision",), paths=("*.md",), scope="work")
    own = {"paths": ("b.md", "archive/")}
    asked = make_options({**own, "within": (scope,)})
    assert library.find("heron", filters=asked.filters) == ["b.md"]
    assert library.search("heron", filters=asked.filters).scope == "work"
    told = library.why("heron", "archive/old.md", filters=asked.filters)
    assert "--type decision (scope work)" in told.verdict
    assert "--no-scope" in told.needs


def test_a_rule_by_path_leaves_the_filter_by_path_alone(library: Library) -> None:
    filters = {"paths": ("archive/", "b.md")}
    assert library.find("heron", filters=filters, rules=(ARCHIVE,)) == ["b.md", "archive/old.md"]
    assert library.why("heron", "c.md", filters=filters, rules=(ARCHIVE,)).rank is None


def test_an_unreadable_rule_is_an_error(tmp_path: Path) -> None:
    library = make_library(tmp_path, {"a.md": "A heron."})
    rule = Rule("where odd", Filters(where=(("status", "~", "x"),)), 0.9)
    with pytest.raises(UsageError, match="condition"):
        library.search("heron", rules=(rule,))
