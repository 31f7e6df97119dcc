"""`kb` as a process of its own: what it loads, closed pipes, odd locales, full disks."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import MakeVault, Result, clean_environment

HEAVY = {
    "asyncio",
    "fastembed",
    "frontmatter",
    "markdown_it",
    "networkx",
    "numpy",
    "onnxruntime",
    "pydantic",
    "rich",
    "tomlkit",
    "yaml",
}
# What a query does without, though it is not slow for what it does.
SPARED = {
    "base64",
    "dataclasses",
    "email",
    "hashlib",
    "multiprocessing",
    "platformdirs",
    "pathspec",
    "shutil",
    "threading",
    "tempfile",
    "tomllib",
    "typer",
}
# Every module of ours that a query may load. Each costs a part of a millisecond at least, so a new
# one has to be worth it: what only filters, vectors, `--why` or another form of output need is
# imported where it is used.
OF_A_QUERY = {
    "cli": "environment escape filters main output place plain_query query_arguments query_run"
    " render_json setting_kinds settings settings_file show status version",
    "fusion": "hydrate options rrf run search surety",
    "store": "connection errors files hashes locations meta paths records rows schema",
    "streams": "best_passages bounds cosine counted entity entity_parts graph identifiers languages"
    " lexical match nearest note_paths pairs query_vector registry request scope totals"
    " vector_functions",
    "text": "characters compounds entities languages marking query stemming stopword_lists"
    " stopwords terms tokens",
}
LISTING = """
import sys
import time
from kb.cli.environment import process_environment
from kb.cli.main import main
status = main(sys.argv[1:], process_environment())
sys.stderr.write("\\n" + " ".join(sorted({name.partition(".")[0] for name in sys.modules})))
sys.stderr.write("\\n" + " ".join(sorted(n for n in sys.modules if n.startswith("kb."))))
sys.exit(status)
"""
Run = Callable[..., Result]


def notes(count: int) -> dict[str, str]:
    return {f"note {n:03d}.md": f"# Heron {n}\n\nThe heron of day {n}.\n" for n in range(count)}


@pytest.fixture
def indexed(make_vault: MakeVault, kb_process: Run) -> Path:
    vault = make_vault(notes(300))
    assert kb_process("index", vault).status == 0
    return vault


def loaded(result: Result) -> tuple[set[str], set[str]]:
    tops, ours = result.err.splitlines()[-2:]
    return set(tops.split()), set(ours.split())


@pytest.mark.parametrize("argument", ["--version", "--help"])
def test_asking_for_little_loads_little(argument: str, kb_process: Run) -> None:
    result = kb_process(argument, python=("-c", LISTING))
    tops, ours = loaded(result)
    assert result.status == 0
    assert not tops & HEAVY
    assert "apsw" not in tops
    assert not {name for name in ours if name.startswith("kb.cli.command_")}


def test_the_version_is_that_of_the_distribution(kb_process: Run) -> None:
    from importlib.metadata import version

    assert kb_process("--version").out == f"kb {version('kb-search')}\n"


@pytest.mark.parametrize(
    "form", [(), ("--json",), ("--jsonl",), ("-l",), ("-0",), ("-c",), ("-q",), ("--explain",)]
)
def test_a_piped_query_loads_nothing_heavy(
    form: tuple[str, ...], indexed: Path, kb_process: Run
) -> None:
    result = kb_process("query", "heron", "--vault", indexed, *form, python=("-c", LISTING))
    assert result.status == 0
    tops, ours = loaded(result)
    assert not tops & HEAVY
    assert not {name for name in ours if name.startswith("kb.cli.command")}
    assert not any(name.startswith("kb.indexer") for name in ours)


def test_a_query_loads_these_modules_alone(indexed: Path, kb_process: Run) -> None:
    result = kb_process("query", "heron", "--vault", indexed, "--json", python=("-c", LISTING))
    tops, ours = loaded(result)
    assert not tops & (HEAVY | SPARED)
    allowed = {f"kb.{room}.{name}" for room, names in OF_A_QUERY.items() for name in names.split()}
    assert ours - {f"kb.{room}" for room in OF_A_QUERY} <= allowed


@pytest.mark.skipif(sys.platform != "linux", reason="on other systems platformdirs is asked")
def test_the_usual_folders_are_found_without_platformdirs(indexed: Path, kb_process: Run) -> None:
    usual = {"KB_DATA": "", "KB_CONFIG": "", "XDG_DATA_HOME": "", "XDG_CONFIG_HOME": ""}
    assert kb_process("index", indexed, env=usual).status == 0
    result = kb_process("query", "heron", "--vault", indexed, env=usual, python=("-c", LISTING))
    assert result.status == 0
    assert "platformdirs" not in loaded(result)[0]


def test_a_run_over_an_unchanged_vault_parses_nothing(indexed: Path, kb_process: Run) -> None:
    for note in indexed.glob("*.md"):
        os.utime(note, (1_000_000_000, 1_000_000_000))  # not as new as the run
    kb_process("index", indexed)
    result = kb_process("index", indexed, python=("-c", LISTING))
    tops, ours = loaded(result)
    assert not tops & (HEAVY)
    assert not ours & {"kb.indexer.parse", "kb.indexer.prepare", "kb.indexer.write"}


@pytest.mark.skipif(sys.platform == "win32", reason="pipes close in another way on Windows")
@pytest.mark.parametrize("form", ["--plain", "--json", "--jsonl", "-l", "-0", "--pretty"])
def test_a_reader_that_has_enough_is_no_error(
    form: str, indexed: Path, kb_variables: dict[str, str]
) -> None:
    command = [
        sys.executable,
        "-m",
        "kb.cli",
        "query",
        "heron",
        "-n0",
        form,
        "--vault",
        str(indexed),
    ]
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=clean_environment(kb_variables),
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        noise = process.stderr.read()
    assert noise == b""
    assert process.returncode == 0


@pytest.mark.skipif(sys.platform == "win32", reason="pipes close in another way on Windows")
def test_help_into_a_closed_pipe_is_no_error(kb_variables: dict[str, str]) -> None:
    read_end, write_end = os.pipe()
    os.close(read_end)
    done = subprocess.run(
        [sys.executable, "-m", "kb.cli", "query", "--help"],
        stdout=write_end,
        stderr=subprocess.PIPE,
        env=clean_environment(kb_variables),
        check=False,
    )
    os.close(write_end)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_an_error(indexed: Path, kb_variables: dict[str, str]) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "kb.cli", "query", "heron", "--vault", str(indexed)],
            stdout=full,
            stderr=subprocess.PIPE,
            env=clean_environment(kb_variables),
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr.decode().startswith("kb: cannot write the output")
    assert b"Traceback" not in done.stderr
    assert b"Exception ignored" not in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="needs a shell that can close a stream")
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_a_closed_stream_is_no_accident(
    closed: str, indexed: Path, kb_variables: dict[str, str]
) -> None:
    shell = f'"{sys.executable}" -m kb.cli query heron --vault "{indexed}" {closed}'
    done = subprocess.run(
        shell, shell=True, capture_output=True, env=clean_environment(kb_variables), check=False
    )
    assert done.returncode == 0
    assert b"Traceback" not in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no locale of bytes")
@pytest.mark.parametrize(
    "locale", [{"LC_ALL": "C"}, {"LC_ALL": "POSIX"}, {"PYTHONIOENCODING": "ascii"}]
)
def test_json_is_utf8_whatever_the_locale(
    locale: dict[str, str], make_vault: MakeVault, kb_process: Run
) -> None:
    vault = make_vault({"Zürich.md": "# Straße nach Zürich 日本\n\nReiher\n"})
    assert kb_process("index", vault, env=locale).status == 0
    found = kb_process("query", "Reiher", "--vault", vault, "--json", env=locale)
    assert json.loads(found.raw.decode("utf-8"))["results"][0]["path"] == "Zürich.md"
    plain = kb_process("query", "Reiher", "--vault", vault, env=locale)
    assert "Straße nach Zürich 日本" in plain.raw.decode("utf-8")
    again = kb_process("query", "Zürich", "--vault", vault, "-l", env=locale)
    assert again.raw.decode("utf-8") == "Zürich.md\n"


@pytest.mark.skipif(sys.platform != "linux", reason="needs a file system that keeps any bytes")
def test_paths_that_are_not_utf8_open_again(make_vault: MakeVault, kb_process: Run) -> None:
    vault = make_vault({"plain.md": "heron\n"})
    (vault / os.fsdecode(b"caf\xe9.md")).write_text("heron at the cafe\n", encoding="utf-8")
    assert kb_process("index", vault).status == 0
    listed = kb_process("query", "cafe", "--vault", vault, "-0")
    assert listed.raw == b"caf\xe9.md\0"
    assert (vault / os.fsdecode(listed.raw[:-1])).is_file()
    plain = kb_process("query", "cafe", "--vault", vault)
    assert plain.raw.startswith(b"caf\xe9.md\t1\t")
    document = kb_process("query", "cafe", "--vault", vault, "--json").json
    assert document["results"][0]["path"] == r"caf\xe9.md"
    rest = kb_process(
        "query", "heron", "--vault", vault, "-l", "--exclude-from", "-", stdin=listed.raw
    )
    assert rest.lines == ["plain.md"]


def test_a_missing_home_is_no_accident(kb_variables: dict[str, str]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "kb.cli", "query", "x"],
        capture_output=True,
        env=clean_environment(kb_variables),
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.decode().splitlines() == [
        "kb: no vault has been indexed yet",
        "hint: run `kb index VAULT` first",
    ]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows interrupts in another way")
def test_an_interrupt_is_said_and_has_its_status(
    indexed: Path, kb_variables: dict[str, str]
) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "kb.cli", "query", "-", "--vault", str(indexed)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**clean_environment(kb_variables), "PYTHONUNBUFFERED": "1"},
    ) as process:
        wait_until_reading(process.pid)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert (out, err.decode(), process.returncode) == (b"", "kb: interrupted\n", 130)


def wait_until_reading(pid: int) -> None:
    """Wait until a process sleeps in a read of its stdin."""
    waiting = Path(f"/proc/{pid}/wchan")
    if not waiting.exists():
        pytest.skip("this system does not show what a process waits for")
    for _ in range(200):
        if "pipe" in waiting.read_text(encoding="ascii"):
            return
        time.sleep(0.05)
    pytest.skip("the process was never seen to read its stdin")
