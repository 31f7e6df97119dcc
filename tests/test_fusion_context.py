"""Context packs: what is taken, joined, cut and left out, and that a budget is never passed."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from search_support import Library, make_library, make_options

from kb.fusion.budget import Budget, Unit, estimate_tokens, parse_budget
from kb.fusion.context import ContextPack, context, context_of_vaults
from kb.fusion.options import Rule
from kb.fusion.vaults import VaultToAsk
from kb.store.errors import UsageError
from kb.store.records import Filters
from kb.text.fences import open_fence

FILLER = "The tide goes out and the mud lies bare, so that nothing moves for hours. " * 16
SAID = "The grey heron waits in the shallow water at dawn, says the book."
NOTES = {
    "birds/heron.md": "---\ntags: [bird]\n---\n# Heron\n\nThe grey heron waits.\n\n## Food\n\n"
    f"{FILLER}The heron eats eels. {FILLER}\n\n## Nest\n\nA heron builds high.\n\n{FILLER}\n",
    "birds/copy.md": f"# Copy\n\n{SAID}\n",
    "birds/again.md": f"# Again\n\n{SAID}\n",
    "code.md": "# Script\n\n```python\n" + "heron = count(heron)\n" * 150 + "```\n",
    "boat.md": "# Boat\n\nA boat named heron. [[heron]]\n",
    "old.md": "---\nstatus: superseded\n---\n# Old\n\nHerons were thought to be storks.\n",
}


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    return make_library(tmp_path_factory.mktemp("context"), NOTES)


def pack(library: Library, query: str, amount: int, unit: Unit, **options: Any) -> ContextPack:
    chosen = make_options(**{"limit": 30, **options})
    return context(library.index, query, Budget(amount, unit), chosen)


def characters(library: Library, query: str, amount: int, **options: Any) -> ContextPack:
    return pack(library, query, amount, Unit.CHARACTERS, **options)


def check(found: ContextPack, vault: Path) -> None:
    """What holds of every pack."""
    assert found.used <= found.budget.amount
    order = [(item.rank, item.line) for item in found.items]
    assert order == sorted(order)
    for item in found.items:
        assert open_fence(item.text) == ""
        lines = (vault / item.path).read_text(encoding="utf-8").split("\n")
        assert 1 <= item.line <= item.end_line <= len(lines)
        shown = "\n".join(lines[item.line - 1 : item.end_line])
        for line in item.text.split("\n"):
            core = line.removeprefix("… ").removesuffix(" …")
            assert core in shown or re.fullmatch(r"[`~]+", core)
        words = set(re.findall(r"\w+", "\n".join(lines)))
        assert set(re.findall(r"\w+", item.text)) <= words  # none is cut
    if found.budget.unit is Unit.CHARACTERS:
        assert found.used == len(found.markdown)


@given(
    st.sampled_from(["grey heron", "heron eels nest", "boat", "count", "", "xyzzy"]),
    st.integers(1, 6000),
    st.sampled_from(list(Unit)),
)
@settings(max_examples=60)
def test_a_budget_is_never_passed(library: Library, query: str, amount: int, unit: Unit) -> None:
    check(pack(library, query, amount, unit), library.vault)


def test_with_room_each_note_gives_what_it_has(library: Library) -> None:
    found = characters(library, "heron", 100_000)
    check(found, library.vault)
    assert not any(item.cut for item in found.items)
    paths = {item.path for item in found.items}
    assert paths == set(NOTES) - {"birds/copy.md"} or paths == set(NOTES) - {"birds/again.md"}
    (heron,) = [item for item in found.items if item.path == "birds/heron.md"]
    assert heron.line == 4  # every passage of the note, joined where they touch
    assert "eats eels" in heron.text
    assert "builds high" in heron.text


def test_what_another_passage_has_said_is_left_out(library: Library) -> None:
    found = characters(library, "grey heron dawn", 4_000)
    assert len({item.path for item in found.items} & {"birds/copy.md", "birds/again.md"}) == 1


def test_a_long_passage_is_cut_to_what_was_asked(library: Library) -> None:
    found = characters(library, "eels", 600)
    check(found, library.vault)
    item = found.items[0]
    assert item.cut
    assert "The heron eats eels." in item.text
    assert item.heading == ("Heron", "Food")


def test_code_that_is_cut_is_closed(library: Library) -> None:
    found = characters(library, "count", 500)
    check(found, library.vault)
    assert found.items[0].text.count("```") == 2


def test_every_passage_says_where_it_stands_and_why(library: Library) -> None:
    found = characters(library, "boat", 1_000)
    first = found.items[0]
    assert first.path == "boat.md"
    assert "`boat.md:1-3` (lexical 1" in found.markdown
    assert first.why.startswith("lexical 1, entity 1 (name:boat)")
    assert first.streams["lexical"].rank == 1


def test_what_holds_no_more_is_marked_and_left_out_on_request(library: Library) -> None:
    assert "**superseded**" in characters(library, "storks", 1_000).markdown
    current = characters(library, "storks", 1_000, filters={"current": "2026-01-01"})
    assert "old.md" not in {item.path for item in current.items}


def test_filters_and_factors_are_those_of_a_query(library: Library) -> None:
    only = characters(library, "heron", 4_000, filters={"tags": ("bird",)})
    assert {item.path for item in only.items} == {"birds/heron.md"}
    boats = Rule("path boat.md", Filters(paths=("boat.md",)), 1.5)
    weighed = characters(library, "heron", 4_000, rules=(boats,))
    hits = library.search("heron", rules=(boats,)).hits
    scores = {hit.path: hit.score for hit in hits}
    assert {item.path: item.score for item in weighed.items}.items() <= scores.items()
    assert [item.rank for item in weighed.items if item.path == "boat.md"] == [
        hit.rank for hit in hits if hit.path == "boat.md"
    ]


def test_as_many_notes_as_were_asked_for(library: Library) -> None:
    found = characters(library, "heron", 100_000, limit=2)
    assert found.found == 2
    assert {item.rank for item in found.items} <= {1, 2}


def test_a_budget_that_holds_nothing_says_so(library: Library) -> None:
    found = characters(library, "heron", 20)
    assert found.items == ()
    assert found.used == 0
    assert any("too small" in notice for notice in found.notices)
    nothing = characters(library, "xyzzy", 20)
    assert (nothing.found, nothing.notices) == (0, ())


def test_a_note_that_is_gone_is_left_out(tmp_path: Path) -> None:
    library = make_library(tmp_path, {"a.md": "A heron.", "b.md": "A heron too."})
    (library.vault / "a.md").unlink()
    assert {item.path for item in characters(library, "heron", 1_000).items} == {"b.md"}


def test_several_vaults_give_one_pack(library: Library, tmp_path: Path) -> None:
    other = make_library(tmp_path, {"heron.md": "# Heron\n\nA ferry called the grey heron.\n"})
    options = make_options(limit=30)
    vaults = [VaultToAsk(one.index, options) for one in (library, other)]
    found = context_of_vaults(vaults, "grey heron", Budget(3_000), options)
    assert found.used <= 3_000
    assert {item.vault for item in found.items} == {str(library.vault), str(other.vault)}
    assert f"`{other.vault}/heron.md:1-3`" in found.markdown


def test_tokens_are_counted_by_the_model_at_hand(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    from kb.embedding import ModelError

    def nothing(*_: object, **__: object) -> None:
        raise ModelError("no model")

    monkeypatch.setattr("kb.embedding.find.find_model", nothing)
    monkeypatch.setattr("kb.embedding.find_model", nothing, raising=False)
    found = pack(library, "heron", 300, Unit.TOKENS)
    check(found, library.vault)
    assert found.counted_by == "estimate"
    assert found.used == estimate_tokens(found.markdown)


@pytest.mark.parametrize(
    ("text", "unit", "budget"),
    [
        ("4000", "", Budget(4000)),
        ("4000c", "", Budget(4000)),
        (" 1000t ", "", Budget(1000, Unit.TOKENS)),
        ("1000 tokens", "", Budget(1000, Unit.TOKENS)),
        ("1000T", "tokens", Budget(1000, Unit.TOKENS)),
        ("1000", "tokens", Budget(1000, Unit.TOKENS)),
        ("1000", "Characters", Budget(1000)),
    ],
)
def test_how_a_budget_is_written(text: str, unit: str, budget: Budget) -> None:
    assert parse_budget(text, unit) == budget


@pytest.mark.parametrize(
    ("text", "unit"),
    [("", ""), ("0", ""), ("-5", ""), ("many", ""), ("4k", ""), ("99999999999", ""),
     ("1000", "words"), ("1000t", "characters")],
)  # fmt: skip
def test_what_is_no_budget(text: str, unit: str) -> None:
    with pytest.raises(UsageError):
        parse_budget(text, unit)


def test_the_estimate_of_tokens() -> None:
    assert [estimate_tokens(text) for text in ("", "abcd", "abcde", "日本", "né")] == [
        0,
        1,
        2,
        2,
        2,
    ]
