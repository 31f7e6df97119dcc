"""Front matter keeps what its author wrote, and never costs the note."""

from __future__ import annotations

import pytest

from kb.indexer.parse import parse_note
from kb.store.note_records import ParsedNote, PropertyKind

TEXT, NUMBER, EMPTY = PropertyKind.TEXT, PropertyKind.NUMBER, PropertyKind.EMPTY
DATE, DATETIME = PropertyKind.DATE, PropertyKind.DATETIME
CHECKBOX, LINK = PropertyKind.CHECKBOX, PropertyKind.LINK


def parse(text: str, path: str = "note.md") -> ParsedNote:
    return parse_note(path, text.encode())


def pairs(note: ParsedNote) -> list[tuple[str, str]]:
    return [(prop.name, prop.value) for prop in note.properties]


VALUES = [
    ("1.10", "1.10", NUMBER, "a version keeps its last zero"),
    ("01234", "01234", TEXT, "a leading zero makes an identifier"),
    ("19:20", "19:20", TEXT, "a time is not a number to base 60"),
    ("yes", "yes", TEXT, "yes is a word"),
    ("true", "true", CHECKBOX, "true is a checkbox"),
    ('"true"', "true", TEXT, "a quoted true is a word"),
    ('"12"', "12", TEXT, "a quoted number is text"),
    ("-1.5e3", "-1.5e3", NUMBER, "a number as written"),
    ("2026-04-14", "2026-04-14", DATE, "an unquoted date"),
    ("2026-04-14T10:00:00Z", "2026-04-14T10:00:00Z", DATETIME, "a date and time"),
    ("2021-02-30", "2021-02-30", TEXT, "a day that is in no calendar"),
    ("0000-00-00", "0000-00-00", TEXT, "a date of zeros"),
    ("", "", EMPTY, "nothing"),
    ("null", "", EMPTY, "null"),
    ("~", "", EMPTY, "a tilde"),
    ('""', "", EMPTY, "empty text"),
    ("[]", "", EMPTY, "an empty list"),
    ("[null]", "", EMPTY, "a list of nothing"),
    ("[[X]]", "[[X]]", LINK, "an unquoted link"),
    ("[[X|a, b]]", "[[X|a, b]]", LINK, "an unquoted link with a comma"),
    ('"[[X]]"', "[[X]]", LINK, "a quoted link"),
    ("{{date}}", "{{date}}", TEXT, "a template that was not filled"),
    ("!!python/object:os.system x", "x", TEXT, "a tag that would make an object"),
    ("'it''s'", "it's", TEXT, "a quoted quote"),
    ("C++ # a comment", "C++", TEXT, "a comment"),
]


@pytest.mark.parametrize(
    ("written", "value", "kind"), [pytest.param(*c[:3], id=c[3]) for c in VALUES]
)
def test_a_yaml_value_is_kept_as_written(written: str, value: str, kind: PropertyKind) -> None:
    note = parse(f"---\nkey: {written}\n---\nbody\n")
    assert [(p.name, p.value, p.kind) for p in note.properties] == [("key", value, kind)]
    assert note.problems == ()
    assert note.passages[0].text == "body"
    assert note.passages[0].line == 4


SHAPES = [
    ("on: 1\ny: 2", [("on", "1"), ("y", "2")], "keys that YAML 1.1 reads as switches"),
    ("a: [x, null, y]", [("a", "x"), ("a", "y")], "a list, its holes left out"),
    ("a:\n  b: 1\n  c: [2, 3]", [("a.b", "1"), ("a.c", "2"), ("a.c", "3")], "a nested map"),
    ("a:\n- b: 1\n- b: 2", [("a.b", "1"), ("a.b", "2")], "a list of maps"),
    ("a: &x [1]\nb: *x", [("a", "1"), ("b", "1")], "an alias"),
    ("a: &x [1, *x]", [("a", "1"), ("a", "*x")], "an anchor that holds itself"),
    ("a: &x {k: 1}\nb:\n  <<: *x", [("a.k", "1"), ("b.k", "1")], "a merged map"),
    ("- ? ", [], "a key of nothing in a list"),
    ('{"a": 1.50, "b": [true, null]}', [("a", "1.50"), ("b", "true")], "a JSON object"),
    ("{a: 1}", [("a", "1")], "a flow map that is no JSON"),
    ("# only a comment", [], "a comment alone"),
    ("up: [[[A]], [[B]]]", [("up", "[[A]]"), ("up", "[[B]]")], "a list of links"),
    ("a: |\n  x: y\n  z", [("a", "x: y\nz")], "text of several lines"),
]


