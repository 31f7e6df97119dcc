"""Writing: data to stdout, everything else to stderr, nothing that a terminal would obey."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from typing import TextIO

from kb.cli.environment import Environment, is_terminal
from kb.cli.escape import escape_json, escape_line
from kb.store.errors import KbError


class OutputClosedError(Exception):
    """Whoever read our output has enough of it. Not an error of ours: the run ends with 0."""


def write_data(environment: Environment, text: str) -> None:
    """Write data as it is. A pipe or file gets UTF-8 whatever the locale, and raw path bytes.

    The caller has escaped what goes to a terminal. Raises OutputClosedError, KbError.
    """
    _guarded(lambda: _write(environment.stdout, text))


def write_lines(environment: Environment, lines: list[str]) -> None:
    """Write lines of data, each with its line feed."""
    write_data(environment, "".join(f"{line}\n" for line in lines))


def write_json(environment: Environment, document: Mapping[str, object], indent: bool) -> None:
    """Write one JSON document and a line feed: valid UTF-8, numbers unrounded."""
    import json

    text = json.dumps(
        document,
        ensure_ascii=False,
        allow_nan=False,
        indent=2 if indent else None,
        separators=None if indent else (",", ":"),
    )
    write_data(environment, escape_json(text) + "\n")


def flush_data(environment: Environment) -> None:
    """Push out what is buffered, so that a failure shows while it can still be told."""
    _guarded(environment.stdout.flush)


def say(environment: Environment, message: str) -> None:
    """One line to stderr. Where stderr is gone there is nobody to tell."""
    try:
        environment.stderr.write(f"{escape_line(message)}\n")
        environment.stderr.flush()
    except (OSError, ValueError):
        return


def say_error(environment: Environment, message: str, hint: str = "") -> None:
    """An error, and what to do next, a line each."""
    say(environment, f"kb: {message}")
    if hint:
        say(environment, f"hint: {hint}")


def drop_output() -> None:
    """Point stdout at the null device, so that the interpreter's own last flush is quiet."""
    try:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, sys.__stdout__.fileno() if sys.__stdout__ else 1)
        os.close(null)
    except (OSError, ValueError):
        return


def _write(stream: TextIO, text: str) -> None:
    buffer = getattr(stream, "buffer", None)
    if buffer is None or is_terminal(stream):
        stream.write(text)
        return
    stream.flush()
    buffer.write(_encode(text))


def _encode(text: str) -> bytes:
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # surrogates that are not the bytes of a path
        return text.encode("utf-8", "replace")


def _guarded(write: Callable[[], object]) -> None:
    try:
        write()
    except BrokenPipeError as error:
        raise OutputClosedError from error
    except OSError as error:
        if sys.platform == "win32" and error.errno == 22:  # how Windows says that a pipe closed
            raise OutputClosedError from error
        raise KbError(
            f"cannot write the output ({error.strerror})", "check the disk, or the pipe, and retry"
        ) from error
