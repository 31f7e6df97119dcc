"""Every way to write a link, and what only looks like one."""

from __future__ import annotations

import pytest

from kb.indexer.parse import parse_note
from kb.store.note_records import Link, LinkKind

WIKI, EMBED, MARKDOWN = LinkKind.WIKI, LinkKind.EMBED, LinkKind.MARKDOWN
PROPERTY = LinkKind.PROPERTY


def links(text: str, *, dendron: bool = False) -> tuple[Link, ...]:
    return parse_note("note.md", text.encode(), dendron=dendron).links


def short(text: str, *, dendron: bool = False) -> list[tuple[str, str, str]]:
    return [(link.target, link.fragment, link.display) for link in links(text, dendron=dendron)]


ONE = [
    ("[[Name]]", WIKI, "Name", "", "", "a wikilink"),
    ("[[Name.md]]", WIKI, "Name.md", "", "", "with its extension"),
    ("[[folder/Name]]", WIKI, "folder/Name", "", "", "from the root"),
    ("[[../x]]", WIKI, "../x", "", "", "relative"),
    ("[[ Name ]]", WIKI, "Name", "", "", "with spaces around"),
    ("[[Name#Heading]]", WIKI, "Name", "Heading", "", "a section"),
    ("[[Name#H1#H2]]", WIKI, "Name", "H1#H2", "", "a trail of sections"),
    ("[[#Heading]]", WIKI, "", "Heading", "", "a section of the same note"),
    ("[[Name#^block-1]]", WIKI, "Name", "^block-1", "", "a block"),
    ("[[Name|shown]]", WIKI, "Name", "", "shown", "with display text"),
    ("[[Name\\|shown]]", WIKI, "Name", "", "shown", "an escaped pipe"),
    ("| a |\n|---|\n| [[x\\|y]] |", WIKI, "x", "", "y", "in a table"),
    ("![[Name]]", EMBED, "Name", "", "", "an embed"),
    ("![[pic.png|200]]", EMBED, "pic.png", "", "200", "an embed with a width"),
    ("[text](Name.md)", MARKDOWN, "Name.md", "", "text", "a Markdown link"),
    ("[t](a%20b.md)", MARKDOWN, "a b.md", "", "t", "percent-encoded"),
    ("[t](<a b.md>)", MARKDOWN, "a b.md", "", "t", "in angle brackets"),
    ("[t](../x.md#h)", MARKDOWN, "../x.md", "h", "t", "relative, with a section"),
    ("[t](C%23.md#a%20b)", MARKDOWN, "C#.md", "a b", "t", "an encoded number sign"),
    ("[t](#h)", MARKDOWN, "", "h", "t", "a section of the same note, in Markdown"),
    ('[t](x.md "a (title)")', MARKDOWN, "x.md", "", "t", "with a title"),
    ("[t](a_(b).md)", MARKDOWN, "a_(b).md", "", "t", "parentheses in the address"),
    ("[t](a\\).md)", MARKDOWN, "a).md", "", "t", "an escaped parenthesis"),
    ("[a *b* `c`](x.md)", MARKDOWN, "x.md", "", "a b", "markup in the text"),
    ("[a [b] c](x.md)", MARKDOWN, "x.md", "", "a [b] c", "brackets in the text"),
    ("[two\nlines](x.md)", MARKDOWN, "x.md", "", "two lines", "text of two lines"),
    ("![alt](x.png)", EMBED, "x.png", "", "alt", "an image"),
    ("[t][r]\n\n[r]: x.md", MARKDOWN, "x.md", "", "t", "by reference"),
    ("[R][]\n\n[r]: <a b.md> 'title'", MARKDOWN, "a b.md", "", "R", "a collapsed reference"),
    ("[r]\n\n[R]: x.md", MARKDOWN, "x.md", "", "r", "a short reference"),
    ("[[1]](x.md)", MARKDOWN, "x.md", "", "[1]", "doubled brackets around a link's text"),
    ("[[Note: Sub]]", WIKI, "Note: Sub", "", "", "a colon in a name"),
    ("- a\n  - [[Name]]", WIKI, "Name", "", "", "in a nested list"),
    ("> [!note] [[Name]]", WIKI, "Name", "", "", "in a callout"),
    ("# A [[Name]]", WIKI, "Name", "", "", "in a heading"),
    ("<div>\n[[Name]]\n</div>", WIKI, "Name", "", "", "inside HTML"),
    ("[[nom é]]", WIKI, "nom é", "", "", "letters beyond ASCII"),
    ("`` a` `` [[Name]] `b`", WIKI, "Name", "", "", "between code spans"),
    ("a ` b\n\nc [[Name]] ` d", WIKI, "Name", "", "", "a backtick closes in its paragraph"),
    ("- a ` b\n- c [[Name]] ` d", WIKI, "Name", "", "", "a backtick closes in its list item"),
    ("100%% of [[Name]]", WIKI, "Name", "", "", "a comment that never closes"),
    ("a <!-- b [[Name]]", WIKI, "Name", "", "", "an HTML comment that never closes"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "kind", "target", "fragment", "display"),
    [pytest.param(*c[:5], id=c[5]) for c in ONE],
)
def test_a_link(text: str, kind: LinkKind, target: str, fragment: str, display: str) -> None:
    found = links(text)
    assert [(x.kind, x.target, x.fragment, x.display) for x in found] == [
        (kind, target, fragment, display)
    ]


