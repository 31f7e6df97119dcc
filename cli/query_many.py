"""`kb query --queries`: many queries in one process, each answered before the next is read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

import apsw

from kb.cli.environment import Environment
from kb.cli.filters import read_stdin
from kb.cli.output import say
from kb.cli.query_arguments import QueryArguments
from kb.cli.query_lines import Asked, read_queries
from kb.cli.query_run import ensure_authority, fit_options, made_ready
from kb.cli.show_answers import Answer, answer_writer, is_for_people
from kb.cli.status import ExitStatus
from kb.fusion.options import SearchOptions
from kb.fusion.search import search
from kb.store.errors import KbError
from kb.store.files import user_path
from kb.store.paths import show_path
from kb.store.readers import Readers
from kb.store.rows import read_rows


def run_queries(environment: Environment, arguments: QueryArguments) -> int:
    """Answer every line of a file or of stdin. Returns the exit status; raises KbError.

    2 where a line could not be read or asked, else 0 where any query found a note, else 1.
    """
    with (
        _opened(environment, arguments.queries) as stream,
        made_ready(environment, arguments) as (place, options, _),
        closing(Asker(place.index, fit_options(environment, arguments, options))) as asker,
        answer_writer(environment, arguments) as write,
    ):
        teller = _Teller(environment, arguments)
        found = wrong = False
        for asked in read_queries(stream):
            answer = asker.answer(asked)
            found = found or answer.found
            wrong = wrong or answer.error is not None
            teller.tell(answer)
            write(answer)
    if wrong:
        return ExitStatus.WRONG
    return ExitStatus.FOUND if found else ExitStatus.NOTHING


class Asker:
    """Asks one index, each query of one state of it, whatever is written or made anew meanwhile."""

    def __init__(self, index: Path, options: SearchOptions) -> None:
        self._readers = Readers(index)
        self._options = options
        self._connection: apsw.Connection | None = None
        self._version = -1

    def answer(self, asked: Asked) -> Answer:
        """What is found, or why nothing can be: an error of one query does not end the run."""
        if asked.problem:
            return Answer(asked, error=KbError(asked.problem, asked.hint))
        try:
            with self._readers.reader() as connection:
                self._follow(connection)
                index = self._readers.index
                result = search(index, asked.query, self._options, connection=connection)
        except KbError as error:
            return Answer(asked, error=error)
        return Answer(asked, result)

    def close(self) -> None:
        """Close the connection; another question opens one again."""
        self._readers.close()

    def _follow(self, connection: apsw.Connection) -> None:
        """Work PageRank out again where notes are weighed by it and somebody else has written."""
        if not self._options.authority:
            return
        ((version,),) = read_rows(connection, "PRAGMA data_version")
        if connection is not self._connection or version != self._version:
            ensure_authority(self._readers.index, self._options)
        self._connection, self._version = connection, version


class _Teller:
    """Says on stderr, beside forms that have no place for it, what should be known of an answer."""

    def __init__(self, environment: Environment, arguments: QueryArguments) -> None:
        self._environment = environment
        self._silent = not is_for_people(arguments.form)
        self._quiet = arguments.quiet
        self._said: tuple[str, ...] = ()

    def tell(self, answer: Answer) -> None:
        """The error or the notices, but for those that the query before had, too."""
        if self._silent and not self._quiet:
            return
        name = show_path(str(answer.asked.id))
        if answer.error is not None:
            say(self._environment, f"kb: {name}: {answer.error.message}")
            if answer.error.hint:
                say(self._environment, f"hint: {answer.error.hint}")
        elif answer.result is not None and not self._quiet:
            for notice in answer.result.notices:
                if notice not in self._said:
                    say(self._environment, f"kb: {name}: {show_path(notice)}")
            self._said = answer.result.notices


@contextmanager
def _opened(environment: Environment, source: str) -> Iterator[BinaryIO]:
    """The file of queries, or for `-` stdin, which stays open. Raises KbError."""
    if source == "-":
        buffer = getattr(environment.stdin, "buffer", None)
        yield buffer or BytesIO(read_stdin(environment))
        return
    try:
        stream = user_path(source).open("rb")
    except OSError as error:
        raise KbError(
            f"cannot read {source} ({error.strerror})", "name a file, or `-` for stdin"
        ) from error
    with stream:
        yield stream
