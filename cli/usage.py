"""What Typer says of a wrong command line, in the form of our own messages."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any


def describe_usage(error: Any, text: str, called: str) -> tuple[str, str]:
    """A message without capital and full stop, and what to do next.

    `called` is the command as typed, for an error that does not know it.
    """
    command = error.ctx.command_path if getattr(error, "ctx", None) is not None else called
    option = getattr(error, "option_name", None)
    possibilities = getattr(error, "possibilities", None)
    hint = f"`{command} --help` lists what it takes"
    if option is not None and text.startswith("No such option"):
        message = f"no such option: `{option}`"
        if possibilities:
            hint = f"did you mean `{_closest(option, possibilities)}`?"
        if command == "kb query":
            hint += "; to search for it as text, write it after `--`: `kb query -- …`"
        return message, hint
    if not text.strip():
        return "incomplete command", hint
    return _reword(text), hint


def _closest(option: str, possibilities: Iterable[str]) -> str:
    """The option most like the one that was typed."""
    ordered = sorted(possibilities)
    return (get_close_matches(option, ordered, n=1, cutoff=0.0) or ordered)[0]


def _reword(text: str) -> str:
    """The first line, lower case, without its full stop, literals in backticks."""
    line = " ".join(text.split())
    line = re.sub(r"'([^']*)'", r"`\1`", line)
    return (line[:1].lower() + line[1:]).rstrip(".")
