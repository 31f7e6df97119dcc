"""The records of a query: what it is asked with, what streams find, what it answers.

Named tuples throughout: whoever gets one may keep it, and a query, which makes these classes
anew with every start, has them in a fifth of the time that frozen dataclasses take.
"""

# No `from __future__ import annotations`: a named tuple compiles each annotation that is text.

from enum import StrEnum
from typing import NamedTuple


class Filters(NamedTuple):
    """Which notes may be ranked at all. Empty means no restriction.

    `tags`: all must be on the note (a parent finds its children); `not_tags`: none may.
    `paths`: vault-relative globs, one must fit; `exclude`: globs, none may.
    `types`: one must fit. `where`: (property, operator, value), all must hold, with operator one
    of `=`, `!=`, `<`, `<=`, `>`, `>=`, `exists`, `missing`.
    `since` and `until`: ISO dates, both inclusive, against the note's date.
    `current`: an ISO date; notes that have lapsed on that day (see Lapse) are left out.
    `within`: filters that have to hold as well; `scope` is the name of a saved one.
    """

    tags: tuple[str, ...] = ()
    not_tags: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    where: tuple[tuple[str, str, str], ...] = ()
    since: str = ""
    until: str = ""
    include_ignored: bool = False
    current: str = ""
    within: "tuple[Filters, ...]" = ()
    scope: str = ""


class StreamStatus(StrEnum):
    """Whether a stream took part, as product and JSON name it."""

    OK = "ok"
    OFF = "off"
    SKIPPED = "skipped"
    SEED = "seed"


class StreamHit(NamedTuple):
    """One note in one stream's ranking. Higher `score` is better; its unit is the stream's.

    `passage_id` is the best passage, None where the stream knows no passage.
    `matched` (entity) are `kind:label`; `via` (graph) the paths the note was reached from;
    `hops` (graph) 0 for a starting note.
    """

    note_id: int
    path: str
    score: float
    passage_id: int | None = None
    matched: tuple[str, ...] = ()
    via: tuple[str, ...] = ()
    hops: int | None = None


class Ranking(NamedTuple):
    """What one stream found: `hits` best first (score, then path).

    `candidates` is how many notes the stream ranked, at most the depth it was asked for.
    `factor` scales the stream's weight for this query; `reason` says why it is not 1, or why
    the stream did not take part.
    """

    stream: str
    status: StreamStatus
    hits: tuple[StreamHit, ...] = ()
    candidates: int = 0
    factor: float = 1.0
    reason: str = ""
    milliseconds: float = 0.0


class Contribution(NamedTuple):
    """What one stream gave one note: `amount` = weight / (k + rank)."""

    rank: int
    score: float
    amount: float
    matched: tuple[str, ...] = ()
    via: tuple[str, ...] = ()
    hops: int | None = None


class ShownPassage(NamedTuple):
    """The passage a hit is shown with. `marks` are the spans of `snippet` that match."""

    heading: tuple[str, ...]
    line: int
    end_line: int
    text: str
    snippet: str
    marks: tuple[tuple[int, int], ...] = ()


class Factor(NamedTuple):
    """One part of a note's authority: what gives it, and the number that it multiplies by."""

    name: str
    value: float


# The properties that can say of a note that it holds no more (see kb.streams.lapsed): each as it
# is spelt with `_`, `-`, a space or nothing between its words.
LAPSING = tuple(
    dict.fromkeys(
        name.replace(" ", between)
        for name in (
            *("status", "state", "superseded", "deprecated", "archived", "obsolete"),
            *("superseded by", "replaced by", "expires", "expires on", "expiry date"),
            *("expiration date", "valid until"),
        )
        for between in ("_", "-", " ", "")
    )
)


class Lapse(NamedTuple):
    """Why a note holds no more: one word (`superseded`, `expired` …), and what says so."""

    label: str
    reason: str


class Hit(NamedTuple):
    """One note of the fused list, with its own explanation.

    `rrf` is the sum of the contributions, `score` = `rrf` times `authority`. `authority` is the
    product of `factors`, held within bounds. `lapses` is empty for a note that holds. `vault` is
    the path of the note's vault in stored form. `rerank` is the reranker's score, None where it
    gave none, `fused_rank` the note's rank before it had a say.
    """

    rank: int
    note_id: int
    path: str
    title: str
    score: float
    rrf: float
    authority: float
    streams: dict[str, Contribution]
    passage: ShownPassage
    tags: tuple[str, ...]
    changed: bool = False
    factors: tuple[Factor, ...] = ()
    lapses: tuple[Lapse, ...] = ()
    vault: str = ""
    rerank: float | None = None
    fused_rank: int = 0


class RerankReport(NamedTuple):
    """What a reranker did: `scored` of the first `candidates` notes; `reason`: why less."""

    model: str
    candidates: int
    scored: int = 0
    milliseconds: float = 0.0
    reason: str = ""


class StreamReport(NamedTuple):
    """How one stream took part in a query. `weight` is as used, `base_weight` as set."""

    status: StreamStatus
    weight: float
    base_weight: float
    candidates: int
    milliseconds: float
    reason: str = ""


class SearchResult(NamedTuple):
    """The answer to one query. `scope`: the saved filter that it was asked within, "" for none.

    `vaults` are those asked, and `vault` is "", where there were several. `rerank` is None where
    nobody asked for it.
    """

    query: str
    vault: str
    mode: str
    k: int
    streams: dict[str, StreamReport]
    hits: tuple[Hit, ...]
    notices: tuple[str, ...] = ()
    scope: str = ""
    vaults: tuple[str, ...] = ()
    rerank: RerankReport | None = None


class StreamWhy(NamedTuple):
    """What one stream says of one note. `rank` is its rank however deep, None if not ranked.

    `contribution` is what the stream gives to the fused score, 0.0 beyond the depth. `has` and
    `lacks` are words of the query; `matched` and `nearly` entities as `kind:label`; `links` the
    notes that carried it or could have; `reason` is one sentence, `needs` what would list it.
    """

    status: StreamStatus
    rank: int | None
    score: float | None
    contribution: float
    weight: float
    reason: str
    has: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    matched: tuple[str, ...] = ()
    nearly: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    needs: str = ""


class WhyReport(NamedTuple):
    """Why a note stands where it does in the answer to a query, or is not in it.

    `rank` is its rank in the fused list however deep, None where it is not in it; `listed` says
    whether it is within the limit. `verdict` says it in one sentence, `needs` what would list it.
    `authority` is the note's multiplier and `factors` what it is made of, as in a hit.
    """

    query: str
    vault: str
    path: str
    title: str
    limit: int
    listed: bool
    rank: int | None
    score: float
    verdict: str
    needs: str
    streams: dict[str, StreamWhy]
    notices: tuple[str, ...] = ()
    authority: float = 1.0
    factors: tuple[Factor, ...] = ()
