"""What a command may know of the process around it, in one object that tests can make up."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TextIO

COLOR_CHOICES = ("auto", "always", "never")


class Environment:
    """Streams, variables and terminal of one run.

    `width` is in columns, None for that of the terminal. `color` is what the user set: auto,
    always or never.
    """

    __slots__ = ("_width", "color", "stderr", "stdin", "stdout", "variables")

    def __init__(
        self,
        stdin: TextIO,
        stdout: TextIO,
        stderr: TextIO,
        variables: Mapping[str, str] | None = None,
        width: int | None = 80,
        color: str = "auto",
    ) -> None:
        self.stdin = stdin
        self.stdout = stdout
        self.stderr = stderr
        self.variables: Mapping[str, str] = {} if variables is None else variables
        self._width = width
        self.color = color

    @property
    def width(self) -> int:
        """How many columns a line has."""
        if self._width is None:
            import shutil  # takes as long as to find the index, and most runs ask for no width

            self._width = shutil.get_terminal_size().columns
        return self._width

    @property
    def on_terminal(self) -> bool:
        """Whether data goes to a terminal."""
        return is_terminal(self.stdout)

    @property
    def errors_on_terminal(self) -> bool:
        """Whether notices go to a terminal."""
        return is_terminal(self.stderr)

    @property
    def colored(self) -> bool:
        """Whether data is coloured."""
        return decide_color(self.color, self.variables, self.on_terminal)

    @property
    def debug(self) -> bool:
        """Whether the user asked for tracebacks."""
        return bool(self.variables.get("KB_DEBUG"))

    @property
    def shows_progress(self) -> bool:
        """Whether a progress bar may be drawn at all."""
        dumb = self.variables.get("TERM") == "dumb"
        return self.errors_on_terminal and not dumb and not self.variables.get("KB_NO_PROGRESS")


def process_environment() -> Environment:
    """The environment of this process. A stream that was closed is the null device."""
    return Environment(
        stdin=_open_stream(sys.stdin, "r"),
        stdout=_open_stream(sys.stdout, "w"),
        stderr=_open_stream(sys.stderr, "w"),
        variables=os.environ,
        width=None,
    )


def _open_stream(stream: TextIO | None, mode: str) -> TextIO:
    if stream is None:
        return Path(os.devnull).open(mode, encoding="utf-8")  # type: ignore[return-value]
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None and mode == "w":
        # A terminal that cannot show a character gets its escape, not an exception.
        reconfigure(errors="backslashreplace")
    return stream


def is_terminal(stream: TextIO) -> bool:
    """Whether a stream is a terminal; a closed one is not."""
    try:
        return stream.isatty()
    except ValueError:
        return False


def decide_color(choice: str, variables: Mapping[str, str], terminal: bool) -> bool:
    """Whether to colour, decided in one place.

    In this order: the user's own choice for this command, `NO_COLOR` where not empty,
    `FORCE_COLOR` or `CLICOLOR_FORCE` (0 is off), then whether there is a terminal that can.
    """
    if choice != "auto":
        return choice == "always"
    if variables.get("NO_COLOR"):
        return False
    for name in ("FORCE_COLOR", "CLICOLOR_FORCE"):
        if value := variables.get(name):
            return value.lower() not in ("0", "false", "no")
    return terminal and variables.get("TERM") != "dumb"
