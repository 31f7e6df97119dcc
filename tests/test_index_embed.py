"""Vectors: made for what has none, kept while their text stays, dropped with it or their model."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

import pytest
from index_support import Watch, counts, rows, run, write

import kb.embedding
from kb.embedding import ModelError
from kb.indexer import embed
from kb.indexer.embed import NotEmbeddedError
from kb.indexer.sync import IndexOptions, index_vault
from kb.store.connection import open_reader
from kb.store.meta import Meta, read_meta


@dataclass
class FakeModel:
    """A model whose vector of a text is the text."""

    name: str = "fake"
    fingerprint: str = "f1"
    dimension: int = 0  # of any length
    languages: tuple[str, ...] = ("en", "de")
    rewritten: None = None


@dataclass
class Models:
    """What can be found, what was asked for and embedded. `fails_after` texts it breaks."""

    model: FakeModel | None = field(default_factory=FakeModel)
    asked: list[str] = field(default_factory=list)
    embedded: list[str] = field(default_factory=list)
    fails_after: int | None = None
    error: type[BaseException] = KeyboardInterrupt

    def find_model(self, setting: str = "") -> FakeModel:
        self.asked.append(setting)
        if self.model is None:
            raise ModelError("there is no embedding model on this machine", "get one")
        return self.model

    def embed_passages(self, model: FakeModel, texts: Iterable[str]) -> Iterator[str]:
        texts = iter(texts)
        while ahead := list(islice(texts, 3)):  # it may read on before it gives a vector
            for text in ahead:
                if self.fails_after is not None and len(self.embedded) >= self.fails_after:
                    raise self.error
                self.embedded.append(text)
                yield model.name + text


@pytest.fixture
def models(monkeypatch: pytest.MonkeyPatch) -> Models:
    fake = Models()
    monkeypatch.setattr(kb.embedding, "find_model", fake.find_model)
    monkeypatch.setattr(kb.embedding, "embed_passages", fake.embed_passages)
    monkeypatch.setattr(kb.embedding, "quantise", str.encode)
    monkeypatch.setattr(embed, "_COMMIT_EVERY", 2)
    monkeypatch.setattr(embed, "_AT_ONCE", 4)
    return fake


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    files = {f"n{number}.md": f"# Note {number}\ntext {number}" for number in range(5)}
    return write(tmp_path / "vault", files)


@pytest.fixture
def index(tmp_path: Path) -> Path:
    return tmp_path / "index.sqlite"


def vectors(index: Path) -> list[str]:
    """The text that each passage's vector was made from, "" where it has none."""
    found = rows(
        index,
        """SELECT coalesce(v.vector, x'') FROM passages AS p JOIN notes AS n ON n.id = p.note_id
        LEFT JOIN vectors AS v ON v.embed_key = p.embed_key ORDER BY n.path, p.ordinal""",
    )
    return [vector.decode() for (vector,) in found]


def meta(index: Path) -> dict[str, str]:
    with closing(open_reader(index)) as connection:
        return read_meta(connection)


def test_nothing_is_embedded_unless_it_was_asked_for(
    vault: Path, index: Path, models: Models
) -> None:
    assert run(vault, index).embedded == 0
    assert models.asked == []


@pytest.mark.usefixtures("models")
def test_each_passage_gets_the_vector_of_its_title_and_text(vault: Path, index: Path) -> None:
    report = run(vault, index, embed=True)
    assert report.embedded == 5
    expected = [f"fakeNote {number}\ntext {number}" for number in range(5)]
    assert vectors(index) == expected
    said = meta(index)
    assert said[Meta.MODEL] == "fake"
    assert said[Meta.MODEL_FINGERPRINT] == "f1"
    assert said[Meta.MODEL_DIMENSION] == "0"
    assert said[Meta.MODEL_LANGUAGES] == "en,de"
    assert said[Meta.EMBED] == "1"


def test_later_runs_embed_what_is_new_and_only_that(
    vault: Path, index: Path, models: Models
) -> None:
    run(vault, index, embed=True, model="mine")
    models.embedded.clear()
    write(vault, {"n1.md": "# Note 1\nother", "copy.md": (vault / "n2.md").read_text()})
    (vault / "n3.md").rename(vault / "moved.md")
    assert run(vault, index).embedded == 1
    assert models.embedded == ["Note 1\nother"]
    assert models.asked == ["mine", "mine"]
    assert "" not in vectors(index)


def test_a_run_without_news_looks_for_no_model(vault: Path, index: Path, models: Models) -> None:
    run(vault, index, embed=True)
    models.asked.clear()
    run(vault, index)
    assert models.asked == []


