"""What stands in a note's text: tags, inline fields, sections."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.indexer.parse import parse_note
from kb.store.note_records import ParsedNote, PropertyKind
from kb.text import structure
from kb.text.markup import plain_line
from kb.text.structure import parse_structure


def parse(text: str) -> ParsedNote:
    return parse_note("note.md", text.encode())


TAGS = [
    ("#a at the start", ("a",), "at the start"),
    ("an #a, #b; (#c) *#d* [#e]", ("a", "b", "c", "d", "e"), "behind punctuation"),
    ("#to/do", ("to/do",), "nested"),
    ("#a/ #/b", ("a", "b"), "a slash at an end"),
    ("#y1984 #1984 #2024-01", ("y1984", "2024-01"), "digits alone are none"),
    ("#a_b-c", ("a_b-c",), "underscore and dash"),
    ("#tag #Tag #TAG", ("tag",), "once, as first written"),
    ("#日本語 #тег #मराठी #ไทย", ("日本語", "тег", "मराठी", "ไทย"), "letters of any script"),
    ("#🎉 #👩‍💻dev", ("🎉", "👩‍💻dev"), "emoji, joined ones too"),
    ("#标签，文字 #标签。", ("标签",), "East Asian punctuation ends it"),
    ("#it's #a.b #c:", ("it", "a", "c"), "ASCII punctuation ends it"),
    ("> #a\n- #b\n| #c |\n", ("a", "b", "c"), "in quotes, lists and tables"),
    ("text\n#a\n", ("a",), "at the start of a line"),
    ("# Heading #a\n## B", ("a",), "in a heading, not its own mark"),
    ("`#a` \n```\n#b\n```\n\n    #c\n", (), "in code"),
    ("%%#a%% <!-- #b -->", (), "in comments"),
    ("https://x.y/#a https://x.y#b x#c", (), "in addresses and words"),
    ("[[N#a]] [[#b]] [t](#c) [t](x.md#d)", (), "in links"),
    ("[r]: #e", (), "in a definition"),
    ("&#123; &#x1F; \\#a ##b # c", (), "entities and escapes"),
    ("color: #fff", ("fff",), "what only looks like a colour"),
    ('<a href="#a">', (), "in an HTML attribute"),
    ("<style>\n#a { }\n</style>", (), "in a style sheet"),
    ("#- #_ #-/", (), "no letter, digit or picture"),
]


@pytest.mark.parametrize(("text", "expected"), [pytest.param(*c[:2], id=c[2]) for c in TAGS])
def test_tags(text: str, expected: tuple[str, ...]) -> None:
    assert parse(text).tags == expected


def test_tags_of_properties_come_first() -> None:
    assert parse("---\ntags: [b, A]\n---\n#a #c #B").tags == ("b", "A", "c")


def test_dendron_tags_hold_dots() -> None:
    assert parse_note("n.md", b"a #role.lead. #x", dendron=True).tags == ("role.lead", "x")


FIELDS = [
    ("Key:: value", [("Key", "value")], "alone on a line"),
    ("- Key:: value", [("Key", "value")], "a list item"),
    ("> - [ ] Key:: value", [("Key", "value")], "a task in a quote"),
    ("**Key**:: value", [("Key", "value")], "a bold key"),
    ("Due date:: 2026-01-02", [("Due date", "2026-01-02")], "a key of two words"),
    ("ключ:: значение", [("ключ", "значение")], "another script"),
    ("Key::", [("Key", "")], "without a value"),
    ("a [k:: v] b (l:: w)", [("k", "v"), ("l", "w")], "inside a line"),
    ("[k::v]", [("k", "v")], "brackets need no space"),
    ("[k:: [[N|s]]] (l:: f(x))", [("k", "[[N|s]]"), ("l", "f(x)")], "brackets in the value"),
    ("Key:: `a::b` c", [("Key", "`a::b` c")], "code in the value"),
    ("std::vector x", [], "code without a space"),
    ("One, two:: three. Four:: five", [], "no key in front"),
    ("`a:: b`\n```\nc:: d\n```\n", [], "in code"),
    ("%%a:: b%%", [], "in a comment"),
    ("[k:: v", [], "a bracket that never closes"),
]


@pytest.mark.parametrize(("text", "expected"), [pytest.param(*c[:2], id=c[2]) for c in FIELDS])
def test_inline_fields(text: str, expected: list[tuple[str, str]]) -> None:
    note = parse(f"Intro.\n\n{text}")
    assert [(p.name, p.value) for p in note.properties] == expected
    assert all(p.inline for p in note.properties)


def test_inline_fields_have_kinds() -> None:
    kinds = [p.kind for p in parse("x [a:: 1] [b:: [[N]]] [c:: 2026-01-02] [d:: ]").properties]
    assert kinds == [
        PropertyKind.NUMBER, PropertyKind.LINK, PropertyKind.DATE, PropertyKind.EMPTY,
    ]  # fmt: skip


def test_fields_that_open_a_page_are_its_own() -> None:
    note = parse(
        "title:: T\nalias:: a, b\ntags:: x, [[y]]\ntype:: [[Book]]\n\n- text\n  type:: z\n"
    )
    assert (note.title, note.aliases, note.tags, note.note_type) == (
        "T", ("a", "b"), ("x", "y"), "Book",
    )  # fmt: skip


def test_fields_further_down_or_beside_front_matter_are_not() -> None:
    assert parse("Intro\n\ntitle:: T\n").title == "note"
    assert parse("---\na: 1\n---\ntitle:: T\n").title == "note"


LINES = [
    ("a *b* **c** __d__ ~~e~~ ==f==", "a b c d e f", "emphasis"),
    ("snake_case_name 2*3*4", "snake_case_name 2*3*4", "signs inside words"),
    ("`*a*` \\*b\\*", "*a* *b*", "code and escapes keep their signs"),
    ("[a](b) ![c](d) [[e]] [[f/g.md|h]] [[i#j]] [k][l]", "a c e h i k", "links"),
    ("![[pic.png]] [[#Part]]", "pic.png Part", "embeds and sections"),
    ("[![a](b)](c)", "a", "an image in a link"),
    ("x <b>y</b> &amp; z <!-- no --> {#id}", "x y & z", "HTML"),
    ("Title ^block-1", "Title", "a block's name"),
    ("a < b > c & d", "a < b > c & d", "signs alone"),
    ("#tag stays", "#tag stays", "a tag"),
]


@pytest.mark.parametrize(("text", "expected"), [pytest.param(*c[:2], id=c[2]) for c in LINES])
def test_plain_line(text: str, expected: str) -> None:
    assert plain_line(text) == expected


def test_structure_finds_headings_and_code() -> None:
    text = (
        "# A #\n\nB\n=\n\n- ## C\n  ```\n  # no\n  ```\n\n"
        "> ### D\n\n    # no\n\n<!--\n# no\n-->\nE\n---\n"
    )
    found = parse_structure(text)
    assert [(h.level, h.text, h.line) for h in found.headings] == [
        (1, "A", 0), (1, "B", 2), (2, "C", 5), (3, "D", 10), (2, "E", 17),
    ]  # fmt: skip
    assert found.code == ((6, 9), (12, 13))


PLAIN = """# A⏎## B #⏎### C ##  ⏎#⏎# #⏎#tag⏎####### no⏎#\tD⏎# E \\#⏎text⏎⏎  ⏎- a⏎* b⏎+ c⏎1. d⏎12) e
> q⏎>r⏎***⏎___⏎`x`⏎-x⏎1.y⏎[a]: b⏎|a|⏎- [ ] t⏎> # H⏎- # I⏎- - j⏎    k⏎```⏎~~~⏎===⏎---⏎<div>⏎<!--⏎-->
\t# l⏎ # m⏎-\tn⏎*⏎> ```⏎1. > o⏎>    p⏎# F\u00a0⏎#\u00a0G⏎\f# Q⏎>⏎> s⏎1.⏎> - u"""
PLAIN_LINES = st.sampled_from(PLAIN.replace("\n", "⏎").split("⏎"))


