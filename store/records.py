"""The records that the rooms pass around. Frozen: whoever gets one may keep it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class LinkKind(StrEnum):
    """How a link is written."""

    WIKI = "wiki"
    EMBED = "embed"
    MARKDOWN = "markdown"
    PROPERTY = "property"


class LinkStatus(StrEnum):
    """What became of a link when its target was looked for."""

    RESOLVED = "resolved"
    AMBIGUOUS = "ambiguous"  # several notes fit; the best was taken
    ALIAS = "alias"  # only an alias fits, which Obsidian itself would not follow
    ATTACHMENT = "attachment"  # a file of the vault that is no note
    UNRESOLVED = "unresolved"


class PropertyKind(StrEnum):
    """The type of one value of a property."""

    TEXT = "text"
    NUMBER = "number"
    CHECKBOX = "checkbox"
    DATE = "date"
    DATETIME = "datetime"
    LINK = "link"
    EMPTY = "empty"  # null, empty text or empty list


@dataclass(frozen=True, slots=True)
class Property:
    """One value of a property (a list gives several, in order), as its author wrote it."""

    name: str
    value: str
    kind: PropertyKind
    inline: bool = False


@dataclass(frozen=True, slots=True)
class Link:
    """A link as it stands in a note, before its target is looked for.

    `target` is the part before `#`, decoded, without display text; empty for a link into the
    same note. `fragment` is the part after the first `#` (a heading trail or `^block`).
    `line` is 1-based in the file. `section` is the heading trail the link stands under.
    """

    target: str
    fragment: str
    display: str
    kind: LinkKind
    line: int
    section: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of one note. Lines are 1-based in the file and inclusive.

    `text` is the source text of those lines, trimmed; `heading` the trail of headings above it.
    """

    heading: tuple[str, ...]
    line: int
    end_line: int
    text: str


@dataclass(frozen=True, slots=True)
class Entity:
    """Something a note is about, from its front matter, tags, title or name.

    `kind` is one of tag, alias, type, title, name, link, or the name of a property.
    `key` is `kb.text.entity_key(label)`; `label` is as first written.
    """

    kind: str
    key: str
    label: str


@dataclass(frozen=True, slots=True)
class ParsedNote:
    """All that the text of one note says, whatever else is in the vault.

    `date` is the note's own date (ISO, from a property or the file name), or "" where it has
    none. `language` is an ISO 639-1 code, "" where it could not be told. `problems` says what
    could not be read, one sentence each.
    """

    title: str
    language: str
    note_type: str
    date: str
    aliases: tuple[str, ...]
    tags: tuple[str, ...]
    properties: tuple[Property, ...]
    links: tuple[Link, ...]
    entities: tuple[Entity, ...]
    passages: tuple[Passage, ...]
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Filters:
    """Which notes may be ranked at all. Empty means no restriction.

    `tags`: all must be on the note (a parent finds its children); `not_tags`: none may.
    `paths`: vault-relative globs, one must fit; `exclude`: globs, none may.
    `types`: one must fit. `where`: (property, operator, value), all must hold, with operator one
    of `=`, `!=`, `<`, `<=`, `>`, `>=`, `exists`, `missing`.
    `since` and `until`: ISO dates, both inclusive, against the note's date.
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


class StreamStatus(StrEnum):
    """Whether a stream took part, as product and JSON name it."""

    OK = "ok"
    OFF = "off"
    SKIPPED = "skipped"
    SEED = "seed"


@dataclass(frozen=True, slots=True)
class StreamHit:
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


@dataclass(frozen=True, slots=True)
class Ranking:
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


@dataclass(frozen=True, slots=True)
class Contribution:
    """What one stream gave one note: `amount` = weight / (k + rank)."""

    rank: int
    score: float
    amount: float
    matched: tuple[str, ...] = ()
    via: tuple[str, ...] = ()
    hops: int | None = None


@dataclass(frozen=True, slots=True)
class ShownPassage:
    """The passage a hit is shown with. `marks` are the spans of `snippet` that match."""

    heading: tuple[str, ...]
    line: int
    end_line: int
    text: str
    snippet: str
    marks: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Hit:
    """One note of the fused list, with its own explanation.

    `rrf` is the sum of the contributions, `score` = `rrf` times `authority`.
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


@dataclass(frozen=True, slots=True)
class StreamReport:
    """How one stream took part in a query. `weight` is as used, `base_weight` as set."""

    status: StreamStatus
    weight: float
    base_weight: float
    candidates: int
    milliseconds: float
    reason: str = ""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The answer to one query."""

    query: str
    vault: str
    mode: str
    k: int
    streams: dict[str, StreamReport]
    hits: tuple[Hit, ...]
    notices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class StreamWhy:
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


@dataclass(frozen=True, slots=True)
class WhyReport:
    """Why a note stands where it does in the answer to a query, or is not in it.

    `rank` is its rank in the fused list however deep, None where it is not in it; `listed` says
    whether it is within the limit. `verdict` says it in one sentence, `needs` what would list it.
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


@dataclass(frozen=True, slots=True)
class SkippedFile:
    """A file that looked like a note and was not indexed."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class IndexReport:
    """What one index run did. Counts are notes."""

    vault: str
    index: str
    added: int = 0
    changed: int = 0
    removed: int = 0
    unchanged: int = 0
    skipped: tuple[SkippedFile, ...] = ()
    problems: tuple[SkippedFile, ...] = ()
    unseen: tuple[str, ...] = ()  # folders that could not be read; what was known of them is kept
    embedded: int = 0
    seconds: float = 0.0
    notices: tuple[str, ...] = field(default=())
