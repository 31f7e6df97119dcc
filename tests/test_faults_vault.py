"""Vaults, folders, disks and clocks that are not as a program would have them."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from conftest import MakeVault, Result, RunKb
from index_support import assert_same, counts, run, write

from kb.cli.environment import Environment
from kb.cli.main import main
from kb.indexer import tidy
from kb.store.lock import writer_lock

NOTES = {"a.md": "# A heron\n", "b.md": "# B heron\n", "sub/c.md": "# C heron [[a]]\n"}
Run = Callable[..., Result]
posix_only = pytest.mark.skipif(sys.platform == "win32", reason="POSIX files")


@pytest.fixture
def vault(make_vault: MakeVault, kb: RunKb) -> Path:
    root = make_vault(NOTES)
    assert kb("index", root).status == 0
    return root


def test_a_vault_that_has_become_empty_is_one_that_is_away(vault: Path, kb: RunKb) -> None:
    away = vault.with_name("away")
    vault.rename(away)
    vault.mkdir()  # where a drive would be mounted
    for arguments in (("index", str(vault)), ("query", "heron", "--update", "--vault", str(vault))):
        result = kb(*arguments)
        assert result.status == 2
        assert "nothing was done" in result.err
    result = kb("query", "heron", "-l", "--vault", vault)
    assert sorted(result.lines) == sorted(NOTES)
    assert "is not there; showing what was indexed" in result.err
    status = kb("status", "--vault", vault)
    assert status.status == 0
    assert "the vault is empty or cannot be read" in status.out
    vault.rmdir()
    away.rename(vault)
    assert "3 unchanged" in kb("index", vault).out


def test_a_status_of_a_vault_that_cannot_be_read_still_counts(
    vault: Path, kb: RunKb, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.scandir

    def refuse(path: object = ".") -> Iterator[os.DirEntry[str]]:
        if os.fspath(path) == str(vault):  # type: ignore[call-overload]
            raise PermissionError(13, "Permission denied")
        return real(path)  # type: ignore[call-overload, no-any-return]

    monkeypatch.setattr(os, "scandir", refuse)
    result = kb("status", "--vault", vault)
    assert result.status == 0
    assert "notes       3" in result.out


@pytest.mark.parametrize(
    "stamp", [0, -1, 2**31, 4_102_444_800, 13_569_465_600, -62_135_596_800, 2**33]
)
def test_any_time_of_change_is_one(stamp: int, vault: Path, kb: RunKb) -> None:
    """1970, 1969, 2038, 2100, 2400 (more nanoseconds than SQLite has bits for), year 1."""
    try:
        os.utime(vault / "a.md", (stamp, stamp))
    except (OSError, OverflowError):
        pytest.skip("this file system has no such time")
    assert kb("index", vault).status == 0
    found = kb("query", "heron", "--json", "--vault", vault).json["results"]
    assert [hit["changed"] for hit in found] == [False] * 3
    (vault / "a.md").write_text("# A zebra, much larger\n")
    os.utime(vault / "a.md", (stamp + 2, stamp + 2))
    kb("index", vault)
    assert kb("query", "zebra", "-l", "--mode", "lexical", "--vault", vault).lines == ["a.md"]
    for period in (("--since", "1960"), ("--until", "2500"), ("--since", "2099-12-31")):
        assert kb("query", "heron", "--vault", vault, *period).status in (0, 1)


def test_when_most_of_a_vault_goes_the_rest_is_as_in_a_new_index(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tidy, "_WORTH_SHRINKING", 10)
    files = {
        f"n{number}.md": f"# N {number}\n[[n{number + 1}]] #t{number}" for number in range(1300)
    }
    vault = write(tmp_path / "vault", files)
    index = tmp_path / "index.sqlite"
    run(vault, index)
    for number in range(20, 1300):
        (vault / f"n{number}.md").unlink()
    (vault / "n3.md").write_text("# New\n")
    report = run(vault, index)
    assert counts(report) == (0, 1, 1280, 19)
    run(vault, tmp_path / "new.sqlite")
    assert_same(index, tmp_path / "new.sqlite")
    assert index.stat().st_size < 3 * (tmp_path / "new.sqlite").stat().st_size


@pytest.mark.parametrize("name", ["index", "query", "status", "vault", "argument"])
def test_an_empty_name_is_a_mistake_and_nothing_is_done(name: str, vault: Path, kb: RunKb) -> None:
    """Most likely a variable that is not set; what would be done instead was not meant."""
    commands = {
        "index": ("index", str(vault), "--index", ""),
        "query": ("query", "heron", "--vault", ""),
        "status": ("status", "--index", ""),
        "vault": ("index", "--vault", ""),
        "argument": ("index", ""),
    }
    result = kb(*commands[name], cwd=vault)
    assert result.status == 2
    assert "is empty" in result.err


@pytest.mark.parametrize("name", ["x" * 5_000, "~nobody-of-this-name/x", "a\nb\x1b[31m", "no\\t"])
def test_a_vault_of_an_impossible_name(name: str, kb: RunKb) -> None:
    result = kb("index", name)
    assert result.status == 2
    assert "does not exist" in result.err
    assert "\x1b" not in result.err
    assert kb("query", "heron", "--vault", name).status == 2


@posix_only
@pytest.mark.usefixtures("vault")
def test_a_current_folder_that_is_gone(kb_process: Run, tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    script = (
        "import os, sys; os.rmdir(os.getcwd());"
        "from kb.cli.start import run; sys.argv[0] = 'kb'; run()"
    )
    found = kb_process("query", "heron", "-c", cwd=gone, python=("-c", script))
    assert (found.out, found.status) == ("3\n", 0)
    assert "the vault indexed last" in found.err
    gone.mkdir()
    result = kb_process("index", cwd=gone, python=("-c", script))
    assert result.status == 2
    assert "no vault named" in result.err


@posix_only
@pytest.mark.parametrize("number", ["99999999999999999999", "-1", "x", "1e3", "٣٣٣٣٣٣٣٣٣", "nan"])
@pytest.mark.parametrize("option", ["--limit", "--depth", "--k", "--hops"])
def test_a_number_out_of_bounds_is_named(option: str, number: str, vault: Path, kb: RunKb) -> None:
    result = kb("query", "heron", f"{option}={number}", "--vault", vault)
    assert result.status == 2
    assert option in result.err
    assert "unexpected" not in result.err


# A disk of one page or a few, mounted if that is permitted: where it is full, it is full for all.


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "disk"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", str(folder)]
    try:
        done = subprocess.run(command, capture_output=True, check=False)
    except OSError:
        pytest.skip("no `mount` here")
    if done.returncode:
        pytest.skip("not permitted to mount a disk of its own")
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def fill(folder: Path) -> Path:
    file = folder / "full"
    with file.open("wb", buffering=0) as stream, suppress(OSError):
        while True:
            stream.write(b"x" * 1024)
    return file


def test_a_disk_that_fills_up_costs_nothing_that_was_there(
    small_disk: Path, make_vault: MakeVault, kb: RunKb
) -> None:
    vault = make_vault({f"{number}.md": f"# Heron {number}\n" for number in range(50)})
    env = {"KB_DATA": str(small_disk / "data")}
    assert kb("index", vault, env=env).status == 0
    for number in range(50):
        (vault / f"{number}.md").write_text(f"# Heron {number}\n" + "words " * 3_000)
    for command in (("index",), ("index", "--rebuild")):
        full = fill(small_disk)
        result = kb(command[0], vault, *command[1:], env=env)
        assert result.status == 2
        assert "no room left" in result.err
        assert kb("query", "heron", "-c", "--vault", vault, env=env).out == "50\n"
        assert kb("query", "heron", "-c", "--authority", "--vault", vault, env=env).out == "50\n"
        full.unlink()
    assert "50 changed" in kb("index", vault, env=env).out
    fill(small_disk)
    assert kb("forget", vault, "--yes", env=env).status == 0  # which makes room


def test_a_first_run_on_a_full_disk_is_finished_by_the_next(
    small_disk: Path, make_vault: MakeVault, kb: RunKb
) -> None:
    vault = make_vault({f"{number}.md": f"# Heron {number}\n" for number in range(50)})
    env = {"KB_DATA": str(small_disk / "data"), "KB_CONFIG": str(small_disk / "config.toml")}
    full = fill(small_disk)
    result = kb("index", vault, env=env)
    assert result.status == 2
    assert "unexpected" not in result.err
    assert kb("query", "heron", "--vault", vault, env=env).status == 2
    result = kb("config", "k", "5", env=env)
    assert result.status == 2
    assert "nothing was changed" in result.err
    assert [file.name for file in small_disk.iterdir() if "config" in file.name] == []
    full.unlink()
    assert kb("index", vault, env=env).status == 0
    assert kb("query", "heron", "-c", "--vault", vault, env=env).out == "50\n"


def test_a_lock_needs_no_room(small_disk: Path) -> None:
    fill(small_disk)
    with writer_lock(small_disk / "index.sqlite"):
        pass


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize(
    "command", ["query heron --pretty", "query heron --explain --pretty", "--help", "query --help"]
)
def test_output_that_cannot_be_written_is_said_so(command: str, vault: Path) -> None:
    err = io.StringIO()
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        environment = Environment(
            stdin=io.StringIO(), stdout=full, stderr=err, variables=dict(os.environ)
        )
        where = ["--vault", str(vault)] if "heron" in command else []
        os.environ["KB_DATA"] = str(vault.parent / "data")
        try:
            status = main([*command.split(), *where], environment)
        finally:
            del os.environ["KB_DATA"]
            with pytest.raises(OSError, match="space"):
                full.flush()
            os.dup2(os.open(os.devnull, os.O_WRONLY), full.fileno())
    assert status == 2
    assert "cannot write the output" in err.getvalue()
