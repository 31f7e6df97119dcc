"""Pooling, assembling and scoring, on graphs small enough to reckon by hand."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from embedding_material import (
    BLUE,
    CLS,
    GREEN,
    RED,
    SEP,
    reranker_graph,
    static_vectors,
    write_model,
)

from kb.embedding import (
    Model,
    ModelError,
    QueryEmbedder,
    Reranker,
    embed_passages,
    find_model,
    find_reranker,
    session,
)

np = pytest.importorskip("numpy", reason="the extra `model` is not installed")
pytest.importorskip("onnxruntime", reason="the extra `model` is not installed")

TEXTS = ["red", "green blue", "red red blue green"]


def length_one(left: float, right: float) -> list[float]:
    return [left / np.hypot(left, right), right / np.hypot(left, right)]


def load(tmp_path: Path, **record: object) -> Model:
    folder = write_model(tmp_path / "m", **{"dimension": 2, **record})
    return find_model(str(folder), cache_folder=tmp_path / "cache")


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        ({"pooling": "cls"}, length_one(CLS, 1)),
        ({"pooling": "last"}, length_one(SEP, 1)),
        ({"pooling": "mean"}, length_one((CLS + GREEN + BLUE + SEP) / 4, 1)),
        (
            {"pooling": "none", "output_name": "sentence_embedding"},
            length_one(CLS + GREEN + BLUE + SEP, 4),
        ),
        ({"pooling": "mean", "normalise": False}, length_one((CLS + GREEN + BLUE + SEP) / 4, 1)),
    ],
)
def test_each_pooling_does_what_its_name_says(
    tmp_path: Path, record: dict[str, object], expected: list[float]
) -> None:
    model = load(tmp_path, **record)
    assert np.allclose(QueryEmbedder(model).embed("green blue"), expected)
    (passage,) = embed_passages(model, ["green blue"], cache_folder=tmp_path / "cache")
    assert np.allclose(passage, expected)


@pytest.mark.parametrize("pooling", ["cls", "last", "mean"])
@pytest.mark.parametrize("cores", [1, 3])
def test_company_does_not_reach_the_vectors(
    tmp_path: Path, pooling: str, cores: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = load(tmp_path, pooling=pooling)
    monkeypatch.setattr(session, "usable_cores", lambda: cores)
    found = list(embed_passages(model, TEXTS * 5))
    for vector, alone in zip(found, QueryEmbedder(model).embed_many(TEXTS) * 5, strict=True):
        assert np.array_equal(vector, alone)


def test_passages_come_in_their_order_while_others_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session, "usable_cores", lambda: 2)
    model, read = load(tmp_path), 0

    def texts() -> Iterator[str]:
        nonlocal read
        for count in range(1, 20):
            read += 1
            yield "red " * count

    for position, vector in enumerate(embed_passages(model, texts()), 1):
        assert np.allclose(vector, length_one((CLS + position * RED + SEP) / (position + 2), 1))
        assert read <= position + 4  # two for each core


def test_a_reader_that_stops_early_leaves_no_thread_behind(tmp_path: Path) -> None:
    before = threading.active_count()
    stream = embed_passages(load(tmp_path), ["red"] * 50)
    next(stream)
    stream.close()  # type: ignore[attr-defined]
    assert threading.active_count() == before


def test_no_passages_load_nothing(tmp_path: Path) -> None:
    model = load(tmp_path)
    model.weights.unlink()
    assert list(embed_passages(model, [], cache_folder=tmp_path / "cache")) == []
    assert list(embed_passages(replace(model, pooling="library"), [])) == []


def test_a_text_is_cut_at_the_length_of_the_record(tmp_path: Path) -> None:
    model = load(tmp_path, pooling="mean", max_tokens=3)
    expected = length_one((CLS + RED + SEP) / 3, 1)
    assert np.allclose(QueryEmbedder(model).embed("red green blue"), expected)
    (passage,) = embed_passages(model, ["red green blue"], cache_folder=tmp_path / "cache")
    assert np.allclose(passage, expected)


def test_a_record_with_the_wrong_dimension_is_caught(tmp_path: Path) -> None:
    model = load(tmp_path, dimension=3)
    with pytest.raises(ModelError, match="2 dimensions, its record says 3"):
        QueryEmbedder(model).embed("red")
    with pytest.raises(ModelError, match="2 dimensions, its record says 3"):
        list(embed_passages(model, ["red"], cache_folder=tmp_path / "cache"))


def test_weights_that_are_no_graph_are_refused(tmp_path: Path) -> None:
    folder = write_model(tmp_path / "m", graph=b"no graph", dimension=2)
    model = find_model(str(folder), cache_folder=tmp_path / "cache")
    with pytest.raises(ModelError, match="cannot be loaded"):
        QueryEmbedder(model).embed("red")
    with pytest.raises(ModelError, match="cannot be loaded"):
        list(embed_passages(model, ["red"], cache_folder=tmp_path / "cache"))


def test_a_model_that_wants_more_than_text_is_refused(tmp_path: Path) -> None:
    model = load(tmp_path)
    model.weights.write_bytes(model.weights.read_bytes().replace(b"input_ids", b"pixel_ids"))
    with pytest.raises(ModelError, match="`pixel_ids`"):
        QueryEmbedder(model).embed("red")


def test_a_tokenizer_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    model = load(tmp_path)
    (model.folder / "tokenizer.json").write_text("{}")
    with pytest.raises(ModelError, match="cannot be read"):
        QueryEmbedder(model).embed("red")


def test_a_model_without_a_graph_runs_through_fastembed(tmp_path: Path) -> None:
    pytest.importorskip("fastembed", reason="the extra `model` is not installed")
    folder = write_model(
        tmp_path / "m",
        graph=static_vectors(256),
        name="minishlab/potion-base-8M",
        weights="model.onnx",
        pooling="library",
        dimension=256,
    )
    (folder / "model.onnx").rename(folder / "model.safetensors")
    (folder / "kb-model.json").write_text(
        (folder / "kb-model.json").read_text().replace("model.onnx", "model.safetensors")
    )
    model = find_model(str(folder), cache_folder=tmp_path / "cache")
    expected = np.zeros(256)
    expected[[RED, BLUE]] = length_one(2, 1)
    embedder = QueryEmbedder(model, cache_folder=tmp_path / "cache")
    assert np.allclose(embedder.embed("red blue red"), expected)
    (passage,) = embed_passages(model, ["red blue red"], cache_folder=tmp_path / "cache")
    assert np.allclose(passage, expected)


def test_a_reranker_scores_pairs_in_their_order(tmp_path: Path) -> None:
    folder = write_model(tmp_path / "r", graph=reranker_graph(), kind="reranker")
    reranker = Reranker(find_reranker(str(folder), cache_folder=tmp_path / "cache"))
    # the words of the passage, and the mark behind them
    assert reranker.score("red", ["blue", "blue green red", ""]) == [2.0, 4.0, 1.0]
    assert reranker.score("red", []) == []
