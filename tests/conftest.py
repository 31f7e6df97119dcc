"""Helpers that tests of every room may use: the command line, and vaults made of text."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import pytest
from hypothesis import settings

from kb.cli.environment import Environment
from kb.cli.main import main

# What starts the tests may have them ignore these, and with them whatever they start.
for _name in ("SIGINT", "SIGHUP", "SIGTERM"):
    _number = getattr(signal, _name, None)
    if _number is not None and signal.getsignal(_number) is signal.SIG_IGN:
        _own = signal.default_int_handler if _name == "SIGINT" else signal.SIG_DFL
        signal.signal(_number, _own)

# no test depends on a clock
settings.register_profile("kb", deadline=None)
settings.load_profile("kb")


@dataclass(frozen=True, slots=True)
class Result:
    """What one run printed, and its exit status. `raw` are the bytes on stdout."""

    raw: bytes
    err: str
    status: int

    @property
    def out(self) -> str:
        """Stdout as text; bytes that are no UTF-8 are surrogates."""
        return self.raw.decode("utf-8", "surrogateescape")

    @property
    def lines(self) -> list[str]:
        """The lines on stdout, split at line feeds alone."""
        return self.out.split("\n")[:-1]

    @property
    def json(self) -> Any:
        """Stdout as one JSON document; it must be valid UTF-8."""
        return json.loads(self.raw.decode("utf-8"))


class RunKb(Protocol):
    """Run `kb` with these arguments."""

    def __call__(
        self,
        *arguments: str | os.PathLike[str],
        stdin: str | bytes = b"",
        env: Mapping[str, str] | None = None,
        terminal: bool = False,
        cwd: Path | None = None,
        width: int = 100,
    ) -> Result: ...


class Terminal(io.TextIOWrapper):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture(scope="session")
def cache_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One cache for all tests: what is known of models need not be found out each time."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def kb_variables(tmp_path: Path, cache_folder: Path) -> dict[str, str]:
    """The variables that keep a run away from the user's own folders."""
    home = tmp_path / "home"
    home.mkdir()
    return {
        "HOME": str(home),
        "USERPROFILE": str(home),
        "KB_DATA": str(tmp_path / "data"),
        "KB_CONFIG": str(tmp_path / "config" / "config.toml"),
        "XDG_DATA_HOME": str(tmp_path / "xdg-data"),
        "XDG_CONFIG_HOME": str(tmp_path / "xdg-config"),
        "XDG_CACHE_HOME": str(cache_folder),
        "TERM": "xterm-256color",
    }


def clean_environment(wanted: Mapping[str, str]) -> dict[str, str]:
    """This process's variables without those that would change what `kb` does."""
    colors = ("NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE", "COLUMNS", "COLORTERM")
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("KB_") and name not in colors
    }
    return {**kept, **wanted}


@pytest.fixture
def kb(kb_variables: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> RunKb:
    """Run `kb` in this process: `kb("query", "words")`. `terminal`: all streams are one."""

    def run(
        *arguments: str | os.PathLike[str],
        stdin: str | bytes = b"",
        env: Mapping[str, str] | None = None,
        terminal: bool = False,
        cwd: Path | None = None,
        width: int = 100,
    ) -> Result:
        data = stdin.encode() if isinstance(stdin, str) else stdin
        out, err = io.BytesIO(), io.BytesIO()
        kind = Terminal if terminal else io.TextIOWrapper
        with monkeypatch.context() as patch, _variables({**kb_variables, **(env or {})}):
            if cwd is not None:
                patch.chdir(cwd)
            environment = Environment(
                stdin=kind(io.BytesIO(data), encoding="utf-8"),
                stdout=kind(out, encoding="utf-8", newline="", write_through=True),
                stderr=kind(err, encoding="utf-8", errors="backslashreplace", newline=""),
                variables=dict(os.environ),
                width=width,
            )
            status = main([os.fspath(argument) for argument in arguments], environment)
            environment.stdout.flush()
            environment.stderr.flush()
        return Result(out.getvalue(), err.getvalue().decode("utf-8"), status)

    return run


class _variables:  # noqa: N801 (read as a function)
    """The process's variables for a while: the wanted ones, and none that would interfere."""

    def __init__(self, wanted: Mapping[str, str]) -> None:
        self._wanted = clean_environment(wanted)

    def __enter__(self) -> None:
        self._before = dict(os.environ)
        os.environ.clear()
        os.environ.update(self._wanted)

    def __exit__(self, *_: object) -> None:
        os.environ.clear()
        os.environ.update(self._before)


@pytest.fixture
def kb_process(kb_variables: dict[str, str]) -> Callable[..., Result]:
    """Run `kb` as a process of its own, as a user's shell would."""

    def run(
        *arguments: str | os.PathLike[str],
        stdin: str | bytes = b"",
        env: Mapping[str, str] | None = None,
        cwd: Path | None = None,
        python: tuple[str, ...] = ("-m", "kb.cli"),
    ) -> Result:
        done = subprocess.run(
            [sys.executable, *python, *map(os.fspath, arguments)],
            input=stdin.encode() if isinstance(stdin, str) else stdin,
            capture_output=True,
            env=clean_environment({**kb_variables, **(env or {})}),
            cwd=cwd,
            timeout=120,
            check=False,
        )
        return Result(done.stdout, done.stderr.decode("utf-8", "replace"), done.returncode)

    return run


MakeVault = Callable[..., Path]


@pytest.fixture
def make_vault(tmp_path: Path) -> MakeVault:
    """Write a vault: `make_vault({"folder/note.md": "text"})`, text or bytes."""

    def make(notes: Mapping[str, str | bytes], name: str = "vault") -> Path:
        root = tmp_path / name
        root.mkdir(parents=True, exist_ok=True)
        for path, content in notes.items():
            file = root / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content.encode() if isinstance(content, str) else content)
        return root

    return make


@pytest.fixture(scope="session")
def schema_errors() -> Callable[[Any], list[str]]:
    """What is wrong with a JSON document by the schema that it names, as it ships."""
    import jsonschema

    import kb.cli

    folder = Path(next(iter(kb.cli.__path__))) / "schema"

    def check(document: Any) -> list[str]:
        name, number = document["schema"].split("/")
        schema = json.loads((folder / f"{name}-{number}.json").read_text(encoding="utf-8"))
        validator = jsonschema.Draft202012Validator(schema)
        return [error.message for error in validator.iter_errors(document)]

    return check
