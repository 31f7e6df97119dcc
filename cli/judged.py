"""Files of judged queries as arguments of a command."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kb.cli.environment import Environment
from kb.cli.output import say
from kb.cli.place import is_inside
from kb.evaluation.judgements import Judgements, read_judgements
from kb.store.errors import UsageError
from kb.store.files import user_path
from kb.store.paths import show_path

QueriesArgument = Annotated[
    str,
    typer.Argument(
        metavar="QUERIES",
        help='JSON Lines with `_id` and `text`; without QRELS, a table "query<TAB>path".',
        show_default=False,
    ),
]
QrelsArgument = Annotated[
    str,
    typer.Argument(
        metavar="[QRELS]",
        help='A table "query id<TAB>path<TAB>score"; a score above 0 is right.',
        show_default=False,
    ),
]
_NAMED = 3


def read_judged(queries: str, qrels: str) -> Judgements:
    """The judged queries of one file or a pair. Raises KbError."""
    return read_judgements(user_path(queries), user_path(qrels) if qrels else None)


def say_judged(environment: Environment, judgements: Judgements) -> None:
    """What of the files could not be used, on stderr."""
    missing = judgements.missing
    if missing:
        named = ", ".join(show_path(path) for path in missing[:_NAMED])
        more = ", …" if len(missing) > _NAMED else ""
        what = (
            "1 judged path is no note of the index and counts"
            if len(missing) == 1
            else f"{len(missing)} judged paths are no notes of the index and count"
        )
        say(environment, f"kb: {what} as not found ({named}{more})")
    count = judgements.unjudged
    if count:
        what = "1 query has" if count == 1 else f"{count} queries have"
        left = "was" if count == 1 else "were"
        say(environment, f"kb: {what} no note judged right and {left} left out")


def refuse_inside(file: Path, vault: Path, what: str) -> None:
    """Raise UsageError for a file or folder within the vault, where nothing is ever written."""
    if is_inside(file, vault):
        raise UsageError(
            f"{file} lies inside the vault, and nothing is ever written there",
            f"name a place elsewhere for the {what}",
        )
