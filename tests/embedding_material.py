"""What the tests of the embedding room build on: tiny ONNX graphs, and folders around them.

A graph is written byte by byte as a protocol buffer (https://onnx.ai/onnx/repo-docs/IR.html), which
takes fewer lines than the `onnx` package takes megabytes.
"""

from __future__ import annotations

import json
import struct
from pathlib import Path

WORDS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "red", "green", "blue")
PAD, UNK, CLS, SEP, RED, GREEN, BLUE = range(7)

_INT64, _FLOAT = 7, 1


def _varint(number: int) -> bytes:
    out = bytearray()
    while True:
        number, low = number >> 7, number & 0x7F
        out.append(low | (0x80 if number else 0))
        if not number:
            return bytes(out)


def _field(number: int, value: int | bytes | str) -> bytes:
    if isinstance(value, int):
        return _varint(number << 3) + _varint(value)
    data = value.encode() if isinstance(value, str) else value
    return _varint(number << 3 | 2) + _varint(len(data)) + data


def _ints(name: str, *values: int) -> bytes:
    body = _field(1, name) + b"".join(_field(8, value) for value in values) + _field(20, 7)
    return _field(5, body)


def _int(name: str, value: int) -> bytes:
    return _field(5, _field(1, name) + _field(3, value) + _field(20, 2))


def _node(kind: str, inputs: list[str], output: str, *attributes: bytes) -> bytes:
    body = b"".join(_field(1, name) for name in inputs)
    return _field(1, body + _field(2, output) + _field(4, kind) + b"".join(attributes))


def _port(field: int, name: str, element: int, shape: list[str | int]) -> bytes:
    dims = b"".join(
        _field(1, _field(1, size) if isinstance(size, int) else _field(2, size)) for size in shape
    )
    tensor = _field(1, _field(1, element) + _field(2, dims))
    return _field(field, _field(1, name) + _field(2, tensor))


def _model(*parts: bytes) -> bytes:
    graph = _field(2, "tiny") + b"".join(parts)
    return _field(1, 7) + _field(8, _field(1, "") + _field(2, 11)) + _field(7, graph)


def _pairs_of(name: str) -> list[bytes]:
    """Nodes that give each token the vector (`name` of the token, 1)."""
    return [
        _node("Cast", [name], "number", _int("to", _FLOAT)),
        _node("Unsqueeze", ["number"], "left", _ints("axes", 2)),
        _node("Cast", ["attention_mask"], "one", _int("to", _FLOAT)),
        _node("Unsqueeze", ["one"], "right", _ints("axes", 2)),
        _node("Concat", ["left", "right"], "tokens", _int("axis", 2)),
    ]


def embedding_graph() -> bytes:
    """A graph whose token vectors are (id, 1); `sentence_embedding` is their plain sum."""
    return _model(
        *_pairs_of("input_ids"),
        _node("ReduceSum", ["tokens"], "sentence_embedding", _ints("axes", 1), _int("keepdims", 0)),
        _port(11, "input_ids", _INT64, ["batch", "length"]),
        _port(11, "attention_mask", _INT64, ["batch", "length"]),
        _port(12, "tokens", _FLOAT, ["batch", "length", 2]),
        _port(12, "sentence_embedding", _FLOAT, ["batch", 2]),
    )


def reranker_graph() -> bytes:
    """A graph whose score of a pair is how many of its tokens belong to the passage."""
    return _model(
        _node("Cast", ["token_type_ids"], "number", _int("to", _FLOAT)),
        _node("ReduceSum", ["number"], "score", _ints("axes", 1), _int("keepdims", 1)),
        _port(11, "input_ids", _INT64, ["batch", "length"]),
        _port(11, "token_type_ids", _INT64, ["batch", "length"]),
        _port(12, "score", _FLOAT, ["batch", 1]),
    )


def static_vectors(dimension: int) -> bytes:
    """A safetensors file in which the vector of word n is 1 at n and 0 elsewhere."""
    rows = [[float(column == row) for column in range(dimension)] for row in range(len(WORDS))]
    data = b"".join(struct.pack(f"<{dimension}f", *row) for row in rows)
    shape = [len(WORDS), dimension]
    header = json.dumps(
        {"embeddings": {"dtype": "F32", "shape": shape, "data_offsets": [0, len(data)]}}
    ).encode()
    return struct.pack("<Q", len(header)) + header + data


def write_tokenizer(folder: Path) -> None:
    """Write a tokenizer that knows three colours and puts [CLS] and [SEP] around a text."""
    special = {
        word: {"id": word, "ids": [WORDS.index(word)], "tokens": [word]}
        for word in ("[CLS]", "[SEP]")
    }

    def mark(word: str, kind: int) -> dict[str, object]:
        return {"SpecialToken": {"id": word, "type_id": kind}}

    def text(name: str, kind: int) -> dict[str, object]:
        return {"Sequence": {"id": name, "type_id": kind}}

    single = [mark("[CLS]", 0), text("A", 0), mark("[SEP]", 0)]
    content = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [],
        "normalizer": None,
        "pre_tokenizer": {"type": "Whitespace"},
        "post_processor": {
            "type": "TemplateProcessing",
            "single": single,
            "pair": [*single, text("B", 1), mark("[SEP]", 1)],
            "special_tokens": special,
        },
        "decoder": None,
        "model": {
            "type": "WordLevel",
            "vocab": {word: index for index, word in enumerate(WORDS)},
            "unk_token": "[UNK]",
        },
    }
    (folder / "tokenizer.json").write_text(json.dumps(content), encoding="utf-8")


def write_model(folder: Path, graph: bytes | None = None, **record: object) -> Path:
    """Write a model folder: tokenizer, weights, and a record with what is given."""
    folder.mkdir(parents=True, exist_ok=True)
    write_tokenizer(folder)
    (folder / "model.onnx").write_bytes(embedding_graph() if graph is None else graph)
    if record:
        (folder / "kb-model.json").write_text(json.dumps(record), encoding="utf-8")
    return folder
