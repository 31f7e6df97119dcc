"""Runs of `kb index` that are killed, and what is to hold of the index that they leave.

A run is killed after a random time, or at a random write: SQLite's own writes, syncs and deletions
and every renaming or removal of a file are counted, and at one of them the process gets SIGKILL,
half of what was to be written then standing in the file.
"""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import apsw
from embedding_material import write_model
from index_support import dump

from kb.store.connection import open_writer
from kb.store.damage import find_damage
from kb.store.meta import Meta, write_meta

WORDS = ["heron", "tide", "harbour", "ledger", "quay", "mast", "keel", "buoy", "rope", "gale"]
KINDS = ("new", "changed", "rebuild", "damaged", "older", "embed")
_CHANGED = 30

_DYING = """
import atexit, os, signal, sys
import apsw

left = int(os.environ.pop("DIE_AT"))
done = 0
base = apsw.vfs_names()[0]

def step(half=None):
    global done
    done += 1
    if done == left:
        if half is not None:
            half()
        os.kill(os.getpid(), signal.SIGKILL)

class File(apsw.VFSFile):
    def __init__(self, name, flags):
        super().__init__(base, name, flags)
    def xWrite(self, data, offset):
        step(lambda: super(File, self).xWrite(data[: len(data) // 2], offset))
        super().xWrite(data, offset)
    def xTruncate(self, size):
        step()
        super().xTruncate(size)
    def xSync(self, flags):
        step()
        super().xSync(flags)

class Vfs(apsw.VFS):
    def __init__(self):
        super().__init__("dying", base)
    def xOpen(self, name, flags):
        return File(name, flags)
    def xDelete(self, name, sync):
        step()
        super().xDelete(name, sync)

class Connection(apsw.Connection):
    def __init__(self, name, *, flags=None, vfs=None):
        if flags is None:
            super().__init__(name, vfs="dying")
        else:
            super().__init__(name, flags=flags)

apsw.Connection = Connection

def counted(real):
    def call(*arguments, **named):
        step()
        return real(*arguments, **named)
    return call

vfs = Vfs()
for name in ("replace", "rename", "unlink", "mkdir"):
    setattr(os, name, counted(getattr(os, name)))
if counts := os.environ.pop("COUNT_TO", ""):
    def tell():
        with open(counts, "w") as file:
            file.write(str(done))
    atexit.register(tell)
from kb.cli.start import run
sys.argv[0] = "kb"
run()
"""


@dataclass(frozen=True, slots=True)
class Kill:
    """One run that was to be killed. `answered`: as before, after, or not ("none").

    `problem` is "" where everything held.
    """

    kind: str
    moment: str
    killed: bool
    answered: str
    problem: str = ""


