"""Where links lead: the order of the rules, one case a line."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.indexer.names import MOST_CANDIDATES, Names, link_keys
from kb.indexer.resolve import Resolution, resolve_link
from kb.store.note_records import LinkKind, LinkStatus
from kb.store.paths import name_key

WIKI, EMBED, MARKDOWN = LinkKind.WIKI, LinkKind.EMBED, LinkKind.MARKDOWN
PROPERTY = LinkKind.PROPERTY
RESOLVED, AMBIGUOUS, ALIAS = LinkStatus.RESOLVED, LinkStatus.AMBIGUOUS, LinkStatus.ALIAS
ATTACHMENT, UNRESOLVED = LinkStatus.ATTACHMENT, LinkStatus.UNRESOLVED

NFC_NAME = unicodedata.normalize("NFC", "phénomène")
NFD_NAME = unicodedata.normalize("NFD", "phénomène")


def resolve(
    target: str,
    kind: str = WIKI,
    source: str = "source.md",
    notes: str = "",
    attachments: str = "",
    aliases: tuple[tuple[str, str], ...] = (),
) -> Resolution:
    return resolve_link(
        target, kind, source, Names.of([*notes.split(), source], attachments.split(), aliases)
    )


@pytest.mark.parametrize(
    ("target", "kind", "source", "notes", "status", "path"),
    [
        # the note itself
        ("", WIKI, "a/source.md", "x.md", RESOLVED, "a/source.md"),
        # a name, from anywhere to anywhere, with and without extension, in any case
        ("Bar", WIKI, "Foo.md", "folder/Bar.md", RESOLVED, "folder/Bar.md"),
        ("bar", WIKI, "Foo.md", "folder/Bar.md", RESOLVED, "folder/Bar.md"),
        ("BAR.MD", WIKI, "Foo.md", "folder/Bar.md", RESOLVED, "folder/Bar.md"),
        ("Bar.md", WIKI, "Foo.md", "folder/Bar.md", RESOLVED, "folder/Bar.md"),
        ("Bar", WIKI, "Foo.md", "folder/Bar.markdown", RESOLVED, "folder/Bar.markdown"),
        ("Bar", WIKI, "Foo.md", "Bar.markdown Bar.md", RESOLVED, "Bar.md"),
        ("Bar.markdown", WIKI, "Foo.md", "Bar.markdown Bar.md", RESOLVED, "Bar.markdown"),
        ("Bar", WIKI, "Foo.md", "Bar.MD", RESOLVED, "Bar.MD"),
        ("a.b.c", WIKI, "a.md", "a.b.c.md a.b.md", RESOLVED, "a.b.c.md"),
        ("Bar", PROPERTY, "Foo.md", "folder/Bar.md", RESOLVED, "folder/Bar.md"),
        ("x.md", WIKI, "s.md", "x.md.md", RESOLVED, "x.md.md"),
        ("x.md", WIKI, "s.md", "x.md.md x.md", RESOLVED, "x.md"),
        # one spelling or the other of the same letters
        (NFC_NAME, WIKI, "s.md", f"a/{NFD_NAME}.md", RESOLVED, f"a/{NFD_NAME}.md"),
        (NFD_NAME, WIKI, "s.md", f"a/{NFC_NAME}.md", RESOLVED, f"a/{NFC_NAME}.md"),
        ("STRASSE", WIKI, "s.md", "straße.md", RESOLVED, "straße.md"),
        # relative to the source, and nowhere else
        ("./x", WIKI, "a/s.md", "x.md a/x.md", RESOLVED, "a/x.md"),
        ("./x", WIKI, "a/s.md", "x.md", UNRESOLVED, None),
        ("../x", WIKI, "a/b/s.md", "x.md a/x.md", RESOLVED, "a/x.md"),
        ("../../x.md", MARKDOWN, "a/b/s.md", "x.md a/x.md", RESOLVED, "x.md"),
        ("../c/./x", WIKI, "a/b/s.md", "a/c/x.md", RESOLVED, "a/c/x.md"),
        # out of the vault leads nowhere, also if the name exists
        ("../x", WIKI, "s.md", "x.md", UNRESOLVED, None),
        ("../../../x.md", MARKDOWN, "a/s.md", "x.md a/x.md", UNRESOLVED, None),
        ("a/../../x", WIKI, "s.md", "x.md", UNRESOLVED, None),
        # the root
        ("/x", WIKI, "a/s.md", "a/x.md x.md", RESOLVED, "x.md"),
        ("/x", WIKI, "a/s.md", "a/x.md", UNRESOLVED, None),
        ("/a/x.md", MARKDOWN, "a/s.md", "a/a/x.md a/x.md", RESOLVED, "a/x.md"),
        # the exact path goes before every ending, the same case before any other
        ("x", WIKI, "a/s.md", "a/x.md x.md", RESOLVED, "x.md"),
        ("b/x", WIKI, "a/s.md", "a/b/x.md b/x.md", RESOLVED, "b/x.md"),
        ("readme", WIKI, "s.md", "README.md readme.md", RESOLVED, "readme.md"),
        ("README", WIKI, "s.md", "README.md readme.md", RESOLVED, "README.md"),
        ("B/x", WIKI, "s.md", "b/x.md c/B/x.md", RESOLVED, "b/x.md"),
        # endings are whole components
        ("b/x", WIKI, "s.md", "a/b/x.md a/ab/x.md", RESOLVED, "a/b/x.md"),
        ("x", WIKI, "s.md", "a/yx.md", UNRESOLVED, None),
        ("b/x", WIKI, "s.md", "a/x.md", UNRESOLVED, None),
        # several: own folder, longest common folder, fewest folders, alphabet
        ("t", WIKI, "a/b/s.md", "a/t.md a/b/t.md c/t.md", AMBIGUOUS, "a/b/t.md"),
        ("t", WIKI, "a/b/s.md", "a/t.md a/c/t.md d/t.md", AMBIGUOUS, "a/t.md"),
        ("t", WIKI, "a/b/s.md", "a/c/d/t.md e/t.md", AMBIGUOUS, "a/c/d/t.md"),
        ("t", WIKI, "a/b/s.md", "a/b/c/t.md a/t.md", AMBIGUOUS, "a/b/c/t.md"),
        ("t", WIKI, "q/s.md", "a/b/t.md zz/t.md", AMBIGUOUS, "zz/t.md"),
        ("t", WIKI, "q/s.md", "b/t.md a/t.md", AMBIGUOUS, "a/t.md"),
        ("readme", WIKI, "a/s.md", "a/README.md a/readme.md", AMBIGUOUS, "a/readme.md"),
        ("T", WIKI, "s.md", "t.md", RESOLVED, "t.md"),
        # Markdown links: from the source first
        ("x.md", MARKDOWN, "a/s.md", "x.md a/x.md", RESOLVED, "a/x.md"),
        ("b/x.md", MARKDOWN, "a/s.md", "b/x.md a/b/x.md", RESOLVED, "a/b/x.md"),
        ("x.md", MARKDOWN, "a/s.md", "x.md", RESOLVED, "x.md"),
        ("x.md", MARKDOWN, "a/s.md", "b/x.md", RESOLVED, "b/x.md"),
        ("My Note.md", MARKDOWN, "s.md", "", UNRESOLVED, None),
        ("x", MARKDOWN, "a/s.md", "a/x.md", RESOLVED, "a/x.md"),
        # no file at all
        ("folder/", MARKDOWN, "s.md", "folder/x.md", UNRESOLVED, None),
        ("..", MARKDOWN, "a/s.md", "a.md", UNRESOLVED, None),
        (".", WIKI, "a/s.md", "a.md", UNRESOLVED, None),
        ("nothing", WIKI, "s.md", "x.md", UNRESOLVED, None),
    ],
)
def test_where_a_link_leads(
    target: str, kind: str, source: str, notes: str, status: LinkStatus, path: str | None
) -> None:
    found = resolve(target, kind, source, notes)
    assert (found.status, found.path) == (status, path)


def test_a_name_with_spaces() -> None:
    names = Names.of(["notes/My Note.md"])
    found = resolve_link("My Note.md", MARKDOWN, "s.md", names)
    assert found == Resolution(RESOLVED, "notes/My Note.md")


@pytest.mark.parametrize(
    ("target", "kind", "notes", "attachments", "status", "path"),
    [
        ("pic.png", EMBED, "", "img/pic.png", ATTACHMENT, "img/pic.png"),
        ("PIC.png", EMBED, "", "img/pic.png", ATTACHMENT, "img/pic.png"),
        ("img/pic.png", MARKDOWN, "", "a/img/pic.png img/pic.png", ATTACHMENT, "a/img/pic.png"),
        ("../img/pic.png", MARKDOWN, "", "a/img/pic.png img/pic.png", ATTACHMENT, "img/pic.png"),
        # a file that is no note needs its extension
        ("pic", EMBED, "", "pic.png", UNRESOLVED, None),
        # a name that both a note and a file have
        ("pic.png", EMBED, "pic.png.md", "pic.png", ATTACHMENT, "pic.png"),
        ("pic.png", MARKDOWN, "pic.png.md", "pic.png", ATTACHMENT, "pic.png"),
        ("pic.png", WIKI, "pic.png.md", "pic.png", RESOLVED, "pic.png.md"),
        ("Node.js", WIKI, "Node.js.md", "lib/node.js", RESOLVED, "Node.js.md"),
        ("setup", MARKDOWN, "a/setup.md", "bin/setup", RESOLVED, "a/setup.md"),
        ("LICENSE", WIKI, "", "LICENSE", ATTACHMENT, "LICENSE"),
    ],
)
def test_files_that_are_no_notes(
    target: str, kind: str, notes: str, attachments: str, status: LinkStatus, path: str | None
) -> None:
    found = resolve(target, kind, "a/s.md", notes, attachments)
    assert (found.status, found.path) == (status, path)


def test_an_alias_comes_last_and_is_marked() -> None:
    aliases = (("PG", "db/postgres.md"),)
    assert resolve("pg", aliases=aliases).status is ALIAS
    assert resolve("pg", aliases=aliases).path == "db/postgres.md"
    assert resolve("pg", notes="x/PG.md", aliases=aliases) == Resolution(RESOLVED, "x/PG.md")
    assert resolve("./pg", aliases=aliases).status is UNRESOLVED


def test_an_alias_with_a_slash_is_compared_whole() -> None:
    aliases = (("CI/CD", "build.md"),)
    assert resolve("ci/cd", aliases=aliases) == Resolution(ALIAS, "build.md")
    assert resolve("cd", aliases=aliases).status is UNRESOLVED


def test_of_several_notes_with_one_alias_the_nearest_is_taken() -> None:
    aliases = (("boss", "x/ann.md"), ("boss", "a/bob.md"))
    found = resolve("boss", source="a/s.md", aliases=aliases)
    assert found == Resolution(ALIAS, "a/bob.md", ("a/bob.md", "x/ann.md"))


def test_candidates_of_an_ambiguous_link_start_with_the_one_taken() -> None:
    found = resolve("t", source="b/s.md", notes="a/t.md b/t.md c/t.md")
    assert found.candidates == ("b/t.md", "a/t.md", "c/t.md")
    assert resolve("t", notes="a/t.md").candidates == ()


def test_a_name_that_thousands_share_costs_each_link_little() -> None:
    """Looking at every candidate for every link would be 400 million looks."""
    notes = [f"{number % 100}/{number}/index.md" for number in range(20_000)]
    names = Names.of(notes)
    for note in notes:
        found = resolve_link("index", WIKI, note, names)
        assert found.path == note
        assert len(found.candidates) == MOST_CANDIDATES
    elsewhere = resolve_link("index", WIKI, "7/x.md", names)
    assert elsewhere.path == "7/7/index.md"  # of all below 7/, the shortest


@pytest.mark.parametrize("name", ["a/x.md", "x.markdown", "x.md.md", "d/pic.png", "CI/CD", "é.md"])
def test_whatever_can_be_meant_by_a_link_is_found_again_by_its_key(name: str) -> None:
    """A note that comes or goes touches the links whose key is among its own."""
    names = Names.of([name])
    base = name.rpartition("/")[2]
    for target in {base, base.removesuffix(".md"), name, name.removesuffix(".md"), base.upper()}:
        if resolve_link(target, WIKI, "s.md", names).path == name:
            assert name_key(target) in link_keys(name)


NAMED = ["x", "X", "y", "é", "e\u0301", "STRASSE", "straße", "a b", "x.md"]


@given(
    st.lists(
        st.sampled_from(
            [
                f"{d}{n}{e}"
                for d in ("", "a/", "a/b/")
                for n in NAMED
                for e in (".md", ".MD", ".markdown")
            ]
        ),
        max_size=5,
    ),
    st.sampled_from(NAMED),
    st.sampled_from([WIKI, EMBED, MARKDOWN, PROPERTY]),
    st.sampled_from(["s.md", "a/s.md", "a/b/x.md"]),
)
def test_a_name_of_one_note_is_looked_up_as_all_are(
    notes: list[str], target: str, kind: LinkKind, source: str
) -> None:
    names = Names.of(dict.fromkeys([*notes, source]), ["x", "a/y"])
    found = resolve_link(target, kind, source, names)
    names.only_note = lambda _: None  # type: ignore[method-assign]
    assert found == resolve_link(target, kind, source, names)