@pytest.mark.usefixtures("models")
def test_vectors_without_a_passage_are_dropped(vault: Path, index: Path) -> None:
    run(vault, index, embed=True)
    (vault / "n0.md").unlink()
    write(vault, {"n1.md": "new"})
    run(vault, index)
    assert rows(index, "SELECT count(*) FROM vectors") == [(4,)]


def test_another_model_makes_every_vector_anew(vault: Path, index: Path, models: Models) -> None:
    run(vault, index, embed=True)
    models.model = FakeModel("other", "f2")
    models.embedded.clear()
    report = run(vault, index, embed=True)
    assert report.embedded == 5
    assert report.notices == ("vectors were made by fake, and are made anew by other",)
    assert all(vector.startswith("other") for vector in vectors(index))


def test_a_model_that_is_run_differently_makes_every_vector_anew(
    vault: Path, index: Path, models: Models
) -> None:
    run(vault, index, embed=True)
    models.model = FakeModel("fake", "f2")
    report = run(vault, index, embed=True)
    assert report.embedded == 5
    (notice,) = report.notices
    assert "the model fake is run differently now" in notice


def test_a_graph_that_cannot_be_kept_is_said(
    vault: Path, index: Path, models: Models, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kb.embedding, "keep_graph", lambda model: f"{model.name} is slow")
    report = run(vault, index, embed=True)
    assert report.notices == ("fake is slow",)
    assert models.embedded
    assert run(vault, index).notices == ()  # nothing to embed: nothing to say


def test_rebuild_keeps_vectors(vault: Path, index: Path, models: Models) -> None:
    run(vault, index, embed=True)
    models.embedded.clear()
    assert run(vault, index, rebuild=True).embedded == 0
    assert models.embedded == []
    assert "" not in vectors(index)


def test_without_a_model_the_notes_are_indexed_and_then_it_is_an_error(
    vault: Path, index: Path, models: Models
) -> None:
    models.model = None
    with pytest.raises(NotEmbeddedError) as caught:
        run(vault, index, embed=True)
    assert caught.value.message == "there is no embedding model on this machine"
    assert caught.value.hint == "get one"
    assert counts(caught.value.report) == (5, 0, 0, 0)
    assert counts(run(vault, index)) == (0, 0, 0, 5)


def test_a_model_that_has_gone_is_a_notice_on_later_runs(
    vault: Path, index: Path, models: Models
) -> None:
    run(vault, index, embed=True)
    models.model = None
    write(vault, {"new.md": "new"})
    report = run(vault, index)
    assert counts(report) == (1, 0, 0, 5)
    assert len(report.notices) == 2
    assert len([vector for vector in vectors(index) if vector]) == 5


@pytest.mark.parametrize("error", [KeyboardInterrupt, RuntimeError])
def test_an_interrupted_run_goes_on_where_it_was(
    vault: Path, index: Path, models: Models, error: type[BaseException]
) -> None:
    models.fails_after, models.error = 5, error
    write(vault, {f"m{number}.md": f"more {number}" for number in range(3)})
    with pytest.raises(error):
        run(vault, index, embed=True)
    assert len([vector for vector in vectors(index) if vector]) == 4  # two batches of two
    models.fails_after = None
    models.embedded.clear()
    assert run(vault, index).embedded == 4
    assert "" not in vectors(index)


def test_embedding_can_be_turned_off_again(vault: Path, index: Path, models: Models) -> None:
    run(vault, index, embed=True)
    run(vault, index, embed=False)
    models.embedded.clear()
    write(vault, {"new.md": "new"})
    run(vault, index)
    assert models.embedded == []
    assert len([vector for vector in vectors(index) if vector]) == 5


def test_each_vector_is_told_when_it_is_made(
    vault: Path, index: Path, models: Models, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not when it is committed: with a real model, the first commit takes half a minute."""
    monkeypatch.setattr(embed, "_COMMIT_EVERY", 100)
    made: list[int] = []

    class Counting(Watch):
        def advance(self, count: int = 1) -> None:
            if self.stages[-1][0] == "embed":
                made.extend([len(models.embedded)] * count)

    index_vault(vault, index, IndexOptions(embed=True), Counting())
    assert made == [1, 2, 3, 4, 5]


@pytest.mark.usefixtures("models")
def test_progress(vault: Path, index: Path) -> None:
    watch = Watch()
    index_vault(vault, index, IndexOptions(embed=True), watch)
    assert watch.stages == [("read", 5), ("embed", 5)]
    assert watch.steps == {"read": 5, "embed": 5}
    assert watch.ended == 2
