"""Nothing that stands in a vault, or is typed, speaks to the terminal, whatever is printed.

Every command is found in the table of commands, and every option of each by asking Typer, so that
a new one is held to this from its first day.
"""

from __future__ import annotations

import base64
import json
import os
import re
import subprocess
import sys
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import MakeVault, Result, RunKb, clean_environment

from kb.cli.app import load_command
from kb.cli.commands import COMMANDS

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="names of any bytes")

LINK = "\x1b]8;;https://evil.example\x1b\\click\x1b]8;;\x1b\\"
EVIL = (
    "[bold red]markup[/] :smiley: \x1b[31mred\x1b[2J\x07 \x1b]52;c;ZXZpbA==\x07"
    f" {LINK} \x9b31m \x9d0;title\x9c \x7f\x08\x0b"
    " \u202egnp.exe\u202c \u2066x\u2069 \u200bzero\u200b \ufeff \u00ad \u2028\u2029 \x85"
    " \U000e0041\U000e0100 \u115f\u3164 [link=https://evil.example]x[/link] {path} %s"
)
# As far as a file's name can hold it: no slash, no NUL.
NAME = EVIL.replace("/", "|")[:100]
NOTES = {
    f"{NAME}.md": (
        f"---\ntitle: {json.dumps('heron ' + EVIL)}\ntags: [{json.dumps(EVIL)}, bird]\n"
        f"aliases: [{json.dumps(EVIL)}]\ntype: {json.dumps(EVIL)}\n{json.dumps(EVIL)}: heron\n---\n"
        f"# Head {EVIL}\n\nThe heron {EVIL} [[{EVIL.replace('[', '(').replace(']', ')')}|{EVIL}]]\n"
    ),
    f"{NAME[:60]}/other.md": f"## {EVIL}\n\na heron and #{EVIL} [[{NAME[:30]}]] [[other]]\n",
    "plain/other.md": "a heron, see [[other]]\n",
    "broken.md": f"---\na: [{EVIL}\n---\nheron\n",
}
# What we colour with ourselves, and what draws a bar: of no use to anybody else.
OURS = re.compile(r"\x1b\[[0-9;]*m|\x1b\[\?25[hl]|\x1b\[[0-9]*[AK]|\r")
# The word is the last of these; all stand in a vault that a command finds.
ARGUMENTS: dict[str, list[str]] = {
    "query": ["heron"],
    "related": ["broken.md"],
    "index": ["{vault}"],
    "forget": ["{vault}", "--yes"],
    "eval": ["{judged}"],
    "tune": ["{judged}"],
    "judge": ["{file}", "heron", "--right", "broken.md"],
}
WITHOUT_VAULT = ("index", "vaults", "forget", "model")
# The text of a template is the user's own form, colours included.
OWN_FORM = "--format"
# These wait for changes, or for somebody to speak to them.
ENDLESS = ("watch", "mcp")


def is_obeyed(character: str) -> bool:
    """What Unicode calls a control, a separator, a surrogate or a direction; what has no width."""
    return (
        unicodedata.category(character) in ("Cc", "Zl", "Zp", "Cs")
        or unicodedata.bidirectional(character)
        in ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")
        or character in "\u200b\u200e\u200f\ufeff\u00ad\u115f\u3164\u2060\u180e\u034f"
        or "\U000e0000" <= character <= "\U000e0fff"
    )


def check(result: Result, arguments: object) -> None:
    """Nothing that is obeyed came out but what parts lines and fields, and what we draw."""
    text = OURS.sub("", result.out + result.err)
    obeyed = sorted(set(filter(is_obeyed, text)) - {"\n", "\t", "\0"})
    assert not obeyed, (arguments, obeyed)
    assert "Traceback" not in result.err


@pytest.fixture
def hostile(make_vault: MakeVault, kb: RunKb) -> Path:
    vault = make_vault(NOTES, f"vault {NAME[:40]}")
    os.mkfifo(vault / f"{NAME[:50]} pipe.md")
    (vault / f"{NAME[:50]} link.md").symlink_to("nowhere")
    (vault / ".kb.toml").write_text(f"[weights]\n{json.dumps(EVIL)} = 1\n{json.dumps(NAME)} = 2\n")
    (vault / ".kbignore").write_text(f"{EVIL}\n\\\n")
    (vault / ".obsidian").mkdir()
    filters = json.dumps({"userIgnoreFilters": [f"/({EVIL}/"]})
    (vault / ".obsidian" / "app.json").write_text(filters)
    result = kb("index", vault, terminal=True)
    assert result.status == 0, result.err
    check(result, "index")
    return vault


