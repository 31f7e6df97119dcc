"""The whole of a query: text to hits that carry their own explanation."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import apsw

from kb.fusion.hydrate import Hydrator, Weighed
from kb.fusion.options import SearchOptions
from kb.fusion.rrf import FusedNote, fuse_best
from kb.fusion.run import Run, run_streams
from kb.store.connection import one_state
from kb.store.files import is_at_hand
from kb.store.meta import Meta
from kb.store.paths import decode_path
from kb.store.records import Hit, RerankReport, SearchResult
from kb.streams.request import Request
from kb.streams.scope import open_scope
from kb.text import parse_query

_DEFAULTS = SearchOptions()
# A language is searched in where at least this share of the notes is in it.
_LEAST_SHARE = 0.02
_GONE_NAMED = 3


def search(
    index: Path,
    query: str,
    options: SearchOptions = _DEFAULTS,
    *,
    connection: apsw.Connection | None = None,
) -> SearchResult:
    """Ask the index at `index` one query; `connection`: a reader of it that is open already.

    Everything is read from one state of the index. Raises IndexMissingError, IndexDamagedError,
    IndexVersionError, and UsageError for a filter that cannot be read; no query text is an error.
    """
    with asked(index, query, options, connection) as question:
        return answer(question, run_streams(question.request, options), options)


class Question(NamedTuple):
    """A query that is ready to run. `vault` is None where its folder is not there.

    `text` is the query as it was typed.
    """

    text: str
    request: Request
    vault: Path | None
    vault_name: str

    def notices(self, options: SearchOptions) -> tuple[str, ...]:
        """What whoever asked should know, whatever is found."""
        notices = list(self.request.query.notices)
        if self.vault is None and self.vault_name:
            notices.append(f"the vault {self.vault_name} is not there; showing what was indexed")
        if options.authority and not _has_authority(self.request):
            notices.append("nothing is known of authority yet, so notes are not weighed by it")
        return tuple(notices)


@contextmanager
def asked(
    index: Path,
    query: str,
    options: SearchOptions,
    connection: apsw.Connection | None = None,
) -> Iterator[Question]:
    """Open the index, hold one state of it, read the query by its languages, set the scope."""
    options.check()
    with one_state(index, connection) as (reader, meta):
        parsed = parse_query(query, _languages(meta))
        request = Request(
            connection=reader,
            index=index,
            meta=meta,
            query=parsed,
            scope=open_scope(reader, options.filters, parsed),
            depth=max(options.depth, options.limit) if options.limit else 0,
            hops=options.hops,
        )
        name = meta.get(Meta.VAULT, "")
        folder = Path(decode_path(name))
        yield Question(query, request, folder if name and is_at_hand(folder) else None, name)


def _languages(meta: Mapping[str, str]) -> tuple[str, ...]:
    """The languages that a word may be meant in, the most common first.

    Not those of a few notes in a large vault: a form of a word that only they could hold is rare,
    so a chance match with it would count for much (and their language was guessed).
    """
    counts: dict[str, int] = json.loads(meta.get(Meta.LANGUAGES) or "{}")
    least = _LEAST_SHARE * sum(counts.values())
    return tuple(language for language, count in counts.items() if count >= least or not language)


def answer(question: Question, run: Run, options: SearchOptions) -> SearchResult:
    """The result of a question whose streams have run: fused, weighed, and ready to be shown."""
    weighed: Iterable[Weighed] = _in_order(question, run, options)
    report: RerankReport | None = None
    if options.rerank:
        from kb.fusion.rerank import rerank  # where it is wanted

        weighed, report = rerank([question], list(weighed), options)
    hits, gone = hydrate([question], weighed, options)
    return SearchResult(
        query=question.text,
        vault=question.vault_name,
        mode=str(options.mode),
        k=options.k,
        streams=run.reports(),
        hits=tuple(hits),
        notices=(
            *question.notices(options),
            *([report.reason] if report is not None and report.reason else []),
            *gone_notices(gone),
        ),
        scope=options.filters.within[0].scope if options.filters.within else "",
        rerank=report,
    )


def weigh(question: Question, run: Run, options: SearchOptions) -> list[Weighed]:
    """The fused list in its final order: fused score times authority, then path."""
    return list(_in_order(question, run, options))


def _in_order(question: Question, run: Run, options: SearchOptions) -> Iterable[Weighed]:
    """The same, each note put together when it is asked for where that can be."""
    best = fuse_best(run.rankings.values(), run.weights, options.k)
    if not weighs(options):
        return map(Weighed, best)
    weighed = authority_applied(question, list(best), options)
    weighed.sort(key=lambda one: (-one.score, one.note.path))
    return weighed


def weighs(options: SearchOptions) -> bool:
    """Whether any note may be weighed after fusion."""
    return bool(options.authority or options.recent or options.rules)


def authority_applied(
    question: Question, fused: Sequence[FusedNote], options: SearchOptions
) -> list[Weighed]:
    """The notes with their authority, in the order in which they came."""
    if not weighs(options):
        return [Weighed(note) for note in fused]
    from kb.fusion.authority import authority_of, read_factors  # where there is any

    paths = {note.note_id: note.path for note in fused}
    factors = read_factors(question.request, paths, options)
    given = ((note, factors.get(note.note_id, ())) for note in fused)
    return [Weighed(note, authority_of(own), own) for note, own in given]


def _has_authority(request: Request) -> bool:
    from kb.fusion.authority import has_authority

    return has_authority(request)


def hydrate(
    questions: Sequence[Question], weighed: Iterable[Weighed], options: SearchOptions
) -> tuple[list[Hit], list[str]]:
    """The hits within the limit, and the paths of notes whose file is gone.

    Each note is one of the question at its `place`: of the only one, or of one of several vaults.
    """
    hydrators = [
        Hydrator(one.request.connection, one.vault, one.request.query, options, one.vault_name)
        for one in questions
    ]
    hits: list[Hit] = []
    gone: list[str] = []
    for one in weighed:
        if options.limit and len(hits) == options.limit:
            break
        hit = hydrators[one.place].hit(one, len(hits) + 1)
        if hit is None:
            gone.append(one.note.path)
        else:
            hits.append(hit)
    return hits, gone


def gone_notices(gone: list[str]) -> list[str]:
    """What to say of notes whose file is gone."""
    notices = [f"{path} is gone since it was indexed" for path in gone[:_GONE_NAMED]]
    if more := len(gone) - len(notices):
        notices.append(f"{more:,} more are gone since they were indexed; run `kb index`")
    return notices
