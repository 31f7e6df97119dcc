"""What a vault from a stranger says of itself: neither obeyed too far, nor waited for."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from conftest import MakeVault, RunKb
from hypothesis import given
from hypothesis import strategies as st

from kb.indexer import hidden
from kb.indexer.hidden import parse_hidden_filters
from kb.store.globs import LONGEST_GLOB, MOST_GLOBS, Globs, parse_globs, parse_ignore_lines

LONG = "a" * 240
NOTES = {"note.md": "# A heron\n", f"{LONG}.md": "# A long heron\n"}

TOML = {
    "a key nested without end": "a." * 5_000 + "b = 1",
    "a file too large": "#" * 300_000,
    "a number of many digits": "k = " + "9" * 6_000,
    "numbers that are none": "k = 1e999\nlimit = nan",
    "brackets without end": "exclude = " + "[" * 5_000,
    "keys without end": "\n".join(f"k{number} = 1" for number in range(1_000)),
    "controls": '"\\u001b[31m" = 1\nmode = "\\u001b]52;c;x\\u0007"',
    "wrong types": 'k = "x"\nlimit = -1\ndepth = true\nmode = ["a"]\nweights = 5\nexclude = 5',
    "what it may not set": 'model = "/etc/x"\nauto_update = true\ncolor = "always"',
    "NUL": "\0",
    "a key twice": "k = 1\nk = 2",
    "weights that are none": '[weights]\nlexical = 9\nentity = -1\ngraph = "x"\ncosine = nan',
}


@pytest.mark.parametrize("kind", TOML)
def test_a_vaults_own_settings_never_stop_a_command(
    kind: str, make_vault: MakeVault, kb: RunKb
) -> None:
    vault = make_vault({**NOTES, ".kb.toml": TOML[kind]})
    assert kb("index", vault).status == 0
    result = kb("query", "heron", "-l", "--vault", vault)
    assert set(result.lines) == set(NOTES)
    assert "left out" in result.err
    assert result.err.count("\n") < 10
    assert not any(ord(char) < 32 and char != "\n" for char in result.err)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes and links")
@pytest.mark.parametrize("kind", ["a pipe", "a folder", "a link", "a link to nothing"])
def test_settings_that_are_no_file_are_not_read(
    kind: str, make_vault: MakeVault, kb: RunKb, tmp_path: Path
) -> None:
    vault = make_vault(NOTES)
    outside = tmp_path / "outside.toml"
    outside.write_text("limit = 1\n")
    file = vault / ".kb.toml"
    match kind:
        case "a pipe":
            os.mkfifo(file)
        case "a folder":
            file.mkdir()
        case "a link":
            file.symlink_to(outside)
        case _:
            file.symlink_to("nowhere")
    assert kb("index", vault).status == 0
    result = kb("query", "heron", "-l", "--vault", vault)
    assert len(result.lines) == 2
    assert "left out" in result.err


# Each took longer than anyone waits for when patterns were matched by going back.
EVIL_GLOBS = [
    "*a" * 14 + "b",
    "**/*a" * 20 + "b",
    "*" * 400 + "b",
    "?*" * 60 + "b",
    "[ab]*" * 60 + "c",
    "a*?" * 60 + "c",
    "**/" * 200 + "b",
    "/*a*a*a*a*a*a*a*a*a*a*a*a*/**/**/b",
]


@pytest.mark.parametrize("name", [".kbignore", ".ignore", ".kb.toml"])
def test_patterns_that_could_take_for_ever_are_matched_at_once(
    name: str, make_vault: MakeVault, kb: RunKb
) -> None:
    lines = "\n".join(EVIL_GLOBS)
    text = f"exclude = {EVIL_GLOBS!r}" if name == ".kb.toml" else lines
    deep = "/".join("a" * 60 for _ in range(30)) + "/note.md"
    vault = make_vault({**NOTES, deep: "# A deep heron\n", name: text})
    assert kb("index", vault).status == 0
    assert kb("query", "heron", "-c", "--vault", vault).out == "3\n"
    for glob in EVIL_GLOBS:
        assert kb("query", "heron", "-c", "--vault", vault, "--exclude", glob).out == "3\n"


_NAMES = st.sampled_from(
    [
        *("a", "b", "ab", "*", "**", "*a", "a*", "*a*b", "a*b*", "*a*b*", "?", "a?*b*", "[ab]"),
        *("***", "[!a]*b*a", "*.*", "**a", "a**b", "*a*a*b*", "\\*", "[]a]*b*", "*a*?*b"),
        "\\a*b*\\*c",
    ]
)
_GLOBS = st.builds(
    lambda lead, names, tail: lead + "/".join(names) + tail,
    st.sampled_from(["", "/", "**/", "!"]),
    st.lists(_NAMES, min_size=1, max_size=5),
    st.sampled_from(["", "/", "/**", "/*"]),
)
_PATHS = st.builds(
    lambda names, tail: "/".join(names) + tail,
    st.lists(st.text("ab.*c", min_size=1, max_size=5), min_size=1, max_size=6),
    st.sampled_from(["", "/"]),
)


@given(_GLOBS, st.lists(_PATHS, max_size=20))
def test_a_pattern_means_what_it_means_to_git(glob: str, paths: list[str]) -> None:
    from pathspec import GitIgnoreSpec

    plain, swift = GitIgnoreSpec.from_lines([glob]), parse_globs([glob])
    for path in paths:
        assert swift.check_file(path).include == plain.check_file(path).include, path


@given(st.lists(_GLOBS, min_size=1, max_size=4), st.lists(_PATHS, max_size=20))
def test_plain_paths_among_patterns_mean_the_same(globs: list[str], paths: list[str]) -> None:
    globs = [glob.removeprefix("!") for glob in globs]
    together, spec = Globs(globs), parse_globs(globs)
    for path in (one.rstrip("/") for one in paths):
        assert together.fit(path) == bool(spec.match_file(path)), path


def test_lines_that_are_not_followed_are_told() -> None:
    spec, problems = parse_ignore_lines(["# a remark", "", "*.tmp", "\\", "x" * 2_000, "!keep.tmp"])
    assert spec.match_file("a.tmp")
    assert not spec.match_file("keep.tmp")
    assert len(problems) == 2
    assert max(map(len, problems)) < LONGEST_GLOB
    _, problems = parse_ignore_lines(f"f{number}" for number in range(MOST_GLOBS + 5))
    assert problems == ["only the first 5,000 of 5,005 patterns are followed"]


@pytest.mark.parametrize(
    "written",
    [
        "/.*.*.*X/",
        "/(a+)+b/",
        "/(a|a)*b/",
        "/(?:a?){50}b/",
        "/(a?)+b/",
        "/" + "a?" * 24 + "a" * 30 + "/",
        "/" + "(.|.)" * 20 + "X/",
        "/((?=.*)a)*/",
        "/(a)\\1/",
        "/" + "x" * 300 + "/",
    ],
)
def test_an_expression_that_could_take_for_ever_is_refused(written: str) -> None:
    notices: list[str] = []
    assert not parse_hidden_filters([written], notices)
    assert len(notices) == 1


def test_expressions_that_take_too_long_together_are_dropped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ticks = iter(range(0, 1_000, 3))  # each look takes three seconds
    monkeypatch.setattr(hidden, "perf_counter", lambda: float(next(ticks)))
    notices: list[str] = []
    filters = parse_hidden_filters(["/secret/", "drafts/"], notices)
    assert filters.hides("my secret.md")
    assert notices == []
    assert filters.hides("a secret.md")
    assert len(notices) == 1
    assert not filters.hides("my secret.md")
    assert filters.hides("Drafts/a.md")  # a prefix costs nothing
    assert len(notices) == 1


def test_so_many_expressions_are_followed_and_no_more() -> None:
    notices: list[str] = []
    filters = parse_hidden_filters([f"/n{number}x/" for number in range(150)], notices)
    assert filters.hides("n7x.md")
    assert not filters.hides("n140x.md")
    assert len(notices) == 1
