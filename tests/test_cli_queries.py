"""`kb query --queries`: many queries, one process, an answer a line."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from conftest import MakeVault, Result, RunKb
from embedding_material import write_model
from process_support import running

from kb.cli.query_lines import LONGEST_LINE, Asked, read_queries

NOTES = {
    "heron.md": "---\ntags: [bird]\n---\n# Heron\n\nThe heron stands in the marsh.\n",
    "punt.md": "# Punt\n\nA flat boat for the marsh.\n",
    "tide.md": "# Tide\n\nHigh water twice a day.\n",
}
Check = Callable[[Any], list[str]]


@pytest.fixture
def vault(kb: RunKb, make_vault: MakeVault) -> Path:
    root = make_vault(NOTES)
    assert kb("index", root).status == 0
    return root


@pytest.fixture
def ask(kb: RunKb, vault: Path) -> Callable[..., Result]:
    def run(stdin: str | bytes, *arguments: str, **options: Any) -> Result:
        return kb("query", "--queries", "-", "--vault", vault, *arguments, stdin=stdin, **options)

    return run


Ask = Callable[..., Result]


def lines(*asked: bytes) -> list[Asked]:
    return list(read_queries(io.BytesIO(b"\n".join(asked))))


# What the lines say.


def test_plain_lines_are_named_by_their_number() -> None:
    assert lines(b"heron", b"", b'{"query": "x"}') == [
        Asked(1, "heron"),
        Asked(2, ""),
        Asked(3, '{"query": "x"}'),
    ]


def test_objects_have_ids_of_their_own() -> None:
    assert lines(
        b'{"id": "a", "query": "heron", "more": [1]}',
        b'{"_id": 7, "text": "tide"}',
        b' { "query": "punt" }',
        b"",
    ) == [Asked("a", "heron"), Asked(7, "tide"), Asked(3, "punt")]


@pytest.mark.parametrize("first", [b'{"query": "x"}', b"\xef\xbb\xbf" + b'{"query": "x"}', b'{ "'])
def test_the_first_line_decides_that_all_are_objects(first: bytes) -> None:
    *_, last = lines(first, b"heron")
    assert last[:2] == (2, "")
    assert last.problem == "line 2 is no JSON object"
    assert lines(b"", b'{"id": "a", "query": "x"}') == [Asked(1, ""), Asked("a", "x")]


@pytest.mark.parametrize("first", [b"heron", b"{heron}", b"[1]", b"{{x}}", b'"heron"'])
def test_anything_else_is_text(first: bytes) -> None:
    assert lines(first, b'{"query": "x"}')[1] == Asked(2, '{"query": "x"}')


def test_line_ends_and_marks_of_other_systems_are_no_part_of_a_query() -> None:
    assert lines(b"\xef\xbb\xbfheron\r", b"tide\r") == [Asked(1, "heron"), Asked(2, "tide")]


@pytest.mark.parametrize(
    ("line", "name", "problem"),
    [
        (b"{", 2, "line 2 is no JSON object"),
        (b"[1]", 2, "line 2 is no JSON object"),
        (b'{"id": 1}', 1, "line 2 has no `query`"),
        (b'{"id": "b", "query": null}', "b", "line 2 has no `query`"),
        (b'{"id": "b", "query": 5}', "b", "line 2 has a `query` that is no text"),
        (b'{"id": [], "query": "x"}', 2, "the `id` of line 2 is neither text nor a whole number"),
        (b'{"id": true, "query": "x"}', 2, "the `id` of line 2 is neither text nor a whole number"),
        (b'{"a":' * 100_000, 2, "line 2 is no JSON object"),
        (b'{"id":' + b"9" * 5_000 + b"}", 2, "line 2 is no JSON object"),
    ],
)
def test_a_line_that_cannot_be_read_says_why(line: bytes, name: object, problem: str) -> None:
    _, asked, after = lines(b'{"query": "x"}', line, b'{"query": "y"}')
    assert (asked.id, asked.query, asked.problem) == (name, "", problem)
    assert asked.hint
    assert after == Asked(3, "y")


def test_bytes_and_escapes_that_are_no_text_are_replaced() -> None:
    assert lines(b"caf\xe9")[0].query == "caf\ufffd"
    assert lines(rb'{"query": "a\ud800b"}')[0].query == "a?b"


def test_a_line_without_an_end_is_not_held() -> None:
    class Endless(io.BytesIO):
        """Ten times the longest line, and no more of it at once than was asked for."""

        largest = 0
        left = 10 * LONGEST_LINE

        def readline(self, size: int | None = -1, /) -> bytes:
            assert size is not None
            assert 0 < size <= LONGEST_LINE + 1
            if not self.left:
                return super().readline(size)
            given = min(size, self.left)
            self.left -= given
            return b"x" * given

    first, second = read_queries(Endless(b"\nheron\n"))
    assert (first.id, first.query) == (1, "")
    assert first.problem == "line 1 is longer than 1,000,000 bytes"
    assert second == Asked(2, "heron")


def test_the_longest_line_is_a_query() -> None:
    whole = b"x" * (LONGEST_LINE - 1)
    assert [one.problem for one in lines(whole, b"heron")] == ["", ""]


# What is answered.


def test_each_line_is_answered_in_its_place(ask: Ask, schema_errors: Check) -> None:
    found = ask('{"id":"a","query":"heron"}\n\n?\n{"id":3,"query":"zebra"}\n', "--jsonl")
    answers = [json.loads(line) for line in found.lines]
    assert [one["id"] for one in answers] == ["a", 2, 3, 3]
    assert [one["query"] for one in answers] == ["heron", "", "", "zebra"]
    assert [schema_errors(one) for one in answers] == [[]] * 4
    first, empty, unreadable, nothing = answers
    assert first["result"]["results"][0]["path"] == "heron.md"
    assert schema_errors(first["result"]) == []
    assert empty["result"]["results"] == nothing["result"]["results"] == []
    assert unreadable["error"]["message"] == "line 3 is no JSON object"
    assert found.err == ""
    assert found.status == 2


def test_an_answer_holds_what_the_query_alone_would_give(ask: Ask, kb: RunKb, vault: Path) -> None:
    options = ("--tag", "bird", "--weight", "graph=2", "--k", "7", "-n", "1", "--mode", "hybrid")
    [line] = ask("heron marsh\n", "--jsonl", *options).lines
    alone = kb("query", "heron marsh", "--json", "--vault", vault, *options).json
    assert timeless(json.loads(line)["result"]) == timeless(alone)


def timeless(result: dict[str, Any]) -> dict[str, Any]:
    streams = {name: {**one, "ms": 0} for name, one in result["streams"].items()}
    return {**result, "streams": streams}


def test_one_document_holds_all_answers(ask: Ask, schema_errors: Check) -> None:
    document = ask("heron\nzebra\n", "--json").json
    assert schema_errors(document) == []
    assert [schema_errors(one) for one in document["answers"]] == [[], []]
    assert [one["id"] for one in document["answers"]] == [1, 2]
    assert ask("", "--json").json == {"schema": "kb.queries/1", "answers": []}


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        (("-l",), b"1\theron.md\n3\ttide.md\n"),
        (("-0",), b"1\theron.md\x003\ttide.md\x00"),
        (("-c",), b"1\t1\n2\t0\n3\t1\n"),
        (("--format", "{rank}. {title}"), b"1\t1. Heron\n3\t1. Tide\n"),
        (("-q",), b""),
    ],
)
def test_lines_are_led_by_the_id(ask: Ask, form: tuple[str, ...], expected: bytes) -> None:
    assert ask("heron\nzebra\ntide\n", "--mode", "lexical", *form).raw == expected


def test_plain_lines_are_those_of_a_query_behind_the_id(ask: Ask, kb: RunKb, vault: Path) -> None:
    alone = kb("query", "marsh", "--vault", vault).lines
    named = '{"id":"a\\tb\\n","query":"marsh"}\n'
    assert ask(named).lines == [f"a b \t{line}" for line in alone]
    shown = ask('{"id":"\\u001b[2J","query":"marsh"}\n', "--plain", terminal=True).out
    assert shown.startswith("\\x1b[2J\t")


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        ("heron\nzebra\n", 0),
        ("zebra\nheron", 0),
        ("zebra\n\n", 1),
        ("", 1),
        ('{"query":"heron"}\n{}\n', 2),
        ('{"query":"zebra"}\n{}\n', 2),
    ],
)
@pytest.mark.parametrize("form", ["-q", "--jsonl"])
def test_the_status_is_that_of_all(ask: Ask, asked: str, status: int, form: str) -> None:
    assert ask(asked, form).status == status


def test_notices_name_the_query_once_and_not_beside_json(ask: Ask) -> None:
    both = 'heron "\ntide "\n'
    told = "kb: 1: a quote has no partner and is read as text\n"
    assert ask(both, "-l").err == told
    assert ask(both, "-l", "-q").err == ""
    documents = ask(both, "--jsonl")
    assert documents.err == ""
    assert all(json.loads(line)["result"]["notices"] for line in documents.lines)


def test_what_cannot_be_read_is_named_on_stderr_beside_lines(ask: Ask) -> None:
    for form in ("-l", "-q"):
        said = ask('{"id":"a","query":"heron"}\n{"id":"b"}\n', form).err.splitlines()
        assert said[0] == "kb: b: line 2 has no `query`"
        assert said[1].startswith("hint: ")


def test_the_queries_may_stand_in_a_file(kb: RunKb, vault: Path, tmp_path: Path) -> None:
    file = tmp_path / "queries.txt"
    file.write_text("heron\n", encoding="utf-8")
    assert kb("query", "--queries", file, "-l", "--vault", vault, "-n1").lines == ["1\theron.md"]
    absent = kb("query", "--queries", tmp_path / "none", "--vault", vault)
    assert (absent.status, absent.out) == (2, "")
    assert "cannot read" in absent.err


@pytest.mark.parametrize(
    "more",
    [
        ("heron",),
        ("--why", "heron.md"),
        ("--pretty",),
        ("--explain",),
        ("--exclude-from", "-"),
        ("--queries", ""),
    ],
)
def test_what_cannot_be_joined_is_refused(ask: Ask, more: tuple[str, ...]) -> None:
    refused = ask("heron\n", *more)
    assert (refused.status, refused.out) == (2, "")
    assert "hint: " in refused.err


# A conversation.


class Talk:
    """A process that answers a line with a line."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process

    def say(self, line: str) -> Any:
        """Write a line, and read what comes back before anything more is written."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(f"{line}\n".encode())
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def end(self) -> tuple[int, bytes]:
        """The exit status, and what was said on stderr."""
        _, err = self.process.communicate()
        return self.process.returncode, err

    def paths(self, line: str) -> list[str]:
        return [hit["path"] for hit in self.say(line)["result"]["results"]]


@pytest.fixture
def talking(kb_variables: dict[str, str]) -> Callable[..., Any]:
    @contextmanager
    def start(*arguments: str | Path) -> Iterator[Talk]:
        asked = ("query", "--queries", "-", "--jsonl", *arguments)
        with running(asked, kb_variables, stdin=subprocess.PIPE) as process:
            yield Talk(process)

    return start


def test_a_conversation_over_pipes(talking: Callable[..., Any], vault: Path) -> None:
    with talking("--vault", vault) as talk:
        assert talk.paths("heron")[0] == "heron.md"
        assert talk.say("zebra")["result"]["results"] == []
        assert talk.paths("tide") == ["tide.md"]
        assert talk.end() == (0, b"")


def test_each_query_sees_the_index_as_it_is(
    talking: Callable[..., Any], vault: Path, kb: RunKb
) -> None:
    with talking("--vault", vault, "--authority") as talk:
        assert talk.paths("zebra") == []
        (vault / "zebra.md").write_text("# Zebra\n\n[[heron]]\n", encoding="utf-8")
        assert kb("index", vault).status == 0
        assert talk.paths("zebra")[0] == "zebra.md"
        assert talk.say("heron")["result"]["notices"] == []  # authority is known again
        assert talk.end() == (0, b"")


@pytest.mark.skipif(sys.platform == "win32", reason="an open file cannot be replaced there")
def test_an_index_that_is_another_file_is_asked_from_then_on(
    talking: Callable[..., Any], vault: Path, kb: RunKb, tmp_path: Path
) -> None:
    index, other = tmp_path / "index.sqlite", tmp_path / "other.sqlite"
    assert kb("index", vault, "--index", index).status == 0
    (vault / "zebra.md").write_text("# Zebra\n", encoding="utf-8")
    assert kb("index", vault, "--index", other).status == 0
    with talking("--index", index) as talk:
        assert talk.paths("zebra") == []
        other.replace(index)
        assert talk.paths("zebra") == ["zebra.md"]
        index.unlink()
        assert talk.say("zebra")["error"]["message"] == f"no index at {index}"
        assert kb("index", vault, "--index", index).status == 0
        assert talk.paths("zebra") == ["zebra.md"]
        assert talk.end() == (2, b"")


def test_a_model_is_loaded_once_and_only_where_it_is_needed(
    kb: RunKb, make_vault: MakeVault, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("numpy", "onnxruntime", "fastembed"):
        pytest.importorskip(name, reason="the extra `model` is not installed")
    from kb.embedding import session
    from kb.streams.query_vector import _embedder

    model = write_model(tmp_path / "m", dimension=2, pooling="cls")
    root = make_vault({"a.md": "red green\n", "b.md": "blue\n"})
    assert kb("index", root, "--embed", "--model", model).status == 0
    _embedder.cache_clear()
    opened = []
    plainly = session.open_session

    def counted(*arguments: Any, **named: Any) -> Any:
        opened.append(arguments)
        return plainly(*arguments, **named)

    monkeypatch.setattr(session, "open_session", counted)
    options = ("--vault", root, "--jsonl", "-q")
    assert kb("query", "--queries", "-", *options, "--mode", "lexical", stdin="red\n").status == 0
    assert opened == []
    asked = "red\ngreen\nred\nblue green\n"
    assert kb("query", "--queries", "-", *options, stdin=asked).status == 0
    assert len(opened) == 1