@pytest.mark.parametrize(("block", "expected"), [pytest.param(*c[:2], id=c[2]) for c in SHAPES])
def test_the_shape_of_properties(block: str, expected: list[tuple[str, str]]) -> None:
    assert pairs(parse(f"---\n{block}\n---\nbody")) == expected


BROKEN = [
    ("title: a: b\ntags: [x]", "a: b", ("x",), "a colon in the title"),
    ("title: *x*\ntags: x", "*x*", ("x",), "an asterisk in front"),
    ("title: T\nup:\n- [[a]]b\ntags:\n- x\n- y", "T", ("x", "y"), "text behind a link"),
    ("key: `C:\\agent\\`\ntitle: 'T'", "T", (), "a backtick in front"),
    ('title: "T" and more\ntags: x y', '"T" and more', ("x", "y"), "text behind a quote"),
    ("title: T\n\tx: y\ntags: x", "T", ("x",), "a tab as indent"),
    ("title: {{title}} draft\ntags: x", "{{title}} draft", ("x",), "a template and more"),
    ("title: @me\ntags: x", "@me", ("x",), "a reserved sign"),
]


@pytest.mark.parametrize(
    ("block", "title", "tags"), [pytest.param(*c[:3], id=c[3]) for c in BROKEN]
)
def test_broken_front_matter_gives_its_simple_lines(
    block: str, title: str, tags: tuple[str, ...]
) -> None:
    note = parse(f"---\n{block}\n---\n\nbody\n")
    assert (note.title, note.tags) == (title, tags)
    assert note.passages[0].text == "body"
    assert note.passages[0].line == block.count("\n") + 5
    assert len(note.problems) == 1
    assert "front matter could not be read" in note.problems[0]


NOT_PROPERTIES = [
    ("- a\n- b", "a list"),
    ("just words", "plain text"),
    ("42", "a number"),
    ("Dear all\n[see: below", "prose between two rules"),
]


@pytest.mark.parametrize("block", [pytest.param(c[0], id=c[1]) for c in NOT_PROPERTIES])
def test_what_holds_no_properties_stays_text(block: str) -> None:
    note = parse(f"---\n{block}\n---\nbody\n")
    assert note.properties == ()
    assert len(note.problems) == 1
    assert note.passages[0].text == f"---\n{block}\n---\nbody"
    assert note.passages[0].line == 1


BOUNDARIES = [
    ("---\na: 1\n---\nbody", 4, [("a", "1")], "two lines of dashes"),
    ("---\na: 1\n...\nbody", 4, [("a", "1")], "three dots close"),
    ("---  \na: 1\n--- \t\nbody", 4, [("a", "1")], "white space behind the dashes"),
    ("\ufeff---\r\na: 1\r\n---\r\nbody", 4, [("a", "1")], "a byte order mark and CRLF"),
    ("---\n---\nbody", 3, [], "nothing between"),
    ("----\na: 1\n---\nbody", 1, [], "four dashes open nothing"),
    ("\n---\na: 1\n---\nbody", 2, [], "a blank line before"),
    ("---\na: 1\nbody", 1, [], "no closing line"),
    ("--- a: 1\n---\nbody", 1, [], "text behind the dashes"),
    ('+++\na = "x"\nb = 1.10\n+++\nbody', 5, [("a", "x"), ("b", "1.10")], "TOML"),
    ("+++\nd = 2026-06-04\nt = [true]\n+++\nbody", 5, [("d", "2026-06-04"), ("t", "true")],
     "TOML dates and switches"),
    ('{"a": 1,\n"b": "c"}\nbody', 3, [("a", "1"), ("b", "c")], "a JSON object that opens the file"),
    ('{"a": 1} and so on\nbody', 1, [], "a text that starts like JSON"),
    ("{{title}}\nbody", 1, [], "a template that opens the file"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "line", "expected"), [pytest.param(*c[:3], id=c[3]) for c in BOUNDARIES]
)
def test_where_front_matter_ends(text: str, line: int, expected: list[tuple[str, str]]) -> None:
    note = parse(text)
    assert pairs(note) == expected
    assert note.passages[0].line == line
    assert note.problems == ()


