"""The packaged model as a graph that multiplies whole numbers.

The package keeps weights as signed bytes with a scale for each column, and turns them into floats
before it multiplies. Here they are multiplied as they are, with the activations as bytes too. Each
token's activations have a scale of their own, so no other token, let alone another text, has a say
in how they are rounded. One text a run, without padding, so nothing is masked.

What attention mixes, and what the layers widen, is multiplied twice: once rounded, once what
rounding left, in steps 254 times as fine. Those two bring nearly all of the error in. Cosines to
the floats' vectors are 0.9998 in the median then, 0.998 otherwise, for a fourth more time. On
processors that add pairs of products in 16 bits (x86 before VNNI) one sum in 20,000 is cut off.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from kb.embedding.onnx_file import FLOAT, MICROSOFT, GraphWriter
from kb.embedding.vectors import import_numpy

if TYPE_CHECKING:
    from kb.embedding.onnx_file import Tensor

_LAYERS, _HEADS, _DIMENSION = 6, 12, 384
_MATRICES = 6  # of a layer
_EPSILON = 1e-12  # of the layers' normalising
_EMBEDDINGS = "inner.embeddings."

_MIDDLE, _STEPS = 128, 127  # what may be above or below 0: as far up as down
_FINE_STEPS = 2 * _STEPS  # of a step: rounding leaves at most half of one, on either side
# what comes out of GELU is never below -0.17: a few steps for that, the rest for above 0
_GELU_ZERO, _GELU_LEAST = 16, 0.17


def render_graph(tensors: Mapping[str, Tensor]) -> bytes:
    """Return the graph of the package's constants as an ONNX file; `input_ids` to `tokens`."""
    return _Encoder(tensors).render()


class _Quantised(NamedTuple):
    """Names of: rows of bytes, what one step in each row is worth, and the byte that means 0.

    `rest` are rows of what rounding left, in steps of 1/254; "" where that is not wanted.
    """

    rows: str
    scales: str
    zero: str
    rest: str = ""


