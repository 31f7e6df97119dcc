"""Whether to colour is decided once, and by this table."""

from __future__ import annotations

import io

import pytest

from kb.cli.environment import Environment, decide_color

AUTO, ALWAYS, NEVER = "auto", "always", "never"


@pytest.mark.parametrize(
    ("choice", "variables", "terminal", "colored"),
    [
        (AUTO, {}, True, True),
        (AUTO, {}, False, False),
        (AUTO, {"TERM": "dumb"}, True, False),
        (AUTO, {"TERM": "xterm"}, True, True),
        (AUTO, {"NO_COLOR": "1"}, True, False),
        (AUTO, {"NO_COLOR": "0"}, True, False),
        (AUTO, {"NO_COLOR": ""}, True, True),
        (AUTO, {"FORCE_COLOR": "1"}, False, True),
        (AUTO, {"FORCE_COLOR": "3"}, False, True),
        (AUTO, {"FORCE_COLOR": "0"}, True, False),
        (AUTO, {"FORCE_COLOR": "false"}, True, False),
        (AUTO, {"FORCE_COLOR": ""}, False, False),
        (AUTO, {"CLICOLOR_FORCE": "1"}, False, True),
        (AUTO, {"CLICOLOR_FORCE": "0"}, True, False),
        (AUTO, {"FORCE_COLOR": "1", "TERM": "dumb"}, False, True),
        (AUTO, {"NO_COLOR": "1", "FORCE_COLOR": "1"}, True, False),
        (ALWAYS, {"NO_COLOR": "1", "TERM": "dumb"}, False, True),
        (NEVER, {"FORCE_COLOR": "1"}, True, False),
    ],
)
def test_color(choice: str, variables: dict[str, str], terminal: bool, colored: bool) -> None:
    assert decide_color(choice, variables, terminal) is colored


def closed_stream() -> io.StringIO:
    stream = io.StringIO()
    stream.close()
    return stream


def test_a_closed_stream_is_no_terminal() -> None:
    environment = Environment(closed_stream(), closed_stream(), closed_stream())
    assert not environment.on_terminal
    assert not environment.shows_progress