def test_broken_toml_gives_its_simple_lines() -> None:
    note = parse('+++\ntitle = "T"\nbad = = \ntags = ["a", "b"]\n+++\nbody')
    assert (note.title, note.tags) == ("T", ("a", "b"))
    assert len(note.problems) == 1


def test_a_key_that_stands_twice_is_told_and_the_last_counts() -> None:
    note = parse("---\na: 1\na: 2\n---\n")
    assert pairs(note) == [("a", "2")]
    assert note.problems == ("the property `a` stands twice; the last one counts",)


def test_aliases_that_multiply_are_cut() -> None:
    levels = "\n".join(
        f"{b}: &{b} [{', '.join([f'*{a}'] * 9)}]" for a, b in zip("abcdefg", "bcdefgh", strict=True)
    )
    note = parse(f"---\na: &a [x, x]\n{levels}\n---\nbody")
    assert len(note.properties) == 2_000
    assert note.problems == ("only the first 2,000 property values were read",)
    assert note.passages[0].text == "body"


DEEP = [
    ("---\na: " + "[" * 5_000 + "\n---\nbody", "brackets"),
    ("---\n" + "\n".join(" " * n + "a:" for n in range(99)) + "\n---\nbody", "maps"),
    ('---\n{"a": ' + '{"a": ' * 5_000 + "\n---\nbody", "JSON"),
    ("+++\na = " + "[" * 5_000 + "\n+++\nbody", "TOML"),
]


@pytest.mark.parametrize("text", [pytest.param(c[0], id=c[1]) for c in DEEP])
def test_deep_nesting_is_a_problem_and_the_body_is_kept(text: str) -> None:
    note = parse(text)
    assert len(note.problems) == 1
    assert note.passages[-1].text.endswith("body")


def test_what_cannot_be_stored_is_replaced() -> None:
    note = parse('{"a": "x\\ud800", "b": "\\u0000"}\n')
    assert pairs(note) == [("a", "x\ufffd"), ("b", "\ufffd")]


TAGS = [
    ("tags: [a, b/c]", ("a", "b/c"), "a list"),
    ("tags: a, b", ("a", "b"), "text parted by commas"),
    ("tags: a b", ("a", "b"), "text parted by spaces"),
    ("tag: a", ("a",), "the older name"),
    ("Tags: a", ("a",), "an upper-case name"),
    ("tags: '#a #b'", ("a", "b"), "with number signs"),
    ("tags: ['#a', '#b']", ("a", "b"), "a list with number signs"),
    ("tags: [null]", (), "a list of nothing"),
    ("tags:", (), "nothing"),
    ("tags: #a", (), "commented away by YAML"),
    ("tags: [2024, x]", ("2024", "x"), "a number"),
    ("tags: [A, a, Ä, ä]", ("A", "Ä"), "once each, as first written"),
    ("tags: [machine learning, x]", ("machine learning", "x"), "a space inside a list's item"),
    ("tags: machine learning, x", ("machine learning", "x"), "a space between commas"),
    ("tags: ['[[a]]', '[[b|c]]']", ("a", "c"), "links"),
    ("tags: [x]\ntag: y", ("x", "y"), "both names"),
]


@pytest.mark.parametrize(("block", "expected"), [pytest.param(*c[:2], id=c[2]) for c in TAGS])
def test_tags_in_properties(block: str, expected: tuple[str, ...]) -> None:
    assert parse(f"---\n{block}\n---\n").tags == expected


ALIASES = [
    ("aliases: [a, 'b, c']", ("a", "b, c"), "a list"),
    ("alias: one name, another", ("one name", "another"), "text parted by commas"),
    ("aliases:\n- x\nalias: y", ("x", "y"), "both names"),
    ("aliases: [12, null, A, a]", ("12", "A"), "a number, nothing, one twice"),
]


