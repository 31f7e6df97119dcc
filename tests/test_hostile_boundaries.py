"""A vault from a stranger reaches nothing but itself: no file outside, no code, no connection."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import apsw
import pytest
from conftest import MakeVault, Result, RunKb, clean_environment

from kb.indexer.many import prepare_all
from kb.indexer.prepare import FailedNote, Job, Settings
from kb.store import read
from kb.store.damage import find_damage
from kb.store.schema import SCHEMA

Run = Callable[..., Result]
SECRET = "zanzibar"
links_only = pytest.mark.skipif(sys.platform == "win32", reason="needs symbolic links")


@pytest.fixture
def beside(make_vault: MakeVault, tmp_path: Path) -> Path:
    """A vault beside a folder that holds a secret, with every way there that a vault may try."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.md").write_text(f"# {SECRET}\n\n#{SECRET}\n")
    vault = make_vault(
        {
            "a.md": "# heron\n\n[[../outside/secret]] [x](../outside/secret.md)"
            " [y](/outside/secret.md) [z](file:///etc/passwd) ![[../outside/secret.md]]"
            " [[..\\outside\\secret]] [[outside/secret]] [w](..%2foutside%2fsecret.md)"
            " [v](%2e%2e/outside/secret.md) [[secret]]\n",
            "sub/b.md": "heron, see [[../../outside/secret]]\n",
        }
    )
    if sys.platform != "win32":
        (vault / "link.md").symlink_to(outside / "secret.md")
        (vault / "folder").symlink_to(outside)
        (vault / "sub" / "up").symlink_to("../..")
        (vault / "loop").symlink_to("loop")
    return vault


def ways_out(vault: Path) -> list[str]:
    """Names of the secret, from a vault beside it."""
    outside = vault.parent / "outside" / "secret.md"
    return [
        *("../outside/secret.md", "sub/../../outside/secret.md", "./../outside/secret.md"),
        *(str(outside), f"{vault}/../outside/secret.md", f"{vault}/link.md", "link.md"),
        *("folder/secret.md", "sub/up/outside/secret.md", "..\\outside\\secret.md"),
        *("%2e%2e/outside/secret.md", "..\u2215outside\u2215secret.md", "\uff0e\uff0e/outside/*"),
        *("../*", "**/../outside/**", "/../outside/*", "~/../outside", "file://" + str(outside)),
        *("OUTSIDE/secret.md", "../OUTSIDE/SECRET.md", "secret", "../outside/secret\0.md"),
    ]


def test_no_name_leads_out_of_the_vault(beside: Path, kb: RunKb) -> None:
    assert kb("index", beside).status == 0
    assert kb("query", SECRET, "-c", "--vault", beside).out == "0\n"
    for name in ways_out(beside):
        for arguments in (
            ("query", "heron", "--path", name, "--json"),
            ("query", "heron", "--exclude", name, "--json"),
            ("query", "heron", "--why", name, "--json"),
            ("related", name, "--json"),
        ):
            result = kb(*arguments, "--vault", beside)
            assert result.status in (0, 1, 2), (arguments, result.err)
            assert SECRET not in result.out + result.err, arguments
            if result.out:
                paths = {hit["path"] for hit in result.json.get("results", ())}
                assert paths <= {"a.md", "sub/b.md"}, arguments
    links = kb("status", "--json", "--vault", beside).json["links_by_status"]
    assert set(links) == {"unresolved"}


