"""The MCP server over a real pipe, spoken to in recorded lines; what it never does."""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import MakeVault, Result, clean_environment
from mcp_support import NOTES, SECONDS, Pipe, difference, read_sessions

SESSIONS = read_sessions(Path(__file__).parent / "mcp_sessions")

# A server whose tool `status` waits for a file, and writes where only messages belong.
SLOW = """
import os, sys, time
from pathlib import Path
from kb.cli.mcp import tools
usual = tools.TOOLS["status"]
gate = sys.argv.pop(1)
def wait(call):
    print("chatter")
    os.write(1, b"chatter of a library\\n")
    Path(gate + ".started").touch()
    while not Path(gate).exists():
        time.sleep(0.01)
    return usual.run(call)
tools.TOOLS["status"] = usual._replace(run=wait)
from kb.cli.start import run
run()
"""
HELLO = (
    '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",'
    '"capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}'
)
STATUS = '{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"status"}}'
MOST_PINGS = 20_000
CANCEL = '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}}'


@pytest.fixture
def variables(kb_variables: dict[str, str]) -> dict[str, str]:
    return clean_environment(kb_variables)


@pytest.fixture
def vault(make_vault: MakeVault, kb: object, tmp_path: Path) -> Path:
    made = make_vault(dict(NOTES))
    (tmp_path / "secret.md").write_text("secret", encoding="utf-8")
    result = kb("index", made)  # type: ignore[operator]
    assert isinstance(result, Result)
    assert result.status == 0
    return made


@pytest.mark.parametrize("session", SESSIONS, ids=lambda session: session.title)
def test_recorded_session(session: object, vault: Path, variables: dict[str, str]) -> None:
    pipe = Pipe(["-m", "kb.cli", "mcp", "--vault", str(vault)], variables)
    for line, answers in session.steps:
        pipe.send(line)
        for expected in answers:
            assert difference(expected, pipe.receive()) == "", line
    assert pipe.end() == (0, [], "")


@pytest.fixture
def slow(vault: Path, variables: dict[str, str], tmp_path: Path) -> Iterator[tuple[Pipe, Path]]:
    gate = tmp_path / "gate"
    pipe = Pipe(["-c", SLOW, str(gate), "mcp", "--vault", str(vault)], variables)
    pipe.send(HELLO)
    assert pipe.receive()["id"] == 0
    pipe.send('{"jsonrpc":"2.0","method":"notifications/initialized"}')
    yield pipe, gate
    pipe.process.kill()
    pipe.process.wait()


def wait_for(file: Path, pipe: Pipe) -> None:
    """Ask the server until a file is there."""
    for _ in range(MOST_PINGS):
        if file.exists():
            return
        pipe.send('{"jsonrpc":"2.0","id":"wait","method":"ping"}')
        assert pipe.receive()["id"] == "wait"
    raise AssertionError(f"{file.name} never came")


def test_a_long_call_holds_nobody_up_and_is_cancelled(slow: tuple[Pipe, Path]) -> None:
    pipe, gate = slow
    pipe.send(STATUS)
    wait_for(Path(f"{gate}.started"), pipe)  # other requests are answered meanwhile
    pipe.send(CANCEL)
    pipe.send(
        '{"jsonrpc":"2.0","id":6,"method":"tools/call",'
        '"params":{"name":"search","arguments":{"query":"neap"}}}'
    )
    assert pipe.receive()["id"] == 6
    gate.touch()
    pipe.send('{"jsonrpc":"2.0","id":7,"method":"ping"}')
    assert pipe.receive()["id"] == 7  # a cancelled request is not answered
    status, rest, err = pipe.end()
    assert (status, rest) == (0, [])
    assert "chatter" in err


def test_what_a_library_prints_is_kept_from_the_protocol(slow: tuple[Pipe, Path]) -> None:
    pipe, gate = slow
    gate.touch()
    pipe.send(STATUS)
    answer = pipe.receive()
    assert answer["id"] == 5
    assert answer["result"]["structuredContent"]["notes"] == len(NOTES)
    pipe.send(STATUS)  # and stdin ends while it is at work
    status, rest, err = pipe.end()
    assert status == 0
    assert all(json.loads(line)["id"] == 5 for line in rest)
    assert "chatter of a library" in err


@pytest.mark.skipif(sys.platform == "win32", reason="no such signal there")
def test_an_interrupt_ends_a_server_that_waits(slow: tuple[Pipe, Path]) -> None:
    pipe, _ = slow
    pipe.send(STATUS)
    pipe.process.send_signal(signal.SIGINT)
    assert pipe.process.wait(SECONDS) == 130
    status, rest, err = pipe.end()
    assert (status, rest, err) == (130, [], "kb: interrupted\n")


def test_a_client_that_reads_no_more_ends_the_session(slow: tuple[Pipe, Path]) -> None:
    pipe, gate = slow
    gate.touch()
    pipe.stop_reading()
    pipe.send(STATUS)
    status, _, err = pipe.end()
    assert status == 0
    assert "rror" not in err