NONE = [
    ("```sh\nif [[ $x ]]; then\n```", "in a fence"),
    ("~~~\n[[x]]\n~~~", "in a fence of tildes"),
    ("```\n[[x]]", "in a fence that never closes"),
    ("- a\n\n      [[x]]", "in indented code of a list"),
    ("    [[x]]", "in indented code"),
    ("`[[x]]` and ``a ` [[x]]``", "in code spans"),
    ("`[[x]]\n[[y]]`", "in a code span of two lines"),
    ("%%[[x]]%%", "in a comment"),
    ("%%\n[[x]]\n\n[y](z.md)\n%%", "in a comment of several lines"),
    ("<!-- [[x]] -->", "in an HTML comment"),
    ("a <!-- [[x]]\n[y](z.md) --> b", "in an HTML comment inside a line"),
    ("<!--\n\n[[x]]", "in an HTML comment to the end"),
    ("<script>\n[[x]]\n</script>", "in a script"),
    ("[t](https://a.b/c.md)", "an address elsewhere"),
    ("<https://a.b> https://a.b/[x](mailto:a@b.c)", "autolinks and mail"),
    ("[t](//a.b/c)", "an address without a scheme"),
    ("[[https://a.b]]", "an address in double brackets"),
    ("\\[[x]] \\[y](z.md)", "escaped"),
    ("[[]] [[ ]] [t]() [[|x]]", "without a target"),
    ("[[a\nb]]", "over two lines"),
    ("- [ ] a\n- [x] b", "check boxes"),
    ("[^1] and\n\n[^1]: x.md", "a footnote"),
    ("[r]: x.md", "a definition that nothing uses"),
    ("[a\n\nb](x.md)", "text over two paragraphs"),
    ("![](data:image/png;base64,AAAA)", "an image in its address"),
]


@pytest.mark.parametrize("text", [pytest.param(c[0], id=c[1]) for c in NONE])
def test_no_link(text: str) -> None:
    assert links(text) == ()


def test_links_keep_their_order_line_and_section() -> None:
    text = "---\nup: '[[P]]'\n---\n[[a]]\n# H `x`\n\n[b](b.md) [[c]]\n## I\n\n[t\nu](d.md)\n"
    assert [(x.target, x.line, x.section) for x in links(text)] == [
        ("P", 2, ()),
        ("a", 4, ()),
        ("b.md", 7, ("H x",)),
        ("c", 7, ("H x",)),
        ("d.md", 11, ("H x", "I")),
    ]


def test_lines_count_every_kind_of_line_end() -> None:
    data = b"\xef\xbb\xbf---\r\na: 1\r---\n\r\n[[x]]\r[[y]]"
    assert [(x.target, x.line) for x in parse_note("n.md", data).links] == [("x", 5), ("y", 6)]


PROPERTIES = [
    ('a: "[[X#h|s]]"', [("X", "h", "s", 2)], "quoted"),
    ("up: [[X]]", [("X", "", "", 2)], "unquoted"),
    ("a:\n- '[[X]]'\n- text [[Y]] and [[Z]]",
     [("X", "", "", 3), ("Y", "", "", 4), ("Z", "", "", 4)], "in a list and inside text"),
    ('a: "[t](x%20y.md)"', [("x y.md", "", "t", 2)], "a Markdown link"),
    ("a: https://x.y", [], "an address"),
    ("a:\n- [[X]]b", [("X", "", "", 3)], "in front matter that YAML refuses"),
]  # fmt: skip


@pytest.mark.parametrize(("block", "expected"), [pytest.param(*c[:2], id=c[2]) for c in PROPERTIES])
def test_links_in_properties(block: str, expected: list[tuple[str, str, str, int]]) -> None:
    found = links(f"---\n{block}\n---\n")
    assert [(x.target, x.fragment, x.display, x.line) for x in found] == expected
    assert all(x.kind is PROPERTY and x.section == () for x in found)


def test_dendron_writes_the_target_last() -> None:
    assert short("[[shown|a.b#h]] [[c.d]]", dendron=True) == [
        ("a.b", "h", "shown"),
        ("c.d", "", ""),
    ]
    assert short("[[s|dendron://vault/a.b]]", dendron=True) == [("a.b", "", "s")]


def test_an_image_in_a_link_is_both() -> None:
    assert short("[![alt](p.png)](x.md)") == [("x.md", "", "alt"), ("p.png", "", "alt")]


def test_a_wikilink_in_the_text_of_a_link_is_both() -> None:
    assert short("[see [[W]]](x.md)") == [("x.md", "", "see W"), ("W", "", "")]


def test_links_are_bounded() -> None:
    note = parse_note("n.md", b"[[a]]\n" * 20_001)
    assert len(note.links) == 20_000
    assert note.problems == ("only the first 20,000 links were kept",)
