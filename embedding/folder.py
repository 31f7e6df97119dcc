"""Read a folder that holds a sentence model: a `tokenizer.json`, weights, and what describes them.

What `kb-model.json` leaves open is taken from the files that transformers and
sentence-transformers write.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from kb.embedding.errors import ModelError
from kb.embedding.hashes import file_sha256
from kb.embedding.model import ANY_LANGUAGE, FileHashes, Model, ModelKind, Pooling, fingerprint
from kb.embedding.record import RECORD_NAME, Record, read_json, read_record
from kb.embedding.rewritten import GRAPH_SHA256, rewritten_path

# Where a record does not ask for more, texts are cut here even if the model could read on:
# passages are shorter, and memory grows with the square of the length.
LONGEST_DEFAULT = 512

_WEIGHTS = (
    "model.onnx",
    "onnx/model.onnx",
    "model_optimized.onnx",
    "onnx/model_optimized.onnx",
    "model_quantized.onnx",
    "onnx/model_quantized.onnx",
)
_DIMENSION_KEYS = ("hidden_size", "dim", "d_model", "n_embd")
_POOLING_FLAGS = {
    "pooling_mode_mean_tokens": Pooling.MEAN,
    "pooling_mode_cls_token": Pooling.CLS,
    "pooling_mode_lasttoken": Pooling.LAST,
}
_POOLING_NAMES = {"mean": Pooling.MEAN, "cls": Pooling.CLS, "lasttoken": Pooling.LAST}


def read_folder(
    folder: Path, root: Path, *, weights: Path | None = None, record: Record | None = None
) -> Model:
    """Return the model that a folder holds.

    `root` is our cache folder (for hashes), `weights` the weights where they lie elsewhere,
    `record` what is known of the model where the folder has no record of its own.
    Raises ModelError where a part is missing or makes no sense.
    """
    if not (folder / "tokenizer.json").is_file():
        raise ModelError(
            f"`{folder}` holds no `tokenizer.json`",
            "name a folder with the tokenizer and the ONNX weights of a sentence model",
        )
    said = record or read_record(folder)
    kind = ModelKind(said.kind or ModelKind.EMBEDDING)
    found = weights or _find_weights(folder, said)
    pooling = said.pooling or _read_pooling(folder)
    prompts = _read_prompts(folder)
    query_prefix = said.query_prefix if said.query_prefix is not None else prompts[0]
    passage_prefix = said.passage_prefix if said.passage_prefix is not None else prompts[1]
    max_tokens = said.max_tokens or read_max_tokens(folder)
    output_name = said.output_name or ""
    hashes = _hash_files(folder, found, root)
    rewritten = rewritten_path(hashes.weights, root)
    return Model(
        name=said.name or folder.resolve().name,
        folder=folder,
        weights=found,
        dimension=1 if kind is ModelKind.RERANKER else said.dimension or _read_dimension(folder),
        pooling=pooling,
        normalise=said.normalise if said.normalise is not None else True,
        query_prefix=query_prefix,
        passage_prefix=passage_prefix,
        languages=said.languages or ANY_LANGUAGE,
        max_tokens=max_tokens,
        fingerprint=fingerprint(
            hashes._replace(weights=GRAPH_SHA256) if rewritten else hashes,
            pooling=pooling,
            output_name=output_name,
            query_prefix=query_prefix,
            passage_prefix=passage_prefix,
            max_tokens=max_tokens,
        ),
        output_name=output_name,
        kind=kind,
        rewritten=rewritten,
    )


def data_files(weights: Path) -> tuple[Path, ...]:
    """Return the files beside the weights that hold parts of them, by name.

    ONNX keeps large tensors in files that are named after the graph (`model.onnx_data`).
    """
    names = (path for path in weights.parent.iterdir() if path.name.startswith(weights.name))
    return tuple(sorted(path for path in names if path.name != weights.name and path.is_file()))


def read_max_tokens(folder: Path) -> int:
    """Return how many tokens of a text are read: the strictest limit that the files state."""
    limits = [
        read_json(folder / "sentence_bert_config.json").get("max_seq_length"),
        *tokenizer_limits(read_json(folder / "tokenizer_config.json")),
        LONGEST_DEFAULT,
    ]
    if len([limit for limit in limits if _is_count(limit)]) == 1:
        limits.append(read_json(folder / "config.json").get("max_position_embeddings"))
    return min(limit for limit in limits if isinstance(limit, int) and _is_count(limit))


def tokenizer_limits(config: Mapping[str, object]) -> tuple[object, object]:
    """Return the two limits that a `tokenizer_config.json` may state."""
    return config.get("model_max_length"), config.get("max_length")


def _is_count(value: object) -> bool:
    # transformers writes 1e30 where it knows no limit
    return isinstance(value, int) and not isinstance(value, bool) and 0 < value <= 1_000_000


def _find_weights(folder: Path, said: Record) -> Path:
    if said.weights is not None:
        path = folder / said.weights
        if not path.is_file():
            raise ModelError(f"`{path}`, named in `{RECORD_NAME}`, is missing")
        return path
    for name in _WEIGHTS:
        if (folder / name).is_file():
            return folder / name
    others = sorted([*folder.glob("*.onnx"), *folder.glob("onnx/*.onnx")])
    if len(others) == 1:
        return others[0]
    what = "no ONNX weights" if not others else "several ONNX files and none called `model.onnx`"
    raise ModelError(
        f"`{folder}` holds {what}",
        f"name the file as `weights` in `{folder / RECORD_NAME}`"
        if others
        else "put the weights there as `model.onnx`",
    )


def _hash_files(folder: Path, weights: Path, root: Path) -> FileHashes:
    return FileHashes(
        weights=file_sha256(weights, root),
        data=tuple(file_sha256(path, root) for path in data_files(weights)),
        tokenizer=file_sha256(folder / "tokenizer.json", root),
    )


def _read_dimension(folder: Path) -> int:
    stated = read_json(folder / "1_Pooling" / "config.json").get("word_embedding_dimension")
    config = read_json(folder / "config.json")
    for value in (stated, *(config.get(key) for key in _DIMENSION_KEYS)):
        if isinstance(value, int) and _is_count(value):
            return value
    raise ModelError(
        f"nothing in `{folder}` says how many dimensions its vectors have",
        f"write `dimension` into `{folder / RECORD_NAME}`",
    )


def _read_pooling(folder: Path) -> str:
    """Return how the model pools; the mean where nothing says so, which most models use."""
    config = read_json(folder / "1_Pooling" / "config.json")
    name = config.get("pooling_mode")
    chosen = [pooling for key, pooling in _POOLING_FLAGS.items() if config.get(key) is True]
    if isinstance(name, str) and name in _POOLING_NAMES:
        chosen = [_POOLING_NAMES[name]]
    if config and len(chosen) != 1:
        raise ModelError(
            f"`{folder / '1_Pooling' / 'config.json'}` asks for a pooling that is not supported",
            f"name a supported one as `pooling` in `{folder / RECORD_NAME}`",
        )
    return chosen[0] if chosen else Pooling.MEAN


def _read_prompts(folder: Path) -> tuple[str, str]:
    """Return the prefixes for queries and passages that sentence-transformers would use."""
    prompts = read_json(folder / "config_sentence_transformers.json").get("prompts")
    if not isinstance(prompts, dict):
        return "", ""
    query = prompts.get("query") or ""
    passage = prompts.get("document") or prompts.get("passage") or ""
    return str(query), str(passage)
