"""What is read without the YAML parser is what the parser gives; the rest is left to it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kb.indexer.plain_yaml import parse_plain_yaml
from kb.indexer.yaml_values import FrontMatterError, parse_yaml

PLAIN = [
    "title: A plain title",
    "title: Ünïcode – and 漢字",
    "tags: [one, two/three, 'four five', \"six\"]",
    "tags: []",
    "tags:\n- one\n- 2024-05-06",
    "tags:\n  - one\n  - 'two'\nnext: 1",
    "empty:\nalso:   \nlast: x",
    "url: https://example.org/a#b?c=d",
    "date: 2024-05-06 10:20",
    "created: '2024-05-06'",
    "flag: true\nnothing: null\nversion: 1.10\nid: 01234\ntime: 19:20\non: yes",
    "date created: 2024-05-06\nsnake_key-2: v",
    'quoted: "a: b # c"',
    "\nspaced: a\n\nagain: b\n",
]
LEFT = [
    *("a: [[link]]", "a: [b: c]", "a: {b: c}", "a: |\n  text", "a: >-\n  text", "a: &x 1", "a: *x"),
    *("a: !tag b", "a: b: c", "a: b:", "a: b # comment", "# comment\na: b", "a: 'it''s'"),
    *('a: "tab\\t"', "a: b\n  goes on", "a:\n  b: c", "a: - b", "a:\n- b\n  goes on", "a:\n-\n- b"),
    *("a: b\n- c", "a:\n- b\n - c", "a: 1\na: 2", "? a\n: b", "'a': b", "a:b", "a: @x", "a: [b, ]"),
    *(
        "a: ['b, c']",
        "a: [b c: d]",
        "a: [#b]",
        "a:\t1",
        "a: \ufeff1",
        "a: \x01",
        "- a",
        "a",
        "<<: b",
    ),
    *(
        "a: -5",
        "a: 'b' c",
        'a: "b" "c"',
        "a:\n- b: c",
        "a:\n- [b]",
        "a: 'b",
        "a: %b",
        "a: b\u2028c",
    ),
]

fragments = st.sampled_from(
    [
        *(
            "a",
            "b c",
            "key",
            "1.5",
            "2024-01-02",
            "null",
            "é",
            "#t",
            "[[x]]",
            "'q'",
            '"q"',
            "-",
            "x:y",
        ),
        *(": ", ":", " ", "  ", "\n", "\n- ", "\n  - ", "\n  ", ", ", ",", "[", "]", "{", "}", "'"),
        *(
            '"',
            "#",
            " #",
            "\\",
            "&",
            "*",
            "!",
            "|",
            ">",
            "%",
            "@",
            "?",
            "- ",
            "~",
            "---",
            "...",
            "\t",
        ),
    ]
)
lines = st.builds(
    lambda key, colon, value: key + colon + value,
    st.sampled_from(["a", "b", "date created", "tags", "2", "null", "é", ""]),
    st.sampled_from([": ", ":", ":  ", " : ", ""]),
    st.lists(fragments, max_size=5).map("".join),
)
blocks = st.one_of(
    st.lists(lines, min_size=1, max_size=4).map("\n".join),
    st.lists(fragments, min_size=1, max_size=12).map("".join),
)


@pytest.mark.parametrize("block", PLAIN)
def test_what_most_people_write_needs_no_parser(block: str) -> None:
    assert parse_plain_yaml(block) == parse_yaml(block, [])


@pytest.mark.parametrize("block", LEFT)
def test_what_may_mean_something_else_is_left_to_the_parser(block: str) -> None:
    assert parse_plain_yaml(block) is None


@settings(max_examples=300, deadline=None)
@given(blocks)
def test_no_block_is_read_otherwise_than_by_the_parser(block: str) -> None:
    plain = parse_plain_yaml(block)
    if plain is None or not block.strip():
        return
    problems: list[str] = []
    try:
        parsed = parse_yaml(block, problems)
    except FrontMatterError as error:
        raise AssertionError(f"the parser refuses {block!r}: {error}") from error
    assert plain == parsed
    assert list(plain) == list(parsed)
    assert problems == []
