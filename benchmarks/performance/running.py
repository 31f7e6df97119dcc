"""Questions of 8 to 10 words in a running process, against the FTS5 statement for their words."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.performance.material import Material, ensure_built, ensure_embedded
from benchmarks.performance.rows import Row, count, timed
from benchmarks.questions import measure_questions

_P95 = {10_000: 0.030, 100_000: 0.100}  # seconds


def in_process(material: Material, questions: int = 200) -> Iterator[Row]:
    """Median against the bare statement; the 95th percentile against its target in seconds."""
    ensure_built(material)
    bare, whole = measure_questions(material.vault, material.plain, questions)
    size = f"{count(material.notes)} notes"
    yield timed(
        f"a question in a running process, {size}: median",
        whole.median,
        "the FTS5 statement",
        bare.median,
        1.5,
    )
    limit = _P95.get(material.notes)
    if limit is not None:
        yield timed(f"the same, {size}: 95 of 100 are below", whole.p95, "the target", limit, 1.0)
    ensure_embedded(material)
    _, whole = measure_questions(material.vault, material.embedded, 20)
    yield timed(
        f"the same with vectors and the model, {size}: median",
        whole.median,
        "the FTS5 statement",
        bare.median,
    )
