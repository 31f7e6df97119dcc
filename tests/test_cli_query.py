"""`kb query` from the command line to what is printed."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import MakeVault, RunKb

NOTES = {
    "birds/heron.md": "---\ntags: [bird, water]\ntype: species\nrating: 5\n---\n"
    "# The grey heron\n\n## Where\n\nThe heron stands in the marsh. See [[kingfisher]].\n",
    "birds/kingfisher.md": "---\ntags: [bird]\ntype: species\nrating: 3\ndate: 2024-05-01\n---\n"
    "# Kingfisher\n\nA kingfisher dives in the marsh.\n",
    "boats/punt.md": "---\ndate: 2020-01-01\n---\n# Punt\n\nA flat boat for the marsh.\n",
    "plan [old].md": "# Plan\n\nDrain the marsh.\n",
}


@pytest.fixture
def vault(kb: RunKb, make_vault: MakeVault) -> Path:
    root = make_vault(NOTES)
    assert kb("index", root).status == 0
    return root


@pytest.fixture
def ask(kb: RunKb, vault: Path) -> Callable[..., Any]:
    def run(*arguments: str, **options: Any) -> Any:
        return kb("query", *arguments, "--vault", vault, **options)

    return run


Ask = Callable[..., Any]


def test_found_nothing_wrong(ask: Ask) -> None:
    assert ask("heron").status == 0
    assert ask("zebra").status == 1
    assert ask("heron", "--mode", "fuzzy").status == 2


def test_a_plain_hit_is_a_line_of_four_fields(ask: Ask) -> None:
    path, line, score, title = ask("heron").lines[0].split("\t")
    assert path == "birds/heron.md"
    assert int(line) >= 1
    assert 0 < float(score) < 1
    assert title == "The grey heron"


def test_words_may_be_one_argument_or_many(ask: Ask) -> None:
    assert ask("grey", "heron", "-l").out == ask("grey heron", "-l").out


def test_the_query_may_come_from_stdin(ask: Ask) -> None:
    assert ask("-", "-l", stdin="heron\n").out == ask("heron", "-l").out
    assert ask("-", "-l", stdin=b"\xff heron").lines[0] == "birds/heron.md"


def test_files_and_null(ask: Ask) -> None:
    lines = ask("marsh", "-l").lines
    assert sorted(lines) == sorted(NOTES)
    assert ask("marsh", "-0").out == "".join(f"{line}\0" for line in lines)
    assert ask("marsh", "-l", "-0").out == ask("marsh", "-0").out


def test_the_count_is_what_all_would_list(ask: Ask) -> None:
    assert ask("marsh", "-c").out == "4\n"
    assert ask("marsh", "-c", "-n", "1").out == "4\n"
    none = ask("zebra", "-c")
    assert (none.out, none.status) == ("0\n", 1)


def test_limit(ask: Ask) -> None:
    assert len(ask("marsh", "-n", "2").lines) == 2
    assert len(ask("marsh", "-n2").lines) == 2
    assert len(ask("marsh", "-n", "1", "--limit", "0").lines) == 4


def test_quiet_says_it_by_status_alone(ask: Ask) -> None:
    for words, status in (("heron", 0), ("zebra", 1)):
        result = ask(words, "-q")
        assert (result.out, result.err, result.status) == ("", "", status)
    assert ask("heron", "-q", "--json").out == ""


def test_json_holds_to_its_schema(ask: Ask, schema_errors: Callable[[Any], list[str]]) -> None:
    document = ask("heron in the marsh", "--json").json
    assert schema_errors(document) == []
    assert document["query"] == "heron in the marsh"
    assert [one["rank"] for one in document["results"]] == [1, 2, 3, 4]
    for result in document["results"]:
        given = result["streams"]
        assert result["rrf"] == pytest.approx(sum(one["contribution"] for one in given.values()))
        assert result["score"] == pytest.approx(result["rrf"] * result["authority"])
        for name, one in given.items():
            weight = document["streams"][name]["weight"]
            assert one["contribution"] == pytest.approx(weight / (document["k"] + one["rank"]))


def test_json_of_nothing_is_still_json(ask: Ask, schema_errors: Callable[[Any], list[str]]) -> None:
    result = ask("zebra", "--json")
    assert result.status == 1
    assert schema_errors(result.json) == []
    assert result.json["results"] == []
    assert ask("zebra", "--jsonl").out == ""


def test_a_json_line_is_a_hit_of_the_document(ask: Ask) -> None:
    import json

    lines = ask("marsh", "--jsonl").lines
    results = ask("marsh", "--json").json["results"]
    assert [json.loads(line) for line in lines] == results


def test_a_template(ask: Ask) -> None:
    assert ask("heron", "-n1", "--format", "{rank} {path}").lines == ["1 birds/heron.md"]
    wrong = ask("heron", "--format", "{name}")
    assert wrong.status == 2
    assert "`{path}`" in wrong.err


@pytest.mark.parametrize(
    ("options", "paths"),
    [
        (["--tag", "bird"], {"birds/heron.md", "birds/kingfisher.md"}),
        (["--tag", "#bird", "--tag", "water"], {"birds/heron.md"}),
        (["--not-tag", "bird"], {"boats/punt.md", "plan [old].md"}),
        (["--path", "birds/*"], {"birds/heron.md", "birds/kingfisher.md"}),
        (["--path", "birds/*", "--path", "boats/*", "--exclude", "*/heron.md"],
         {"birds/kingfisher.md", "boats/punt.md"}),
        (["--type", "species"], {"birds/heron.md", "birds/kingfisher.md"}),
        (["--where", "rating>=4"], {"birds/heron.md"}),
        (["--where", "rating=3"], {"birds/kingfisher.md"}),
        (["--where", "!rating"], {"boats/punt.md", "plan [old].md"}),
        (["--where", "rating", "--where", "rating!=5"], {"birds/kingfisher.md"}),
        (["--until", "2020"], {"boats/punt.md"}),
        (["--since", "2024", "--until", "2024-12"], {"birds/kingfisher.md"}),
    ],
)  # fmt: skip
def test_filters(options: list[str], paths: set[str], ask: Ask) -> None:
    assert set(ask("marsh", "-l", *options).lines) == paths


def test_what_was_seen_is_left_out(ask: Ask, tmp_path: Path) -> None:
    seen = ask("marsh", "-l", "-n", "2")
    file = tmp_path / "seen"
    file.write_bytes(seen.raw)
    rest = ask("marsh", "-l", "--exclude-from", str(file))
    assert sorted(seen.lines + rest.lines) == sorted(NOTES)
    assert ask("marsh", "-l", "--exclude-from", "-", stdin=seen.raw).out == rest.out
    old = ask("marsh", "-l", "--exclude-from", "-", stdin="plan [old].md\n")
    assert "plan [old].md" not in old.lines
    assert ask("marsh", "--exclude-from", str(tmp_path / "none")).status == 2


def test_two_things_cannot_read_stdin(ask: Ask) -> None:
    assert ask("-", "--exclude-from", "-", stdin="x").status == 2


@pytest.mark.parametrize(
    ("arguments", "message", "hint"),
    [
        ([], "no words to search for", "kb query"),
        (["x", "--since", "soon"], "--since soon", "7d"),
        (["x", "--where", "=1"], "--where =1", "prop=value"),
        (["x", "--weight", "fuzzy=1"], "`fuzzy`", "`lexical`"),
        (["x", "--weight", "lexical=9"], "`9`", "0 to 5"),
        (["x", "--mode", "fuzzy"], "`fuzzy`", "`hybrid`"),
        (["x", "--limit", "many"], "many", "--help"),
        (["x", "--hops", "3"], "3", "--help"),
        (["x", "--k", "0"], "0", "--help"),
        (["x", "--json", "-l"], "`--json` and `--files`", "one form"),
        (["x", "--explain", "-c"], "`--explain` and `--count`", "leave one"),
        (["x", "--why", "a.md", "-l"], "`--why` and `--files`", "--json"),
        (["x", "--color", "blue"], "`blue`", "`auto`"),
        (["x", "--error-on-warnings"], "`--error-on-warnings`", "kb query --"),
        (["x", "-xyz"], "`-x`", "kb query --"),
        (["x", "--why", "none.md"], "none.md", ""),
    ],
)
def test_a_wrong_command_line(arguments: list[str], message: str, hint: str, ask: Ask) -> None:
    result = ask(*arguments)
    lines = result.err.splitlines()
    assert result.status == 2
    assert result.out == ""
    assert lines[0].startswith("kb: ")
    assert message in lines[0]
    assert not lines[0].endswith(".")
    assert lines[1].startswith("hint: ")
    assert hint in lines[1]
    assert len(lines) == 2


def test_text_after_two_dashes_is_no_option(kb: RunKb, vault: Path) -> None:
    found = kb("query", "--vault", vault, "-l", "--", "heron", "--error-on-warnings")
    assert found.status == 0
    assert kb("query", "--vault", vault, "--", "--json").status in (0, 1)


@pytest.mark.parametrize(
    "words", ['"', "((", "AND", "OR NOT", "*", "^", "a:b", "'", "\x00", "heron\nmarsh", "NEAR(a"]
)
def test_query_text_is_never_wrong(words: str, ask: Ask) -> None:
    assert ask(words).status in (0, 1)


def test_nothing_left_to_search_is_nothing_found(ask: Ask) -> None:
    assert ask("").status == 1
    assert ask("   ").status == 1


def test_a_word_with_one_dash_leaves_out(ask: Ask) -> None:
    assert "birds/heron.md" not in ask("marsh -heron", "-l").lines


def test_modes_and_weights_choose_streams(ask: Ask) -> None:
    lexical = ask("heron", "--mode", "keyword", "--json").json
    assert lexical["mode"] == "lexical"
    assert {name for one in lexical["results"] for name in one["streams"]} == {"lexical"}
    off = ask("heron", "--weight", "lexical=2", "--weight", "entity=0", "--json").json
    assert off["streams"]["entity"]["status"] == "off"
    assert off["streams"]["lexical"]["base_weight"] == 2
    last = ask("heron", "--weight", "lexical=2", "--weight", "lexical=3", "--json").json
    assert last["streams"]["lexical"]["base_weight"] == 3
    assert ask("heron", "--k", "10", "--json").json["k"] == 10


def test_the_last_of_two_switches_wins(ask: Ask) -> None:
    assert ask("heron", "--json", "--no-json").out == ask("heron").out
    assert ask("heron", "--quiet", "--no-quiet").out == ask("heron").out


def test_explain_piped_is_the_table_as_text(ask: Ask) -> None:
    result = ask("heron", "--explain")
    assert "k = 60" in result.lines[0]
    assert re.search(r"lexical ×\S+", result.lines[1])
    assert "birds/heron.md:" in result.lines[2]
    assert "#1 0.0" in result.lines[2]
    assert any(line.startswith("cosine is off: ") for line in result.lines)
    assert "\x1b" not in result.out


def test_explain_on_a_terminal_is_a_drawn_table(ask: Ask) -> None:
    result = ask("heron", "--explain", terminal=True, env={"NO_COLOR": "1"}, width=140)
    assert "━" in result.out or "─" in result.out
    assert "birds/heron.md" in result.out
    assert "\x1b" not in result.out


def test_a_terminal_gets_the_list(ask: Ask) -> None:
    result = ask("heron", terminal=True)
    assert "1. " in result.out
    assert "\x1b[" in result.out
    assert "birds/heron.md:" in result.out
    plain = ask("heron", terminal=True, env={"NO_COLOR": "1"})
    assert "\x1b" not in plain.out
    assert "**heron**" in plain.out
    assert "▰" in plain.out


def test_a_list_can_be_asked_for_and_declined(ask: Ask) -> None:
    pretty = ask("heron", "--pretty")
    assert "1. The grey heron" in pretty.out
    assert "\x1b" not in pretty.out
    assert "\x1b[" in ask("heron", "--color", "always").out
    assert "\x1b[" in ask("heron", "--pretty", env={"FORCE_COLOR": "1"}).out
    assert "\x1b" not in ask("heron", env={"FORCE_COLOR": "1"}).out
    assert ask("heron", "--plain", terminal=True).out == ask("heron").out
    assert "\x1b" not in ask("heron", "--color", "never", terminal=True).out


def test_no_note_on_a_terminal_says_what_to_do(ask: Ask) -> None:
    result = ask("zebra", terminal=True)
    assert result.out == ""
    assert "no note found" in result.err
    assert "--why" in result.err
    assert ask("zebra").err == ""


def test_why_a_note_is_there_and_why_not(
    ask: Ask, vault: Path, schema_errors: Callable[[Any], list[str]]
) -> None:
    there = ask("heron", "--why", "birds/heron.md")
    assert there.status == 0
    assert there.lines[0] == "birds/heron.md (The grey heron)"
    assert "rank 1" in there.lines[1]
    absent = ask("heron", "--mode", "lexical", "--why", "plan [old]")
    assert absent.status == 1
    assert "lexical" in absent.out
    for path in ("birds/heron", str(vault / "birds" / "heron.md"), "./birds/heron.md"):
        document = ask("heron", "--why", path, "--json").json
        assert schema_errors(document) == []
        assert document["path"] == "birds/heron.md"
        assert document["rank"] == 1
    assert ask("heron", "--why", "birds/heron.md", "-q").out == ""


def test_evil_names_cannot_speak_to_a_terminal(kb: RunKb, make_vault: MakeVault) -> None:
    evil = "\x1b]0;x\x07"
    vault = make_vault({"note.md": f"# Title {evil}[red]\n\nheron {evil} \u202e [[x]]\n"})
    assert kb("index", vault).status == 0
    for form in ((), ("--explain",), ("--why", "note.md"), ("--plain",), ("--format", "{title}")):
        result = kb("query", "heron", "--vault", vault, *form, terminal=True)
        for hidden in ("\x1b]", "\x07", "\u202e"):
            assert hidden not in result.out + result.err
    shown = kb("query", "heron", "--vault", vault, "--color", "never", terminal=True).out
    assert "[red]" in shown
    assert "[[x]]" not in shown  # a link is shown as it is read


def test_the_vault_is_found_from_inside_and_guessed_with_a_word(
    kb: RunKb, vault: Path, tmp_path: Path
) -> None:
    inside = kb("query", "heron", "-l", cwd=vault / "birds")
    assert (inside.lines[0], inside.err) == ("birds/heron.md", "")
    outside = kb("query", "heron", "-l", cwd=tmp_path)
    assert outside.lines[0] == "birds/heron.md"
    assert str(vault) in outside.err
    assert kb("query", "heron", "-q", cwd=tmp_path).err == ""
    named = kb("query", "heron", "-l", cwd=tmp_path, env={"KB_VAULT": str(vault)})
    assert named.err == ""


def test_settings_reach_the_search(kb: RunKb, vault: Path) -> None:
    (vault / ".kb.toml").write_text("limit = 1\nk = 5\nmodel = 'x'\n", encoding="utf-8")
    result = kb("query", "marsh", "--vault", vault, "--json")
    assert result.json["k"] == 5
    assert len(result.json["results"]) == 1
    assert "`model`" in result.err
    env = {"KB_LIMIT": "2"}
    assert len(kb("query", "marsh", "--vault", vault, env=env).lines) == 2
    assert len(kb("query", "marsh", "--vault", vault, "-n3", env=env).lines) == 3
    assert kb("query", "marsh", "--vault", vault, "-q").err == ""


def test_update_indexes_changes_first(kb: RunKb, vault: Path) -> None:
    (vault / "new.md").write_text("# New\n\nAn ibis in the marsh.\n", encoding="utf-8")
    assert kb("query", "ibis", "--vault", vault).status == 1
    found = kb("query", "ibis", "--vault", vault, "--update")
    assert found.lines[0].startswith("new.md\t")
    assert "1 changed note" in found.err
    (vault / "new.md").unlink()
    env = {"KB_AUTO_UPDATE": "1"}
    assert kb("query", "ibis", "--vault", vault, "--no-update", env=env).status == 1
    assert kb("query", "ibis", "--vault", vault, "-c", env=env).out == "0\n"


def test_a_debug_run_shows_the_traceback(ask: Ask) -> None:
    assert "Traceback" not in ask("x", "--mode", "fuzzy").err
    assert "Traceback" in ask("x", "--mode", "fuzzy", env={"KB_DEBUG": "1"}).err


def test_a_bare_query_is_told_where_it_belongs(kb: RunKb) -> None:
    result = kb("some words")
    assert result.status == 2
    assert result.err.splitlines() == [
        "kb: `some words` is no command",
        'hint: to search: `kb query "some words"`',
    ]
    assert "`kb index`" in kb("idnex").err
    assert kb().status == 2


def test_a_vault_that_is_away_can_still_be_searched(kb: RunKb, vault: Path) -> None:
    vault.rename(vault.with_name("away"))
    env = {"KB_AUTO_UPDATE": "1"}
    result = kb("query", "heron", "--vault", vault, "-l", env=env)
    assert result.lines[0] == "birds/heron.md"
    assert "not updated" in result.err
    assert kb("query", "heron", "--vault", vault, "--update").status == 2
