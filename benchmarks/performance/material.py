"""Vaults of a given size and their indexes, made once and kept in a work folder."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from benchmarks.generate import write_vault
from benchmarks.measure import Measured, kb_command, private_environment, run

NOTE_SIZE = 1_700  # bytes, about
_SEEDS = 256  # passages that are really embedded; the others lie near one of them


@dataclass(frozen=True, slots=True)
class Material:
    """A vault of `notes` notes and an environment in which kb sees nothing else."""

    notes: int
    vault: Path
    work: Path

    @property
    def env(self) -> Mapping[str, str]:
        """Without an index named: commands add `--index`."""
        return private_environment(self.work)

    @property
    def plain(self) -> Path:
        """The index without vectors."""
        return self.work / "plain.sqlite"

    @property
    def embedded(self) -> Path:
        """The index with a vector for each passage."""
        return self.work / "vectors.sqlite"


def prepare(work: Path, notes: int) -> Material:
    """Generate the vault of this size below `work`, unless it is there."""
    folder = work / f"{notes}-notes"
    material = Material(notes, folder / "vault", folder)
    done = folder / "generated"
    if not done.exists():
        shutil.rmtree(material.vault, ignore_errors=True)
        material.vault.mkdir(parents=True, exist_ok=True)
        write_vault(material.vault, notes, NOTE_SIZE, 1)
        done.touch()
    return material


def index_command(material: Material, index: Path) -> list[str]:
    """The command that indexes the vault into that file."""
    return [*kb_command(), "index", str(material.vault), "--index", str(index), "--json"]


def build(material: Material) -> Measured:
    """Index the vault from nothing, and say what it took. Stops the benchmark on a failure."""
    drop(material.plain)
    measured = run(index_command(material, material.plain), material.env)
    if measured.status:
        raise SystemExit(measured.err)
    return measured


def ensure_built(material: Material) -> None:
    """Index the vault unless it is indexed."""
    if not material.plain.exists():
        build(material)


def ensure_embedded(material: Material) -> None:
    """Make the index with vectors: a few hundred of the model's, and the rest near to those.

    What the vectors say does not matter for the time that they take; that some are near does,
    for a query that is far from everything is over sooner.
    """
    ensure_built(material)
    if material.embedded.exists():
        return
    aside = material.embedded.with_suffix(".part")
    drop(aside)
    shutil.copyfile(material.plain, aside)
    _fill(aside, leave=0)
    drop(material.embedded)
    aside.rename(material.embedded)


def drop(index: Path) -> None:
    """Remove an index and its side files."""
    for path in index.parent.glob(f"{index.name}*"):
        if path.is_file():
            path.unlink()
        else:
            shutil.rmtree(path)


def _fill(index: Path, leave: int) -> None:
    """Write a vector for every passage but the last `leave`."""
    import numpy as np

    from kb.embedding import embed_passages, find_model, quantise
    from kb.store.connection import open_writer
    from kb.store.meta import Meta, write_meta

    model = find_model()
    rng = np.random.default_rng(1)
    with closing(open_writer(index)) as connection, connection:
        rows = list(connection.execute("SELECT embed_key, min(id) FROM passages GROUP BY 1"))
        rows.sort(key=lambda row: int(row[1]))
        rows = rows[: len(rows) - leave]
        sample = [
            str(text)
            for (text,) in connection.execute(
                "SELECT text FROM passages WHERE id IN (SELECT value FROM json_each(?))",
                (json.dumps([row[1] for row in rows[:: max(1, len(rows) // _SEEDS)]]),),
            )
        ]
        seeds = np.stack(list(embed_passages(model, sample)))
        for start in range(0, len(rows), 4096):
            block = rows[start : start + 4096]
            near = seeds[rng.integers(len(seeds), size=len(block))]
            noise = rng.normal(0, 0.6 / np.sqrt(near.shape[1]), near.shape)
            connection.executemany(
                "INSERT INTO vectors(embed_key, vector) VALUES (?, ?)",
                [
                    (row[0], quantise(vector))
                    for row, vector in zip(block, near + noise, strict=True)
                ],
            )
        write_meta(connection, Meta.EMBED, "1")
        write_meta(connection, Meta.MODEL, model.name)
        write_meta(connection, Meta.MODEL_FINGERPRINT, model.fingerprint)
        write_meta(connection, Meta.MODEL_DIMENSION, str(model.dimension))
        write_meta(connection, Meta.MODEL_LANGUAGES, ",".join(model.languages))
        write_meta(connection, Meta.MODEL_SETTING, "")


def ensure_nearly_embedded(material: Material, leave: int) -> Path:
    """An index like that of `ensure_embedded` where the last `leave` passages have no vector."""
    ensure_built(material)
    index = material.work / "nearly.sqlite"
    drop(index)
    shutil.copyfile(material.plain, index)
    _fill(index, leave)
    return index
