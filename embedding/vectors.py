"""Vectors as numbers and as the bytes that are stored."""

from __future__ import annotations

import os
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector: TypeAlias = NDArray[np.float32]

_LARGEST = 127  # not -128: the scale is the same on both sides of zero


def import_numpy() -> ModuleType:
    """Return numpy. Its BLAS starts a thread for each core at import unless told not to."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    import numpy

    return numpy


def unit(vector: NDArray[Any]) -> Vector:
    """Return a vector at length 1, in float32; a zero vector stays zero."""
    np = import_numpy()
    wide = vector.astype(np.float64)
    length = float(np.linalg.norm(wide))
    scaled: Vector = (wide / length if length > 0 else wide).astype(np.float32)
    return scaled


def quantise(vector: NDArray[Any]) -> bytes:
    """Return a vector as signed bytes, its largest component scaled to ±127.

    The length is lost, the direction kept within about 0.4 % of the largest component for each
    component. A zero vector stays zeros.
    """
    np = import_numpy()
    wide = vector.astype(np.float64)
    largest = float(np.max(np.abs(wide))) if wide.size else 0.0
    if largest == 0.0:
        return bytes(wide.size)
    return bytes(np.rint(wide * (_LARGEST / largest)).astype(np.int8).tobytes())


def dequantise(stored: bytes) -> Vector:
    """Return the vector that `quantise` stored, at length 1; zeros stay zeros."""
    np = import_numpy()
    return unit(np.frombuffer(stored, dtype=np.int8))
