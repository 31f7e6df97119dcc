"""The packaged weights as a faster graph: kept, checked, and independent of company and cores."""

from __future__ import annotations

import json
import os
import stat
import sys
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest
from embedding_material import embedding_graph, write_model

from kb.embedding import (
    Model,
    ModelError,
    QueryEmbedder,
    embed_passages,
    find_model,
    keep_graph,
    packaged,
    quantise,
    rewritten,
    session,
)
from kb.embedding.onnx_file import read_tensors
from kb.embedding.rewritten import GRAPH_SHA256, graph_source

np = pytest.importorskip("numpy", reason="the extra `model` is not installed")
pytest.importorskip("onnxruntime", reason="the extra `model` is not installed")
if packaged.packaged_weights() is None:
    pytest.skip("the package with the weights is not installed", allow_module_level=True)

GOLDEN = json.loads((Path(__file__).parent / "data" / "golden-minilm.json").read_text("utf-8"))
TEXTS = [row["text"] for row in GOLDEN["vectors"]]


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Model:
    """The packaged model with its graph kept; tests leave it as it is."""
    model = find_model("all-MiniLM-L6-v2", cache_folder=tmp_path_factory.mktemp("cache"))
    assert keep_graph(model) == ""
    return model


def path_of(model: Model) -> Path:
    assert model.rewritten is not None
    return model.rewritten


def in_cache(model: Model, cache: Path) -> Model:
    return replace(model, rewritten=cache / "rewritten" / path_of(model).name)


def test_the_graph_is_the_one_that_was_checked_in(shared: Model) -> None:
    content = path_of(shared).read_bytes()
    assert sha256(content).hexdigest() == GRAPH_SHA256
    assert graph_source(shared) == str(path_of(shared))


@pytest.mark.skipif(sys.platform == "win32", reason="modes mean nothing there")
def test_it_is_kept_for_the_user_alone(shared: Model) -> None:
    path = path_of(shared)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert [other.name for other in path.parent.iterdir()] == [path.name]  # nothing left aside


def test_a_vector_depends_on_its_text_alone(shared: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    embedder = QueryEmbedder(shared)
    alone = [quantise(embedder.embed(text)) for text in TEXTS]
    for cores in (1, 2, 5):
        monkeypatch.setattr(session, "usable_cores", lambda cores=cores: cores)
        assert [quantise(vector) for vector in embed_passages(shared, TEXTS)] == alone
        backwards = [quantise(vector) for vector in embed_passages(shared, TEXTS[::-1])]
        assert backwards[::-1] == alone


def test_it_turns_the_way_the_packages_own_graph_does(shared: Model) -> None:
    floats = QueryEmbedder(replace(shared, rewritten=None))
    for text, vector in zip(TEXTS, embed_passages(shared, TEXTS), strict=True):
        assert float(vector @ floats.embed(text)) > (0.99 if text else 0.97), text


@pytest.mark.parametrize("damage", ["cut", "changed", "gone"])
def test_a_damaged_graph_is_made_anew(shared: Model, tmp_path: Path, damage: str) -> None:
    model = in_cache(shared, tmp_path)
    assert keep_graph(model) == ""
    path = path_of(model)
    whole = path.read_bytes()
    if damage == "cut":
        path.write_bytes(whole[:1_000_000])
    elif damage == "changed":
        path.write_bytes(whole[:1_000_000] + b"!" + whole[1_000_001:])
        os.utime(path, (1, 1))
    else:
        path.unlink()
    expected = QueryEmbedder(shared).embed("red")
    assert np.array_equal(QueryEmbedder(model).embed("red"), expected)
    assert path.read_bytes() == whole


def test_where_it_cannot_be_kept_it_is_made_for_the_process(shared: Model, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    model = in_cache(shared, tmp_path / "file")
    assert "cannot be written" in keep_graph(model)
    assert isinstance(graph_source(model), bytes)
    expected = QueryEmbedder(shared).embed("red")
    (passage,) = embed_passages(model, ["red"])
    assert np.array_equal(passage, expected)
    assert np.array_equal(QueryEmbedder(model).embed("red"), expected)


def test_weights_that_are_gone_are_said_so(shared: Model, tmp_path: Path) -> None:
    model = replace(in_cache(shared, tmp_path), weights=tmp_path / "model.onnx")
    with pytest.raises(ModelError, match="cannot be read"):
        QueryEmbedder(model).embed("red")


def test_another_graph_is_another_fingerprint(
    shared: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = path_of(shared).parent.parent
    monkeypatch.setattr(rewritten, "SOURCE_SHA256", "0" * 64)  # so the weights run as they are
    monkeypatch.setattr(packaged, "verify", lambda *_: None)
    plain = find_model("all-MiniLM-L6-v2", cache_folder=cache)
    assert plain.rewritten is None
    assert plain.fingerprint != shared.fingerprint


def test_other_models_run_as_they_are(tmp_path: Path) -> None:
    model = find_model(str(write_model(tmp_path / "m", dimension=2)), cache_folder=tmp_path / "c")
    assert model.rewritten is None
    assert keep_graph(model) == ""
    assert graph_source(model) == str(model.weights)
    assert not (tmp_path / "c" / "rewritten").exists()


def test_a_graph_without_constants_has_none(tmp_path: Path) -> None:
    (tmp_path / "model.onnx").write_bytes(embedding_graph())
    assert read_tensors(tmp_path / "model.onnx") == {}
