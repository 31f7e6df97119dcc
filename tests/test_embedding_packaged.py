"""The packaged model: verified before it is loaded, and as good as the original."""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from kb.embedding import Model, ModelError, QueryEmbedder, embed_passages, find_model, packaged

np = pytest.importorskip("numpy", reason="the extra `model` is not installed")
if packaged.packaged_weights() is None:
    pytest.skip("the package with the weights is not installed", allow_module_level=True)

GOLDEN = json.loads((Path(__file__).parent / "data" / "golden-minilm.json").read_text("utf-8"))
TEXTS = [row["text"] for row in GOLDEN["vectors"]]
LONG = "Postgres replaced the old database because replication kept failing. " * 60


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="module")
def model(cache: Path) -> Model:
    return find_model("all-MiniLM-L6-v2", cache_folder=cache)


@pytest.fixture(scope="module")
def embedder(model: Model) -> QueryEmbedder:
    return QueryEmbedder(model)


def golden_cosines(embedder: QueryEmbedder) -> list[float]:
    expected = np.array([row["vector"] for row in GOLDEN["vectors"]], dtype=np.float64)
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    return list((np.array(embedder.embed_many(TEXTS)) * expected).sum(axis=1))


def test_its_record(model: Model) -> None:
    assert (model.dimension, model.pooling, model.max_tokens) == (384, "mean", 256)
    assert (model.languages, model.query_prefix, model.passage_prefix) == (("en",), "", "")


def test_it_is_the_first_choice(model: Model, cache: Path) -> None:
    assert find_model(cache_folder=cache) == model


def test_its_vectors_are_those_of_the_original(embedder: QueryEmbedder) -> None:
    for text, cosine in zip(TEXTS, golden_cosines(embedder), strict=True):
        assert cosine >= (0.99 if text else 0.97), text  # two marks are all that an empty one has


def test_the_golden_vectors_would_catch_wrong_pooling(model: Model) -> None:
    assert min(golden_cosines(QueryEmbedder(replace(model, pooling="cls")))) < 0.9


def test_fastembed_over_the_packages_file_gives_vectors_like_these(
    model: Model, embedder: QueryEmbedder, tmp_path: Path
) -> None:
    fastembed = pytest.importorskip("fastembed")
    folder = tmp_path / "theirs"
    shutil.copytree(model.folder, folder)
    shutil.copyfile(model.weights, folder / "model.onnx")
    theirs = fastembed.TextEmbedding(
        "sentence-transformers/all-MiniLM-L6-v2",
        cache_dir=str(tmp_path / "cache"),
        specific_model_path=str(folder),
        local_files_only=True,
    )
    texts = [text for text in TEXTS if text] + [LONG]
    found = np.array(list(theirs.embed(texts, batch_size=1)))
    assert (found * np.array(embedder.embed_many(texts))).sum(axis=1).min() > 0.99


def test_the_first_query_the_hundredth_and_a_passage_get_the_same_vector(model: Model) -> None:
    embedder = QueryEmbedder(model)
    texts = ["why did we leave mysql"] * 6
    vectors = [*(embedder.embed(text) for text in texts), *embed_passages(model, texts)]
    assert all(np.array_equal(vector, vectors[0]) for vector in vectors)


def test_longer_texts_are_cut_at_256_tokens(embedder: QueryEmbedder) -> None:
    # 254 words of one token each, and the two marks around them
    first, longer = embedder.embed_many(["cat " * 254, "cat " * 254 + "quantum " * 50])
    assert np.array_equal(first, longer)


def test_vectors_have_unit_length_and_text_may_be_anything(embedder: QueryEmbedder) -> None:
    for text in ("", " ", "\ud800 half a pair", "\x00", "🐘" * 3):
        vector = embedder.embed(text)
        assert vector.dtype == np.float32
        assert vector.shape == (384,)
        assert abs(float(np.linalg.norm(vector)) - 1) < 1e-5


def test_prefixes_go_before_queries_and_passages(
    model: Model, embedder: QueryEmbedder, cache: Path
) -> None:
    prefixed = replace(model, query_prefix="query: ", passage_prefix="passage: ")
    query = QueryEmbedder(prefixed).embed("red")
    assert np.allclose(query, embedder.embed("query: red"), atol=1e-5)
    (passage,) = embed_passages(prefixed, ["red"], cache_folder=cache)
    assert np.allclose(passage, embedder.embed("passage: red"), atol=1e-5)


def test_changed_weights_are_refused(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = packaged.packaged_weights()
    assert original is not None
    copy = tmp_path / "model.onnx"
    shutil.copyfile(original, copy)
    monkeypatch.setattr(packaged, "packaged_weights", lambda: copy)
    assert find_model(cache_folder=cache).weights == copy
    state = copy.stat()
    with copy.open("r+b") as stream:  # one byte, the size stays
        stream.seek(1_000_000)
        byte = stream.read(1)
        stream.seek(1_000_000)
        stream.write(bytes([byte[0] ^ 1]))
    os.utime(copy, ns=(state.st_atime_ns, state.st_mtime_ns + 1))
    with pytest.raises(ModelError, match="damaged or were changed") as caught:
        find_model(cache_folder=cache)
    assert "--force-reinstall" in caught.value.hint


def test_a_plain_folder_with_the_same_files_gives_the_same_vectors(
    model: Model, embedder: QueryEmbedder, tmp_path: Path, cache: Path
) -> None:
    folder = tmp_path / "mine"
    shutil.copytree(model.folder, folder)
    (folder / "kb-model.json").unlink()
    (folder / "model.onnx").symlink_to(model.weights)
    mine = find_model(str(folder), cache_folder=cache)
    assert (mine.name, mine.dimension, mine.max_tokens) == ("mine", 384, 256)
    assert mine.fingerprint == model.fingerprint
    assert np.array_equal(QueryEmbedder(mine).embed("red"), QueryEmbedder(model).embed("red"))
    (passage,) = embed_passages(mine, ["red"], cache_folder=cache)
    assert np.allclose(passage, embedder.embed("red"), atol=1e-5)
