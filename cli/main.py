"""The entry point, and what every failure becomes: a line, a hint, an exit status."""

from __future__ import annotations

import atexit
import errno
import gc
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout

from kb.cli.environment import Environment, process_environment
from kb.cli.output import (
    OutputClosedError,
    drop_output,
    flush_data,
    say,
    say_error,
    write_data,
)
from kb.cli.status import ExitStatus
from kb.cli.version import VERSION
from kb.store.errors import KbError

# Objects between two passes of the garbage collector: the seven hundred of Python mean a hundred
# passes over nothing but modules before a query is read.
_COLLECT_AFTER = 100_000


def run() -> None:
    """Run the command of this process and exit with its status."""
    gc.set_threshold(_COLLECT_AFTER, 10, 10)
    status = main(sys.argv[1:], process_environment())
    try:
        sys.stdout.flush()
    except (AttributeError, OSError, ValueError):  # closed, or closed by its reader
        drop_output()
    _leave(status)


def _leave(status: int) -> None:
    """End the process: at once where nothing else runs in it or watches it.

    Python's own way takes two hundred modules down one by one, as long as a search takes.
    """
    threading = sys.modules.get("threading")
    alone = threading is None or threading.active_count() == 1
    if not alone or sys.gettrace() is not None or sys.getprofile() is not None:
        sys.exit(status)
    atexit._run_exitfuncs()
    os._exit(status)


def main(arguments: Sequence[str], environment: Environment) -> int:
    """Run one command line and return its exit status. Never raises."""
    try:
        status = _dispatch(list(arguments), environment)
        flush_data(environment)
        return status
    except OutputClosedError:
        return ExitStatus.FOUND
    except KeyboardInterrupt:
        say_error(environment, "interrupted")
        return ExitStatus.INTERRUPTED
    except Exception as error:
        _flush_quietly(environment)
        return report_error(environment, error, _called(arguments))


def _flush_quietly(environment: Environment) -> None:
    """What was found before the failure still goes out; a second failure adds nothing."""
    try:
        flush_data(environment)
    except (OutputClosedError, KbError):
        return


def _dispatch(arguments: list[str], environment: Environment) -> int:
    if arguments[:1] in (["--version"], ["-V"]):
        write_data(environment, f"kb {VERSION}\n")
        return ExitStatus.FOUND
    if not arguments:
        say_error(environment, "no command given", "`kb --help` lists the commands")
        return ExitStatus.WRONG
    if arguments[0] == "query":
        from kb.cli.plain_query import read_plain

        plain = read_plain(arguments[1:])
        if plain is not None:
            from kb.cli.query_run import run_query

            return run_query(environment, plain)
    if arguments[0] == "help":
        arguments = [*arguments[1:2], "--help"]
    from kb.cli.app import build_app

    try:
        with redirect_stdout(environment.stdout):  # Typer prints help itself
            result = build_app().main(
                arguments, prog_name="kb", standalone_mode=False, obj=environment
            )
    except SystemExit as error:  # Typer's own answer to a pipe that closed while it printed help
        raise OutputClosedError from error
    if result == ExitStatus.INTERRUPTED:
        raise KeyboardInterrupt  # Typer has turned it into a status
    return int(result or ExitStatus.FOUND)


def _called(arguments: Sequence[str]) -> str:
    """The command as typed, as far as it is one."""
    from kb.cli.commands import COMMANDS

    return f"kb {arguments[0]}" if arguments and arguments[0] in COMMANDS else "kb"


def report_error(environment: Environment, error: Exception, called: str) -> int:
    """Say on stderr what went wrong, and what to do next. Returns the exit status for it."""
    if environment.debug:
        import traceback

        for line in traceback.format_exception(error):
            for part in line.splitlines():
                say(environment, part)
    message, hint = describe_error(error, called)
    say_error(environment, message, hint)
    return ExitStatus.WRONG


def describe_error(error: Exception, called: str) -> tuple[str, str]:
    """A message and a hint for whatever went wrong.

    Errors of the rooms carry both. Typer's are told by what they can do, since their classes
    have moved between versions.
    """
    message = getattr(error, "message", None)
    format_message: Callable[[], str] | None = getattr(error, "format_message", None)
    if format_message is not None:
        from kb.cli.usage import describe_usage

        return describe_usage(error, format_message(), called)
    hint = getattr(error, "hint", None)
    if isinstance(message, str) and isinstance(hint, str):
        return message, hint
    if type(error).__name__ == "Abort":
        return "stopped, nothing was done", ""
    if isinstance(error, OSError):
        return _describe_system(error)
    if type(error).__module__ == "apsw":
        return f"cannot read or write the index ({error})", "`kb doctor` says what is wrong with it"
    return f"unexpected {type(error).__name__}: {error}".rstrip(": "), _DEBUG_HINT


def _describe_system(error: OSError) -> tuple[str, str]:
    """What the operating system refused, where nobody nearer to it said so."""
    said = error.strerror or str(error) or type(error).__name__
    if isinstance(error, FileNotFoundError) and not error.filename:
        return "the folder that you are in is not there any more", "change to one that is"
    if not error.filename and error.errno in _NO_ROOM:
        return f"cannot write the output ({said})", "check the disk and try again"
    place = f" ({error.filename})" if error.filename else ""
    return f"{said[:1].lower()}{said[1:]}{place}", _DEBUG_HINT


_NO_ROOM = (errno.ENOSPC, errno.EIO, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC))
_DEBUG_HINT = "set `KB_DEBUG=1` to see where"
