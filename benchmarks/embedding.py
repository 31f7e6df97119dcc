"""Embedding passages, beside fastembed over the package's own file: pace, memory, vectors.

usage: python -m benchmarks.embedding [--passages 128] [--runs 5]

fastembed gets its best case: batches of eight, the texts sorted by length, all cores. The two take
turns in one process, and the fastest run of each counts. Peaks are those of processes of their own.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.measure import MATERIAL, machine, run, table
from benchmarks.performance.floors import script
from benchmarks.performance.rows import Row

_SAMPLE_VAULT = Path(__file__).resolve().parents[1] / "sample_vault"
_GOLDEN = MATERIAL / "models" / "all-MiniLM-L6-v2" / "golden.json"
_BATCH = 8

# argv: cache folder, texts (.json)
_PEAK = """
import json, pathlib, sys
from kb.embedding import embed_passages, find_model
texts = json.loads(pathlib.Path(sys.argv[2]).read_text("utf-8"))
for _ in embed_passages(find_model("", cache_folder=pathlib.Path(sys.argv[1])), texts):
    pass
"""
_PEAK_ALONE = """
import json, pathlib, sys, numpy as np, onnxruntime
from tokenizers import Tokenizer
text = json.loads(pathlib.Path(sys.argv[2]).read_text("utf-8"))[0]
encoding = Tokenizer.from_file(sys.argv[4]).encode(text)
session = onnxruntime.InferenceSession(sys.argv[3], providers=["CPUExecutionProvider"])
ids = np.array([encoding.ids[:256]])
session.run(
    None, {"input_ids": ids, "attention_mask": ids * 0 + 1, "token_type_ids": ids * 0}
)
"""


@dataclass(frozen=True, slots=True)
class Pace:
    """The fastest run: seconds of the clock, and of all cores together."""

    seconds: float
    cpu: float


def passages(count: int) -> list[str]:
    """Texts of a passage's length: scifact's abstracts, taken evenly, or the sample's notes."""
    corpus = MATERIAL / "collections" / "scifact" / "corpus.jsonl"
    if corpus.is_file():
        lines = corpus.read_text(encoding="utf-8").splitlines()
        entries = [json.loads(line) for line in lines]
        texts = [f"{entry.get('title', '')}\n{entry['text']}" for entry in entries]
    else:
        texts = [path.read_text(encoding="utf-8") for path in sorted(_SAMPLE_VAULT.rglob("*.md"))]
    return texts[:: max(1, len(texts) // count)][:count]


def load_fastembed(folder: Path) -> Callable[[Sequence[str]], list[Any]]:
    """What embeds texts with fastembed, told where all files lie so that it fetches none."""
    import fastembed

    from kb.embedding import find_model
    from kb.embedding.session import usable_cores

    model = find_model("", cache_folder=folder / "cache")
    files = folder / "fastembed"
    if not files.exists():
        shutil.copytree(model.folder, files)
        shutil.copyfile(model.weights, files / "model.onnx")
    embedding = fastembed.TextEmbedding(
        "sentence-transformers/all-MiniLM-L6-v2",
        cache_dir=str(folder / "fastembed-cache"),
        specific_model_path=str(files),
        local_files_only=True,
        threads=usable_cores(),
    )

    def embed(texts: Sequence[str]) -> list[Any]:
        return list(embedding.embed(sorted(texts, key=len), batch_size=_BATCH))

    return embed


def load_ours(folder: Path) -> Callable[[Sequence[str]], list[Any]]:
    """What embeds texts as `kb index` does; each call loads the model."""
    from kb.embedding import embed_passages, find_model, keep_graph

    model = find_model("", cache_folder=folder / "cache")
    keep_graph(model)
    return lambda texts: list(embed_passages(model, texts))


def side_by_side(texts: Sequence[str], folder: Path, runs: int) -> dict[str, Pace]:
    """The pace of each, taking turns."""
    embedders = {"kb": load_ours(folder), "fastembed": load_fastembed(folder)}
    best = dict.fromkeys(embedders, Pace(float("inf"), float("inf")))
    for embed in embedders.values():
        embed(texts[:_BATCH])
    for _ in range(runs):
        for name, embed in embedders.items():
            started, busy = time.perf_counter(), time.process_time()
            embed(texts)
            pace = Pace(time.perf_counter() - started, time.process_time() - busy)
            best[name] = Pace(min(best[name].seconds, pace.seconds), min(best[name].cpu, pace.cpu))
    return best


def row(folder: Path, count: int = 64, runs: int = 3) -> Row:
    """The row of the table of targets."""
    best = side_by_side(passages(count), folder, runs)
    ours, theirs = best["kb"].seconds, best["fastembed"].seconds
    return Row(
        f"embed {count} passages",
        f"{count / ours:.0f} a second",
        f"fastembed, batches of {_BATCH}, sorted {count / theirs:.0f} a second",
        ours / theirs,
        0.5,
    )


def peaks(texts: Sequence[str], folder: Path) -> tuple[float, float]:
    """MiB: the model alone with one text, and all texts."""
    from kb.embedding import find_model

    cache, file = folder / "cache", folder / "texts.json"
    file.write_text(json.dumps(list(texts)), encoding="utf-8")
    model = find_model("", cache_folder=cache)
    tokenizer = model.folder / "tokenizer.json"
    alone = run(script(_PEAK_ALONE, cache, file, model.weights, tokenizer))
    together = run(script(_PEAK, cache, file))
    for measured in (alone, together):
        if measured.status:
            raise SystemExit(measured.err)
    return alone.peak, together.peak


def properties(texts: Sequence[str], folder: Path) -> Iterator[tuple[str, str]]:
    """What must hold of the vectors, each with what was found."""
    import numpy as np

    from kb.embedding import QueryEmbedder, embed_passages, find_model, quantise

    model = find_model("", cache_folder=folder / "cache")
    together = [quantise(vector) for vector in embed_passages(model, texts)]
    embedder = QueryEmbedder(model)
    alone = sum(
        quantise(embedder.embed(text)) == vector
        for text, vector in zip(texts, together, strict=True)
    )
    yield "the same bytes alone and in company", f"{alone} of {len(texts)}"
    if not _GOLDEN.is_file():
        return
    golden = json.loads(_GOLDEN.read_text(encoding="utf-8"))["vectors"]
    expected = np.array([entry["vector"] for entry in golden])
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    found = np.stack(list(embed_passages(model, [entry["text"] for entry in golden])))
    cosines = sorted((found * expected).sum(axis=1))
    yield (
        f"cosine to the {len(golden)} full-precision vectors",
        f"least {cosines[0]:.4f}, next {cosines[1]:.4f}, median {cosines[len(cosines) // 2]:.4f}",
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--passages", type=int, default=128)
    parser.add_argument("--runs", type=int, default=5)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="kb-embedding-") as name:
        folder = Path(name)
        texts = passages(given.passages)
        best = side_by_side(texts, folder, given.runs)
        alone, together = peaks(texts, folder)
        ours, theirs = best["kb"], best["fastembed"]
        count = len(texts)
        rows = [
            [name, f"{count / pace.seconds:.1f}", f"{count / pace.cpu:.1f}"]
            for name, pace in best.items()
        ]
        rows.append(
            ["ratio", f"{theirs.seconds / ours.seconds:.2f}", f"{theirs.cpu / ours.cpu:.2f}"]
        )
        sys.stdout.write(f"{count} passages, {given.runs} runs, {machine()}\n\n")
        head = ("", "passages a second", "passages a second of one core")
        sys.stdout.write(table(head, rows) + "\n")
        found = [
            ("peak: the model alone, one text", f"{alone:.0f} MiB"),
            ("peak: all passages", f"{together:.0f} MiB ({together - alone:+.0f})"),
            *properties(texts, folder),
        ]
        sys.stdout.write(table(("", ""), found))


if __name__ == "__main__":
    main()
