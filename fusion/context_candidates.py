"""The passages of the notes that a query found, with how well each fits it."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import apsw

from kb.fusion.hydrate import Weighed
from kb.fusion.options import SearchOptions
from kb.fusion.run import Run
from kb.fusion.search import Question
from kb.store.paths import show_path
from kb.store.records import StreamStatus
from kb.store.rows import read_rows
from kb.streams.passage_scores import PassageScores, read_passage_scores
from kb.text.fences import open_fence

# The best passages of a note that are looked at.
_OF_A_NOTE = 6
# What a passage counts that no stream has a score for, beside the one that its note came with.
_UNKNOWN = 0.1

_PASSAGES = """
SELECT p.note_id, p.id FROM json_each(?1) AS w CROSS JOIN passages AS p ON p.note_id = w.value
ORDER BY p.note_id, p.ordinal
"""
_TEXTS = """
SELECT p.id, p.ordinal, p.heading, p.line, p.end_line, p.text, n.title, n.language
FROM json_each(?1) AS w CROSS JOIN passages AS p ON p.id = w.value
CROSS JOIN notes AS n ON n.id = p.note_id
"""
_WITH_FENCES = """
SELECT ordinal, text FROM passages WHERE note_id = ?1 AND ordinal < ?2
AND (instr(text, '```') OR instr(text, '~~~')) ORDER BY ordinal
"""


class Source(NamedTuple):
    """One of the vaults that were asked, with its own options."""

    question: Question
    options: SearchOptions


class Candidate(NamedTuple):
    """A passage that may be taken. `rank` is that of its note, `place` that of its vault.

    `strength` is from 0 to 1, 1 for the best of its note by every stream. `fence` is the block of
    code that is open where it begins.
    """

    weighed: Weighed
    rank: int
    place: int
    ordinal: int
    line: int
    end_line: int
    heading: tuple[str, ...]
    title: str
    language: str
    text: str
    fence: str
    strength: float

    @property
    def key(self) -> tuple[int, int]:
        """Which note it is of."""
        return self.place, self.weighed.note.note_id

    @property
    def head(self) -> str:
        """What stands above it at most, to be counted."""
        from kb.fusion.context_items import render_head

        return render_head(self)


def read_candidates(
    questions: Sequence[Question], run: Run, notes: Sequence[Weighed]
) -> list[Candidate]:
    """The best passages of every note, the notes in their order."""
    ranks = {(one.place, one.note.note_id): rank for rank, one in enumerate(notes, start=1)}
    found: list[Candidate] = []
    for place, question in enumerate(questions):
        here = [one for one in notes if one.place == place]
        strengths = _strengths(question, run, here)
        for one in here:
            own = sorted(strengths[one.note.note_id].items(), key=lambda item: (-item[1], item[0]))
            connection = question.request.connection
            rank = ranks[place, one.note.note_id]
            found += _read(connection, one, rank, dict(own[:_OF_A_NOTE]))
    return sorted(found, key=lambda one: (one.rank, one.ordinal))


def _strengths(
    question: Question, run: Run, notes: Sequence[Weighed]
) -> dict[int, dict[int, float]]:
    """How well each passage of each note fits, by the ids of both."""
    request = question.request
    ids = json.dumps([one.note.note_id for one in notes])
    passages: dict[int, list[int]] = defaultdict(list)
    for note_id, passage_id in read_rows(request.connection, _PASSAGES, (ids,)):
        passages[note_id].append(passage_id)
    took_part = {
        name for name, ranking in run.rankings.items() if ranking.status == StreamStatus.OK
    }
    every = [one for own in passages.values() for one in own]
    scores = read_passage_scores(
        request, every, words="lexical" in took_part, meaning="cosine" in took_part
    )
    return {
        one.note.note_id: dict(_of_note(one, passages[one.note.note_id], scores, run))
        for one in notes
    }


def _of_note(
    weighed: Weighed, passages: Sequence[int], scores: PassageScores, run: Run
) -> Iterator[tuple[int, float]]:
    ways = []
    for name, given in (("lexical", scores.bm25), ("cosine", scores.cosine)):
        best = max((given.get(one, 0.0) for one in passages), default=0.0)
        if best > 0 and run.weights[name] > 0:
            ways.append((run.weights[name], best, given))
    total = sum(weight for weight, _, _ in ways)
    for passage in passages:
        if total:
            parts = (weight * max(0.0, own.get(passage, 0.0)) / best for weight, best, own in ways)
            yield passage, sum(parts) / total
        else:
            first = weighed.note.passage_id in (passage, None)
            yield passage, 1.0 if first else _UNKNOWN


def _read(
    connection: apsw.Connection, weighed: Weighed, rank: int, strengths: dict[int, float]
) -> Iterator[Candidate]:
    rows = read_rows(connection, _TEXTS, (json.dumps(list(strengths)),))
    for passage_id, ordinal, heading, line, end_line, text, title, language in rows:
        if not text.strip():
            continue
        yield Candidate(
            weighed=weighed,
            rank=rank,
            place=weighed.place,
            ordinal=ordinal,
            line=line,
            end_line=end_line,
            heading=tuple(json.loads(heading)),
            title=show_path(title),
            language=language,
            text=text,
            fence=_fence_before(connection, weighed.note.note_id, ordinal),
            strength=strengths[passage_id],
        )


def _fence_before(connection: apsw.Connection, note_id: int, ordinal: int) -> str:
    """The fence that is open where a passage begins: a long block of code is cut, too."""
    fence = ""
    for _, text in read_rows(connection, _WITH_FENCES, (note_id, ordinal)):
        fence = open_fence(text, fence)
    return fence
