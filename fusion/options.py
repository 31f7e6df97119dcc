"""What a search is asked for, and the weights that measuring chose."""

# No `from __future__ import annotations`: a named tuple compiles each annotation that is text.

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import NamedTuple

from kb.store.errors import UsageError
from kb.store.records import Filters

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


class SearchOptions(NamedTuple):
    """How to search.

    `weights` override the default weight of the streams they name (0 turns a stream off: it is
    not run at all). `limit` 0 means every note found. `depth` is how many notes a stream may
    contribute. `hops` is how many steps along links the graph stream takes. `snippet_width` is in
    characters, 0 where no snippet is wanted; `plain_snippets` have no Markdown in them.
    """

    filters: Filters = Filters()
    mode: Mode = Mode.HYBRID
    weights: Mapping[str, float] = MappingProxyType({})
    k: int = DEFAULT_K
    limit: int = 10
    depth: int = 100
    hops: int = 1
    authority: bool = False
    snippet_width: int = 240
    plain_snippets: bool = False

    def check(self) -> None:
        """Raise UsageError for a number that no formula can take."""
        for name, value, least in (
            ("k", self.k, 1),
            ("limit", self.limit, 0),
            ("depth", self.depth, 1),
            ("snippet width", self.snippet_width, 0),
        ):
            if value < least:
                raise UsageError(f"{name} cannot be {value}", f"it is {least} or more")
        if self.hops not in (1, 2):
            raise UsageError(f"hops cannot be {self.hops}", "they are 1 or 2")
        for name, weight in self.weights.items():
            if not 0 <= weight <= MAXIMUM_WEIGHT:
                raise UsageError(
                    f"the weight of {name} cannot be {weight}",
                    f"weights go from 0 to {MAXIMUM_WEIGHT:g}",
                )