class Victim:
    """A vault and its index, whose runs are killed, all in one folder of its own."""

    def __init__(
        self, kind: str, seed: int, folder: Path, environment: Mapping[str, str], notes: int = 300
    ) -> None:
        self.kind = kind
        self.chance = random.Random(f"{kind} {seed}")
        self.folder = folder
        self.environment = dict(environment)
        self.index = folder / "index.sqlite"
        self.vault = self._write_vault(folder / "vault", notes)
        self.rounds = 0
        if kind == "embed":
            model = write_model(folder / "model", dimension=2)
            self.environment["KB_MODEL"] = str(model)
        self._finish()
        self.vectors = self._count_vectors()
        self.seconds, self.steps = self._measure()

    def kill(self) -> Kill:
        """Bring about what is to be done, start a run, kill it, and look at what is left."""
        self.rounds += 1
        before, after, word = self._prepare()
        at_write = self.chance.random() < 0.5
        if at_write:
            step = self.chance.randint(1, self.steps)
            moment = f"write {step} of {self.steps}"
            done = self._start(DIE_AT=str(step))
        else:
            delay = self.chance.uniform(0.1, self.seconds * 1.1)
            moment = f"{delay:.3f} of {self.seconds:.2f} s"
            done = self._start(delay=delay)
        killed = done == -signal.SIGKILL
        try:
            answered = self._look(before, after, word)
            if not killed and (done != 0 or answered != "after"):
                return Kill(self.kind, moment, killed, answered, f"status {done} uninterrupted")
        except AssertionError as error:
            return Kill(self.kind, moment, killed, "wrong", str(error))
        return Kill(self.kind, moment, killed, answered)

    def finish(self) -> str:
        """What the next run leaves to be wished for, compared with an index from nothing."""
        self._finish()
        if damage := find_damage(self.index):
            return damage
        fresh = self.folder / "fresh.sqlite"
        for file in self.folder.glob("fresh.sqlite*"):
            file.unlink()
        status, _, err = self._kb(*self._arguments(fresh))
        assert status == 0, err
        left, right = dump(self.index), dump(fresh)
        different = [name for name in left if left[name] != right[name]]
        if different:
            return f"differs from an index made from nothing: {', '.join(different)}"
        if self.kind in ("embed", "older", "damaged") and self._count_vectors() < self.vectors:
            return f"{self.vectors - self._count_vectors()} embeddings are missing"
        left_over = [
            file.name
            for file in self.folder.glob("index.sqlite.*")
            if not file.name.endswith((".lock", ".queries")) and ".damaged" not in file.name
        ]
        return f"left behind: {', '.join(left_over)}" if left_over else ""

    def _prepare(self) -> tuple[int, int, str]:
        """How many notes answer before and after the run, -1 for none yet, and to which word."""
        count = len(list(self.vault.iterdir()))
        if self.kind == "changed":
            return self._change_notes()
        if self.kind == "new":
            for file in self.folder.glob("index.sqlite*"):
                file.unlink()
            return -1, count, "heron"
        if not self.index.exists():
            return -1, count, "heron"
        if self.kind == "embed" and self.chance.random() < 0.7:
            self._execute("DELETE FROM vectors WHERE id % 3 != 0")
        elif self.kind == "damaged":
            self._execute("DROP TABLE IF EXISTS passages")
            return -1, count, "heron"
        elif self.kind == "older":
            self._execute("UPDATE meta SET value = '1' WHERE key = 'schema_version'")
            return -1, count, "heron"
        return count, count, "heron"

    def _change_notes(self) -> tuple[int, int, str]:
        """Change some notes, add one, remove one: all that the new word stands in."""
        word = f"osprey{self.rounds}"
        names = sorted(self.vault.iterdir())
        names.pop(self.chance.randrange(len(names))).unlink()
        chosen = self.chance.sample(names, _CHANGED)
        for note in chosen:
            note.write_text(f"{note.read_text()}\n{word} [[n{self.chance.randrange(300)}]]\n")
        (self.vault / f"new{self.rounds}.md").write_text(f"# {word}\n#tag{self.rounds}\n")
        return 0, len(chosen) + 1, word

    def _look(self, before: int, after: int, word: str) -> str:
        """The index is whole, and answers as before or after."""
        query = ("query", word, "-c", "--mode", "lexical", "--index", str(self.index))
        status, out, err = self._kb(*query)
        assert "unexpected" not in err, err
        if status == 2:
            assert before == -1, f"no answer any more: {err}"
            assert "hint: run `kb index" in err, err
            return "none"
        found = int(out)
        assert found in (before, after), f"{found} notes, not {before} or {after}"
        if damage := find_damage(self.index):
            raise AssertionError(f"damaged: {damage}")
        return "after" if found == after else "before"

    def _measure(self) -> tuple[float, int]:
        """How long a run takes, and how many writes it makes."""
        self._prepare()
        began = time.monotonic()
        assert self._start() == 0
        seconds = time.monotonic() - began
        self._prepare()
        counts = self.folder / "steps"
        assert self._start(DIE_AT="-1", COUNT_TO=str(counts)) == 0
        return seconds, int(counts.read_text())

    def _finish(self) -> None:
        status, _, err = self._kb(*self._arguments(self.index))
        if status == 2 and "--rebuild" in err:
            status, _, err = self._kb(*self._arguments(self.index), "--rebuild")
        assert status == 0, err
        if self.kind in ("older", "damaged"):
            self._give_vectors()

    def _give_vectors(self) -> None:
        """Vectors that no run makes here, to see that they are kept."""
        with closing(open_writer(self.index)) as connection, connection:
            known = connection.execute("SELECT count(*) FROM vectors").fetchone()
            if known == (0,) and self.rounds == 0:
                connection.execute(
                    "INSERT INTO vectors(embed_key, vector)"
                    " SELECT DISTINCT embed_key, x'0708' FROM passages"
                )
                write_meta(connection, Meta.MODEL_FINGERPRINT, "f")
                write_meta(connection, Meta.MODEL_DIMENSION, "2")

    def _count_vectors(self) -> int:
        with closing(apsw.Connection(str(self.index))) as connection:
            return int(connection.execute("SELECT count(*) FROM vectors").fetchall()[0][0])

    def _execute(self, sql: str) -> None:
        if self._kb("query", "heron", "-c", "--index", str(self.index))[0] == 2:
            return  # the last run has left nothing to spoil
        with closing(apsw.Connection(str(self.index))) as connection:
            connection.execute(sql)

    def _arguments(self, index: Path) -> list[str]:
        embed = ["--embed"] if self.kind == "embed" and index == self.index else []
        return ["index", str(self.vault), "--index", str(index), *embed]

    def _start(self, delay: float | None = None, **variables: str) -> int:
        """The status of a run, negative where a signal ended it."""
        arguments = self._arguments(self.index)
        if self.kind in ("rebuild", "damaged"):
            arguments.append("--rebuild")
        how = ["-c", _DYING] if "DIE_AT" in variables else ["-m", "kb.cli"]
        process = subprocess.Popen(
            [sys.executable, *how, *arguments],
            env={**self.environment, **variables},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        if delay is not None:
            try:
                return process.wait(delay)
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
        return process.wait(timeout=120)

    def _kb(self, *arguments: str) -> tuple[int, str, str]:
        done = subprocess.run(
            [sys.executable, "-m", "kb.cli", *arguments],
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        return done.returncode, done.stdout, done.stderr

    def _write_vault(self, root: Path, count: int) -> Path:
        root.mkdir(parents=True)
        for number in range(count):
            words = " ".join(self.chance.choices(WORDS, k=150))
            link = f"[[n{self.chance.randrange(count)}]]"
            (root / f"n{number}.md").write_text(
                f"---\ntags: [t{number % 9}]\n---\n# N\n\nheron {words} {link}\n"
            )
        return root
