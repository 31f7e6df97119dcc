"""Nothing but a fetch touches the network, and a fetch fails fast without one."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from embedding_material import write_model

from kb.embedding import (
    ModelError,
    ModelState,
    QueryEmbedder,
    embed_passages,
    fetch_model,
    find_model,
    list_models,
    packaged,
)
from kb.embedding.catalogue import read_languages

pytest.importorskip("onnxruntime", reason="the extra `model` is not installed")
pytest.importorskip("fastembed", reason="the extra `model` is not installed")

SMALL = "BAAI/bge-small-en-v1.5"
COMMIT = "a" * 40


@pytest.fixture
def attempts(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """A machine without a network. Gives the list of attempts to use one."""
    made: list[object] = []

    def refuse(*arguments: object, **_: object) -> None:
        made.append(arguments)
        raise OSError("no network here")

    for name in ("create_connection", "getaddrinfo"):
        monkeypatch.setattr(socket, name, refuse)
    for name in ("connect", "connect_ex"):
        monkeypatch.setattr(socket.socket, name, refuse)
    return made


def test_finding_listing_and_embedding_work_without_a_network(
    tmp_path: Path, attempts: list[object]
) -> None:
    cache = tmp_path / "cache"
    model = find_model(str(write_model(tmp_path / "m", dimension=2)), cache_folder=cache)
    QueryEmbedder(model).embed("red")
    list(embed_passages(model, ["red", "blue"], cache_folder=cache))
    with pytest.raises(ModelError):
        find_model(SMALL, cache_folder=cache)
    list_models(cache_folder=cache)
    assert attempts == []


def test_a_fetch_without_a_network_fails_and_leaves_nothing(
    tmp_path: Path, attempts: list[object]
) -> None:
    with pytest.raises(ModelError, match="cannot be reached") as caught:
        fetch_model(SMALL, cache_folder=tmp_path)
    assert attempts
    assert "pip install" in caught.value.hint
    assert not [path for path in (tmp_path / "fetched").iterdir() if path.is_dir()]


def test_a_hub_that_never_answers_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import huggingface_hub

    released = threading.Event()
    monkeypatch.setattr("kb.embedding.fetch._PATIENCE_SECONDS", 0.05)
    monkeypatch.setattr(
        huggingface_hub.HfApi, "model_info", lambda *_, **__: released.wait() and None
    )
    with pytest.raises(ModelError, match="no answer within"):
        fetch_model(SMALL, cache_folder=tmp_path)
    released.set()


@pytest.mark.parametrize("name", ["nobody/nothing", "", "../../etc"])
def test_fetching_an_unknown_name_asks_nobody(
    tmp_path: Path, attempts: list[object], name: str
) -> None:
    with pytest.raises(ModelError, match="no model is called"):
        fetch_model(name, cache_folder=tmp_path)
    assert attempts == []


def test_fetching_the_packaged_model_needs_no_network(
    tmp_path: Path, attempts: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    if packaged.packaged_weights() is not None:
        assert fetch_model("all-minilm-l6-v2", cache_folder=tmp_path).dimension == 384
    monkeypatch.setattr(packaged, "packaged_weights", lambda: None)
    with pytest.raises(ModelError, match="comes as a package"):
        fetch_model("all-MiniLM-L6-v2", cache_folder=tmp_path)
    assert attempts == []


def test_the_list_says_what_is_here(tmp_path: Path) -> None:
    write_model(tmp_path / "fetched" / "baai--bge-small-en-v1.5", name=SMALL, dimension=384)
    models = {model.name: model for model in list_models(cache_folder=tmp_path)}
    assert next(iter(models)) == "all-MiniLM-L6-v2"
    assert models[SMALL].state is ModelState.FETCHED
    assert models[SMALL].languages == ("en",)
    assert models["intfloat/multilingual-e5-large"].state is ModelState.AVAILABLE
    assert models["intfloat/multilingual-e5-large"].languages == ("*",)
    assert models["BAAI/bge-reranker-base"].kind == "reranker"
    assert not any("clip" in name.lower() for name in models)


@pytest.mark.parametrize(
    ("description", "languages"),
    [
        ("Text embeddings, Unimodal (text), English, 512 input tokens", ("en",)),
        ("Unimodal (text), Multilingual (~100 languages), 512 input tokens", ("*",)),
        ("Unimodal (text), Multilingual (German, English), 8192 tokens", ("de", "en")),
        ("supports mixed Chinese-English input text", ("en", "zh")),
        ("Unimodal (text), Multilingual (English, 30 programming languages)", ("en",)),
        ("", ("*",)),
    ],
)
def test_languages_are_read_from_descriptions(description: str, languages: tuple[str, ...]) -> None:
    assert read_languages(description) == languages


class Hub(BaseHTTPRequestHandler):
    """As much of the model hub as a fetch needs. `damage` spoils one file on its way."""

    def __init__(self, *arguments: object, folder: Path, damage: str) -> None:
        self.folder, self.damage = folder, damage
        super().__init__(*arguments)  # type: ignore[arg-type]

    def do_HEAD(self) -> None:
        self.answer(body=False)

    def do_GET(self) -> None:
        self.answer(body=True)

    def answer(self, body: bool) -> None:
        path = self.path.partition("?")[0]
        if path.startswith("/api/models/"):
            answer = self.tree() if "/tree/" in path else self.describe()
            content, headers = json.dumps(answer).encode(), {}
        else:
            content = (self.folder / path.rpartition(f"/{COMMIT}/")[2]).read_bytes()
            headers = {"X-Repo-Commit": COMMIT, "ETag": f'"{sha256(content).hexdigest()}"'}
            if body and self.damage and path.endswith(self.damage):
                content = content[:-1] + b"?"
        self.send_response(200)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if body:
            self.wfile.write(content)

    def describe(self) -> dict[str, object]:
        files = [path for path in sorted(self.folder.rglob("*")) if path.is_file()]
        siblings = [
            {"rfilename": path.relative_to(self.folder).as_posix(), "size": path.stat().st_size}
            for path in files
        ]
        for file, path in zip(siblings, files, strict=True):
            if path.suffix == ".onnx":
                digest = sha256(path.read_bytes()).hexdigest()
                file["lfs"] = {"sha256": digest, "size": file["size"], "pointerSize": 130}
        return {"id": "q/bge", "sha": COMMIT, "siblings": siblings}

    def tree(self) -> list[dict[str, object]]:
        return [
            {"type": "file", "path": path.name, "size": path.stat().st_size, "oid": "0" * 40}
            for path in sorted(self.folder.iterdir())
        ]

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def hub(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[str]:
    folder = write_model(tmp_path / "hub")
    (folder / "model.onnx").rename(folder / "model_optimized.onnx")
    (folder / "README.md").write_text("not wanted")
    handler = partial(Hub, folder=folder, damage=getattr(request, "param", ""))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


FETCH = """
import sys
from pathlib import Path
from kb.embedding import ModelError, fetch_model
seen = []
try:
    model = fetch_model(sys.argv[1], lambda *x: seen.append(x), cache_folder=Path(sys.argv[2]))
