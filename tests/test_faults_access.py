"""Places that may not be written or read, drives inside a vault, disks that are full elsewhere."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import apsw
import pytest
from conftest import MakeVault, Result, RunKb, clean_environment
from embedding_material import write_model
from index_support import dump, paths, run

from kb.store.connection import open_reader

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="modes, mounts, users")
NOTES = {f"n{number}.md": f"# Heron {number}\n\nred [[n{number // 2}]]\n" for number in range(20)}


@pytest.fixture
def mount() -> Iterator[Callable[[Path], None]]:
    """Mount an empty drive at a folder, where that is permitted."""
    mounted: list[Path] = []

    def at(folder: Path, *options: str) -> None:
        command = ["mount", "-t", "tmpfs", *options, "tmpfs", str(folder)]
        try:
            done = subprocess.run(command, capture_output=True, check=False)
        except OSError:
            pytest.skip("no `mount` here")
        if done.returncode:
            pytest.skip("not permitted to mount a drive")
        mounted.append(folder)

    yield at
    for folder in mounted:
        subprocess.run(["umount", "-l", str(folder)], capture_output=True, check=False)


KbAs = Callable[..., Result]
# Root is asked no questions about modes, unless it gives that right away.
_WITHOUT_RIGHTS = "-dac_override,-dac_read_search"


@pytest.fixture
def kb_as_user(kb_variables: dict[str, str], tmp_path: Path) -> KbAs:
    """Run `kb` as a user to whom modes apply, also where the tests run as root."""
    prefix: list[str] = []
    if os.geteuid() == 0:
        if shutil.which("setpriv") is None:
            pytest.skip("root without `setpriv` may do everything")
        prefix = ["setpriv", f"--bounding-set={_WITHOUT_RIGHTS}", f"--inh-caps={_WITHOUT_RIGHTS}"]

    def run_it(*arguments: object, env: dict[str, str] | None = None) -> Result:
        done = subprocess.run(
            [*prefix, sys.executable, "-m", "kb.cli", *map(str, arguments)],
            env=clean_environment({**kb_variables, **(env or {})}),
            capture_output=True,
            cwd=tmp_path,
            timeout=120,
            check=False,
        )
        return Result(done.stdout, done.stderr.decode(), done.returncode)

    return run_it


def clean(result: Result) -> bool:
    return "unexpected" not in result.err and "Traceback" not in result.err


def test_a_drive_inside_a_vault_that_is_away_keeps_its_notes(
    mount: Callable[[Path], None], make_vault: MakeVault, kb: RunKb, tmp_path: Path
) -> None:
    vault = make_vault({"a.md": "# A [[old]]", "drive/old.md": "", "plain/p.md": "# P"})
    (vault / "drive" / "old.md").unlink()
    mount(vault / "drive")
    (vault / "drive" / "sub").mkdir()
    (vault / "drive" / "old.md").write_text("# Old heron")
    (vault / "drive" / "sub" / "deep.md").write_text("# Deep heron")
    index = tmp_path / "index.sqlite"
    run(vault, index)
    before = dump(index)
    subprocess.run(["umount", str(vault / "drive")], check=True)
    for _ in range(2):
        result = kb("index", vault, "--index", index)
        assert result.status == 0
        assert "drive could not be read; what was known of it is kept" in result.err
        assert dump(index) == before
    assert kb("doctor", "--index", index, "--check", "drift").status == 0
    mount(vault / "drive")
    (vault / "drive" / "old.md").write_text("# Old heron, again")
    run(vault, index)
    assert paths(index) == ["a.md", "drive/old.md", "plain/p.md"]
    subprocess.run(["umount", str(vault / "drive")], check=True)
    shutil.rmtree(vault / "plain")  # no drive: that is a decision
    run(vault, index)
    assert paths(index) == ["a.md", "drive/old.md"]
    run(vault, index, rebuild=True)
    assert paths(index) == ["a.md"]
    assert "could not be read" not in kb("index", vault, "--index", index).err


@pytest.fixture
def on_drive(
    mount: Callable[..., None], make_vault: MakeVault, tmp_path: Path
) -> tuple[Path, Path]:
    """A vault, and its index on a drive of its own."""
    vault, drive = make_vault(NOTES), tmp_path / "drive"
    drive.mkdir()
    mount(drive)
    index = drive / "index.sqlite"
    run(vault, index)
    return vault, index


def stop_writing(drive: Path) -> None:
    subprocess.run(["mount", "-o", "remount,ro", str(drive)], check=True)


def test_an_index_on_a_read_only_drive_answers(on_drive: tuple[Path, Path], kb: RunKb) -> None:
    vault, index = on_drive
    stop_writing(index.parent)
    for command in (
        ("query", "heron", "-c"),
        ("query", "heron", "-c", "--authority"),
        ("related", "n1.md", "-c"),
        ("status",),
        ("doctor", "--check", "index"),
    ):
        result = kb(*command, "--index", index)
        assert result.status == 0, (command, result.err)
        assert clean(result)
    result = kb("index", vault, "--index", index)
    assert result.status == 2
    assert clean(result)
    assert "hint: " in result.err


def test_an_index_on_a_read_only_drive_with_a_journal_is_not_half_read(
    on_drive: tuple[Path, Path], kb: RunKb, tmp_path: Path
) -> None:
    """What was written last stands in the journal; answers without it would be those of before."""
    _, index = on_drive
    drive = index.parent
    with closing(apsw.Connection(str(index))) as held:
        held.execute("SELECT * FROM notes").fetchone()
        held.execute("UPDATE notes SET title = 'later'")
        shutil.copytree(drive, tmp_path / "copy")
    for file in (tmp_path / "copy").iterdir():
        shutil.copy(file, drive / file.name)
    assert Path(f"{index}-wal").stat().st_size > 0
    stop_writing(drive)
    result = kb("query", "heron", "--index", index, "--format", "{title}")
    assert clean(result)
    assert set(result.lines) <= {"later"}


@pytest.mark.parametrize("what", ["file", "folder", "both"])
def test_an_index_that_may_only_be_read_answers(
    what: str, make_vault: MakeVault, kb_as_user: KbAs, tmp_path: Path
) -> None:
    vault = make_vault(NOTES)
    folder = tmp_path / "shared"
    folder.mkdir()
    index = folder / "index.sqlite"
    run(vault, index)
    index.chmod(0o400 if what != "folder" else 0o600)
    folder.chmod(0o500 if what != "file" else 0o700)
    for command in (
        ("query", "heron", "-c"),
        ("query", "heron", "-c", "--authority"),
        ("status",),
        ("doctor", "--check", "index"),
    ):
        result = kb_as_user(*command, "--index", index)
        assert (result.status, clean(result)) == (0, True), (command, result.err)
    (vault / "new.md").write_text("# New heron")
    result = kb_as_user("index", vault, "--index", index)
    assert clean(result)
    assert result.status == 2
    assert "hint: " in result.err
    folder.chmod(0o700)
    assert len(paths(index)) == len(NOTES)


@pytest.mark.parametrize("variable", ["KB_DATA", "KB_CONFIG"])
def test_a_place_of_ours_that_may_not_be_written_is_named(
    variable: str, make_vault: MakeVault, kb_as_user: KbAs, tmp_path: Path
) -> None:
    vault = make_vault(NOTES)
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o755)
    env = {"KB_DATA": str(tmp_path / "own" / "data"), "KB_CONFIG": str(tmp_path / "own" / "c.toml")}
    (tmp_path / "own").mkdir()
    closed.chmod(0o555)
    env[variable] = str(closed / "below")
    command = ("index", vault) if variable == "KB_DATA" else ("config", "k", "5")
    result = kb_as_user(*command, env=env)
    assert (result.status, clean(result)) == (2, True), result.err
    assert "closed" in result.err
    assert "hint: " in result.err
    if variable == "KB_CONFIG":  # what only reads settings does not mind
        assert kb_as_user("index", vault, env=env).status == 0
        assert kb_as_user("query", "heron", "-c", "--vault", vault, env=env).out == "20\n"


def test_a_folder_of_the_vault_that_may_not_be_listed_keeps_its_notes(
    make_vault: MakeVault, kb_as_user: KbAs, tmp_path: Path
) -> None:
    vault = make_vault({"a.md": "# A heron", "sub/b.md": "# B heron", "sub/c.md": "# C heron"})
    index = tmp_path / "own" / "index.sqlite"
    index.parent.mkdir()
    assert kb_as_user("index", vault, "--index", index).status == 0
    (vault / "sub").chmod(0)
    (vault / "a.md").write_text("# A heron, changed")
    result = kb_as_user("index", vault, "--index", index)
    assert result.status == 0
    assert "sub could not be read; what was known of it is kept" in result.err
    assert kb_as_user("query", "heron", "-c", "--index", index).out == "3\n"
    (vault / "sub").chmod(0o755)
    assert "3 unchanged" in kb_as_user("index", vault, "--index", index).out


@pytest.mark.usefixtures("model")
def test_a_cache_that_cannot_be_written_costs_no_answer(
    make_vault: MakeVault, kb_as_user: KbAs, model: Path, tmp_path: Path
) -> None:
    vault = make_vault(NOTES)
    own, cache = tmp_path / "own", tmp_path / "cache"
    own.mkdir()
    cache.mkdir()
    index = own / "index.sqlite"
    cache.chmod(0o555)
    env = {"KB_MODEL": str(model), "XDG_CACHE_HOME": str(cache)}
    result = kb_as_user("index", vault, "--index", index, "--embed", env=env)
    assert (result.status, clean(result)) == (0, True)
    assert kb_as_user("query", "heron", "-c", "--index", index).out == "20\n"
    cache.chmod(0o755)
    shutil.rmtree(cache)
    cache.mkdir(mode=0o555)
    cache.chmod(0o555)
    own.chmod(0o555)  # where the vectors of earlier queries are kept
    result = kb_as_user("query", "red", "-c", "--mode", "semantic", "--index", index, env=env)
    assert (result.out, result.status, clean(result)) == ("20\n", 0, True), result.err


@pytest.fixture
def model(tmp_path: Path) -> Path:
    pytest.importorskip("onnxruntime", reason="the extra `model` is not installed")
    return write_model(tmp_path / "model", dimension=2)


LIMITED = """
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]),) * 2)
del sys.argv[1]
sys.argv[0] = "kb"
from kb.cli.start import run
run()
"""


@pytest.mark.parametrize("limit", [0, 8192, 60_000])
@pytest.mark.parametrize("form", [(), ("--rebuild",), ("--embed",)])
def test_a_file_that_may_not_grow_costs_nothing_that_was_there(
    limit: int,
    form: tuple[str, ...],
    make_vault: MakeVault,
    kb_process: KbAs,
    model: Path,
    tmp_path: Path,
) -> None:
    """As a full disk, for those who may not mount one: every write beyond the limit fails."""
    vault = make_vault(NOTES)
    index = tmp_path / "index.sqlite"
    run(vault, index)
    before = dump(index)
    for name in NOTES:
        (vault / name).write_text(f"# Heron\n\n{'words beyond ' * 400}")
    env = {"KB_MODEL": str(model)}
    result = kb_process(
        str(limit), "index", vault, "--index", index, *form, python=("-c", LIMITED), env=env
    )
    assert (result.status, clean(result)) == (2, True), result.err
    assert "hint: " in result.err
    assert dump(index) == before
    found = kb_process(
        str(limit), "query", "heron", "-c", "--index", index, python=("-c", LIMITED), env=env
    )
    assert (found.out, found.status) == ("20\n", 0), found.err
    assert kb_process("index", vault, "--index", index, *form, env=env).status == 0
    with closing(open_reader(index)) as connection:
        ((changed,),) = connection.execute("SELECT count(*) FROM notes WHERE title = 'Heron'")
    assert changed == len(NOTES)


def test_what_is_made_is_the_users_alone(
    make_vault: MakeVault, kb_process: KbAs, model: Path, tmp_path: Path
) -> None:
    vault = make_vault(NOTES)
    there = tmp_path / "there"
    there.mkdir(mode=0o755)
    there.chmod(0o755)
    env = {
        "KB_DATA": str(there / "data"),
        "KB_CONFIG": str(there / "config" / "config.toml"),
        "XDG_CACHE_HOME": str(there / "cache"),
        "KB_MODEL": str(model),
    }
    before = os.umask(0)  # whatever the user's own is
    try:
        assert kb_process("index", vault, "--embed", env=env).status == 0
        (index,) = (there / "data").rglob("index.sqlite")
        with closing(apsw.Connection(str(index))) as held:  # so that the journal is seen
            held.execute("SELECT * FROM notes").fetchone()
            (vault / "n1.md").write_text("# Changed heron, red")
            assert kb_process("index", vault, env=env).status == 0
            assert kb_process("query", "red", "--vault", vault, env=env).status == 0
            assert kb_process("config", "k", "5", env=env).status == 0
            made = [
                (path, stat.S_IMODE(path.stat().st_mode), path.is_dir())
                for path in there.rglob("*")
                if not path.is_symlink()
            ]
    finally:
        os.umask(before)
    names = {path.name for path, _, _ in made}
    assert {"index.sqlite", "index.sqlite-wal", "index.sqlite-shm", "config.toml"} <= names
    assert any(name.endswith(".lock") for name in names)
    assert any(name.endswith(".queries") for name in names)
    assert (there / "cache").is_dir()
    for path, mode, is_folder in made:
        if is_folder:
            assert mode == 0o700, path
        elif "assembled" not in path.parts:  # public files, in a folder that is closed to others
            assert mode == 0o600, path
    assert stat.S_IMODE(there.stat().st_mode) == 0o755
    # What onnxruntime would keep of the machine, to report to its makers.
    assert not [name for name in names if name in ("Microsoft", "deviceid", "onnxruntime.db")]
