"""What a search is asked for, and the weights that measuring chose."""

# No `from __future__ import annotations`: a named tuple compiles each annotation that is text.

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import NamedTuple

from kb.store.errors import UsageError
from kb.store.records import Filters

# Authority never lifts or lowers a score by more, whatever its factors.
LEAST_AUTHORITY, MOST_AUTHORITY = 0.5, 1.5
# k of reciprocal rank fusion: Cormack, Clarke and Büttcher, SIGIR 2009.
DEFAULT_K = 60
MAXIMUM_WEIGHT = 5.0


class Mode(StrEnum):
    """Which streams decide."""

    HYBRID = "hybrid"
    LEXICAL = "lexical"
    ENTITY = "entity"
    SEMANTIC = "semantic"
    GRAPH = "graph"


class Rule(NamedTuple):
    """A part of authority that a user names: `factor` for the notes that the filters let through.

    `name` is how it is shown.
    """

    name: str
    filters: Filters
    factor: float


class SearchOptions(NamedTuple):
    """How to search.

    `weights` override the default weight of the streams they name (0 turns a stream off: it is
    not run at all). `limit` 0 means every note found. `depth` is how many notes a stream may
    contribute. `hops` is how many steps along links the graph stream takes. `snippet_width` is in
    characters, 0 where no snippet is wanted; `plain_snippets` have no Markdown in them.

    With `rerank` a cross-encoder puts the first `rerank_top` notes in order, for `rerank_seconds`
    at most; `rerank_model` is its name or folder, "" for the one that was fetched last.

    Authority multiplies the fused score: with `authority` by the links to a note, with `recent`
    by its age (halved every `half_life` days), and by `rules`. `today` is an ISO date, against
    which age and the end of a note's validity are decided; without it no note is past its date.
    """

    filters: Filters = Filters()
    mode: Mode = Mode.HYBRID
    weights: Mapping[str, float] = MappingProxyType({})
    k: int = DEFAULT_K
    limit: int = 10
    depth: int = 100
    hops: int = 1
    authority: bool = False
    recent: bool = False
    half_life: int = 90
    rules: tuple[Rule, ...] = ()
    today: str = ""
    rerank: bool = False
    rerank_top: int = 20
    rerank_model: str = ""
    rerank_seconds: float = 5.0
    snippet_width: int = 240
    plain_snippets: bool = False

    def check(self) -> None:
        """Raise UsageError for a number that no formula can take."""
        for name, value, least in (
            ("k", self.k, 1),
            ("limit", self.limit, 0),
            ("depth", self.depth, 1),
            ("snippet width", self.snippet_width, 0),
            ("half life", self.half_life, 1),
            ("how many notes are reranked", self.rerank_top, 1),
        ):
            if value < least:
                raise UsageError(f"{name} cannot be {value}", f"it is {least} or more")
        if self.hops not in (1, 2):
            raise UsageError(f"hops cannot be {self.hops}", "they are 1 or 2")
        if not self.rerank_seconds > 0:
            raise UsageError("the time to rerank is up before it begins", "give more than 0 s")
        if self.recent and not self.today:
            raise UsageError("there is no day to count age from", "give `today` as an ISO date")
        for rule in self.rules:
            if not LEAST_AUTHORITY <= rule.factor <= MOST_AUTHORITY:
                raise UsageError(
                    f"the factor of {rule.name} cannot be {rule.factor}",
                    f"factors go from {LEAST_AUTHORITY:g} to {MOST_AUTHORITY:g}",
                )
        for name, weight in self.weights.items():
            if not 0 <= weight <= MAXIMUM_WEIGHT:
                raise UsageError(
                    f"the weight of {name} cannot be {weight}",
                    f"weights go from 0 to {MAXIMUM_WEIGHT:g}",
                )
