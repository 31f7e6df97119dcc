"""`kb eval`, `kb tune` and `kb judge` on a vault whose right answers are plain to see."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import MakeVault, RunKb

NOTES = {
    "decisions/postgres.md": "---\ntags: [database]\n---\n# We moved to Postgres\n\nMySQL had no"
    " transactional DDL. See [[billing]].\n",
    "projects/billing.md": "# Billing\n\nInvoices for every customer. Ask [[anna]].\n",
    "people/anna.md": "---\naliases: [Anna Berg]\n---\n# Anna\n\nOwns the payroll.\n",
    "life/sour dough.md": "# Sourdough bread\n\nFlour, water, salt, and a night of patience.\n",
}
JUDGED = (
    "flour and salt\tlife/sour dough.md\n"
    "Anna Berg\tpeople/anna.md\n"
    "transactional DDL\tdecisions/postgres.md\n"
)


@pytest.fixture
def vault(kb: RunKb, make_vault: MakeVault) -> Path:
    """A small vault, indexed."""
    root = make_vault(NOTES)
    assert kb("index", root).status == 0
    return root


@pytest.fixture
def judged(tmp_path: Path) -> Path:
    """Three queries with their right note."""
    file = tmp_path / "judged.tsv"
    file.write_text(JUDGED)
    return file


def systems(document: dict[str, Any]) -> dict[str, Any]:
    """The systems of a document by name."""
    return {system["name"]: system for system in document["systems"]}


def test_every_system_is_measured(
    kb: RunKb, vault: Path, judged: Path, schema_errors: Callable[[Any], list[str]]
) -> None:
    result = kb("eval", judged, "--vault", vault, "--json")
    assert result.status == 0
    assert schema_errors(result.json) == []
    assert result.json["judged_queries"] == 3
    found = systems(result.json)
    assert list(found) == [
        *("lexical", "entity", "cosine", "graph", "fused"),
        *("without-lexical", "without-entity", "without-cosine", "without-graph"),
    ]
    assert found["fused"]["ndcg@10"] == found["lexical"]["ndcg@10"] == 1.0
    assert found["entity"]["answered"] == 1  # only Anna is named
    assert found["entity"]["recall@10"] == pytest.approx(1 / 3)
    assert found["entity"]["difference"]["mrr@10"] == pytest.approx(-2 / 3)
    assert found["cosine"]["answered"] == 0
    assert "kb index --embed" in found["cosine"]["reason"]
    assert found["fused"]["p"] is None
    assert found["without-graph"]["p"]["ndcg@10"] == 1.0
    assert "by_query" not in result.json


def test_a_pair_of_files(kb: RunKb, vault: Path, tmp_path: Path) -> None:
    queries, qrels = tmp_path / "queries.jsonl", tmp_path / "qrels.tsv"
    queries.write_text(
        '{"_id": "a", "text": "flour"}\n{"_id": "b", "text": "payroll"}\n{"_id": "c", "text": "x"}'
    )
    qrels.write_text(
        "query-id\tpath\tscore\na\tlife/sour dough.md\t2\na\tlife/gone.md\t1\n"
        "b\tpeople/anna.md\t1\nb\tlife/gone.md\t0\n"
    )
    result = kb("eval", queries, qrels, "--vault", vault, "--json")
    assert result.json["judged_queries"] == 2
    assert result.json["unjudged_queries"] == 1
    assert result.json["missing_notes"] == ["life/gone.md"]
    assert systems(result.json)["lexical"]["recall@10"] == 3 / 4
    assert "1 judged path is no note of the index and counts as not found (life/gone.md)" in (
        result.err
    )
    assert "1 query has no note judged right and was left out" in result.err


def test_the_table_in_a_pipe_is_plain_and_uncut(kb: RunKb, vault: Path, judged: Path) -> None:
    result = kb("eval", judged, "--vault", vault, width=20)
    assert result.lines[1].split()[:3] == ["system", "answered", "nDCG@10"]
    rows = {line.split()[0]: line.split() for line in result.lines[2:11]}
    assert rows["lexical"][1:6] == ["3", "1.0000", "1.0000", "1.0000", "1.0000"]
    assert rows["fused"][-2:] == ["-", "-"]
    assert "\x1b" not in result.out


def test_the_table_on_a_terminal_has_lines(kb: RunKb, vault: Path, judged: Path) -> None:
    result = kb("eval", judged, "--vault", vault, terminal=True, width=120)
    assert "┃" in result.out
    assert "without-graph" in result.out


def test_by_query_says_what_got_better_and_worse(
    kb: RunKb, vault: Path, judged: Path, schema_errors: Callable[[Any], list[str]]
) -> None:
    plain = kb("eval", judged, "--vault", vault, "--by-query", "--against", "entity")
    assert "nDCG@10 of the fusion less that of entity: 2 better, 0 worse, 1 the same" in plain.lines
    assert plain.lines[-1].split()[0] == "0"
    assert plain.lines[-1].endswith("Anna Berg")
    document = kb("eval", judged, "--vault", vault, "--against", "entity", "--json").json
    assert schema_errors(document) == []
    assert document["against"] == "entity"
    assert [query["gain"] for query in document["by_query"]] == [1.0, 0.0, 1.0]
    assert document["by_query"][1]["systems"]["entity"]["listed"] == 1
    assert document["by_query"][1]["weights"].keys() == {"lexical", "entity", "graph"}


def test_run_files(kb: RunKb, vault: Path, judged: Path, tmp_path: Path) -> None:
    folder = tmp_path / "runs"
    assert kb("eval", judged, "--vault", vault, "--run-dir", folder).status == 0
    assert sorted(file.name for file in folder.iterdir()) == [
        *("cosine.run", "entity.run", "fused.run", "graph.run", "lexical.run"),
        *("without-cosine.run", "without-entity.run", "without-graph.run", "without-lexical.run"),
    ]
    first = (folder / "fused.run").read_text().splitlines()[0].split(" ")
    assert first[:2] == ["1", "Q0"]
    assert first[2:4] == ["life/sour", "dough.md"]
    assert first[4] == "1"
    assert first[6] == "kb"
    assert (folder / "cosine.run").read_bytes() == b""
    # Without lexical there is nothing to start from for the first and the last query.
    assert {line.split()[0] for line in (folder / "without-lexical.run").open()} == {"2"}


def test_nothing_is_written_into_the_vault(kb: RunKb, vault: Path, judged: Path) -> None:
    result = kb("eval", judged, "--vault", vault, "--run-dir", vault / "runs")
    assert result.status == 2
    assert not (vault / "runs").exists()
    assert kb("judge", vault / "judged.tsv", "flour", "--vault", vault).status == 2


def test_options_are_those_of_query(kb: RunKb, vault: Path, judged: Path) -> None:
    document = kb(
        *("eval", judged, "--vault", vault, "--json"),
        *("--weight", "graph=0", "--weight", "lexical=2", "--k", "10"),
    ).json
    assert document["k"] == 10
    assert document["weights"]["lexical"] == 2.0
    assert systems(document)["graph"]["reason"] == "its weight is 0"
    document = kb("eval", judged, "--vault", vault, "--json", "--mode", "keyword").json
    assert document["mode"] == "lexical"
    assert list(systems(document)) == ["lexical", "entity", "cosine", "graph", "fused"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--weight", "graph"), "`graph` is no weight of a stream"),
        (("--against", "bm25"), "there is no system `bm25`"),
        (("--mode", "best"), "`best` is no mode"),
    ],
)
def test_a_wrong_option(
    kb: RunKb, vault: Path, judged: Path, arguments: tuple[str, ...], message: str
) -> None:
    result = kb("eval", judged, "--vault", vault, *arguments)
    assert (result.status, result.out) == (2, "")
    assert message in result.err
    assert "hint: " in result.err


def test_no_judged_query_is_an_error(kb: RunKb, vault: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty.tsv"
    empty.write_text("")
    result = kb("eval", empty, "--vault", vault)
    assert result.status == 2
    assert "holds no judged query" in result.err
    assert "hint: " in result.err


def test_tune_proposes_and_writes_only_when_told(
    kb: RunKb,
    vault: Path,
    tmp_path: Path,
    kb_variables: dict[str, str],
    schema_errors: Callable[[Any], list[str]],
) -> None:
    judged = tmp_path / "many.tsv"
    judged.write_text("".join(f"payroll {n}\tpeople/anna.md\n" for n in range(12)))
    config = Path(kb_variables["KB_CONFIG"])
    start = ("--weight", "lexical=0", "--vault", vault, "--json")
    document = kb("tune", judged, *start).json
    assert schema_errors(document) == []
    assert document["current"]["score"] == 0.0
    assert document["held_out"] == document["proposed"]["score"] == 1.0
    assert document["proposed"]["weights"]["lexical"] > 0
    assert document["gain"]["low"] > 0
    assert document["applied"] == {}
    assert not config.exists()


def test_tune_apply_writes_what_differs_from_the_settings(
    kb: RunKb, vault: Path, tmp_path: Path, kb_variables: dict[str, str]
) -> None:
    judged = tmp_path / "many.tsv"
    judged.write_text("".join(f"payroll {n}\tpeople/anna.md\n" for n in range(12)))
    assert kb("config", "weights.lexical", "0").status == 0
    result = kb("tune", judged, "--vault", vault, "--apply", "--json")
    weight = result.json["proposed"]["weights"]["lexical"]
    assert result.json["applied"] == {"weights.lexical": weight}
    assert f"set weights.lexical to {weight:g}" in result.err
    assert f"lexical = {weight}" in Path(kb_variables["KB_CONFIG"]).read_text()
    again = kb("tune", judged, "--vault", vault, "--apply")
    assert "nothing was written" in again.err
    assert again.lines[-1] == "what is set is the best that was tried"


def test_tune_needs_enough_queries(kb: RunKb, vault: Path, judged: Path) -> None:
    result = kb("tune", judged, "--vault", vault)
    assert result.status == 2
    assert "3 judged queries are too few" in result.err


def test_judge_records_named_notes(
    kb: RunKb, vault: Path, tmp_path: Path, schema_errors: Callable[[Any], list[str]]
) -> None:
    file = tmp_path / "mine.tsv"
    right = ("--right", "life/sour dough.md", "--right", str(vault / "people" / "anna.md"))
    result = kb("judge", file, "who", "bakes", *right, "--vault", vault, "--json")
    assert result.status == 0
    assert schema_errors(result.json) == []
    assert result.json["queries"] == [
        {"query": "who bakes", "right": ["life/sour dough.md", "people/anna.md"], "added": 2}
    ]
    assert file.read_text() == "who bakes\tlife/sour dough.md\nwho bakes\tpeople/anna.md\n"
    assert kb("eval", file, "--vault", vault, "--json").json["judged_queries"] == 1


def test_judge_refuses_a_note_that_is_none(kb: RunKb, vault: Path, tmp_path: Path) -> None:
    file = tmp_path / "mine.tsv"
    result = kb("judge", file, "bread", "--right", "life/anna.md", "--vault", vault)
    assert result.status == 2
    assert "`life/anna.md` is no note of this index" in result.err
    assert "hint: did you mean `people/anna.md`?" in result.err
    assert not file.exists()


def test_judge_asks_which_numbers_are_right(kb: RunKb, vault: Path, tmp_path: Path) -> None:
    file = tmp_path / "mine.tsv"
    result = kb("judge", file, "flour", "--vault", vault, stdin="9\n1\n")
    assert result.lines[0] == "1\tlife/sour dough.md\tSourdough bread"
    assert "`9` is not in the list" in result.err
    assert "kb: 1 line added" in result.err
    assert result.status == 0
    assert file.read_text() == "flour\tlife/sour dough.md\n"


def test_judge_asks_query_after_query_until_told_to_stop(
    kb: RunKb, vault: Path, tmp_path: Path
) -> None:
    file = tmp_path / "mine.tsv"
    answers = "flour\n1\npayroll\n\nwages\npeople/anna.md\nmore\nq\n"
    result = kb("judge", file, "--vault", vault, "--json", stdin=answers)
    assert [(one["query"], one["right"]) for one in result.json["queries"]] == [
        ("flour", ["life/sour dough.md"]),
        ("payroll", []),
        ("wages", ["people/anna.md"]),
    ]
    assert file.read_text() == "flour\tlife/sour dough.md\nwages\tpeople/anna.md\n"


def test_judge_with_nothing_right_finds_nothing(kb: RunKb, vault: Path, tmp_path: Path) -> None:
    result = kb("judge", tmp_path / "mine.tsv", "flour", "--vault", vault, stdin="\n")
    assert result.status == 1
    assert not (tmp_path / "mine.tsv").exists()


@pytest.mark.parametrize(
    ("answer", "numbers"),
    [
        ("1", (1,)),
        ("3, 1 3", (3, 1)),
        ("2-4 1", (2, 3, 4, 1)),
        ("2 - 3", (2, 3)),
        ("notes/1.md", None),
        ("", None),
    ],
)
def test_answers(answer: str, numbers: tuple[int, ...] | None) -> None:
    from kb.cli.judge_answers import parse_numbers

    assert parse_numbers(answer, 5) == numbers