@links_only
@pytest.mark.parametrize("name", ["a.md", "sub/b.md"])
def test_a_link_put_in_after_the_walk_leads_nowhere(
    name: str, beside: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the walk and the reading, the note or its folder becomes a link to the outside."""
    outside = beside.parent / "outside"
    (outside / "b.md").write_text(SECRET)
    opened = os.open

    def swap(path: str, flags: int, *more: int) -> int:
        monkeypatch.setattr(read.os, "open", opened)
        taken = beside / name.partition("/")[0]
        taken.rename(beside / "taken")
        taken.symlink_to(outside if "/" in name else outside / "secret.md")
        return opened(path, flags, *more)

    monkeypatch.setattr(read.os, "open", swap)
    (outcome,) = prepare_all([Job(name, 10)], Settings(os.path.realpath(beside)))
    assert isinstance(outcome, FailedNote)
    assert SECRET not in repr(outcome)


@links_only
@pytest.mark.parametrize("system_tells", [True, False])
def test_what_was_opened_is_what_is_asked_for(
    system_tells: bool, beside: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not system_tells:  # as where there is no /proc
        monkeypatch.setattr(read, "_place_of", lambda _handle: "")
    root = os.path.realpath(beside)
    assert b"heron" in read.read_file(f"{root}/sub/b.md", within=root).data
    assert b"heron" in read.read_inside(root, "sub/b.md").data
    for name in ("folder/secret.md", "../outside/secret.md", "sub/up/outside/secret.md"):
        with pytest.raises(read.OutsideError):
            read.read_file(f"{root}/{name}", within=root)
    with pytest.raises(read.OutsideError):  # a folder whose name begins as the vault's does
        other = Path(f"{root}-other")
        other.mkdir()
        (other / "c.md").write_text("x")
        read.read_file(str(other / "c.md"), within=root)


@links_only
def test_settings_of_a_vault_are_not_read_through_links(
    beside: Path, kb: RunKb, tmp_path: Path
) -> None:
    outside = tmp_path / "outside"
    (outside / "app.json").write_text(json.dumps({"userIgnoreFilters": ["a.md"]}))
    (outside / "ignore").write_text("a.md\n")
    (outside / "kb.toml").write_text('exclude = ["a.md"]\n')
    (beside / ".obsidian").symlink_to(outside)
    for name, target in ((".kbignore", "ignore"), (".ignore", "ignore"), (".kb.toml", "kb.toml")):
        (beside / name).symlink_to(outside / target)
    (beside / ".git").mkdir()
    (beside / ".gitignore").symlink_to(outside / "ignore")
    result = kb("index", beside)
    assert result.status == 0
    assert "2 added" in result.out
    assert kb("query", "heron", "-c", "--vault", beside).out == "2\n"


WATCH = """
import os, sys
LOG, VAULT, OUTSIDE = {log!r}, {vault!r}, {outside!r}
NEVER = ("os.system", "os.exec", "os.posix_spawn", "os.fork", "subprocess.Popen", "os.startfile",
    "socket.connect", "socket.bind", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto",
    "urllib.Request", "http.client.connect", "webbrowser.open", "ctypes.dlopen", "pty.spawn")
CHANGES = ("os.remove", "os.rename", "os.rmdir", "os.mkdir", "os.link", "os.symlink", "os.chmod",
    "os.truncate", "os.utime", "shutil.move", "shutil.rmtree")
def told(event, given):
    if event in NEVER:
        what = event
    elif event == "open" and isinstance(given[0], (str, bytes)):
        path = os.path.realpath(os.fsdecode(given[0]))
        flags = given[2] if isinstance(given[2], int) else 0
        writes = flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND)
        if path.startswith(OUTSIDE) or (path.startswith(VAULT) and writes):
            what = "open " + path
        else:
            return
    elif event == "import":
        what = given[1] if given[1] and str(given[1]).startswith(VAULT) else ""
    elif event in CHANGES:
        what = event if any(str(part).startswith(VAULT) for part in given) else ""
    else:
        return
    if what:
        handle = os.open(LOG, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        os.write(handle, (what + " " + repr(given)[:300] + "\\n").encode("utf-8", "replace"))
        os.close(handle)
sys.addaudithook(told)
"""
# Whatever Python would import, or a program would run, from the folder that it is started in.
MODULES = (
    *("multiprocessing", "signal", "struct", "json", "yaml", "frontmatter", "markdown_it", "rich"),
    *("apsw", "typer", "sitecustomize", "usercustomize", "Stemmer", "pickle", "numpy", "pathspec"),
    *("conftest", "concurrent", "socket", "tomllib", "platformdirs", "networkx", "onnxruntime"),
)
SETTINGS = """
model = "evil"
auto_update = true
color = "always"
command = "touch ran"
editor = "touch ran"
hooks = ["touch ran"]
exclude = ["$(touch ran)", "`touch ran`"]
language = "!!python/object/apply:os.system ['touch ran']"
[weights]
lexical = "__import__('os').system('touch ran')"
"""


@pytest.fixture
def booby_trapped(beside: Path) -> Path:
    """A vault that tries to be run, read from or connected to."""
    evil = "open('ran', 'a').write(__file__)\n"
    for name in MODULES:
        (beside / f"{name}.py").write_text(evil)
    (beside / "kb-search.pth").write_text(f"import os; {evil}")
    (beside / ".kb.toml").write_text(SETTINGS)
    (beside / ".env").write_text("KB_MODEL=evil\n")
    (beside / ".git").mkdir()
    (beside / ".git" / "config").write_text("[core]\nfsmonitor = touch ran\n")
    (beside / "c.md").write_text(
        "---\na: !!python/object/apply:os.system [touch ran]\nb: !include ../outside/secret.md\n"
        "image: http://evil.example/pixel.png\n---\n"
        "heron ![x](http://evil.example/pixel.png) <img src=http://evil.example/a>\n"
        "```dataviewjs\napp.vault.adapter.write('ran')\n```\n<script>fetch('/')</script>\n"
        "{{#include ../outside/secret.md}} ![[../outside/secret.md]] <% tp.system() %>\n"
    )
    (beside / "dendron.yml").write_text("a: !!python/object/apply:os.system [touch ran]\n")
    return beside


def commands(vault: Path) -> Iterator[list[str]]:
    """What a user does with a vault, standing in it."""
    yield ["index", "."]
    yield ["index", ".", "--rebuild"]
    for query in (["heron"], ["heron", "--explain"], ["heron", "--why", "a.md"], ["heron", "-l"]):
        yield ["query", *query]
    yield ["query", "heron", "--update", "--json"]
    yield ["query", "heron", "--mode", "semantic"]
    yield ["related", "a.md"]
    yield ["status"]
    yield ["config"]
    yield ["doctor"]
    yield ["vaults"]
    yield ["forget", str(vault), "--yes"]


def test_a_vault_runs_nothing_and_reaches_nothing(
    booby_trapped: Path, kb_variables: dict[str, str], tmp_path: Path
) -> None:
    log, site = tmp_path / "log", tmp_path / "site"
    site.mkdir()
    places = {"log": str(log), "vault": os.path.realpath(booby_trapped)}
    outside = os.path.realpath(tmp_path / "outside")
    (site / "sitecustomize.py").write_text(WATCH.format(**places, outside=outside))
    before = listing(booby_trapped)
    environment = clean_environment({**kb_variables, "PYTHONPATH": str(site)})
    script = Path(sys.executable).with_name("kb")
    for arguments in commands(booby_trapped):
        done = subprocess.run(
            [str(script), *arguments],
            cwd=booby_trapped,
            env=environment,
            capture_output=True,
            stdin=subprocess.DEVNULL,
            timeout=100,
            check=False,
        )
        assert done.returncode in (0, 1), (arguments, done.stderr)
        assert SECRET not in done.stdout.decode("utf-8", "replace"), arguments
    assert not log.exists(), log.read_text()
    assert listing(booby_trapped) == before


def listing(folder: Path) -> dict[str, tuple[int, int]]:
    """Every file of a folder, with its size and time of change."""
    found = {}
    for file in sorted(folder.rglob("*")):
        status = file.lstat()
        found[str(file)] = (status.st_size, status.st_mtime_ns)
    return found


def test_processes_that_read_notes_import_nothing_from_the_vault(booby_trapped: Path) -> None:
    script = "import sys; from kb.indexer.many import prepare_all as p; " + (
        "from kb.indexer.prepare import Job, Settings; "
        "jobs = [Job('a.md', 9), Job('c.md', 9)]; "
        "print(len(list(p(jobs, Settings(sys.argv[1]), processes=1))))"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", script, os.path.realpath(booby_trapped)],
        cwd=booby_trapped,
        capture_output=True,
        timeout=100,
        check=False,
    )
    assert done.stdout == b"2\n", done.stderr
    assert done.stderr == b""
    assert not (booby_trapped / "ran").exists()


def test_running_as_a_module_imports_nothing_from_the_vault(
    booby_trapped: Path, kb_process: Run
) -> None:
    for arguments in (["index", "."], ["query", "heron"], ["status"]):
        result = kb_process(*arguments, cwd=booby_trapped)
        assert result.status == 0, result.err
    assert not (booby_trapped / "ran").exists()


def test_a_model_is_never_a_folder_of_the_vault(beside: Path, kb: RunKb) -> None:
    """Nor what a vault calls itself: only the user names a model."""
    (beside / "evil").mkdir()
    (beside / "evil" / "model.onnx").write_bytes(b"x")
    (beside / "evil" / "tokenizer.json").write_text("{}")
    (beside / ".kb.toml").write_text('model = "evil"\n')
    assert kb("index", beside, cwd=beside).status == 0
    shown = kb("config", "model", "--vault", beside, cwd=beside)
    assert "evil" not in shown.out


MARK = "zqx'\"); DROP TABLE notes; --"


@pytest.fixture
def statements() -> Iterator[list[str]]:
    """The text of every statement that any connection is given from now on, without its values."""
    seen: list[str] = []

    def hook(connection: apsw.Connection) -> None:
        def trace(_cursor: object, sql: str, _values: object) -> bool:
            seen.append(sql)
            return True

        connection.exec_trace = trace

    apsw.connection_hooks.append(hook)
    yield seen
    apsw.connection_hooks.remove(hook)


def test_what_a_note_or_a_user_writes_is_never_part_of_a_statement(
    statements: list[str], make_vault: MakeVault, kb: RunKb
) -> None:
    text = json.dumps(MARK)
    body = f"# {MARK}\n\n{MARK} #zqx [[{MARK}]] zqx:: {MARK}\n"
    front = f"---\ntags: [{text}]\naliases: [{text}]\ntype: {text}\n{text}: {text}\n---\n"
    vault = make_vault({f"{MARK}.md": front + body, f"{MARK}/b.md": body})
    assert kb("index", vault, "--json").json["added"] == 2
    (vault / "c.md").write_text(body)
    for option in ("--tag", "--not-tag", "--path", "--exclude", "--type", "--where", "--since"):
        kb("query", MARK, option, MARK, "--vault", vault)
    for where in (f"{MARK}={MARK}", f"{MARK}<{MARK}", f"!{MARK}", f"zqx={MARK}"):
        kb("query", MARK, "--where", where, "--vault", vault)
    for arguments in (
        ("query", MARK, "--explain", "--authority"),
        ("query", f'"{MARK}" -{MARK}', "--hops", "2"),
        ("query", MARK, "--why", f"{MARK}.md"),
        ("query", MARK, "--update"),
        ("related", f"{MARK}.md"),
        ("status", "--problems"),
        ("doctor",),
    ):
        kb(*arguments, "--vault", vault)
    assert len(statements) > 200
    assert not [sql for sql in statements if "zqx" in sql.lower()]
    assert kb("query", "zqx", "-c", "--vault", vault).out == "3\n"


def test_a_name_in_an_index_is_never_part_of_a_statement(tmp_path: Path) -> None:
    """An index may come from a stranger too."""
    other = tmp_path / "other.db"
    with closing(apsw.Connection(str(other))) as connection:
        connection.execute("CREATE TABLE secret (word)")
    index = tmp_path / "index.db"
    with closing(apsw.Connection(str(index))) as connection:
        connection.execute(SCHEMA)
        name = f"meta; ATTACH '{other}' AS other; CREATE TABLE other.made (x); --"
        connection.execute(f'CREATE TABLE "{name}" (x INT) STRICT')
    find_damage(index)
    with closing(apsw.Connection(str(other))) as connection:
        names = connection.execute("SELECT name FROM sqlite_master").fetchall()
    assert names == [("secret",)]
