"""Asking a person, query by query, which of the notes found are right."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from kb.cli.environment import Environment
from kb.cli.escape import escape_breaks, escape_line, flatten
from kb.cli.judge_answers import find_notes, parse_numbers
from kb.cli.output import say, say_error, write_lines
from kb.cli.place import Place
from kb.evaluation.judged_file import append_judgements
from kb.fusion.options import SearchOptions
from kb.fusion.search import search
from kb.store.errors import UsageError
from kb.store.paths import show_path
from kb.store.records import SearchResult

_STOP = ("q", "quit", "exit")


@dataclass(frozen=True, slots=True)
class Judged:
    """One query, the notes that were right (stored paths), and how many lines were new."""

    query: str
    right: tuple[str, ...]
    added: int


class JudgeSession:
    """Shows what a query finds and records which of it is right. `shown`: results on stdout."""

    def __init__(
        self,
        environment: Environment,
        place: Place,
        options: SearchOptions,
        target: Path,
        *,
        shown: bool,
    ) -> None:
        self._environment = environment
        self._place = place
        self._options = options
        self._target = target
        self._shown = shown
        self._stopped = False

    def judge_many(self) -> list[Judged]:
        """Ask for queries until there is none, and for what is right each time."""
        judged: list[Judged] = []
        while not self._stopped:
            query = self._read("query: ")
            if query is None or not query or query.lower() in _STOP:
                break
            judged += self.judge_one(query)
        return judged

    def judge_one(self, query: str) -> list[Judged]:
        """Search, show, ask, record. Empty where the person stopped."""
        result = search(self._place.index, query, self._options, connection=self._place.connection)
        self._show(result)
        while True:
            answer = self._read("right: ")
            if answer is None or answer.lower() in _STOP:
                self._stopped = True
                return []
            try:
                right = self._parse(answer, result)
            except UsageError as error:
                say_error(self._environment, error.message, error.hint)
                continue
            return [Judged(query, right, append_judgements(self._target, query, right))]

    def _parse(self, answer: str, result: SearchResult) -> tuple[str, ...]:
        if not answer:
            return ()
        numbers = parse_numbers(answer, len(result.hits))
        if numbers is not None:
            return tuple(result.hits[number - 1].path for number in numbers)
        return find_notes(self._place.connection, self._place.vault, (answer,))

    def _show(self, result: SearchResult) -> None:
        for notice in result.notices:
            say(self._environment, f"kb: {show_path(notice)}")
        if not result.hits:
            say(self._environment, "kb: no note found")
        elif not self._shown:
            for hit in result.hits:
                say(self._environment, f"{hit.rank}. {show_path(hit.path)}  {hit.title}")
        elif self._environment.on_terminal:
            from kb.cli.render_terminal import print_hits

            print_hits(self._environment, result)
        else:
            rows = [
                f"{hit.rank}\t{escape_breaks(show_path(hit.path))}\t{flatten(hit.title)}"
                for hit in result.hits
            ]
            write_lines(self._environment, rows)

    def _read(self, prompt: str) -> str | None:
        """A line from stdin, trimmed; None at its end. The prompt goes to stderr."""
        self._environment.stdout.flush()
        self._environment.stderr.write(escape_line(prompt))
        self._environment.stderr.flush()
        line = self._environment.stdin.readline()
        return " ".join(line.split()) if line else None
