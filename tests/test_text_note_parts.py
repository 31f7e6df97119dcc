"""Parts of a note's text: sections by heading, blocks by id, and what stands above a line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.text.note_parts import Part, Parts, front_matter_lines

NOTE = """\
---
tags: [plan]
---
# Plan
Opening.

## Why: the *costs*
Because.

### Details
Small ones.

## What's new?
- first item
  goes on ^item
  - below it
- second item
- third ^third

A paragraph of
two lines. ^para

| a | b |
|---|---|
| 1 | 2 |

^table

## Why: the *costs*
Again.

```md
## Not a heading
text ^not-a-block
```
"""


def shown(part: Part) -> list[str]:
    return NOTE.split("\n")[part.line - 1 : part.end_line]


@pytest.mark.parametrize(
    ("wanted", "lines"),
    [
        (["Plan"], [(4, 35)]),
        (["Details"], [(10, 11)]),
        (["Why: the costs"], [(7, 11), (29, 35)]),
        (["why the costs"], [(7, 11), (29, 35)]),  # as Obsidian writes it into a link
        (["why-the-costs"], [(7, 11), (29, 35)]),  # as an address does
        (["whats-new"], [(13, 27)]),
        (["Plan", "Details"], [(10, 11)]),
        (["Why: the costs", "Details"], [(10, 11)]),
        (["Details", "Plan"], []),
        (["What's new?", "Details"], []),
        (["Not a heading"], []),
        (["Det"], []),
        ([""], []),
    ],
)
def test_a_section_reaches_to_the_next_heading_of_its_level(
    wanted: list[str], lines: list[tuple[int, int]]
) -> None:
    found = Parts(NOTE).sections(wanted)
    assert [(part.line, part.end_line) for part in found] == lines


def test_a_section_knows_its_trail_as_shown() -> None:
    (found,) = Parts(NOTE).sections(["Details"])
    assert found.heading == ("Plan", "Why: the costs", "Details")


@pytest.mark.parametrize(
    ("block_id", "lines"),
    [
        ("item", ["- first item", "  goes on ^item", "  - below it"]),
        ("third", ["- third ^third"]),
        ("PARA", ["A paragraph of", "two lines. ^para"]),
        ("table", ["| a | b |", "|---|---|", "| 1 | 2 |", "", "^table"]),
    ],
)
def test_a_block_is_what_its_id_ends(block_id: str, lines: list[str]) -> None:
    found = Parts(NOTE).block(block_id)
    assert found is not None
    assert shown(found) == lines
    assert found.heading == ("Plan", "What's new?")


@pytest.mark.parametrize("block_id", ["not-a-block", "gone", ""])
def test_no_block_of_that_id(block_id: str) -> None:
    assert Parts(NOTE).block(block_id) is None


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("---\na: 1\n---\ntext", 3),
        ("---\n---\ntext", 2),
        ("---\n- a\n...\ntext", 3),
        ("+++\na = 1\n+++\n", 3),
        ("---\nJust words between two rules\n---\n", 0),
        ("---\n# A heading between two rules\n---\n", 0),
        ("---\na: 1\nnever closed", 0),
        ("text\n---\na: 1\n---\n", 0),
        ("", 0),
    ],
)
def test_front_matter_takes_its_lines(text: str, lines: int) -> None:
    assert front_matter_lines(text) == lines


def test_a_text_without_headings_is_one_part() -> None:
    parts = Parts("one\ntwo\n")
    assert parts.whole == Part(1, 2)
    assert parts.headings() == ()
    assert parts.trail_of(2) == ()
    assert Parts("").whole == Part(1, 1)


LINES = st.sampled_from(["# A", "## B", "## A", "text", "", "- item ^x", "---", "^y", "```"])


@given(st.lists(LINES), st.sampled_from("AB"))
def test_sections_lie_in_the_text_and_start_with_their_heading(lines: list[str], name: str) -> None:
    parts = Parts("\n".join(lines))
    for part in parts.sections([name]):
        assert 1 <= part.line <= part.end_line <= len(parts.lines)
        assert parts.lines[part.line - 1].lstrip("# ") == name
        assert part.heading[-1] == name


@given(st.lists(LINES), st.sampled_from("xy"))
def test_a_block_lies_in_the_text_and_holds_its_id(lines: list[str], name: str) -> None:
    parts = Parts("\n".join(lines))
    block = parts.block(name)
    if block is not None:
        assert 1 <= block.line <= block.end_line <= len(parts.lines)
        held = parts.lines[block.line - 1 : block.end_line]
        assert any(line.endswith(f"^{name}") for line in held)
