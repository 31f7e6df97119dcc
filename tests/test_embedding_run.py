"""Pooling, assembling and scoring, on graphs small enough to reckon by hand."""

from __future__ import annotations

import json
import shutil
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
)
from kb.embedding.assemble import assembled_folder

np = pytest.importorskip("numpy", reason="the extra `model` is not installed")
pytest.importorskip("onnxruntime", reason="the extra `model` is not installed")
pytest.importorskip("fastembed", reason="the extra `model` is not installed")

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
    ((_, passage),) = embed_passages(model, ["green blue"], cache_folder=tmp_path / "cache")
    assert np.allclose(passage, expected)


@pytest.mark.parametrize("pooling", ["cls", "last", "mean"])
def test_padding_in_a_batch_does_not_reach_the_vectors(tmp_path: Path, pooling: str) -> None:
    model = load(tmp_path, pooling=pooling)
    found = dict(embed_passages(model, TEXTS, batch=8, cache_folder=tmp_path / "cache"))
    for index, vector in enumerate(QueryEmbedder(model).embed_many(TEXTS)):
        assert np.allclose(found[index], vector, atol=1e-6)


def test_passages_come_longest_first_each_with_its_index(tmp_path: Path) -> None:
    model = load(tmp_path)
    texts = ["red", "red red red", "red", "red red"]
    order = [index for index, _ in embed_passages(model, texts, cache_folder=tmp_path / "cache")]
    assert order == [1, 3, 0, 2]


def test_passages_come_as_soon_as_their_batch_is_done(tmp_path: Path) -> None:
    asked: list[int] = []

    class Texts(list[str]):
        def __getitem__(self, index):  # type: ignore[no-untyped-def]
            asked.append(index)
            return super().__getitem__(index)

    stream = embed_passages(load(tmp_path), Texts(["red"] * 9), cache_folder=tmp_path / "cache")
    next(stream)
    assert len(asked) == 9 + 2  # once each for their lengths, then one batch of two


def test_no_passages_load_nothing(tmp_path: Path) -> None:
    model = load(tmp_path)
    model.weights.unlink()
    assert list(embed_passages(model, [], cache_folder=tmp_path / "cache")) == []


def test_a_text_is_cut_at_the_length_of_the_record(tmp_path: Path) -> None:
    model = load(tmp_path, pooling="mean", max_tokens=3)
    expected = length_one((CLS + RED + SEP) / 3, 1)
    assert np.allclose(QueryEmbedder(model).embed("red green blue"), expected)
    ((_, passage),) = embed_passages(model, ["red green blue"], cache_folder=tmp_path / "cache")
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
    with pytest.raises(ModelError, match="cannot load"):
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


def test_a_folder_that_fastembed_can_load_is_used_as_it_is(tmp_path: Path) -> None:
    folder = write_model(tmp_path / "m", dimension=2, max_tokens=64)
    config = {"model_max_length": 64, "pad_token": "[PAD]"}
    (folder / "tokenizer_config.json").write_text(json.dumps(config))
    model = find_model(str(folder), cache_folder=tmp_path / "cache")
    assert assembled_folder(model, tmp_path / "cache") == folder


def test_any_other_is_assembled_once_and_again_when_it_was_damaged(tmp_path: Path) -> None:
    model, cache = load(tmp_path), tmp_path / "cache"
    first = assembled_folder(model, cache)
    assert assembled_folder(model, cache) == first
    weights = first / "model.onnx"
    weights.unlink()
    weights.write_bytes(b"something else")
    assert assembled_folder(model, cache) == first
    assert weights.read_bytes() == model.weights.read_bytes()
    shutil.rmtree(first)
    assert assembled_folder(model, cache) == first
    assert [path.name for path in first.parent.iterdir()] == [first.name]  # nothing left aside


def test_a_cache_that_cannot_be_written_is_said_so(tmp_path: Path) -> None:
    model = load(tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(ModelError, match="cannot be prepared") as caught:
        assembled_folder(model, tmp_path / "file" / "cache")
    assert caught.value.hint


def test_a_model_without_a_graph_runs_through_fastembed(tmp_path: Path) -> None:
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
    ((_, passage),) = embed_passages(model, ["red blue red"], cache_folder=tmp_path / "cache")
    assert np.allclose(passage, expected)


def test_a_reranker_scores_pairs_in_their_order(tmp_path: Path) -> None:
    folder = write_model(tmp_path / "r", graph=reranker_graph(), kind="reranker")
    reranker = Reranker(find_reranker(str(folder), cache_folder=tmp_path / "cache"))
    # the words of the passage, and the mark behind them
    assert reranker.score("red", ["blue", "blue green red", ""]) == [2.0, 4.0, 1.0]
    assert reranker.score("red", []) == []
