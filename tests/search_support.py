"""What the tests of searching share: small vaults of text, indexed, and asked by path."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from index_support import run, write

from kb.fusion.options import SearchOptions
from kb.fusion.search import search
from kb.fusion.why import why
from kb.store.connection import open_writer
from kb.store.meta import Meta, write_meta
from kb.store.records import Filters, SearchResult, WhyReport

FINGERPRINT = "tests"


@dataclass(frozen=True)
class Library:
    """A vault and its index."""

    vault: Path
    index: Path

    def search(self, query: str, **options: Any) -> SearchResult:
        """Search; `filters` may be given as a mapping."""
        return search(self.index, query, make_options(**options))

    def find(self, query: str, **options: Any) -> list[str]:
        """The paths that a search lists, best first."""
        return [hit.path for hit in self.search(query, **options).hits]

    def why(self, query: str, path: str, **options: Any) -> WhyReport:
        """Why a note is or is not listed."""
        return why(self.index, query, path, make_options(**options))

    def update(self, notes: Mapping[str, str] | None = None, **options: Any) -> None:
        """Write more notes, and index what changed."""
        write(self.vault, dict(notes or {}))
        run(self.vault, self.index, **options)

    def set_vectors(self, vectors: Mapping[str, bytes], languages: str = "*") -> None:
        """Give every passage of these notes a vector, in place of what there was."""
        with closing(open_writer(self.index)) as connection, connection:
            connection.execute("DELETE FROM vectors")
            for path, vector in vectors.items():
                connection.execute(
                    "INSERT OR REPLACE INTO vectors(embed_key, vector)"
                    " SELECT DISTINCT p.embed_key, ? FROM passages AS p"
                    " JOIN notes AS n ON n.id = p.note_id WHERE n.path = ?",
                    (vector, path),
                )
            write_meta(connection, Meta.MODEL, "a model")
            write_meta(connection, Meta.MODEL_FINGERPRINT, FINGERPRINT)
            write_meta(connection, Meta.MODEL_LANGUAGES, languages)


def make_options(filters: Mapping[str, Any] | Filters | None = None, **rest: Any) -> SearchOptions:
    """Options with filters given as a mapping."""
    if filters is None:
        filters = Filters()
    elif not isinstance(filters, Filters):
        filters = Filters(**filters)
    return SearchOptions(filters=filters, **rest)


def make_library(folder: Path, notes: Mapping[str, str], **options: Any) -> Library:
    """Write a vault and index it."""
    vault = folder / "vault"
    vault.mkdir(parents=True, exist_ok=True)
    write(vault, dict(notes))
    run(vault, folder / "index.sqlite", **options)
    return Library(vault, folder / "index.sqlite")