def filled(name: str, vault: Path, folder: Path) -> list[str]:
    """A command line of one command that finds the vault."""
    judged = folder / "judged.tsv"
    judged.write_text(f"heron\tbroken.md\n{EVIL.splitlines()[0]}\t{NAME}.md\n")
    known = {"vault": str(vault), "judged": str(judged), "file": str(folder / "right.tsv")}
    parts = [known.get(part.strip("{}"), part) for part in ARGUMENTS.get(name, [])]
    return [name, *parts, *([] if name in WITHOUT_VAULT else ["--vault", str(vault)])]


def options_of(command: Any, names: list[str]) -> Iterator[tuple[list[str], Any]]:
    """Every option of a command and of the commands below it, with how it is called."""
    for below, inner in getattr(command, "commands", {}).items():
        yield from options_of(inner, [*names, below])
    for parameter in command.params:
        yield names, parameter


def every_option(name: str) -> Iterator[tuple[list[str], list[str]]]:
    """For each option and argument of a command: the command as called, and it with EVIL."""
    for names, parameter in options_of(load_command(name), [name]):
        written = [EVIL]
        if parameter.param_type_name == "option":
            flag = max(parameter.opts, key=len)
            written = [flag] if parameter.is_flag else [flag, EVIL]
        if written[0] not in ("--help", OWN_FORM):
            yield names, written


FORMS: dict[str, tuple[str, ...]] = {
    "query": ("--explain", "--json", "--jsonl", "-l", "-0", "--pretty", "--plain", "--authority"),
    "related": ("--explain", "--json", "-l", "--pretty", "--plain"),
    "status": ("--problems", "--json"),
    "config": ("--json",),
    "vaults": ("--json",),
    "eval": ("--json",),
    "index": ("--json", "--rebuild"),
}


@pytest.mark.parametrize("name", [name for name in COMMANDS if name not in ENDLESS])
@pytest.mark.parametrize("color", ["never", "always"])
def test_no_command_lets_a_vault_speak_to_the_terminal(
    name: str, color: str, hostile: Path, kb: RunKb, tmp_path: Path
) -> None:
    variables = {"NO_COLOR": "1"} if color == "never" else {"FORCE_COLOR": "1"}
    for form in ((), *((form,) for form in FORMS.get(name, ()))):
        arguments = [*filled(name, hostile, tmp_path), *form]
        result = kb(*arguments, terminal=True, env=variables, cwd=tmp_path)
        check(result, arguments)
        if color == "never":
            assert "\x1b" not in result.out, arguments
        if "--json" in form:
            json.loads(result.out[result.out.index("{") : result.out.rindex("}") + 1])


@pytest.mark.parametrize("name", [name for name in COMMANDS if name not in ENDLESS])
def test_what_is_typed_is_never_obeyed(name: str, hostile: Path, kb: RunKb, tmp_path: Path) -> None:
    work = tmp_path / "work"
    work.mkdir()
    for names, written in every_option(name):
        lines = [[*(names if names[1:] else filled(name, hostile, tmp_path)), *written]]
        if not written[0].startswith("-"):
            lines.append([*names, *written])
        for arguments in lines:
            result = kb(*arguments, terminal=True, cwd=work)
            check(result, arguments)
            assert result.status in (0, 1, 2)


def test_words_that_are_no_command_are_shown_as_they_are_typed(kb: RunKb, tmp_path: Path) -> None:
    for arguments in ([EVIL], [f"--{EVIL}"], ["query", f"--{EVIL}"], ["help", EVIL], [EVIL, EVIL]):
        result = kb(*arguments, terminal=True, cwd=tmp_path)
        check(result, arguments)
        assert result.status == 2


@pytest.mark.parametrize("variable", ["KB_VAULT", "KB_INDEX", "KB_MODE", "KB_K", "KB_COLOR"])
def test_variables_are_shown_as_they_are_set(variable: str, kb: RunKb, hostile: Path) -> None:
    for arguments in (["query", "heron"], ["config"], ["status"]):
        result = kb(*arguments, terminal=True, env={variable: EVIL}, cwd=hostile)
        check(result, (variable, arguments))