@pytest.mark.parametrize(("block", "expected"), [pytest.param(*c[:2], id=c[2]) for c in ALIASES])
def test_aliases(block: str, expected: tuple[str, ...]) -> None:
    assert parse(f"---\n{block}\n---\n").aliases == expected


TITLES = [
    ("---\ntitle: T\n---\n# H", "a/b.md", "T", "the property"),
    ("---\ntitle:\n---\n# H", "a/b.md", "H", "an empty property"),
    ("## Two\n# One *b* [c](d) `e` [[f|g]]\n# Three", "a/b.md", "One b c e g", "the first H1"),
    ("Title\n===\n", "a/b.md", "Title", "an underlined heading"),
    ("```\n# no\n```\n", "a/b.md", "b", "a heading in code is none"),
    ("%%\n# no\n%%\n", "a/b.md", "b", "a heading in a comment is none"),
    ("text", "a/b.c.md", "b.c", "the file name"),
    ("text", "a/b.Markdown", "b", "the longer extension"),
    ("", "🐘.md", "🐘", "an emoji as file name"),
]


@pytest.mark.parametrize(("text", "path", "title"), [pytest.param(*c[:3], id=c[3]) for c in TITLES])
def test_title(text: str, path: str, title: str) -> None:
    assert parse(text, path).title == title


DATES = [
    ("date: 2026-06-04", "x.md", "2026-06-04", "a date"),
    ("created: 1\ndate: 2026-06-04", "x.md", "2026-06-04", "the first that is a date"),
    ("updated: 2026-06-05\ncreated: 2026-06-04", "x.md", "2026-06-04", "made before touched"),
    ("date: 2021-02-30", "x.md", "", "an impossible date"),
    ("date: 0000-00-00", "x.md", "", "zeros"),
    ("date: 2026-06-04T23:10:00+02:00", "x.md", "2026-06-04", "a date and time"),
    ("date: 2026/6/4", "x.md", "2026-06-04", "slashes"),
    ("created: 1618539507301", "x.md", "2021-04-16", "milliseconds since 1970"),
    ("date: June 4, 2026", "x.md", "2026-06-04", "month, day, year"),
    ("date: 4th Jun 2026", "x.md", "2026-06-04", "day, month, year"),
    ("date: 25/12/2025", "x.md", "2025-12-25", "only one order is possible"),
    ("date: 03/04/2025", "x.md", "", "two orders are possible"),
    ("date: '[[2026-06-04]]'", "x.md", "2026-06-04", "a link to a day"),
    ("a: 1", "2026-06-04.md", "2026-06-04", "the file name"),
    ("a: 1", "log/2026-06-04 standup.md", "2026-06-04", "the file name's start"),
    ("a: 1", "20260604.md", "2026-06-04", "eight digits"),
    ("a: 1", "daily.journal.2021.02.03.md", "2021-02-03", "dots"),
    ("a: 1", "2021-02-30.md", "", "an impossible day as name"),
    ("date: {{date}}", "2026-06-04.md", "2026-06-04", "a template falls through to the name"),
]  # fmt: skip


@pytest.mark.parametrize(("block", "path", "date"), [pytest.param(*c[:3], id=c[3]) for c in DATES])
def test_date(block: str, path: str, date: str) -> None:
    assert parse(f"---\n{block}\n---\n", path).date == date


TYPES = [
    ("type: Book", "Book", "text"),
    ("type: [a, b]", "a", "the first of a list"),
    ("type: '[[Books|Book]]'", "Book", "a link is what it shows"),
    ("type: null", "", "null"),
    ("type:", "", "nothing"),
]


@pytest.mark.parametrize(("block", "expected"), [pytest.param(*c[:2], id=c[2]) for c in TYPES])
def test_type(block: str, expected: str) -> None:
    assert parse(f"---\n{block}\n---\n").note_type == expected


def test_language_is_named_or_defaults() -> None:
    assert parse("---\nlang: de-AT\n---\n").language == "de"
    assert parse_note("x.md", b"", default_language="fr").language == "fr"
