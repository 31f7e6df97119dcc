"""lexical: any words in any script find their note, best first, the same at every depth."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from search_support import Library, make_library

from kb.fusion.options import SearchOptions
from kb.fusion.search import asked
from kb.store.connection import open_reader
from kb.store.records import Ranking
from kb.streams import lexical

LONG = "\n\n".join(f"Paragraph {number} of the long report." for number in range(400))

# Each note is the only right answer to the queries that follow it.
ANSWERS: dict[str, tuple[str, tuple[str, ...]]] = {
    "lint.md": (
        "A lint run, before the file-back ingest of the day.",
        ("File-back Ingest Lint", "file-back", "(ingest lint", 'lint"'),
    ),
    "agentic.md": ("The agentic-os shows each agent.", ("agentic-os dashboard", "agentic-os")),
    "decisions/adr-016.md": (
        "# ADR-016 One workspace for all\n\nWe keep one.",
        ("ADR-016 workspace", "ADR-016", "adr-016", "adr 016"),
    ),
    "decisions/adr-017.md": ("# ADR-017 No monorepo\n\nWe split.", ("ADR-017", '"ADR-017"')),
    "clock.md": ("A real-time clock keeps time.", ("real-time", "realtime", "real time")),
    "release.md": (
        "Version 2026.4.10 replaces 1.0.21 at last.",
        ("2026.4.10", '"1.0.21"', "1.0.21", "v1.0.21", "2026.4.10?"),
    ),
    "names.md": ("The variable foo_bar holds it.", ("foo_bar", '"foo_bar"', "foo bar")),
    "memory.md": (
        "Memory is made at bootstrap; see grammar::fa.",
        ("memory: bootstrap", "grammar::fa", "memory:bootstrap", "title:bootstrap"),
    ),
    "flags.md": (
        "Run it with --error-on-warnings to stop early.",
        ("--error-on-warnings", '"--error-on-warnings"', "error-on-warnings"),
    ),
    "radio.md": ("The 38.101 test for NR, at -38.101 dB.", ("-38.101 NR", "38.101")),
    "museum.md": (
        "The Museum of Modern Art (MoMA) has an exhibit on 'X'.",
        ("Museum (MoMA) and the 'X' exhibit?", "MoMA", "(MoMA)", "museum)"),
    ),
    "codey.md": ("Codey is replying late.", ("why is Codey not replying", "codey replies")),
    "deploy.md": ("Ship to production with care.", ("ship to prod safely", "ship")),
    "bbdown.md": ("BBDown 是一个命令行工具。", ("BBDown 视频下载", "命令行")),
    "law.md": ("As §§ 12 and 13 say.", ("§§", "§§ 12")),
    "contract.md": ("中文合約轉換的做法", ("中文合約", "合約", "轉換", "約")),
    "ru.md": (
        "Мы перенесли базу данных на новый сервер.",
        ("перенос базы данных сервер", "базу", "СЕРВЕР"),
    ),
    "el.md": ("Η Αθήνα είναι η πρωτεύουσα.", ("αθηνα", "Αθήνα", "ΠΡΩΤΕΥΟΥΣΑ")),
    "hi.md": ("हिन्दी में लिखा हुआ नोट।", ("हिन्दी", "लिखा")),
    "th.md": ("การประชุมประจำสัปดาห์ของทีม", ("ประชุม", "สัปดาห์")),
    "ko.md": ("서울에서 회의를 했다.", ("서울", "회의")),
    "ja.md": ("東京の天気は晴れです。", ("東京", "天気", "晴")),
    "he.md": ("שלום לכל העולם", ("שלום", "העולם")),
    "ar.md": ("الاجتماع القادم يوم الأحد", ("الاجتماع", "الأحد")),
    "uk.md": ("Це об'єкт спостереження.", ("об'єкт", "об’єкт", "обʼєкт")),
    "apostrophe.md": ("They don't grow here.", ("don't grow", "don’t grow")),
    "phenomene.md": ("Un phénomène rare.", ("phe\u0301nome\u0300ne", "PHÉNOMÈNE", "phenomene")),
    "🐘.md": ("Nothing but a trunk.", ("🐘", "🐘 trunk")),
    "cpp.md": ("A class in C++ has a destructor.", ("C++", "c++ class")),
    "csharp.md": ("A struct in C# is a value.", ("C#", "c# struct")),
    "dotnet.md": ("We moved to .NET 8 and node.js 20.", (".NET 8", "node.js")),
    "mail.md": (
        "Write to jo.doe+kb@example.org for access.",
        ("jo.doe+kb@example.org", "example.org"),
    ),
    "incident.md": ("INC-2041 began at 09:14 on 2026-06-04.", ("INC-2041", "2026-06-04", "09:14")),
    "path.md": ("Edit src/kb/main.py first.", ("src/kb/main.py", "main.py")),
    "hash.md": ("The commit gh_a4c71a70 broke it.", ("gh_a4c71a70",)),
    "percent.md": ("A discount of 50% on it.", ("50%", "discount 50%")),
    "long.md": (f"{LONG}\n\nThe last word is zymurgy.", ("zymurgy",)),
    "crlf.md": ("\ufeff---\r\ntitle: Windswept\r\n---\r\nText\r\n", ("windswept",)),
    "alias.md": ("---\naliases: [Grey Lady]\n---\nText.\n", ("grey lady", "Lady")),
    "todo.md": ("Text #to/do/soonest here.", ("soonest", "#to/do/soonest")),
    "yaml.md": ("---\nkeyword: quux corge\n---\nText.\n", ("quux corge",)),
}  # fmt: skip
TABLE = [(query, path) for path, (_, queries) in ANSWERS.items() for query in queries]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    notes = {path: text for path, (text, _) in ANSWERS.items()}
    return make_library(tmp_path_factory.mktemp("lexical"), notes)


@pytest.mark.parametrize(("query", "path"), TABLE, ids=[query for query, _ in TABLE])
def test_each_query_finds_its_note_first(query: str, path: str, library: Library) -> None:
    assert library.find(query)[:1] == [path]


@pytest.mark.parametrize(
    "query",
    [
        "",
        " ",
        '"',
        '""',
        "(",
        ")",
        "()",
        "*",
        "^",
        ":",
        "-",
        "--",
        "+",
        "AND",
        "OR NOT",
        "NEAR(a b)",
        "NEAR(",
        "a AND",
        "NOT NOT",
        "{a b}:c",
        "body:a",
        "whole:x",
        "a*",
        "^a",
        "'",
        "''",
        "\\",
        "\0",
        "a\0b",
        "\ud800",
        "x\udcffy",
        "\u202e",
        "\u200b",
        "; DROP TABLE notes; --",
        "%",
        "_",
        "?1",
        "[[",
        "]]",
        "[[a]]",
        "#",
        "a" * 10_000,
        "a " * 5_000,
        "- " * 500,
        '"a ' * 400,
        "中" * 3_000,
        "🐘" * 500,
        "e\u0301" * 900,
        "\U0010ffff",
    ],
)
def test_no_query_is_an_error(query: str, library: Library) -> None:
    library.search(query, limit=0)


def test_words_of_function_alone_do_not_decide(tmp_path: Path) -> None:
    library = make_library(
        tmp_path,
        {
            "a.md": "To be, or not to be: that is what it is to be and to have been.\n",
            "b.md": "The deployment.\n",
        },
    )
    assert library.find("how is it to be with the deployment", mode="lexical") == ["b.md"]
    assert library.find("to be or not to be")[0] == "a.md"


def test_a_phrase_is_a_phrase(tmp_path: Path) -> None:
    library = make_library(
        tmp_path, {"a.md": "The grey heron waits.", "b.md": "The heron is grey, and it waits."}
    )
    assert library.find('"grey heron"', mode="lexical") == ["a.md"]
    assert library.find('"heron waits"', mode="lexical") == ["a.md"]
    assert set(library.find("grey heron", mode="lexical")) == {"a.md", "b.md"}


def test_words_near_each_other_come_before_words_apart(tmp_path: Path) -> None:
    filler = "and then some more of it was said "
    library = make_library(
        tmp_path,
        {
            "apart.md": f"A copper {filler * 4} kettle.",
            "near.md": f"A {filler * 4} copper kettle.",
            "other.md": f"Nothing {filler * 4} here.",
        },
    )
    assert library.find("copper kettle", mode="lexical") == ["near.md", "apart.md"]


def test_a_title_says_more_than_the_text(tmp_path: Path) -> None:
    library = make_library(
        tmp_path,
        {
            "a.md": "# Boats\n\nA kettle stands in the galley of most boats.\n",
            "b.md": "# Kettle\n\nMost of them whistle when the water is hot enough.\n",
        },
    )
    assert library.find("kettle", mode="lexical") == ["b.md", "a.md"]


def test_equal_notes_are_ordered_by_path(tmp_path: Path) -> None:
    names = [f"{letter}/note.md" for letter in "dacb"]
    library = make_library(tmp_path, dict.fromkeys(names, "A marsh."))
    for mode in ("lexical", "hybrid"):
        assert library.find("marsh", mode=mode) == sorted(names)
        assert library.find("marsh", mode=mode, limit=2, depth=2) == sorted(names)[:2]


def deep(library: Library, query: str, depth: int) -> Ranking:
    with (
        closing(open_reader(library.index)) as connection,
        asked(library.index, query, SearchOptions(), connection) as question,
    ):
        return lexical.rank(question.request._replace(depth=depth))


WORDS = ["heron", "marsh", "reed", "boat", "night", "frog"]


@pytest.fixture(scope="module")
def crowd(tmp_path_factory: pytest.TempPathFactory) -> Library:
    """Notes of many passages whose words stand near each other in some and apart in others."""
    import random

    chance = random.Random(7)
    filler = "that were said of it at the time and since then again "
    notes = {}
    for number in range(60):
        parts = []
        for part in range(chance.randint(1, 4)):
            words = [chance.choice(WORDS) for _ in range(chance.randint(1, 6))]
            gap = f" {filler * chance.randint(0, 3)}"
            parts.append(f"## Part {part}\n\n{gap.join(words)}\n")
        notes[f"{number:02}.md"] = "\n".join(parts)
    return make_library(tmp_path_factory.mktemp("crowd"), notes)


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(words=st.lists(st.sampled_from(WORDS), min_size=1, max_size=4), depth=st.integers(1, 12))
def test_a_short_ranking_is_the_beginning_of_the_whole(
    words: list[str], depth: int, crowd: Library
) -> None:
    query = " ".join(words)
    assert deep(crowd, query, depth).hits == deep(crowd, query, 0).hits[:depth]


@settings(
    max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    query=st.one_of(
        st.text(max_size=40),
        st.text(alphabet="ab -\"'()*:^+#&/\\.,中の🐘é\u0301\0\ud800", max_size=30),
        st.lists(st.sampled_from([*WORDS, "AND", "NEAR(", '"', "-x", "--", "title:", "C++"])).map(
            " ".join
        ),
    )
)
def test_no_text_is_an_error(query: str, library: Library) -> None:
    result = library.search(query)
    assert [hit.rank for hit in result.hits] == list(range(1, len(result.hits) + 1))
