"""Names, queries and options that nobody types by accident, and what a newcomer types by one."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import MakeVault, Result, RunKb

Run = Callable[..., Result]
posix_only = pytest.mark.skipif(sys.platform != "linux", reason="names of any bytes")

NAMES = [
    *(b"new\nline.md", b"tab\there.md", b'qu"ote.md', b"apo'strophe.md", b"hash#tag.md"),
    *(
        b"pipe|x.md",
        b"per%cent%20.md",
        b"br[ack]et.md",
        b"[[wiki]].md",
        b"-dash.md",
        b"--rebuild.md",
    ),
    *(b"trail .md", b" lead.md", b"\xff\xfe.md", b"caf\xe9.md", "caf\u00e9.md".encode()),
    *("cafe\u0301.md".encode(), b"Case.md", b"case.md", b"CASE.MD", "🐘.md".encode()),
    *(b"x" * 252 + b".md", "日".encode() * 84 + b".md", b"back\\slash.md", b"star*.md", b"q?.md"),
    *(b"{date}.md", b"esc\x1b[31mred.md", b"\x07bell.md", "\u202eevil.md".encode(), b"%s%n.md"),
    *("zero\u200bwidth.md".encode(), b"$HOME.md", b"`tick`.md", b"~.md", b"cr\rx.md"),
    *(b"\xed\xa0\x80half.md", "İ.md".encode(), "ß.md".encode(), "line\u2028break.md".encode()),
    b"/".join(b"level%d" % number for number in range(50)) + b"/deep.md",
]


@pytest.fixture
def odd_vault(tmp_path: Path) -> Path:
    root = os.fsencode(tmp_path / "vault")
    for name in NAMES:
        path = os.path.join(root, name)  # noqa: PTH118 (bytes)
        os.makedirs(os.path.dirname(path), exist_ok=True)  # noqa: PTH103, PTH120
        with open(path, "wb") as file:  # noqa: PTH123
            file.write(b"# Heron\n\nsee [[Case]]\n")
    return tmp_path / "vault"


@posix_only
def test_no_name_is_lost_and_none_speaks_to_a_terminal(odd_vault: Path, kb: RunKb) -> None:
    assert kb("index", odd_vault, "--json").json["added"] == len(NAMES)
    found = kb("query", "heron", "-0", "-n", "0", "--vault", odd_vault).raw.split(b"\0")[:-1]
    assert sorted(found) == sorted(NAMES)
    document = kb("query", "heron", "--json", "-n", "0", "--vault", odd_vault).json
    assert len({hit["path"] for hit in document["results"]}) == len(NAMES)
    forms = ((), ("--explain",), ("-l",), ("--plain",), ("--format", "{path} {title}\n"))
    for form in forms:
        for color in ("always", "never"):
            arguments = ("query", "heron", "-n", "0", *form, "--color", color)
            result = kb(*arguments, "--vault", odd_vault, terminal=True)
            assert result.status == 0
            for hidden in ("\x1b[31m", "\x07", "\u202e", "\u200b", "\u2028", "\r"):
                assert hidden not in result.out + result.err, (form, hidden)
    for name in NAMES:
        why = kb("query", "heron", "--why", os.fsdecode(name), "--json", "--vault", odd_vault)
        assert why.status in (0, 1), (name, why.err)
    assert "unchanged" in kb("index", odd_vault).out


@posix_only
@pytest.mark.parametrize(
    "locale",
    [
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"LC_ALL": "xx_YY"},
        {"PYTHONIOENCODING": "ascii"},
    ],
)
def test_any_locale_gives_the_same_index(
    locale: dict[str, str], odd_vault: Path, kb_process: Run
) -> None:
    assert kb_process("index", odd_vault).status == 0
    plain = kb_process("query", "heron", "-0", "-n", "0", "--vault", odd_vault)
    assert "0 added, 0 changed, 0 removed" in kb_process("index", odd_vault, env=locale).out
    there = kb_process("query", "heron", "-0", "-n", "0", "--vault", odd_vault, env=locale)
    assert there.raw == plain.raw
    for name in ("caf\u00e9.md", "日" * 84 + ".md"):
        why = kb_process("query", "heron", "--why", name, "--vault", odd_vault, env=locale)
        assert why.status in (0, 1), why.err


QUERIES = [
    *(
        '"',
        '""',
        '"a',
        "(",
        ")",
        "((",
        "(a",
        "AND",
        "OR",
        "NOT a",
        "NEAR(a b, 2)",
        "a AND",
        "-",
        "--",
    ),
    *(
        "-a",
        "-a -b",
        "^a",
        "a*",
        "*",
        "title:a",
        "{title body}: x",
        ":",
        "a:b:c",
        '"a" "b',
        "'",
        "''",
    ),
    *(
        "'; DROP TABLE notes; --",
        '" OR 1=1 --',
        "\\",
        "%",
        "_",
        "[[",
        "]]",
        "{}",
        "<a",
        "|",
        "`",
        "#",
    ),
    *(
        "#a/b",
        "@a",
        "$(ls)",
        "/a/",
        "..",
        "C++",
        ".NET",
        "1.0.21",
        "-38.101 NR",
        "§§",
        "🐘",
        "👩\u200d👩",
    ),
    *("\u202e evil", "\u200b", "\ufeff", "\x1b[31m", "\x07", "\u2028", "\U0010fe80", "İ", "\ud7ff"),
    *("\t", "\n", "a\x0bb", "", "  ", "\u3000", "①", "½", "nan", "\\u0000", "line:(a b)", "is:x"),
    "a" * 100_000,
    "a " * 50_000,
    '"' * 10_000,
    "(" * 10_000,
    "a " + "-x " * 5_000,
    '"a b" ' * 3_000,
    "日" * 40_000,
    "a-b" * 30_000,
    "\ufdfa" * 1_000,
]


@pytest.mark.parametrize("query", QUERIES, ids=lambda query: ascii(query[:20]))
def test_a_query_is_data(query: str, make_vault: MakeVault, kb: RunKb) -> None:
    vault = make_vault(
        {"a.md": "---\ntags: [a/b]\n---\n# A heron\n\nC++ and .NET, a b\n", "b.md": "b"}
    )
    assert kb("index", vault).status == 0
    for form in ("--json", "--explain", "--pretty", "-c"):
        result = kb("query", form, "--vault", vault, "--", query)
        assert result.status in (0, 1), result.err
        assert not any(ord(char) < 32 and char != "\n" for char in result.err)
    why = kb("query", "--why", "a.md", "--json", "--vault", vault, "--", query)
    assert why.status in (0, 1), why.err
    assert kb("query", "heron", "-c", "--vault", vault).out == "1\n"


@pytest.mark.parametrize(
    "data", [b"", b"\0", b"\xff\xfe", b"a\0heron", b"word " * 200_000, b'"' * 1_000_000, b"\x1b[2J"]
)
def test_anything_may_stand_on_stdin(data: bytes, make_vault: MakeVault, kb: RunKb) -> None:
    vault = make_vault({"a.md": "a heron"})
    assert kb("index", vault).status == 0
    result = kb("query", "-", "--json", "--vault", vault, stdin=data)
    assert result.status in (0, 1)
    assert json.loads(result.raw)["schema"] == "kb.query/1"


TOLD = {
    "a tag that no note has": (("boat", "--tag", "nope"), "no note fulfils `--tag nope`"),
    "a glob from the middle": (("boat", "--path", "sub/*.md"), "--path '**/sub/*.md'"),
    "meaning without vectors": (("boat", "--mode", "semantic"), "kb index --embed"),
    "nothing": (("",), "the query is empty"),
    "words that no note has": (("zebra",), "--why PATH"),
    "a tag with an s": (("boat", "--tags", "x"), "did you mean `--tag`?"),
    "an option without its value": (("boat", "-n"), "`kb query --help`"),
}


@pytest.mark.parametrize("kind", TOLD)
def test_what_a_newcomer_types_is_answered(kind: str, make_vault: MakeVault, kb: RunKb) -> None:
    vault = make_vault({"deep/sub/a.md": "a boat #harbour"})
    assert kb("index", vault).status == 0
    arguments, said = TOLD[kind]
    result = kb("query", "--vault", vault, *arguments, terminal=True)
    assert result.status in (1, 2)
    assert result.out == ""
    assert said in result.err


def test_words_that_other_programs_use(kb: RunKb) -> None:
    assert 'kb query "for boats"' in kb("search", "for", "boats").err
    assert "Usage: kb query" in kb("help", "query").out
    assert "Usage: kb [" in kb("help").out
    assert "`kb model --help`" in kb("model").err


def test_a_folder_without_notes_is_said_to_be_one(make_vault: MakeVault, kb: RunKb) -> None:
    result = kb("index", make_vault({"a.txt": "text"}))
    assert result.status == 0
    assert "no note was found" in result.err


def test_vaults_fit_a_terminal(make_vault: MakeVault, kb: RunKb) -> None:
    for name in ("one", "日本"):
        assert kb("index", make_vault({"a.md": "x"}, name)).status == 0
    lines = kb("vaults", terminal=True).lines
    assert len(lines) == 2
    assert all(line.endswith("just now") for line in lines)
    assert "\t" in kb("vaults").out
