"""The checks of the fuzzer, on inputs that hypothesis makes up, and on some that are known."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from fuzz import checks_names, checks_notes, checks_queries
from fuzz.targets import TARGETS
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kb.indexer import passages
from kb.store.note_records import Passage

# What means something to a parser, a query or a glob, put together at random.
PARTS = st.sampled_from(
    [
        *("---\n", "+++\n", "# ", "## ", "===\n", "- ", "1. ", "> ", "    ", "\t", "\n", "\n\n"),
        *("[[", "]]", "](", ")", "[a]: b\n", "`", "``", "```\n", "%%", "<!--", "-->", "\\", "|"),
        *("#tag", "::", "[k:: v]", " ^id", "<div>\n", "<pre>\n", "tags: ", "a: ", "- a\n", "&a "),
        *("*a", "? ", "{", "}", "[", ",", '"', "'", "\u200b", "\u0301", "\ufeff", "\ufdfa", "日本"),
        *("नमस्ते", "สวัสดี", "العربية", "👩\u200d💻", "½", "İ", "\u2028", "\x85", "\x0c", "\x1b"),
        *("word ", "c++ ", ".NET ", "1.0.21 ", "a-b ", "a_b ", "x/y ", "é", "AND ", "-x ", "**/"),
        *("*", "?", "!", "(", "k = 1\n", "[weights]\n", "{path}", "2021-02-30", "0x1F", "true"),
    ]
)
TEXTS = st.lists(PARTS | st.text(max_size=6), max_size=40).map(
    lambda parts: "".join(parts).encode("utf-8", "replace")
)
INPUTS = TEXTS | st.binary(max_size=60)
FEW = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.differing_executors]
)


@pytest.mark.parametrize("name", TARGETS)
def test_what_is_fuzzed_holds(name: str) -> None:
    target = TARGETS[name]
    for seed in target.seeds:
        target.check(seed.encode("utf-8", "surrogatepass"))
    FEW(given(INPUTS)(target.check))()


def shifted(passage: Passage) -> Passage:
    return passage._replace(line=passage.line + 1, end_line=passage.end_line + 1)


def shortened(passage: Passage) -> Passage:
    return passage._replace(text=passage.text[:-1])


@pytest.mark.parametrize("spoil", [shifted, shortened])
def test_a_parser_that_is_wrong_is_found_out(
    spoil: Callable[[Passage], Passage], monkeypatch: pytest.MonkeyPatch
) -> None:
    right = passages._passage
    monkeypatch.setattr(passages, "_passage", lambda *given: spoil(right(*given)))
    with pytest.raises(AssertionError):
        checks_notes.check_note(b"# Head\n\nsome text\n\nmore\n")


def test_marks_and_orders_that_are_wrong_are_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(AssertionError):
        checks_queries.check_spans("text", [(0, 5)])
    with pytest.raises(AssertionError):
        checks_queries.check_spans("text", [(2, 3), (1, 2)])
    monkeypatch.setattr(checks_names, "escape_line", lambda text: text)
    with pytest.raises(AssertionError):
        checks_names.check_output(b"\x1b[31m")
