"""entity: runs of query words that equal something a note is about.

Tags with their parents, aliases, types, people, dates, identifiers, any property's value, the
title and the file name. A match counts by how much it tells: ln(1 + N / n) for N notes in the
vault of which n carry it, times the number of its words. A run inside a longer run that the same
note matches counts no second time. Where the query names nothing whole, a word that is part of a
property's value counts by its part of it, halved.
"""

from __future__ import annotations

import json
import math
from collections import defaultdict
from time import perf_counter
from typing import NamedTuple

from kb.store.records import Ranking, StreamHit, StreamStatus, StreamWhy
from kb.store.rows import read_rows
from kb.streams.entity_parts import find_parts
from kb.streams.note_paths import read_paths
from kb.streams.request import Request, find_hit
from kb.streams.scope import NOTES
from kb.streams.totals import count_notes
from kb.text import entity_candidates, entity_key, stop_words
from kb.text.characters import classes_of

NAME = "entity"

# What an entity of a kind says about a note, against one of its own properties.
KIND_WEIGHT = {"title": 1.5, "alias": 1.5, "name": 1.5, "tag": 1.0, "type": 0.7}
# An entity that more notes carry than this tells nothing by itself where a rarer one is there.
COMMON = 2_000
_NEARLY = 5
# One word that says about as much as one and a half.
_LONG_WORD = 8
_SHORTEST_NUMBER = 5
# What a part of a name tells, against the whole of it.
_PART = 0.5
# A query that is nothing but the name of one note counts for 1 + this times the base weight.
_NAMED = 9.0


NAMED = """
SELECT e.id, e.kind, e.key, e.label, e.notes
FROM json_each(?) AS w CROSS JOIN entities AS e ON e.key = w.value
"""


def carriers_statement(*, in_scope: bool) -> str:
    """The notes that carry the entities of the JSON list ?1, of those in scope where it is set."""
    scope = f" CROSS JOIN {NOTES} AS s ON s.note_id = c.note_id" if in_scope else ""
    return f"""
    SELECT c.note_id, c.entity_id FROM json_each(?1) AS w
    CROSS JOIN note_entities AS c ON c.entity_id = w.value{scope}
    """


class Match(NamedTuple):
    """An entity that a run of query words equals. `start`, `end`: where the run stands."""

    entity_id: int
    kind: str
    label: str
    start: int
    end: int
    notes: int
    score: float
    share: float = 1.0


def rank(request: Request) -> Ranking:
    """Notes by the sum of what their matched entities tell (no unit, higher is better)."""
    started = perf_counter()
    matches = find_matches(request)
    if not matches:
        return Ranking(
            NAME,
            StreamStatus.SKIPPED,
            reason="no tag, title, alias or property of the vault is named in the query",
            milliseconds=(perf_counter() - started) * 1000,
        )
    groups = _group_notes(request, _telling(matches))
    if not groups:
        reason = "what the query names is on no note that the filters let through"
        return Ranking(NAME, StreamStatus.SKIPPED, reason=reason)
    hits = _best_hits(request, groups)
    factor, reason = _weigh(request, hits[0], len(groups[max(groups)]), matches)
    return Ranking(
        NAME,
        StreamStatus.OK,
        hits,
        candidates=len(hits),
        factor=factor,
        reason=reason,
        milliseconds=(perf_counter() - started) * 1000,
    )


def _weigh(
    request: Request, best: StreamHit, equal: int, matches: list[Match]
) -> tuple[float, str]:
    """How much more than its base weight the stream counts for this query, and why.

    p (1 + 9 c³) / √n, where the best note's entities cover the share c of the query's words, n
    notes share the best score, and p is 1, or the part of a name where none is named whole. A
    query that is the name of one note says which note is meant; a word of it that is a tag on
    forty, or one of the ten words of a value, says little.
    """
    by_name = {f"{match.kind}:{match.label}": match for match in matches}
    covering = [by_name[one] for one in best.matched]
    terms = request.query.terms
    inside = sum(
        max(
            (one.share for one in covering if one.start <= term.start and term.end <= one.end),
            default=0.0,
        )
        for term in terms
    )
    coverage = inside / len(terms) if terms else 1.0
    part = max(one.share for one in covering)
    factor = part * (1 + _NAMED * coverage**3) / math.sqrt(equal)
    notes = "one note" if equal == 1 else f"{equal} notes"
    if part < 1:
        return factor, f"the query names part of what {notes} {'is' if equal == 1 else 'are'} about"
    return factor, f"{coverage:.0%} of the query names {notes}"


def find_matches(request: Request) -> list[Match]:
    """The entities that the query names, the most telling first."""
    spans = _candidate_spans(request)
    if not spans:
        return []
    total = count_notes(request.meta)
    matches = []
    for entity_id, kind, key, label, notes in read_rows(
        request.connection, NAMED, (json.dumps(list(spans)),)
    ):
        start, end = spans[key]
        telling = math.log(1 + total / notes) * _length(key) * KIND_WEIGHT.get(kind, 1.0)
        matches.append(Match(entity_id, kind, label, start, end, notes, telling))
    if not matches:
        # Parts beside names would only add noise to who carries the names.
        matches = _partial_matches(request, spans, total)
    return sorted(matches, key=lambda match: (-match.score, match.kind, match.label))


