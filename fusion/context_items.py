"""What a context pack is made of, and the Markdown that it is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from kb.store.paths import show_path
from kb.store.records import Contribution, Lapse
from kb.text.fences import fenced

if TYPE_CHECKING:
    from kb.fusion.context import Taken
    from kb.fusion.context_candidates import Candidate, Source


class ContextItem(NamedTuple):
    """Passages of one note that touch, as one text of lines `line` to `end_line` of the file.

    `rank` and `score` are those of the note, `streams` what gave them. `cut`: a part of a passage.
    """

    vault: str
    path: str
    title: str
    rank: int
    score: float
    heading: tuple[str, ...]
    line: int
    end_line: int
    text: str
    cut: bool
    streams: dict[str, Contribution]
    lapses: tuple[Lapse, ...]

    @property
    def why(self) -> str:
        """The streams that found the note, with its rank in each, what matched, and over what."""
        return ", ".join(f"{name} {_told(given)}" for name, given in self.streams.items())

    @property
    def below(self) -> str:
        """The heading that it stands under, where neither the text nor the title says it."""
        named = self.heading[-1] if self.heading else ""
        return "" if named == self.title or self.text.startswith("#") else named


def _told(given: Contribution) -> str:
    more = [*given.matched[:2], *(f"via {show_path(path)}" for path in given.via[:1])]
    return f"{given.rank} ({', '.join(more)})" if more else str(given.rank)


def make_items(taken: Iterable[Taken], sources: Sequence[Source]) -> tuple[ContextItem, ...]:
    """Items in the order of their notes, then of their lines, whole passages that touch as one."""
    ordered = sorted(taken, key=lambda one: (one.candidate.rank, one.candidate.ordinal))
    items: list[ContextItem] = []
    for _, group in groupby(ordered, key=lambda one: one.candidate.rank):
        runs = _touching(list(group))
        items += [_item(run, sources[run[0].candidate.place]) for run in runs]
    return tuple(items)


def _touching(taken: Sequence[Taken]) -> Iterator[list[Taken]]:
    run: list[Taken] = []
    for one in taken:
        if run and (
            one.shown.cut
            or run[-1].shown.cut
            or one.candidate.ordinal != run[-1].candidate.ordinal + 1
        ):
            yield run
            run = []
        run.append(one)
    if run:
        yield run


def _item(run: Sequence[Taken], source: Source) -> ContextItem:
    first, last = run[0], run[-1]
    candidate, request = first.candidate, source.question.request
    if len(run) == 1:
        text, offset = first.shown.text, first.shown.first
        end = candidate.line + first.shown.last
    else:
        text, offset, end = _joined([one.candidate for one in run]), 0, last.candidate.end_line
    from kb.streams.lapsed import read_lapses

    note = candidate.weighed.note
    return ContextItem(
        vault=source.question.vault_name,
        path=note.path,
        title=candidate.title,
        rank=candidate.rank,
        score=candidate.weighed.score,
        heading=_common([one.candidate.heading for one in run]),
        line=candidate.line + offset,
        end_line=end,
        text=text,
        cut=first.shown.cut,
        streams=note.contributions,
        lapses=read_lapses(request.connection, note.note_id, source.options.today),
    )


def _joined(candidates: Sequence[Candidate]) -> str:
    """The text of passages that follow each other, with the empty lines between them."""
    text, line = candidates[0].text, candidates[0].end_line
    for one in candidates[1:]:
        text += "\n" * max(1, one.line - line) + one.text
        line = one.end_line
    return fenced(text, candidates[0].fence)


def _common(headings: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    shortest = min(headings, key=len)
    same = [
        place for place, name in enumerate(shortest) if any(one[place] != name for one in headings)
    ]
    return shortest[: same[0]] if same else shortest


def render_items(items: Sequence[ContextItem], *, several: bool) -> str:
    """The Markdown: a heading a note, a line a passage that says where it stands and why."""
    parts = []
    before: tuple[str, str] | None = None
    for item in items:
        title = _title(item.title)
        if (item.vault, item.path) != before:
            before = (item.vault, item.path)
            if item.text.partition("\n")[0].strip() != title:
                parts.append(title)
        path = f"{item.vault}/{item.path}" if several else item.path
        parts.append(
            _place(path, (item.line, item.end_line), item.streams, item.below, item.lapses)
        )
        parts.append(item.text)
    return "\n\n".join(parts) + ("\n" if parts else "")


def render_head(candidate: Candidate) -> str:
    """What stands above a passage at the most: title and place."""
    note = candidate.weighed.note
    below = candidate.heading[-1] if candidate.heading else ""
    lines = (candidate.line, candidate.end_line)
    place = _place(note.path, lines, note.contributions, below, ())
    return f"{_title(candidate.title)}\n\n{place}\n\n\n\n"


def _title(title: str) -> str:
    return f"# {_one_line(title)}"


def _place(
    path: str,
    lines: tuple[int, int],
    streams: Mapping[str, Contribution],
    below: str,
    lapses: tuple[Lapse, ...],
) -> str:
    """Where a passage stands, and the rank of its note in each stream that found it."""
    first, last = lines
    place = (
        f"`{_one_line(show_path(path))}:{first}-{last}`"
        if last > first
        else (f"`{_one_line(show_path(path))}:{first}`")
    )
    why = ", ".join(f"{name} {given.rank}" for name, given in streams.items())
    parts = [place, f"({why})", *([f"**{lapses[0].label}**"] if lapses else [])]
    return " ".join([*parts, _one_line(below)] if below else parts)


def _one_line(text: str) -> str:
    return re.sub(r"[\x00-\x1f\x7f\x85\u2028\u2029]+", " ", text)
