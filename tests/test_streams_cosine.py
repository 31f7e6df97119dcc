"""cosine: notes by their nearest passage, exact, and off or skipped for a reason that is said."""

from __future__ import annotations

import math
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from search_support import FINGERPRINT, Library, make_library, make_options

from kb.embedding import QueryVectorCache
from kb.fusion.search import asked
from kb.store.connection import open_reader
from kb.store.lock import side_file
from kb.store.records import StreamReport, StreamStatus
from kb.streams import cosine
from kb.streams.query_vector import QueryVector

EAST = bytes([127, 0])


def at(degrees: float) -> bytes:
    """A vector in that direction from east; as bytes with a sign."""
    radians = math.radians(degrees)
    return bytes(round(127 * part) % 256 for part in (math.cos(radians), math.sin(radians)))


@pytest.fixture(autouse=True)
def east(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every query points east."""
    monkeypatch.setattr(cosine, "read_query_vector", lambda *_: QueryVector(EAST))


def report(library: Library, query: str = "text", **options: object) -> StreamReport:
    return library.search(query, mode="semantic", **options).streams["cosine"]


def test_the_nearest_passage_counts(tmp_path: Path) -> None:
    names = ["near", "middle", "far"]
    library = make_library(tmp_path, {f"{name}.md": f"text of {name}" for name in names})
    library.set_vectors({"near.md": at(10), "middle.md": at(40), "far.md": at(60)})
    hits = library.search("text", mode="semantic").hits
    assert [hit.path for hit in hits] == ["near.md", "middle.md", "far.md"]
    for hit, degrees in zip(hits, (10, 40, 60), strict=True):
        assert hit.streams["cosine"].score == pytest.approx(
            math.cos(math.radians(degrees)), abs=0.01
        )


def test_the_passage_that_is_near_is_shown(tmp_path: Path) -> None:
    filler = "word " * 300
    library = make_library(tmp_path, {"a.md": f"# A\n\n{filler}\n\n## Second\n\n{filler} last\n"})
    library.set_vectors({"a.md": at(80)})
    from kb.store.connection import open_writer

    with closing(open_writer(library.index)) as connection, connection:
        connection.execute(
            "UPDATE vectors SET vector = ? WHERE embed_key ="
            " (SELECT embed_key FROM passages ORDER BY ordinal DESC LIMIT 1)",
            (at(5),),
        )
    assert library.search("text", mode="semantic").hits[0].passage.heading[-1] == "Second"


def test_notes_of_the_same_text_share_a_vector_and_are_all_found(tmp_path: Path) -> None:
    same = {f"{number:02}/note.md": "# Note\n\ntext\n" for number in range(30)}
    library = make_library(tmp_path, same | {"other.md": "text else"})
    library.set_vectors({"00/note.md": at(10), "other.md": at(20)})
    assert library.find("text", mode="semantic", limit=0) == [*sorted(same), "other.md"]
    assert library.find("text", mode="semantic", limit=3, depth=3) == sorted(same)[:3]
    few = {"paths": ("29/", "other.md")}
    assert library.find("text", mode="semantic", filters=few) == ["29/note.md", "other.md"]


def test_vectors_that_no_note_has_do_not_shorten_the_list(tmp_path: Path) -> None:
    library = make_library(tmp_path, {f"{number}.md": f"text {number}" for number in range(6)})
    library.set_vectors({f"{number}.md": at(30 + number) for number in range(6)})
    from kb.store.connection import open_writer

    with closing(open_writer(library.index)) as connection, connection:
        for number in range(40):
            key = number.to_bytes(16, "big")
            connection.execute(
                "INSERT INTO vectors(embed_key, vector) VALUES (?, ?)", (key, at(number / 10))
            )
    found = library.find("text", mode="semantic", limit=4, depth=4)
    assert found == ["0.md", "1.md", "2.md", "3.md"]


def test_a_vector_without_direction_is_near_to_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = make_library(tmp_path, {"a.md": "text a", "b.md": "text b"})
    library.set_vectors({"a.md": bytes(2), "b.md": at(20)})
    assert library.find("text", mode="semantic") == ["b.md"]
    assert library.find("text", mode="semantic", filters={"exclude": ("x/",)}) == ["b.md"]
    assert library.find("text", mode="semantic", filters={"paths": ("a.md",)}) == []
    monkeypatch.setattr(cosine, "read_query_vector", lambda *_: QueryVector(bytes(2)))
    assert library.find("text", mode="semantic") == []


def test_off_without_vectors(tmp_path: Path) -> None:
    library = make_library(tmp_path, {"a.md": "text"})
    off = report(library)
    assert (off.status, off.candidates) == (StreamStatus.OFF, 0)
    assert "kb index --embed" in off.reason


def test_off_without_the_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    library = make_library(tmp_path, {"a.md": "text"})
    library.set_vectors({"a.md": EAST})
    monkeypatch.setattr(
        cosine, "read_query_vector", lambda *_: QueryVector(None, "there is no model")
    )
    off = report(library)
    assert (off.status, off.reason) == (StreamStatus.OFF, "there is no model")


def test_languages_that_the_model_does_not_know_are_left_alone(tmp_path: Path) -> None:
    german = "Der Vogel steht im Wasser und wartet auf einen Fisch, den er fangen kann.\n"
    english = "The bird stands in the water and waits for a fish that it can catch.\n"
    library = make_library(tmp_path, {"de.md": german, "en.md": english})
    library.set_vectors({"de.md": at(5), "en.md": at(15)}, languages="en")
    question = "where does the bird wait for the fish"
    assert library.find(question, mode="semantic") == ["en.md"]
    skipped = report(library, "worauf wartet der Vogel, der im Wasser steht")
    assert skipped.status == StreamStatus.SKIPPED
    assert "`de`" in skipped.reason
    library.set_vectors({"de.md": at(5), "en.md": at(15)}, languages="*")
    assert library.find(question, mode="semantic") == ["de.md", "en.md"]


def test_nothing_near_is_said(tmp_path: Path) -> None:
    library = make_library(tmp_path, {"a.md": "text"})
    library.set_vectors({"a.md": at(89)})
    skipped = report(library)
    assert skipped.status == StreamStatus.SKIPPED
    assert "near" in skipped.reason
    told = library.why("text", "a.md", mode="semantic").streams["cosine"]
    assert told.rank is None


def test_why_a_note_is_not_ranked(tmp_path: Path) -> None:
    library = make_library(
        tmp_path, {"a.md": "text a", "far.md": "text far", "new.md": "text that is new"}
    )
    library.set_vectors({"a.md": EAST, "far.md": at(89)})
    far = library.why("text", "far.md").streams["cosine"]
    assert far.rank is None
    assert "0.0" in far.reason
    new = library.why("text", "new.md").streams["cosine"]
    assert "not embedded" in new.reason
    assert "kb index --embed" in new.needs


def test_an_index_folder_that_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The query's vector is not kept then, and that is all."""
    import os

    from kb.streams import query_vector

    library = make_library(tmp_path, {"a.md": "text"})
    library.set_vectors({"a.md": EAST})
    opened = os.open

    def refuse(path: object, flags: int, *rest: object, **named: object) -> int:
        if flags & os.O_CREAT:
            raise PermissionError(13, "no")
        return opened(path, flags, *rest, **named)  # type: ignore[arg-type]

    class Model:
        fingerprint = FINGERPRINT
        name = "a model"

    class Embedder:
        def embed(self, text: str) -> str:
            return text

    monkeypatch.setattr(os, "open", refuse)
    monkeypatch.setattr("kb.embedding.find_model", lambda _: Model())
    monkeypatch.setattr(query_vector, "_embedder", lambda _: Embedder())
    monkeypatch.setattr("kb.embedding.quantise", lambda _: EAST)
    monkeypatch.setattr(cosine, "read_query_vector", query_vector.read_query_vector)
    assert library.find("text", mode="semantic") == ["a.md"]


@pytest.fixture(scope="module")
def circle(tmp_path_factory: pytest.TempPathFactory) -> Library:
    notes = {f"{number:02}.md": f"text number {number // 3}" for number in range(45)}
    library = make_library(tmp_path_factory.mktemp("circle"), notes)
    library.set_vectors({path: at(number * 7 % 60) for number, path in enumerate(sorted(notes))})
    return library


@settings(
    max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(depth=st.integers(1, 50), filtered=st.booleans())
def test_a_short_ranking_is_the_beginning_of_the_whole(
    depth: int, filtered: bool, circle: Library
) -> None:
    options = make_options({"exclude": ("0*",)} if filtered else None)
    with (
        closing(open_reader(circle.index)) as connection,
        asked(circle.index, "text", options, connection) as question,
    ):
        short = cosine.rank(question.request._replace(depth=depth))
        whole = cosine.rank(question.request._replace(depth=0))
    assert short.hits == whole.hits[:depth]


def test_numpy_gives_what_the_extension_gives(
    circle: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    from kb.streams import nearest, vector_functions

    by_extension = circle.search("text", mode="semantic", limit=0).hits
    monkeypatch.setattr(nearest, "add_vector_functions", vector_functions.add_numpy_functions)
    by_numpy = circle.search("text", mode="semantic", limit=0).hits
    assert [hit.path for hit in by_numpy] == [hit.path for hit in by_extension]
    for one, other in zip(by_numpy, by_extension, strict=True):
        assert one.score == other.score


def test_a_query_asked_before_loads_no_model_and_no_numpy(tmp_path: Path) -> None:
    pytest.importorskip("sqlite_vec", reason="the extra `model` is not installed")
    library = make_library(tmp_path, {"a.md": "text"})
    library.set_vectors({"a.md": at(10)})
    QueryVectorCache(side_file(library.index, "queries")).put(FINGERPRINT, "text", EAST)
    code = (
        "import sys; from pathlib import Path; from kb.fusion.search import search\n"
        "result = search(Path(sys.argv[1]), 'text')\n"
        "assert 'cosine' in result.hits[0].streams\n"
        "print(*{name.partition('.')[0] for name in sys.modules})"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(library.index)],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    heavy = {"numpy", "onnxruntime", "tokenizers", "fastembed", "sqlite_vec", "hashlib"}
    assert not heavy & set(done.stdout.split())
