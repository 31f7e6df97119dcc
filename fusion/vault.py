"""A vault to ask: all that can be read from its index, by one object that threads may share."""

from __future__ import annotations

from pathlib import Path
from typing import Self

from kb.fusion.facets import Facets, read_facets
from kb.fusion.note_links import NoteLinks, read_links
from kb.fusion.note_list import ListedNote, list_notes
from kb.fusion.note_text import NoteText, read_note
from kb.fusion.options import SearchOptions
from kb.fusion.reading import reading
from kb.fusion.related import RelatedResult, related
from kb.fusion.search import search
from kb.fusion.why import why
from kb.store.counts import Counts, read_counts
from kb.store.locations import find_index
from kb.store.paths import decode_path
from kb.store.readers import Readers
from kb.store.records import SearchResult, WhyReport

_DEFAULTS = SearchOptions()


class Vault:
    """An indexed vault. Nothing is written into it, nor into its index.

    Each method reads one state of the index, the newest there is, whatever is written meanwhile.
    All raise IndexMissingError, IndexDamagedError or IndexVersionError where the index cannot be
    used, and UsageError for what cannot be read as it stands; each has a `message` and a `hint`.
    """

    def __init__(self, index: Path) -> None:
        """`index`: the SQLite file."""
        self.index = index
        self._readers = Readers(index)

    @classmethod
    def open(cls, vault: str | Path = "", *, index: str | Path = "") -> Self:
        """The vault in a folder, or of an index file; neither: the one that `kb` would take.

        Raises IndexMissingError where it has not been indexed.
        """
        return cls(find_index(str(vault), str(index)).index)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections that are kept for the next question."""
        self._readers.close()

    def folder(self) -> Path:
        """The folder of the vault, whether or not it is there."""
        with self._readers.reader() as connection, reading(self.index, connection) as state:
            return Path(decode_path(state.vault))

    def search(self, query: str, options: SearchOptions = _DEFAULTS) -> SearchResult:
        """The notes that answer a query, best first, each with its explanation."""
        with self._readers.reader() as connection:
            return search(self.index, query, options, connection=connection)

    def why(self, query: str, name: str, options: SearchOptions = _DEFAULTS) -> WhyReport:
        """Why a note is or is not in the answer to a query."""
        with self._readers.reader() as connection:
            return why(self.index, query, name, options, connection=connection)

    def related(self, name: str, options: SearchOptions = _DEFAULTS) -> RelatedResult:
        """The notes related to a note, best first."""
        with self._readers.reader() as connection:
            return related(self.index, name, options, connection=connection)

    def note(self, name: str, part: str = "", *, most: int = 0) -> NoteText:
        """The text of a note, or of a section, block or range of lines; see `read_note`."""
        with self._readers.reader() as connection:
            return read_note(self.index, name, part, most=most, connection=connection)

    def links(self, name: str, *, limit: int = 0) -> NoteLinks:
        """What a note links to, and which notes link to it, `limit` each way, 0 for all."""
        with self._readers.reader() as connection:
            return read_links(self.index, name, limit=limit, connection=connection)

    def facets(self, *, under: str = "", limit: int = 0) -> Facets:
        """Tags, types and properties with their counts; `under`: the tags below one."""
        with self._readers.reader() as connection:
            return read_facets(self.index, under=under, limit=limit, connection=connection)

    def notes(self, *, after: str = "", limit: int = 0) -> tuple[ListedNote, ...]:
        """The notes by path, those after one, `limit` at most, 0 for all."""
        with self._readers.reader() as connection:
            return list_notes(self.index, after=after, limit=limit, connection=connection)

    def counts(self) -> Counts:
        """How much the index holds."""
        with self._readers.reader() as connection, reading(self.index, connection) as state:
            return read_counts(state.connection)