@given(st.lists(PLAIN_LINES, max_size=12).map("\n".join))
def test_a_text_that_needs_no_parser_is_read_as_the_parser_reads_it(text: str) -> None:
    parsed = structure._Collector()
    parsed.read(text, 0)
    found, expected = parse_structure(text), parsed.structure()
    assert found.headings == expected.headings
    assert found.code == expected.code


def test_long_texts_are_parsed_in_windows() -> None:
    # More lines than one window: a paragraph, a list over the seam, a long fence, a heading.
    text = "a\n" * 9_000 + "\n" + "- b\n" * 15_000 + "\n```\n" + "# no\n" * 30_000 + "```\n# H\n"
    found = parse_structure(text)
    last = text.count("\n") - 1
    assert [(h.text, h.line) for h in found.headings] == [("H", last)]
    assert all(any(a <= line < b for a, b in found.code) for line in (24_010, 40_000, 54_000))


HOSTILE = [
    ("[" * 200_000, "opening brackets"),
    ("[[" * 100_000, "opening wikilinks"),
    ("[a](" * 50_000, "opening links"),
    ('[a](b "' * 50_000, "opening titles"),
    ("[" * 50_000 + "](x)" * 50_000, "links in links"),
    ("`" * 100_000, "one run of backticks"),
    ("a`" * 100_000, "many backticks"),
    ("".join("`" * n + " " for n in range(1, 600)), "runs that never close"),
    ("a <!-- " * 50_000, "opening comments"),
    ("%% a\n" * 40_000, "comment marks"),
    ("[a:: " * 50_000, "opening fields"),
    ("a:: " * 50_000, "fields in a row"),
    ("#a" * 100_000, "tags in a row"),
    ("> " * 100_000, "quotes in quotes"),
    ("- " * 100_000, "lists in lists"),
    ("\n".join("  " * n + "- a" for n in range(400)), "lists by indent"),
    ("<div>\n" * 30_000, "HTML in HTML"),
    ("\\" * 200_000 + "[[a]]", "backslashes"),
    ("\u0301" * 200_000, "marks on nothing"),
    ("a" * 2_000_000, "one long word"),
    ("# " + "**a " * 50_000, "a long heading"),
    ("*a* " * 100_000, "emphasis"),
]


@pytest.mark.parametrize("text", [pytest.param(c[0], id=c[1]) for c in HOSTILE])
def test_hostile_text_is_kept_whole(text: str) -> None:
    note = parse(text)
    kept = "".join("".join(p.text.split()) for p in note.passages)
    assert kept == "".join(text.split())
    assert len(note.links) <= 20_000


def test_many_headings_become_few_passages() -> None:
    note = parse("# h\n" * 30_000)
    assert note.title == "h"
    assert 4 * 30_000 / 1_600 <= len(note.passages) <= 2 * 4 * 30_000 / 1_100
    assert note.problems == ("only the first 20,000 headings were read",)