except ModelError as error:
    print(error.message)
else:
    print(model.name, model.pooling, model.weights.name, seen[-1][0] == seen[-1][1] > 0)
"""


def fetch_from(hub: str, cache: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Fetch in a process of its own: the hub's address is read once, at import."""
    kept = {name: value for name, value in os.environ.items() if "proxy" not in name.lower()}
    kept.pop("HF_HUB_OFFLINE", None)
    return subprocess.run(
        [sys.executable, "-c", FETCH, SMALL, str(cache)],
        env={**kept, "HF_ENDPOINT": hub, "HF_HOME": str(cache / "hf"), **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def test_a_fetched_model_is_there_to_be_found(hub: str, tmp_path: Path) -> None:
    done = fetch_from(hub, tmp_path / "cache")
    assert done.stdout.strip() == f"{SMALL} cls model_optimized.onnx True", done.stderr
    assert done.stderr == ""  # no progress bars, no warnings
    model = find_model(SMALL, cache_folder=tmp_path / "cache")
    assert (model.dimension, model.languages) == (384, ("en",))
    assert model.query_prefix.startswith("Represent this sentence")
    assert sorted(path.name for path in model.folder.iterdir()) == [
        "kb-model.json",
        "model_optimized.onnx",
        "tokenizer.json",
    ]


@pytest.mark.parametrize("hub", ["model_optimized.onnx"], indirect=True)
def test_a_file_damaged_on_its_way_is_no_model(hub: str, tmp_path: Path) -> None:
    done = fetch_from(hub, tmp_path / "cache")
    assert "arrived damaged" in done.stdout, done.stderr
    with pytest.raises(ModelError, match="not on this machine"):
        find_model(SMALL, cache_folder=tmp_path / "cache")


def test_a_wish_to_stay_offline_is_respected(hub: str, tmp_path: Path) -> None:
    done = fetch_from(hub, tmp_path / "cache", HF_HUB_OFFLINE="1")
    assert "while `HF_HUB_OFFLINE` is set" in done.stdout
