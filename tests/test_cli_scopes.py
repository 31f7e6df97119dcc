"""Factors and saved filters in files of settings, and the options that use them."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import MakeVault, RunKb

NOTES = {
    "work/plan.md": "---\nstatus: draft\ntags: [boat]\nday: 2026-05-01\n---\nA heron.\n",
    "work/done.md": "---\nstatus: superseded\ntags: [boat]\ndate: 2024-05-01\n---\nA heron.\n",
    "home/list.md": "---\ntags: [boat]\nexpires: 2026-01-31\ndate: 2026-01-01\n---\nA heron.\n",
    "home/other.md": "---\ndate: 2026-01-01\n---\nA heron.\n",
}


@pytest.fixture
def config(kb_variables: dict[str, str]) -> Path:
    path = Path(kb_variables["KB_CONFIG"])
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


@pytest.fixture
def vault(make_vault: MakeVault, kb: RunKb) -> Path:
    vault = make_vault(NOTES)
    assert kb("index", vault, "-q").status == 0
    return vault


def test_factors_are_set_shown_used_and_taken_back(kb: RunKb, vault: Path, config: Path) -> None:
    assert kb("config", "factors.where.status=draft", "1.5").status == 0
    assert kb("config", "factors.path.home/*.md", "0.5").status == 0
    assert '"status=draft" = 1.5' in config.read_text(encoding="utf-8")
    assert kb("config", "factors.path.home/*.md").out == "0.5\n"
    listed = kb("config").out
    assert "factors.where.status=draft\t1.5\tuser" in listed
    hits = kb("query", "heron", "--json", "--vault", vault).json["results"]
    assert hits[0]["path"] == "work/plan.md"
    assert hits[0]["authority_factors"] == [{"name": "where status=draft", "factor": 1.5}]
    assert {hit["path"]: hit["authority"] for hit in hits}["home/other.md"] == 0.5
    plain = kb("query", "heron", "--json", "--no-factors", "--vault", vault).json["results"]
    assert all(hit["authority_factors"] == [] for hit in plain)
    explained = kb("query", "heron", "--explain", "--vault", vault).out
    assert "#1 authority 1.500 = 1.5 (where status=draft)" in explained
    why = kb("query", "heron", "--why", "home/other.md", "--vault", vault).out
    assert "authority: 0.500 = 0.5 (path home/*.md)" in why
    assert kb("config", "factors.path.home/*.md", "--unset").status == 0
    assert kb("config", "factors.where.status=draft", "--unset").status == 0
    assert config.read_text(encoding="utf-8").strip() == ""


def test_a_vault_may_set_factors_and_scopes(kb: RunKb, vault: Path) -> None:
    text = '[factors.tag]\nboat = 1.25\n[scopes.work]\npath = "work/"\ncurrent = true\n'
    (vault / ".kb.toml").write_text(text, encoding="utf-8")
    document = kb("query", "heron", "--scope", "work", "--json", "--vault", vault).json
    assert document["scope"] == "work"
    assert [hit["path"] for hit in document["results"]] == ["work/plan.md"]
    assert document["results"][0]["authority"] == 1.25


@pytest.mark.parametrize(
    ("text", "wanted", "hint"),
    [
        ("[factors.tags]\na = 1.1\n", "factors.tags.a", "`factors.tag`"),
        ("[factors.where]\n'a=b' = 2\n", "`2` is no factor", "0.5 to 1.5"),
        ("[factors.where]\n'=b' = 1\n", "no condition", "prop=value"),
        ("[factors]\ntag = 1\n", "names no notes", "factors.tag"),
        ("[scopes.work]\ntags = ['a']\n", "scopes.work.tags", "`scopes.work.tag`"),
        ("[scopes.work]\nsince = 'soon'\n", "soon", "write a date"),
        ("[scopes.work]\nwhere = ['=x']\n", "no condition", "prop=value"),
        ("[scope.work]\ntag = ['a']\n", "scope.work.tag", "`scopes.work.tag`"),
        ("[factor.tag]\na = 1\n", "factor.tag.a", "`factors.tag.a`"),
    ],
)
def test_a_mistake_in_them_is_named(
    text: str, wanted: str, hint: str, kb: RunKb, vault: Path, config: Path
) -> None:
    config.write_text(text, encoding="utf-8")
    result = kb("query", "heron", "--vault", vault)
    assert result.status == 2
    message, _, told = result.err.partition("hint:")
    assert wanted in message
    assert hint in told
    config.write_text("", encoding="utf-8")
    (vault / ".kb.toml").write_text(text, encoding="utf-8")
    result = kb("query", "heron", "--vault", vault)
    assert result.status == 0
    assert "left out" in result.err


def paths(kb: RunKb, vault: Path, *options: str, **variables: str) -> list[str]:
    return sorted(kb("query", "heron", "-l", *options, "--vault", vault, env=variables).lines)


def test_a_scope_holds_for_every_command_and_shell(kb: RunKb, vault: Path) -> None:
    for key, value in (("tag", "boat"), ("not_tag", "x,y"), ("since", "2025")):
        assert kb("config", f"scopes.boats.{key}", value).status == 0
    both = ["home/list.md", "work/plan.md"]
    assert paths(kb, vault, "--scope", "boats") == both
    assert paths(kb, vault, KB_SCOPE="boats") == both
    assert paths(kb, vault, "--path", "work/", KB_SCOPE="boats") == ["work/plan.md"]
    assert paths(kb, vault, "--no-scope", KB_SCOPE="boats") == sorted(NOTES)
    related = ("related", "other", "-l", "--vault", vault)
    assert set(kb(*related, env={"KB_SCOPE": "boats"}).lines) <= set(both)
    assert set(kb(*related).lines) - set(both)
    (vault / ".kb.toml").write_text('scope = "boats"\n', encoding="utf-8")
    assert paths(kb, vault) == both
    none = kb("query", "heron", "--tag", "zebra", "--vault", vault, terminal=True)
    assert "no note fulfils `--tag zebra`" in none.err
    assert "asked within the scope `boats`" in none.err


def test_a_scope_that_there_is_not(kb: RunKb, vault: Path) -> None:
    wrong = kb("query", "heron", "--scope", "boats", "--vault", vault)
    assert wrong.status == 2
    assert "there is no scope `boats`" in wrong.err
    assert kb("config", "scopes.boat.tag", "boat").status == 0
    assert "did you mean `boat`?" in kb("query", "x", "--scope", "boats", "--vault", vault).err
    (vault / ".kb.toml").write_text('scope = "boats"\n', encoding="utf-8")
    own = kb("query", "heron", "-l", "--vault", vault)
    assert own.status == 0
    assert "`boats`; it is left out" in own.err
    assert len(own.lines) == 4
    for options in (("--scope", "boat", "--no-scope"), ("--scope", "")):
        assert kb("query", "heron", *options, "--vault", vault).status == 2


def test_what_holds_no_more_is_said_in_every_form(kb: RunKb, vault: Path) -> None:
    plain = kb("query", "heron", "--now", "2026-02-01", "--vault", vault)
    assert "work/done.md is superseded" in plain.err
    assert "home/list.md is expired" in plain.err
    assert all(len(line.split("\t")) == 4 for line in plain.lines)
    earlier = kb("query", "heron", "--now", "2026-01-31", "--vault", vault)
    assert "home/list.md" not in earlier.err
    shown = kb("query", "heron", "--now", "2026-02-01", "--vault", vault, terminal=True)
    assert "superseded (status: superseded)" in shown.out
    own = kb(
        "query", "heron", "--format", "{path} {lapsed}", "--now", "2026-02-01", "--vault", vault
    )
    assert "home/list.md expired" in own.lines
    explained = kb("query", "heron", "--explain", "--now", "2026-02-01", "--vault", vault)
    assert "expired (expires: 2026-01-31)" in explained.out
    left = ["home/other.md", "work/plan.md"]
    assert paths(kb, vault, "--current", "--now", "2026-02-01") == left
    assert paths(kb, vault, "--now", "2026-02-01", KB_CURRENT="1") == left


def test_recent_notes_come_first_where_asked(kb: RunKb, vault: Path) -> None:
    asked = ("query", "heron", "--recent", "--now", "2026-05-01", "--json", "--vault", vault)
    hits = kb(*asked).json["results"]
    assert hits[0]["path"] == "work/plan.md"
    assert hits[0]["authority_factors"] == [{"name": "recent", "factor": 1.2}]
    assert kb("query", "heron", "--now", "soon", "--vault", vault).status == 2