def test_a_users_own_file_is_shown_as_it_is_written(
    kb: RunKb, hostile: Path, tmp_path: Path
) -> None:
    file = tmp_path / "evil.toml"
    for text in (f"{json.dumps(EVIL)} = 1", f"mode = {json.dumps(EVIL)}", f"a = '{EVIL}'"):
        file.write_text(text)
        for arguments in (["query", "heron", "--vault", str(hostile)], ["config"]):
            result = kb(*arguments, terminal=True, env={"KB_CONFIG": str(file)})
            check(result, (text, arguments))


def test_a_bar_and_what_is_told_beside_it_are_safe(make_vault: MakeVault, kb: RunKb) -> None:
    notes = {f"{number} {NAME}.md": f"---\na: [{EVIL}\n---\nx" for number in range(60)}
    result = kb("index", make_vault(notes), terminal=True)
    assert result.status == 0
    assert "\x1b[?25l" in result.err  # there was a bar
    check(result, "index")


def test_tracebacks_are_safe(kb: RunKb) -> None:
    result = kb("query", "x", "--vault", EVIL, terminal=True, env={"KB_DEBUG": "1"})
    text = OURS.sub("", result.out + result.err)
    assert "Traceback" in text
    assert not any(is_obeyed(character) for character in text if character != "\n")


def test_markup_is_text(hostile: Path, kb: RunKb) -> None:
    for form in ("--pretty", "--explain", "--plain"):
        arguments = ("query", "heron", form, "--vault", hostile)
        shown = "".join(kb(*arguments, terminal=True, width=4_000).out.split("\n"))
        assert "[bold red]markup[|]" in shown or "[bold red]markup[/]" in shown, form
        assert "\x1b]8" not in shown
        assert ":smiley:" in shown


def test_a_break_in_a_path_breaks_no_line_and_no_field(make_vault: MakeVault, kb: RunKb) -> None:
    vault = make_vault({"a\nb\tc.md": "heron", "a b c.md": "heron", "a\r\u2028b.md": "heron"})
    assert kb("index", vault).status == 0
    lines = kb("query", "heron", "--plain", "--vault", vault).lines
    assert sorted(line.split("\t")[0] for line in lines) == [
        "a b c.md",
        r"a\x0ab\x09c.md",
        r"a\x0d\u2028b.md",
    ]
    assert all(line.count("\t") == 3 for line in lines)
    raw = kb("query", "heron", "-0", "--vault", vault).raw
    assert sorted(raw.split(b"\0"))[1:] == sorted(
        os.fsencode(name) for name in ("a\nb\tc.md", "a b c.md", "a\r\u2028b.md")
    )


def test_json_loses_no_path(make_vault: MakeVault, kb: RunKb) -> None:
    vault = make_vault({})
    names = [b"caf\xe9.md", rb"caf\xe9.md".replace(b"\\xe9", b"\\xe9 "), b"\xff\xfe\x80.md"]
    names += ["caf\u00e9.md".encode(), "\U0010fe00.md".encode(), b"\\xff.md"]
    for name in names:
        with open(os.path.join(os.fsencode(vault), name), "wb") as file:  # noqa: PTH118, PTH123
            file.write(b"heron")
    assert kb("index", vault).status == 0
    document = kb("query", "heron", "--json", "--vault", vault).json
    opened = [
        base64.b64decode(hit["path_base64"]) if "path_base64" in hit else hit["path"].encode()
        for hit in document["results"]
    ]
    assert sorted(opened) == sorted(names)


def test_on_a_real_terminal(hostile: Path, kb_variables: dict[str, str]) -> None:
    import pty

    for arguments in (["query", "heron", "--explain"], ["query", "heron"], ["status"]):
        parent, child = pty.openpty()
        with subprocess.Popen(
            [sys.executable, "-m", "kb.cli", *arguments, "--vault", str(hostile)],
            env=clean_environment(kb_variables),
            stdin=child,
            stdout=child,
            stderr=child,
        ) as process:
            os.close(child)
            shown = _drain(parent)
        text = OURS.sub("", shown.decode("utf-8"))
        assert process.returncode == 0, text
        assert not any(is_obeyed(character) for character in text if character != "\n"), arguments


def _drain(parent: int) -> bytes:
    pieces = []
    try:
        while piece := os.read(parent, 65_536):
            pieces.append(piece)
    except OSError:  # the other end is closed
        pass
    os.close(parent)
    return b"".join(pieces)
