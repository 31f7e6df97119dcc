"""Run a model's graph with onnxruntime, one text at a time.

Alone a text needs no padding, and its vector cannot depend on its company.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from kb.embedding.errors import ModelError
from kb.embedding.model import Model, ModelKind, Pooling
from kb.embedding.rewritten import graph_source
from kb.embedding.telemetry import refuse_telemetry
from kb.embedding.vectors import import_numpy

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from onnxruntime import InferenceSession  # type: ignore[import-untyped]
    from tokenizers import Encoding

_SILENT = 4  # onnxruntime's level for fatal messages only
_MOST_THREADS = 4  # one short text gains nothing from more
_SLOW = ["SkipLayerNormFusion"]  # its result takes five times as long as what it replaces


def usable_cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def open_session(model: Model, *, optimise: bool, threads: int = _MOST_THREADS) -> InferenceSession:
    """Load the weights. Raises ModelError where they are no graph that can run.

    Without `optimise` they load five times as fast, and each run takes ten times as long: right
    for a process that embeds one query. A rewritten graph is as fast as it gets either way.
    A run uses as many cores as there are, at most `threads`.
    """
    import_numpy()
    refuse_telemetry()
    import onnxruntime

    onnxruntime.disable_telemetry_events()
    options = onnxruntime.SessionOptions()
    options.log_severity_level = _SILENT
    options.intra_op_num_threads = 1 if model.rewritten else min(usable_cores(), threads)
    options.inter_op_num_threads = 1
    # waiting threads sleep instead of turning: the cores belong to the user
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    levels = onnxruntime.GraphOptimizationLevel
    optimise = optimise and model.rewritten is None
    options.graph_optimization_level = levels.ORT_ENABLE_ALL if optimise else levels.ORT_DISABLE_ALL
    source = graph_source(model)
    try:
        return onnxruntime.InferenceSession(
            source,
            options,
            providers=["CPUExecutionProvider"],
            disabled_optimizers=_SLOW if optimise else None,
        )
    except Exception as error:  # onnxruntime raises a dozen kinds, none with a common base
        raise ModelError(
            f"`{model.weights}` cannot be loaded as an ONNX model: {_first_line(error)}"
        ) from error


def run(session: InferenceSession, model: Model, encoding: Encoding) -> NDArray[Any]:
    """Return what the graph gives for one text: (1, tokens, dimensions) or (1, dimensions)."""
    np = import_numpy()
    # the types tell a passage from its query; a lone text has none, whatever its tokenizer says
    pair = model.kind is ModelKind.RERANKER
    feeds = {
        "input_ids": np.array([encoding.ids], dtype=np.int64),
        "attention_mask": np.array([encoding.attention_mask], dtype=np.int64),
        "token_type_ids": np.array(
            [encoding.type_ids if pair else [0] * len(encoding.ids)], dtype=np.int64
        ),
    }
    wanted = {node.name for node in session.get_inputs()}
    if not wanted <= feeds.keys():
        extra = ", ".join(f"`{name}`" for name in sorted(wanted - feeds.keys()))
        raise ModelError(
            f"the model `{model.name}` wants inputs that a text does not give: {extra}"
        )
    outputs = [model.output_name] if model.output_name else None
    try:
        result: NDArray[Any] = session.run(
            outputs, {name: value for name, value in feeds.items() if name in wanted}
        )[0]
    except Exception as error:  # as above
        raise ModelError(f"the model `{model.name}` failed: {_first_line(error)}") from error
    return result


def pool(output: NDArray[Any], pooling: str) -> NDArray[Any]:
    """Return one vector for one text that was run without padding, so every token counts."""
    row: NDArray[Any] = output[0]
    if output.ndim == 2:
        return row
    if pooling == Pooling.NONE or output.ndim != 3:
        raise ModelError(
            f"the model gives {output.ndim} axes where one vector for each text was expected",
            "name its pooled output as `output_name`, or another `pooling`, in `kb-model.json`",
        )
    if pooling == Pooling.CLS:
        row = row[0]
    elif pooling == Pooling.LAST:
        row = row[-1]
    else:
        row = row.mean(axis=0, dtype="float64")
    return row


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]
