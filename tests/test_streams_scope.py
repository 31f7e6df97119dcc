"""Filters: which notes may be ranked, bound before any stream ranks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from search_support import Library, make_library

from kb.store.errors import KbError, UsageError
from kb.store.records import Filters

NOTES = {
    "people/anna.md": "---\ntags: [person]\ntype: Person\nrating: 5\nborn: 1980-05-17\n"
    'manager: "[[people/Bo Ek|Bo]]"\nstatus:\n---\n# Anna\n\nmarsh\n',
    "people/Bo Ek.md": "---\ntags: [person, person/lead]\ntype: [person, lead]\nrating: 10\n"
    "born: 1979-12-31\nmanager:\n  - [[Cara]]\n  - Dee\nstatus: Active\n---\n# Bo Ek\n\nmarsh\n",
    "people/Cara.md": "---\nrating: high\nactive: true\nmet: 2024-05-03T09:30\n---\n"
    "# Cara\n\nmarsh\n\nreviewed:: [[2024-05-01]]\n",
    "100%/50_50.md": "# Half\n\n#plan/2024 marsh\n",
    "100%/50x50.md": "# Square\n\n#plan2024 marsh\n",
    "100x/a.md": "# Other\n\nmarsh bog\n",
    "plan [old].md": "---\nversion: 1.10\n---\n# Plan\n\nmarsh bog\n",
    "plan o.md": "---\nversion: '1.1'\n---\n# Plan o\n\nmarsh\n",
    "deep/plan o.md": "# Deep\n\nmarsh\n",
    "!first.md": "# First\n\nmarsh\n",
    "#second.md": "# Second\n\nmarsh\n",
    "Ärger.md": "---\nstatus: ÄRGER\n---\n# A nuisance\n\nmarsh\n",
}
ALL = sorted(NOTES)
PEOPLE = {"people/anna.md", "people/Bo Ek.md", "people/Cara.md"}


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    return make_library(tmp_path_factory.mktemp("scope"), NOTES)


def among(library: Library, **filters: Any) -> set[str]:
    """The notes that a word of every note finds within the filters."""
    return set(library.find("marsh", filters=filters, limit=0))


def test_every_note_is_there_without_a_filter(library: Library) -> None:
    assert among(library) == set(ALL)


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({"tags": ("person",)}, {"people/anna.md", "people/Bo Ek.md"}),
        ({"tags": ("#Person/",)}, {"people/anna.md", "people/Bo Ek.md"}),
        ({"tags": ("person", "person/lead")}, {"people/Bo Ek.md"}),
        ({"tags": ("plan",)}, {"100%/50_50.md"}),
        ({"tags": ("plan%",)}, set()),
        ({"tags": ("plan_2024",)}, set()),
        ({"tags": ("pers",)}, set()),
        ({"tags": ("person",), "not_tags": ("person/lead",)}, {"people/anna.md"}),
        ({"not_tags": ("person", "plan", "plan2024"), "types": ("person",)}, set()),
        ({"types": ("PERSON",)}, {"people/anna.md", "people/Bo Ek.md"}),
        ({"types": ("lead", "nothing")}, {"people/Bo Ek.md"}),
        ({"types": ("pers_n", "p%")}, set()),
    ],
)
def test_tags_and_types(filters: dict[str, Any], expected: set[str], library: Library) -> None:
    assert among(library, **filters) == expected


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        (("rating", "=", "5"), {"people/anna.md"}),
        (("rating", "=", "5.0"), {"people/anna.md"}),
        (("Rating", ">", "5"), {"people/Bo Ek.md"}),
        (("rating", ">=", "5"), {"people/anna.md", "people/Bo Ek.md"}),
        (("rating", "<", "10"), {"people/anna.md"}),
        (("rating", "=", "HIGH"), {"people/Cara.md"}),
        (("rating", "exists", ""), PEOPLE),
        (("rating", "missing", ""), set(ALL) - PEOPLE),
        (("rating", "!=", "5"), set(ALL) - {"people/anna.md"}),
        (("rat_ng", "exists", ""), set()),
        (("rating", "=", "%"), set()),
        (("rating", "=", "hig_"), set()),
        # An empty property is there, and it is empty.
        (("status", "exists", ""), {"people/anna.md", "people/Bo Ek.md", "Ärger.md"}),
        (("status", "=", ""), {"people/anna.md"}),
        (("status", "=", "active"), {"people/Bo Ek.md"}),
        (("status", "=", "ärger"), {"Ärger.md"}),
        (("status", "=", '"Active"'), {"people/Bo Ek.md"}),
        (("status", "<", "b"), {"people/Bo Ek.md"}),
        # Dates, with as much of them as was given.
        (("born", "=", "1980-05-17"), {"people/anna.md"}),
        (("born", "=", "1980"), {"people/anna.md"}),
        (("born", "=", "1980-05"), {"people/anna.md"}),
        (("born", "<", "1980"), {"people/Bo Ek.md"}),
        (("born", "<=", "1980-05"), {"people/anna.md", "people/Bo Ek.md"}),
        (("born", ">", "1980-05"), set()),
        (("born", ">", "1979-12-30"), {"people/anna.md", "people/Bo Ek.md"}),
        (("met", "=", "2024-05-03"), {"people/Cara.md"}),
        (("met", ">=", "2024-05-03 09:00"), {"people/Cara.md"}),
        (("met", "<", "2024-05-03T09:00"), set()),
        (("reviewed", ">=", "2024-05"), {"people/Cara.md"}),
        (("reviewed", "<", "2024-05-01"), set()),
        (("rating", ">", "1980-01-01"), set()),
        # Links, by any of their names; lists, by any of their values.
        (("manager", "=", "[[people/Bo Ek]]"), {"people/anna.md"}),
        (("manager", "=", "bo ek"), {"people/anna.md"}),
        (("manager", "=", "Bo"), {"people/anna.md"}),
        (("manager", "=", "cara"), {"people/Bo Ek.md"}),
        (("manager", "=", "[[Cara]]"), {"people/Bo Ek.md"}),
        (("manager", "=", "dee"), {"people/Bo Ek.md"}),
        (("manager", "!=", "dee"), set(ALL) - {"people/Bo Ek.md"}),
        (("active", "=", "TRUE"), {"people/Cara.md"}),
        # A version is text to its author, and equal as a number.
        (("version", "=", "1.10"), {"plan [old].md", "plan o.md"}),
    ],
)
def test_properties(condition: tuple[str, str, str], expected: set[str], library: Library) -> None:
    assert among(library, where=(condition,)) == expected


def test_all_conditions_must_hold(library: Library) -> None:
    both = (("rating", ">=", "5"), ("born", "<", "1980"))
    assert among(library, where=both) == {"people/Bo Ek.md"}


@pytest.mark.parametrize(
    ("globs", "expected"),
    [
        (("people/*",), PEOPLE),
        (("people",), PEOPLE),
        (("/people/",), PEOPLE),
        (("100%/*",), {"100%/50_50.md", "100%/50x50.md"}),
        (("50_50.md",), {"100%/50_50.md"}),
        (("*.txt",), set()),
        (("**/plan*",), {"plan [old].md", "plan o.md", "deep/plan o.md"}),
        # A path that names a note is that note; what names none is a glob.
        (("plan [old].md",), {"plan [old].md"}),
        (("plan o.md",), {"plan o.md"}),
        (("plan [ox].md",), {"plan o.md", "deep/plan o.md"}),
        (("!first.md",), {"!first.md"}),
        (("!fir*",), {"!first.md"}),
        (("#second.md",), {"#second.md"}),
        (("#s*",), {"#second.md"}),
        (("./people/anna.md",), {"people/anna.md"}),
        (("A\u0308rger.md",), {"Ärger.md"}),
        (("people/anna.md", "100x/*"), {"people/anna.md", "100x/a.md"}),
    ],
)
def test_paths(globs: tuple[str, ...], expected: set[str], library: Library) -> None:
    assert among(library, paths=globs) == expected
    assert among(library, exclude=globs) == set(ALL) - expected


def test_days(tmp_path: Path) -> None:
    library = make_library(
        tmp_path,
        {
            "2023-12-31.md": "marsh",
            "2024-01-01.md": "marsh",
            "2024-01-31.md": "marsh",
            "2024-02-01.md": "marsh",
        },
    )
    assert among(library, since="2024-01-01", until="2024-01-31") == {
        "2024-01-01.md",
        "2024-01-31.md",
    }
    assert among(library, until="2023-12-31") == {"2023-12-31.md"}
    assert among(library, since="2024", until="2024-01") == {"2024-01-01.md", "2024-01-31.md"}


def test_excluded_words_leave_every_stream(tmp_path: Path) -> None:
    library = make_library(
        tmp_path,
        {
            "a.md": "---\ntags: [heron]\n---\nA heron in the reed. See [[b]] and [[c]].\n",
            "b.md": "# Bittern\n\nIt booms at night.\n\n## Food\n\nFrogs.\n",
            "c.md": "# Coot\n\nIt dives.\n",
            "heron.md": "# Frogs of the pond\n",
        },
    )
    assert set(library.find("heron")) == {"a.md", "b.md", "c.md", "heron.md"}
    assert set(library.find("heron -frogs")) == {"a.md", "c.md"}
    assert set(library.find('heron -"booms at night"')) == {"a.md", "c.md", "heron.md"}
    assert set(library.find('heron -"at booms"')) == {"a.md", "b.md", "c.md", "heron.md"}
    assert library.find("heron -heron") == []
    assert library.find("heron -- -3 --frogs")  # dashes of another kind are text


def test_an_excluded_word_beside_nothing_is_text(library: Library) -> None:
    result = library.search("-marsh", limit=0)
    assert {hit.path for hit in result.hits} == set(ALL)
    assert any("`-`" in notice for notice in result.notices)


def test_any_number_of_excluded_words(library: Library) -> None:
    letters = "bcdfghjklmnpqrstvwxz"
    words = " ".join(f"-{one}{two}" for one in letters for two in letters)
    words += " " + " ".join(f"-{one}" for one in letters) * 40
    assert len(library.find(f"marsh -bog {words}", limit=0)) == len(ALL) - 2


def test_any_number_of_filters(library: Library) -> None:
    tags = tuple(f"tag{number}" for number in range(1_500))
    assert among(library, not_tags=(*tags, "person")) == set(ALL) - {
        "people/anna.md",
        "people/Bo Ek.md",
    }
    assert among(library, types=(*tags, "lead")) == {"people/Bo Ek.md"}
    where = tuple(("rating", "!=", str(number)) for number in range(1_200))
    assert among(library, where=where) == set(ALL) - {"people/anna.md", "people/Bo Ek.md"}
    paths = tuple(f"gone/{number}.md" for number in range(2_000))
    assert among(library, exclude=(*paths, "people/anna.md")) == set(ALL) - {"people/anna.md"}


def test_a_narrow_filter_still_fills_the_list(tmp_path: Path) -> None:
    crowd = {
        f"crowd/{number:03}.md": "# Marsh marsh marsh\n\nmarsh marsh\n" for number in range(150)
    }
    few = {
        f"few/{number}.md": "---\ntags: [few]\n---\nOnce there was a marsh.\n"
        for number in range(3)
    }
    library = make_library(tmp_path, crowd | few)
    for filters in ({"tags": ("few",)}, {"paths": ("few/*",)}, {"exclude": ("crowd/",)}):
        for mode in ("hybrid", "lexical"):
            found = library.find("marsh", filters=filters, mode=mode, limit=3, depth=3)
            assert sorted(found) == sorted(few), (filters, mode)


def test_hidden_notes_are_shown_where_asked_for(tmp_path: Path) -> None:
    library = make_library(
        tmp_path,
        {
            ".obsidian/app.json": json.dumps({"userIgnoreFilters": ["archive/"]}),
            "archive/old.md": "marsh [[new]]",
            "new.md": "marsh",
        },
    )
    assert library.find("marsh") == ["new.md"]
    shown = library.find("marsh", filters={"include_ignored": True})
    assert sorted(shown) == ["archive/old.md", "new.md"]


@pytest.mark.parametrize(
    "filters",
    [
        {"where": (("rating", "~", "5"),)},
        {"where": (("rating", "", ""),)},
        {"paths": ("a\\",)},
        {"exclude": ("[b-a]*",)},
    ],
)
def test_a_filter_that_cannot_be_read(filters: dict[str, Any], library: Library) -> None:
    with pytest.raises(UsageError) as raised:
        library.find("marsh", filters=filters)
    assert raised.value.hint


ODD = st.one_of(
    st.text(max_size=12),
    st.text(alphabet="[]!#*?/\\%_ {}-'\"\0\ud800a\n", max_size=8),
    st.sampled_from(["1e999", "nan", "-0", "2024-05", "[[x]]", "[[]]", "''", '"', "0x1", "١٢"]),
)
MANY = st.lists(ODD, max_size=3).map(tuple)
OPERATOR = st.sampled_from(["=", "!=", "<", "<=", ">", ">=", "exists", "missing"])


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    filters=st.builds(
        Filters,
        tags=MANY,
        not_tags=MANY,
        paths=MANY,
        exclude=MANY,
        types=MANY,
        where=st.lists(st.tuples(ODD, st.one_of(OPERATOR, ODD), ODD), max_size=2).map(tuple),
        since=ODD,
        until=ODD,
        include_ignored=st.booleans(),
    )
)
def test_no_filter_raises_anything_else(filters: Filters, library: Library) -> None:
    try:
        found = library.find("marsh", filters=filters, limit=0)
    except KbError:
        return
    assert set(found) <= set(ALL)


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    name=st.sampled_from(["rating", "born", "manager", "status", "met", "version", "none"]),
    value=ODD,
    operator=st.sampled_from(["=", "<", "<=", ">", ">="]),
)
def test_a_condition_and_its_opposite(
    name: str, operator: str, value: str, library: Library
) -> None:
    """What is equal is not unequal; what is less is less or equal; both need the property."""
    found = among(library, where=((name, operator, value),))
    if operator == "=":
        assert found == set(ALL) - among(library, where=((name, "!=", value),))
    else:
        assert found <= among(library, where=((name, "exists", ""),))
        if len(operator) == 1:
            assert found <= among(library, where=((name, operator + "=", value),))
