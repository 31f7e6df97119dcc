"""What is imported when: a query must not pay for what it does not use."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from embedding_material import write_model

import kb.embedding

HEAVY = ("numpy", "onnxruntime", "tokenizers", "fastembed", "huggingface_hub", "loguru")


def loaded(code: str, *arguments: str) -> set[str]:
    """Return which heavy libraries a piece of code loads; it must say nothing."""
    tail = f"\nimport sys; print(*(name for name in {HEAVY!r} if name in sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", code + tail, *arguments],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert done.stderr == ""
    assert done.stdout.count("\n") == 1
    return set(done.stdout.split())


def test_every_public_name_is_there() -> None:
    for name in kb.embedding.__all__:
        assert getattr(kb.embedding, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = kb.embedding.nothing


def test_the_names_alone_load_nothing_heavy() -> None:
    assert loaded("from kb.embedding import *") == set()


def test_a_kept_query_vector_loads_nothing_heavy(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from kb.embedding import QueryVectorCache\n"
        "cache = QueryVectorCache(Path(sys.argv[1])); cache.put('f', 't', b'x')\n"
        "assert cache.get('f', 't') == b'x'"
    )
    assert loaded(code, str(tmp_path / "q.sqlite")) == set()


def test_finding_a_model_and_embedding_a_query_never_load_fastembed(tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime", reason="the extra `model` is not installed")
    find = (
        "import sys; from pathlib import Path; from kb.embedding import find_model, QueryEmbedder\n"
        "model = find_model(sys.argv[1], cache_folder=Path(sys.argv[2]))\n"
    )
    folder, cache = str(write_model(tmp_path / "m", dimension=2)), str(tmp_path / "cache")
    assert loaded(find, folder, cache) == set()
    run = loaded(find + "QueryEmbedder(model).embed('red')", folder, cache)
    assert run == {"numpy", "onnxruntime", "tokenizers"}


def test_embedding_passages_says_nothing_and_loads_no_fastembed(tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime", reason="the extra `model` is not installed")
    code = (
        "import sys; from pathlib import Path\n"
        "from kb.embedding import find_model, embed_passages\n"
        "cache = Path(sys.argv[2]); model = find_model(sys.argv[1], cache_folder=cache)\n"
        "assert len(list(embed_passages(model, ['red'] * 5, cache_folder=cache))) == 5\n"
        "assert len(list(embed_passages(model, ['red'] * 5, cache_folder=cache))) == 5"
    )
    folder, cache = str(write_model(tmp_path / "m", dimension=2)), str(tmp_path / "cache")
    assert loaded(code, folder, cache) == {"numpy", "onnxruntime", "tokenizers"}
