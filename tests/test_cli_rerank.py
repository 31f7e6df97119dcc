"""`--rerank` as it is typed and shown."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import MakeVault, RunKb
from embedding_material import reranker_graph, write_model

NOTES = {
    "long.md": "# Long\n\n" + "many words stand around one heron here " * 5,
    "short.md": "# Heron\n\nA heron.\n",
}


@pytest.fixture
def vault(make_vault: MakeVault, kb: RunKb, tmp_path: Path) -> Path:
    folder = write_model(tmp_path / "model", reranker_graph(), kind="reranker", name="tiny")
    assert kb("config", "rerank_model", str(folder)).status == 0
    vault = make_vault(NOTES)
    assert kb("index", vault, "-q").status == 0
    return vault


def test_score_and_move_of_each_hit(
    vault: Path, kb: RunKb, schema_errors: Callable[[Any], list[str]]
) -> None:
    asked = ("query", "heron", "--mode", "lexical", "--vault", vault)
    assert kb(*asked, "-l").lines == ["short.md", "long.md"]
    assert kb(*asked, "-l", "--rerank").lines == ["long.md", "short.md"]
    document = kb(*asked, "--rerank", "--json").json
    assert schema_errors(document) == []
    assert document["rerank"]["model"] == "tiny"
    assert document["rerank"]["scored"] == 2
    first, second = document["results"]
    assert (first["path"], first["rank"], first["fused_rank"]) == ("long.md", 1, 2)
    assert first["rerank"] > second["rerank"]
    assert first["score"] < second["score"]
    table = kb(*asked, "--rerank", "--explain").out
    assert "#2 ↑1" in table
    assert "#1 ↓1" in table
    assert "rerank: tiny read 2 of 2" in table
    named = kb(*asked, "--rerank", "--format", "{path} {fused_rank} {rerank}")
    assert named.lines == [f"long.md 2 {first['rerank']}", f"short.md 1 {second['rerank']}"]
    plain = kb(*asked, "--json").json
    assert plain["rerank"] is None
    assert [one["rerank"] for one in plain["results"]] == [None, None]
    one = kb(*asked, "--rerank", "--rerank-top", "1", "-l")
    assert one.lines == ["short.md", "long.md"]


def test_the_settings_ask_for_it_and_a_vault_cannot(vault: Path, kb: RunKb) -> None:
    asked = ("query", "heron", "--mode", "lexical", "-l", "--vault", vault)
    assert kb(*asked, env={"KB_RERANK": "1"}).lines == ["long.md", "short.md"]
    assert kb(*asked, "--no-rerank", env={"KB_RERANK": "1"}).lines == ["short.md", "long.md"]
    (vault / ".kb.toml").write_text('rerank = true\nrerank_model = "/tmp/evil"\n', "utf-8")
    own = kb(*asked)
    assert own.lines == ["short.md", "long.md"]
    assert own.err.count("a vault may not set this") == 2
    for key, value in (("rerank_seconds", "0"), ("rerank_seconds", "soon"), ("rerank_top", "0")):
        assert kb("config", key, value).status == 2


def test_without_a_model_the_list_is_there_with_a_word(vault: Path, kb: RunKb) -> None:
    assert kb("config", "rerank_model", "--unset").status == 0
    result = kb("query", "heron", "--rerank", "-l", "--vault", vault)
    assert result.status == 0
    assert len(result.lines) == 2
    assert "kb model fetch NAME" in result.err
    explained = kb("query", "heron", "--rerank", "--explain", "--vault", vault).out
    assert "rerank: not reranked" in explained


def test_context_packs_take_it_and_related_notes_do_not(vault: Path, kb: RunKb) -> None:
    asked = ("context", "heron", "--mode", "lexical", "--json", "--vault", vault)
    assert kb(*asked).json["passages"][0]["path"] == "short.md"
    assert kb(*asked, "--rerank").json["passages"][0]["path"] == "long.md"
    related = kb("related", "short", "--json", "--vault", vault, env={"KB_RERANK": "1"}).json
    assert related["rerank"] is None
