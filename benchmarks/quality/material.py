"""Test collections as vaults with judged queries, made once and kept in the work folder.

Queries on even lines of a collection's file are for tuning, those on odd lines for reporting. A
collection with a train split of its own is tuned on that, and all of its test queries report.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from benchmarks.measure import MATERIAL

TUNING, REPORT = "tuning", "report"
ALL = "all"  # both halves, or the test queries of a collection that has a train split


@dataclass(frozen=True, slots=True)
class Collection:
    """A collection as a vault. `half` says for each query's id what it is for.

    `own` are the ids that count as the collection's: all but those of a train split.
    """

    name: str
    folder: Path
    half: dict[str, str]
    own: frozenset[str]

    def belongs(self, query: str, half: str) -> bool:
        """Whether a query is of one half, or with `ALL` of the collection itself."""
        return query in self.own if half == ALL else self.half[query] == half

    @property
    def vault(self) -> Path:
        """The folder of notes."""
        return self.folder / "vault"

    @property
    def queries(self) -> Path:
        """The judged queries."""
        return self.folder / "queries.jsonl"

    @property
    def qrels(self) -> Path:
        """The judgements."""
        return self.folder / "qrels.tsv"

    def index(self, model: bool) -> Path:
        """The index, with embeddings or without."""
        return self.folder / ("with-model.sqlite" if model else "without-model.sqlite")


def has_material(name: str) -> bool:
    """Whether a collection is at hand."""
    return (MATERIAL / "collections" / name / "corpus.jsonl").is_file()


def prepare(name: str, work: Path) -> Collection:
    """The collection as a vault below the work folder, built where it is not there yet."""
    source = MATERIAL / "collections" / name
    folder = work / name
    if not (folder / "built").exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        _build(_with_train_split(source, folder), folder)
        (folder / "built").touch()
    own = frozenset(_ids(source / "queries.jsonl"))
    return Collection(name, folder, _halves(source), own)


def _build(source: Path, folder: Path) -> None:
    script = MATERIAL / "tools" / "collection_to_vault.py"
    command = [sys.executable, str(script), str(source), str(folder)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def _with_train_split(source: Path, folder: Path) -> Path:
    """The collection itself, or a copy whose queries are those of both splits."""
    if not (source / "train_queries.jsonl").exists():
        return source
    merged = folder / "source"
    merged.mkdir()
    for file in (source / "corpus.jsonl", source / "links.tsv"):
        if file.exists():
            shutil.copyfile(file, merged / file.name)
    queries = (source / "queries.jsonl").read_text(encoding="utf-8")
    train_queries = (source / "train_queries.jsonl").read_text(encoding="utf-8")
    (merged / "queries.jsonl").write_text(queries + train_queries, encoding="utf-8")
    qrels = (source / "qrels.tsv").read_text(encoding="utf-8")
    train_qrels = (source / "train_qrels.tsv").read_text(encoding="utf-8")
    without_header = train_qrels.split("\n", 1)[1]
    (merged / "qrels.tsv").write_text(qrels + without_header, encoding="utf-8")
    return merged


def _halves(source: Path) -> dict[str, str]:
    train = source / "train_queries.jsonl"
    names = _ids(source / "queries.jsonl")
    if train.exists():
        return dict.fromkeys(_ids(train), TUNING) | dict.fromkeys(names, REPORT)
    return {
        name: TUNING if number % 2 == 0 else REPORT for number, name in enumerate(names, start=1)
    }


def _ids(file: Path) -> list[str]:
    lines = file.read_text(encoding="utf-8").splitlines()
    return [str(json.loads(line)["_id"]) for line in lines if line.strip()]
