"""Resident memory at its highest: queries and index runs, against the model alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from benchmarks.measure import Measured, kb_command, run
from benchmarks.performance.floors import script
from benchmarks.performance.material import (
    Material,
    ensure_built,
    ensure_embedded,
    ensure_nearly_embedded,
    index_command,
)
from benchmarks.performance.rows import count
from benchmarks.questions import questions

HEAD = ("work", "peak", "at most")
_MODEL_ALONE = """
import sys, numpy as np, onnxruntime
from tokenizers import Tokenizer
encoding = Tokenizer.from_file(sys.argv[2]).encode(sys.argv[3])
session = onnxruntime.InferenceSession(sys.argv[1], providers=["CPUExecutionProvider"])
feeds = {
    "input_ids": np.array([encoding.ids]),
    "attention_mask": np.array([encoding.attention_mask]),
    "token_type_ids": np.array([encoding.type_ids]),
}
session.run(None, {node.name: feeds[node.name] for node in session.get_inputs()})
"""
_NEW_PASSAGES = 400


def peaks(material: Material) -> Iterator[tuple[str, str, str]]:
    """Rows of MiB; those with the model say how much it is above the model alone."""
    from kb.embedding import find_model

    ensure_built(material)
    ensure_embedded(material)
    model = find_model()
    size = f"{count(material.notes)} notes"
    asked = questions(material.vault, 1, seed=23)[0]
    alone = _checked(
        script(_MODEL_ALONE, model.weights, model.folder / "tokenizer.json", asked), material
    )
    query = [*kb_command(), "query", "--json", "--index"]
    plain = _checked([*query, str(material.plain), "--", asked], material)
    cosine = _checked([*query, str(material.embedded), "--", asked], material)
    same = _checked(index_command(material, material.plain), material)
    nearly = ensure_nearly_embedded(material, _NEW_PASSAGES)
    embedding = _checked(index_command(material, nearly), material)
    yield ("the model alone: load, embed one text", f"{alone.peak:.0f} MiB", "")
    yield (f"`kb query`, no vectors, {size}", f"{plain.peak:.0f} MiB", "120 MiB")
    yield (
        f"`kb query`, with vectors, {size}",
        f"{cosine.peak:.0f} MiB, {cosine.peak - alone.peak:+.0f} to the model",
        "+150 MiB",
    )
    yield (
        f"`kb index` embeds {_NEW_PASSAGES} new passages, {size}",
        f"{embedding.peak:.0f} MiB, {embedding.peak - alone.peak:+.0f} to the model",
        "+250 MiB",
    )
    yield (f"`kb index`, nothing changed, {size}", f"{same.peak:.0f} MiB", "")


def _checked(command: Sequence[str], material: Material) -> Measured:
    measured = run(command, material.env)
    if measured.status not in (0, 1):
        raise SystemExit(measured.err)
    return measured