class _Encoder:
    """The encoder of a sentence, written layer by layer. Inside, texts are (tokens, dimension)."""

    def __init__(self, tensors: Mapping[str, Tensor]) -> None:
        self._tensors = tensors
        self._graph = GraphWriter()
        self._zeros = self._gelu_zeros = ""  # "zero" and "gelu_zero", once for each token
        # in the order of the file: query, key, value, output, widening, narrowing; then all again
        names = (name for name in tensors if name.startswith("val_") and name.endswith("_q"))
        self._matrices = [name.removesuffix("_q") for name in names]

    def render(self) -> bytes:
        self._write_constants()
        x = self._embed()
        for layer in range(_LAYERS):
            x = self._layer(layer, x)
        tokens = self._graph.apply("Unsqueeze", x, "first")
        return self._graph.render("input_ids", tokens, _DIMENSION)

    def _write_constants(self) -> None:
        np = import_numpy()
        constant = self._graph.constant
        constant("one", np.array(1, "f4"))
        constant("first", np.array([0], "i8"))
        constant("last", np.array([-1], "i8"))
        constant("zero", np.array(_MIDDLE, "u1"))
        constant("step", np.array(1 / _STEPS, "f4"))
        constant("fine_step", np.array(1 / _FINE_STEPS, "f4"))
        constant("least", np.array(1e-12, "f4"))  # a row of zeros is not divided by 0
        constant("gelu_zero", np.array(_GELU_ZERO, "u1"))
        constant("gelu_step", np.array(1 / (255 - _GELU_ZERO), "f4"))
        constant("gelu_least", np.array(_GELU_LEAST / (_GELU_ZERO - 0.5), "f4"))

    def _embed(self) -> str:
        """The sum of what the words and their places stand for, normalised."""
        graph, own = self._graph, self._tensors
        graph.constant("words", own[f"{_EMBEDDINGS}word_embeddings.weight_q"])
        graph.constant("word_scales", own[f"{_EMBEDDINGS}word_embeddings.weight_scale"])
        places = own[f"{_EMBEDDINGS}position_embeddings.weight_q"].astype("f4")
        places *= own[f"{_EMBEDDINGS}position_embeddings.weight_scale"]
        # a lone text is of type 0 throughout
        graph.constant("places", places + own[f"{_EMBEDDINGS}token_type_embeddings.weight"][0])
        ids = graph.apply("Squeeze", "input_ids", "first")
        count = graph.apply("Shape", ids)
        self._zeros = graph.apply("Expand", "zero", count)
        self._gelu_zeros = graph.apply("Expand", "gelu_zero", count)
        words = graph.apply("Cast", graph.apply("Gather", "words", ids), to=FLOAT)
        words = graph.apply("Mul", words, graph.apply("Gather", "word_scales", ids))
        places_taken = graph.apply("Slice", "places", "first", count, "first")
        return self._normalise(graph.apply("Add", words, places_taken), f"{_EMBEDDINGS}LayerNorm")

    def _layer(self, layer: int, x: str) -> str:
        part = f"inner.encoder.layer.{layer}."
        matrices = self._matrices[layer * _MATRICES : (layer + 1) * _MATRICES]
        attended = self._attend(part, matrices[:3], x)
        x = self._add_and_normalise(
            x, self._multiply(self._quantise(attended), matrices[3]), f"{part}attention.output."
        )
        wide = self._multiply(self._quantise_finely(x), matrices[4])
        bias = self._copy(f"{part}intermediate.dense.bias")
        wide = self._graph.apply("BiasGelu", wide, bias, domain=MICROSOFT)
        narrow = self._multiply(self._quantise_gelu(wide), matrices[5])
        return self._add_and_normalise(x, narrow, f"{part}output.")

    def _attend(self, part: str, matrices: list[str], x: str) -> str:
        np = import_numpy()
        graph = self._graph
        query, key, value = matrices
        finely = self._quantise_finely(x)
        roughly = finely._replace(rest="")
        inputs = [
            self._multiply(roughly, query),
            self._multiply(roughly, key),
            self._multiply(finely, value),
        ]
        kinds = ("query", "key", "value")
        biases = [self._tensors[f"{part}attention.self.{kind}.bias"] for kind in kinds]
        attended = graph.apply(
            "MultiHeadAttention",
            *(graph.apply("Unsqueeze", rows, "first") for rows in inputs),
            graph.constant(f"{part}attention.self.bias", np.concatenate(biases)),
            domain=MICROSOFT,
            num_heads=_HEADS,
        )
        return graph.apply("Squeeze", attended, "first")

    def _quantise(self, x: str) -> _Quantised:
        return self._round(x, self._scale(x), self._zeros, "zero")

    def _quantise_finely(self, x: str) -> _Quantised:
        graph = self._graph
        scale = self._scale(x)
        roughly = self._round(x, scale, self._zeros, "zero")
        meant = graph.apply("DequantizeLinear", roughly.rows, scale, self._zeros, axis=0)
        fine_scale = graph.apply("Mul", scale, "fine_step")
        rest = self._round(graph.apply("Sub", x, meant), fine_scale, self._zeros, "zero")
        return roughly._replace(rest=rest.rows)

    def _scale(self, x: str) -> str:
        """For each row what one step is worth, the largest size in it being 127 steps."""
        graph = self._graph
        largest = graph.apply("ReduceMax", graph.apply("Abs", x), axes=[-1], keepdims=0)
        return graph.apply("Max", graph.apply("Mul", largest, "step"), "least")

    def _quantise_gelu(self, x: str) -> _Quantised:
        """The rows as bytes, most of them for what is above 0."""
        graph = self._graph
        largest = graph.apply("ReduceMax", x, axes=[-1], keepdims=0)
        scale = graph.apply("Max", graph.apply("Mul", largest, "gelu_step"), "gelu_least")
        return self._round(x, scale, self._gelu_zeros, "gelu_zero")

    def _round(self, x: str, scale: str, zeros: str, zero: str) -> _Quantised:
        rows = self._graph.apply("QuantizeLinear", x, scale, zeros, axis=0)
        return _Quantised(rows, self._graph.apply("Unsqueeze", scale, "last"), zero)

    def _multiply(self, x: _Quantised, matrix: str) -> str:
        """The product as floats; the sums are exact."""
        graph = self._graph
        weights = self._copy(f"{matrix}_q")
        scales = graph.constant(f"{matrix}_scale", self._tensors[f"{matrix}_scale"].ravel())

        def product(rows: str, step: str) -> str:
            inputs = (rows, weights, step, scales, x.zero)
            return graph.apply("MatMulIntegerToFloat", *inputs, domain=MICROSOFT)

        total = product(x.rows, "one")
        if x.rest:
            total = graph.apply("Add", total, product(x.rest, "fine_step"))
        return graph.apply("Mul", total, x.scales)

    def _add_and_normalise(self, x: str, change: str, part: str) -> str:
        biased = self._graph.apply("Add", x, self._copy(f"{part}dense.bias"))
        # the two fused into one operator take five times as long
        return self._normalise(self._graph.apply("Add", change, biased), f"{part}LayerNorm")

    def _normalise(self, x: str, name: str) -> str:
        weight, bias = self._copy(f"{name}.weight"), self._copy(f"{name}.bias")
        return self._graph.apply("LayerNormalization", x, weight, bias, axis=-1, epsilon=_EPSILON)

    def _copy(self, name: str) -> str:
        return self._graph.constant(name, self._tensors[name])