def _partial_matches(
    request: Request, spans: dict[str, tuple[int, int]], total: int
) -> list[Match]:
    """The values that the query names in part."""
    words = {key: span for key, span in spans.items() if " " not in key}
    return [
        Match(
            part.entity_id,
            part.kind,
            part.label,
            part.start,
            part.end,
            part.notes,
            math.log(1 + total / part.notes) * part.share * _PART,
            part.share * _PART,
        )
        for part in find_parts(request.connection, words)
    ]


def _length(key: str) -> float:
    """How many words a name has; two characters of a script without spaces are about one."""
    words = key.split()
    if len(words) == 1 and len(key) > _LONG_WORD and not _is_dense(key):
        return 1.5
    return max(1.0, sum(len(word) / 2 if _is_dense(word) else 1.0 for word in words))


def _is_dense(word: str) -> bool:
    """Whether a word is in a script without spaces."""
    return not word.isascii() and any(kind in "ca" for kind in classes_of(word))


def _candidate_spans(request: Request) -> dict[str, tuple[int, int]]:
    """Runs of query words that could name something: not those of stop words alone."""
    text = request.query.text
    stops = stop_words(request.query.language or "en")
    whole = entity_key(text)
    spans: dict[str, tuple[int, int]] = {}
    for key, start, end in entity_candidates(text):
        if key in spans or (key != whole and _says_nothing(key, stops)):
            continue
        spans[key] = (start, end)
    return spans


def _says_nothing(key: str, stops: frozenset[str]) -> bool:
    """Whether a run is stop words alone, or a number too short to be anybody's id."""
    return all(word in stops for word in key.split()) or (
        key.isdigit() and len(key) < _SHORTEST_NUMBER
    )


def _telling(matches: list[Match]) -> list[Match]:
    rare = [match for match in matches if match.notes <= COMMON]
    return rare or matches[:1]


def _group_notes(
    request: Request, matches: list[Match]
) -> dict[float, list[tuple[int, tuple[str, ...]]]]:
    """By score, the notes that have it, each with what matched.

    Many notes carry the same few entities, so that each set of them is added up once.
    """
    by_entity = {match.entity_id: match for match in matches}
    sql = carriers_statement(in_scope=request.scope.active)
    carried: dict[int, tuple[int, ...]] = {}
    for note_id, entity_id in read_rows(request.connection, sql, (json.dumps(list(by_entity)),)):
        carried[note_id] = (*carried.get(note_id, ()), entity_id)
    told = {
        entities: _add_up([by_entity[one] for one in entities])
        for entities in set(carried.values())
    }
    groups: dict[float, list[tuple[int, tuple[str, ...]]]] = defaultdict(list)
    for note_id, entities in carried.items():
        score, matched = told[entities]
        groups[score].append((note_id, matched))
    return groups


def _best_hits(
    request: Request, groups: dict[float, list[tuple[int, tuple[str, ...]]]]
) -> tuple[StreamHit, ...]:
    """The notes of the highest scores, as many as the depth asks for (0: all)."""
    chosen: list[tuple[float, int, tuple[str, ...]]] = []
    for score in sorted(groups, reverse=True):
        chosen += [(score, *note) for note in groups[score]]
        if 0 < request.depth <= len(chosen):
            break
    paths = read_paths(request.connection, (note_id for _, note_id, _ in chosen))
    chosen.sort(key=lambda note: (-note[0], paths[note[1]]))
    return tuple(
        StreamHit(note_id, paths[note_id], score, matched=matched)
        for score, note_id, matched in (chosen[: request.depth] if request.depth else chosen)
    )


def _add_up(matches: list[Match]) -> tuple[float, tuple[str, ...]]:
    """The score of one note and what matched, each run of words counted once."""
    matches.sort(key=lambda match: (-match.score, match.kind, match.label))
    counted: list[Match] = []
    for match in matches:
        if not any(one.start < match.end and match.start < one.end for one in counted):
            counted.append(match)
    return sum(match.score for match in counted), tuple(
        f"{match.kind}:{match.label}" for match in counted
    )


def explain(request: Request, ranking: Ranking, note_id: int) -> StreamWhy:
    """Which entities of the note the query names, and which it nearly names."""
    position, hit = find_hit(ranking, note_id)
    nearly = () if hit else _nearly(request, note_id)
    if hit:
        reason = f"the query names {', '.join(hit.matched)}"
    elif ranking.status != StreamStatus.OK:
        reason = ranking.reason
    elif nearly:
        reason = "the query names part of what it is about"
    else:
        reason = "the query names none of its tags, aliases, properties, title or name"
    return StreamWhy(
        status=ranking.status,
        rank=position,
        score=hit.score if hit else None,
        contribution=0.0,
        weight=0.0,
        reason=reason,
        matched=hit.matched if hit else (),
        nearly=nearly,
        needs="" if hit else "a tag, alias or property that the query spells out",
    )


def _nearly(request: Request, note_id: int) -> tuple[str, ...]:
    """Entities of the note that share a word with the query, most words first."""
    stops = stop_words(request.query.language or "en")
    wanted = set(entity_key(request.query.text).split()) - stops
    rows = read_rows(
        request.connection,
        "SELECT e.kind, e.label, e.key FROM note_entities AS ne"
        " JOIN entities AS e ON e.id = ne.entity_id WHERE ne.note_id = ?",
        (note_id,),
    )
    near = [
        (-len(wanted & set(str(key).split())), f"{kind}:{label}")
        for kind, label, key in rows
        if wanted & set(str(key).split())
    ]
    return tuple(text for _, text in sorted(near)[:_NEARLY])
