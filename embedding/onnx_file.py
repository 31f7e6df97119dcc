"""Read the tensors of an ONNX file, and write a graph as one.

The bytes of a graph that is written here are checked against a hash, so they must come out the same
everywhere and for good, which no library promises of its own. The format is a protocol buffer
(https://onnx.ai/onnx/repo-docs/IR.html); the numbers of fields and types are those of onnx.proto.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from kb.embedding.vectors import import_numpy

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Tensor: TypeAlias = NDArray[Any]
    Attribute: TypeAlias = int | float | list[int]

OWN, MICROSOFT = "", "com.microsoft"  # the two sets of operators

_IR, _OPERATORS, _MICROSOFT_OPERATORS = 8, 17, 1  # versions
_MODEL_GRAPH, _GRAPH_NODE, _GRAPH_TENSOR, _GRAPH_INPUT, _GRAPH_OUTPUT = 7, 1, 5, 11, 12
FLOAT = 1
_UINT8, _INT8, _INT32, _INT64, _BOOL = 2, 3, 6, 7, 9
_NUMPY = {
    FLOAT: "<f4",
    _UINT8: "u1",
    _INT8: "i1",
    _INT32: "<i4",
    _INT64: "<i8",
    _BOOL: "?",
}


def read_tensors(path: Path) -> dict[str, Tensor]:
    """Return the constants of a graph by name, in the order of the file. Raises OSError."""
    content = memoryview(path.read_bytes())
    return {
        name: tensor
        for number, graph in _fields(content)
        if number == _MODEL_GRAPH
        for kind, part in _fields(graph)
        if kind == _GRAPH_TENSOR
        for name, tensor in [_parse_tensor(part)]
    }


class GraphWriter:
    """A graph that is put together operator by operator."""

    def __init__(self) -> None:
        self._nodes: list[bytes] = []
        self._tensors: list[bytes] = []

    def constant(self, name: str, value: Tensor) -> str:
        """Add a constant, and return its name."""
        types = {numpy: number for number, numpy in _NUMPY.items()}
        number = types[value.dtype.newbyteorder("<").str.removeprefix("|")]
        dims = b"".join(_field(1, size) for size in value.shape)
        data = value.astype(_NUMPY[number], copy=False).tobytes()
        parts = dims + _field(2, number) + _field(8, name) + _field(9, data)
        self._tensors.append(_field(_GRAPH_TENSOR, parts))
        return name

    def apply(self, operator: str, *inputs: str, domain: str = OWN, **attributes: Attribute) -> str:
        """Add an operator with one output, and return a new name for that."""
        output = f"{operator}.{len(self._nodes)}"
        parts = b"".join(_field(1, name) for name in inputs) + _field(2, output)
        parts += _field(4, operator) + _field(7, domain)
        parts += b"".join(_attribute(name, value) for name, value in attributes.items())
        self._nodes.append(_field(_GRAPH_NODE, parts))
        return output

    def render(self, entry: str, result: str, dimension: int) -> bytes:
        """Return the file: whole numbers (batch, length) to (batch, length, dimension)."""
        graph = _field(2, "graph") + b"".join([*self._nodes, *self._tensors])
        graph += _field(_GRAPH_INPUT, _port(entry, _INT64, ["batch", "length"]))
        graph += _field(_GRAPH_OUTPUT, _port(result, FLOAT, ["batch", "length", dimension]))
        sets = ((OWN, _OPERATORS), (MICROSOFT, _MICROSOFT_OPERATORS))
        imports = (_field(8, _field(1, name) + _field(2, version)) for name, version in sets)
        return _field(1, _IR) + b"".join(imports) + _field(_MODEL_GRAPH, graph)


def _varint(number: int) -> bytes:
    """Return a number in groups of seven bits, the lowest first; below 0 in 64 bits."""
    number &= (1 << 64) - 1
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def _field(number: int, value: int | str | bytes) -> bytes:
    if isinstance(value, int):
        return _varint(number << 3) + _varint(value)
    data = value.encode() if isinstance(value, str) else value
    return _varint(number << 3 | 2) + _varint(len(data)) + data


def _attribute(name: str, value: Attribute) -> bytes:
    if isinstance(value, float):
        said = _varint(2 << 3 | 5) + struct.pack("<f", value) + _field(20, 1)
    elif isinstance(value, int):
        said = _field(3, value) + _field(20, 2)
    else:
        said = b"".join(_field(8, number) for number in value) + _field(20, 7)
    return _field(5, _field(1, name) + said)


def _port(name: str, element: int, shape: list[str | int]) -> bytes:
    dims = b"".join(_field(1, _field(1 if isinstance(n, int) else 2, n)) for n in shape)
    return _field(1, name) + _field(2, _field(1, _field(1, element) + _field(2, dims)))


def _fields(message: memoryview) -> Iterator[tuple[int, Any]]:
    """Yield the fields of a message: number, then a whole number or a view of bytes."""
    at = 0
    while at < len(message):
        key, at = _read_varint(message, at)
        number, wire = key >> 3, key & 7
        if wire == 0:
            value, at = _read_varint(message, at)
            yield number, value
            continue
        size = {1: 8, 5: 4}.get(wire)
        if size is None:
            size, at = _read_varint(message, at)
        yield number, message[at : at + size]
        at += size


def _read_varint(message: memoryview, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = message[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, at


def _parse_tensor(message: memoryview) -> tuple[str, Tensor]:
    np = import_numpy()
    shape: list[int] = []
    name, kind, data = "", 0, memoryview(b"")
    for number, value in _fields(message):
        if number == 1:
            shape.append(value)
        elif number == 2:
            kind = value
        elif number == 8:
            name = str(value, "utf-8")
        elif number == 9:
            data = value
    return name, np.frombuffer(data, dtype=_NUMPY[kind]).reshape(shape)
