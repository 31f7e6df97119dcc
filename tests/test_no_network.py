"""On a machine without a network every command works, and only a fetch asks for one."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from command_lines import FETCH, command_lines, seconds_for, write_queries
from conftest import MakeVault, clean_environment

# Every way of Python to the network tells this hook before it goes (docs: "audit events table").
ALONE = """
import io, json, os, signal, sys

asked = []
EVENTS = ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr",
          "socket.sendto", "socket.sendmsg", "urllib.Request", "http.client.connect")

def hook(event, arguments):
    if event in EVENTS and not str(arguments[-1]).startswith(("/", "b'/")):  # a file is no network
        asked.append(event)
        raise OSError(101, "Network is unreachable")

sys.addaudithook(hook)
from kb.cli.environment import Environment
from kb.cli.main import main

def enough(*_):
    raise KeyboardInterrupt

signal.signal(signal.SIGALRM, enough)
done = []
for name, line, seconds in json.load(sys.stdin):
    asked.clear()
    out, err = io.StringIO(), io.StringIO()
    environment = Environment(io.StringIO(), out, err, dict(os.environ))
    signal.alarm(seconds)
    status = main(line, environment)
    signal.alarm(0)
    done.append([name, line, status, err.getvalue(), asked.copy()])
json.dump(done, sys.stdout)
"""


def run_alone(lines: list[tuple[str, list[str]]], variables: dict[str, str]) -> list[Any]:
    """Name, line, status, stderr and the attempts to use a network, of each command line."""
    done = subprocess.run(
        [sys.executable, "-c", ALONE],
        input=json.dumps([(name, line, seconds_for(name)) for name, line in lines]),
        env=clean_environment(variables),
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: list[Any] = json.loads(done.stdout)
    return found


@pytest.mark.skipif(sys.platform == "win32", reason="no alarms")
def test_no_command_but_a_fetch_asks_the_network(
    make_vault: MakeVault, kb_variables: dict[str, str], tmp_path: Path
) -> None:
    vault = make_vault(
        {
            "a.md": "---\nstatus: open\n---\n# A heron\n\n[x](https://example.com/a) #bird\n",
            "b.md": "![](http://example.com/b.png) [[a]]",
            ".kb.toml": 'model = "https://example.com/model"\n',
        }
    )
    lines = list(command_lines(vault, write_queries(tmp_path)))
    lines.sort(key=lambda line: line[0] == "forget")  # last
    lines = [("version", ["--version"]), ("help", ["--help"]), *lines]
    asking = [line for line in lines if line[0] == FETCH]
    assert asking
    for name, line, status, err, asked in run_alone(
        [line for line in lines if line not in asking], kb_variables
    ):
        assert asked == [], (line, asked)
        assert "unexpected" not in err, (line, err)
        ended = (130,) if name == "watch" else (0, 1)
        assert status in ended or is_about_something_else(name, line, err), (line, err)
    for name, line, status, err, asked in run_alone(asking, kb_variables):
        assert (name, status) == (FETCH, 2)
        assert asked, line
        assert "cannot be reached" in err, err
        assert "hint: " in err


def is_about_something_else(name: str, line: list[str], err: str) -> bool:
    """Whether a command needed what is not here: a model, judgements. It says so."""
    without_model = "--embed" in line or "semantic" in line or name == "model info"
    return "hint: " in err and (without_model or name in ("eval", "tune", "judge"))
