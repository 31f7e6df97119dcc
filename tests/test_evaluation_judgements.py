"""Files of judged queries, in both forms, with what real ones get wrong."""

from __future__ import annotations

from pathlib import Path

import apsw
import pytest

from kb.evaluation.judged_file import append_judgements
from kb.evaluation.judgements import (
    JudgedQuery,
    Judgements,
    read_judgements,
    resolve_judgements,
)
from kb.store.errors import KbError, UsageError
from kb.store.paths import encode_path

QUERIES = '{"_id": "1", "text": "why postgres"}\n{"_id": "2", "text": "on call"}\n'


def write(folder: Path, name: str, text: str | bytes) -> Path:
    file = folder / name
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    return file


def pair(folder: Path, queries: str | bytes, qrels: str | bytes) -> Judgements:
    return read_judgements(write(folder, "q.jsonl", queries), write(folder, "r.tsv", qrels))


@pytest.mark.parametrize(
    "qrels",
    [
        "query-id\tpath\tscore\n1\ta b/c.md\t2\n",
        "1\ta b/c.md\t2\n",
        "1\t./a b/c.md\t2.0\r\n\r\n",
        "\ufeff1\ta b/c.md\t1\n1\ta b/c.md\t2\n",
    ],
)
def test_a_pair_with_and_without_header(tmp_path: Path, qrels: str) -> None:
    judged = pair(tmp_path, QUERIES, qrels)
    assert judged.queries == (JudgedQuery("1", "why postgres", {"a b/c.md": 2.0}),)
    assert judged.unjudged == 1


def test_a_score_of_zero_judges_a_note_wrong(tmp_path: Path) -> None:
    judged = pair(tmp_path, QUERIES, "1\ta.md\t0\n1\tb.md\t1\n2\tc.md\t0\n")
    assert judged.queries == (JudgedQuery("1", "why postgres", {"a.md": 0.0, "b.md": 1.0}),)
    assert judged.queries[0].relevant == 1
    assert judged.unjudged == 1


def test_ids_may_be_numbers(tmp_path: Path) -> None:
    assert pair(tmp_path, '{"_id": 7, "text": "x"}', "7\ta.md\t1").queries[0].id == "7"


def test_one_table_of_query_and_path(tmp_path: Path) -> None:
    table = "why postgres\ta.md\non call\tb c.md\nwhy postgres\td.md\n"
    judged = read_judgements(write(tmp_path, "judged.tsv", table))
    assert judged.queries == (
        JudgedQuery("1", "why postgres", {"a.md": 1.0, "d.md": 1.0}),
        JudgedQuery("2", "on call", {"b c.md": 1.0}),
    )


def test_a_header_of_one_table_is_no_query(tmp_path: Path) -> None:
    judged = read_judgements(write(tmp_path, "judged.tsv", "query\tpath\non call\tb.md\n"))
    assert [query.text for query in judged.queries] == ["on call"]


def test_a_path_that_is_no_utf8_is_read_in_stored_form(tmp_path: Path) -> None:
    judged = read_judgements(write(tmp_path, "judged.tsv", b"on call\tcaf\xe9.md\n"))
    raw = b"caf\xe9.md".decode("utf-8", "surrogateescape")
    assert list(judged.queries[0].grades) == [encode_path(raw)]


@pytest.mark.parametrize(
    ("queries", "qrels", "message"),
    [
        ('{"_id": "1"}', "1\ta.md\t1", "q.jsonl, line 1"),
        ("why postgres", "1\ta.md\t1", "q.jsonl, line 1"),
        ('{"_id": "1", "text": 3}', "1\ta.md\t1", "`text` is not text"),
        ('{"_id": "1", "text": "a"}\n{"_id": "1", "text": "b"}', "1\ta.md\t1", "two queries"),
        (QUERIES, "1\ta.md\t1\n2\tb.md\thigh\n", "r.tsv, line 2: `high` is no score"),
        (QUERIES, "1 0 a.md 1\n", "1 columns"),
        (QUERIES, "1\t0\ta.md\t1\n", "4 columns"),
        (QUERIES, "1\t\t1\n", "no query or no path"),
    ],
)
def test_a_malformed_line_is_named(tmp_path: Path, queries: str, qrels: str, message: str) -> None:
    with pytest.raises(KbError) as caught:
        pair(tmp_path, queries, qrels)
    assert message in caught.value.message
    assert caught.value.hint


@pytest.mark.parametrize(
    ("queries", "qrels", "message"),
    [
        (QUERIES, "", "holds no judgement"),
        (QUERIES, "9\ta.md\t1\n", "no query of"),
        (QUERIES, "1\ta.md\t0\n", "judges no note right"),
        ("", "1\ta.md\t1\n", "holds no judged query"),
    ],
)
def test_nothing_judged_is_an_error_that_says_why(
    tmp_path: Path, queries: str, qrels: str, message: str
) -> None:
    with pytest.raises(UsageError) as caught:
        pair(tmp_path, queries, qrels)
    assert message in caught.value.message


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(KbError, match="cannot read"):
        read_judgements(tmp_path / "none.tsv")


def notes_table(*paths: str) -> apsw.Connection:
    connection = apsw.Connection(":memory:")
    connection.execute("CREATE TABLE notes (path TEXT)")
    connection.executemany("INSERT INTO notes VALUES (?)", [(path,) for path in paths])
    return connection


def test_paths_are_those_of_the_index_in_any_normalisation() -> None:
    composed, decomposed = "caf\u00e9.md", "cafe\u0301.md"
    judged = Judgements((JudgedQuery("1", "x", {composed: 1.0, "gone.md": 2.0}),))
    resolved = resolve_judgements(notes_table(decomposed, "other.md"), judged)
    assert resolved.queries[0].grades == {decomposed: 1.0, "gone.md": 2.0}
    assert resolved.missing == ("gone.md",)


def test_what_was_appended_is_read_back(tmp_path: Path) -> None:
    file = tmp_path / "judged.tsv"
    assert append_judgements(file, "why\t postgres ", ["a b.md", "c.md", "a b.md"]) == 2
    assert append_judgements(file, "why postgres", ["c.md", "d.md"]) == 1
    assert file.read_text() == "why postgres\ta b.md\nwhy postgres\tc.md\nwhy postgres\td.md\n"
    assert read_judgements(file).queries == (
        JudgedQuery("1", "why postgres", {"a b.md": 1.0, "c.md": 1.0, "d.md": 1.0}),
    )


def test_a_file_whose_last_line_is_open_gets_a_new_line(tmp_path: Path) -> None:
    file = write(tmp_path, "judged.tsv", "on call\tb.md")
    append_judgements(file, "on call", ["c.md"])
    assert file.read_text() == "on call\tb.md\non call\tc.md\n"


def test_a_path_with_a_tab_is_refused(tmp_path: Path) -> None:
    with pytest.raises(KbError, match="tab"):
        append_judgements(tmp_path / "judged.tsv", "x", ["a\tb.md"])
    assert not (tmp_path / "judged.tsv").exists()
