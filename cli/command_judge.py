"""`kb judge`: ask, mark what was right, and keep it for `kb eval` and `kb tune`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kb.cli.environment import Environment
from kb.cli.judge_answers import find_notes
from kb.cli.judge_session import Judged, JudgeSession
from kb.cli.judged import refuse_inside
from kb.cli.options import IndexOption, JsonOption, VaultOption, environment_of
from kb.cli.output import say, write_json
from kb.cli.place import Place, opened_place
from kb.cli.query_options import KOption, ModeOption, WeightOption
from kb.cli.ranking_options import ranking_flags, ranking_options
from kb.cli.settings import Settings, read_settings
from kb.cli.status import ExitStatus
from kb.evaluation.judged_file import append_judgements
from kb.store.errors import UsageError
from kb.store.files import user_path
from kb.store.paths import encode_path, show_path


def command(  # noqa: PLR0913 (one argument an option)
    context: typer.Context,
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE", help='Where "query<TAB>path" lines are added.', show_default=False
        ),
    ],
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[QUERY]...",
            help="What to ask; left out: ask for one after the other.",
            show_default=False,
        ),
    ] = None,
    *,
    right: Annotated[
        list[str] | None,
        typer.Option("--right", metavar="PATH", help="This note is right; asks nothing."),
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option("--limit", "-n", metavar="N", min=1, help="How many notes to show."),
    ] = None,
    mode: ModeOption = None,
    weight: WeightOption = None,
    k: KOption = None,
    vault: VaultOption = "",
    index: IndexOption = "",
    json: JsonOption = False,
) -> int:
    """Search, mark the notes that are right, and add them to a file that `kb eval` reads.

    At the prompt: numbers of the list (`1 3-4`), or the path of a note that it lacks; nothing
    where none is right; `q` to stop.
    """
    environment = environment_of(context)
    flags = {**ranking_flags(mode, weight, k), "limit": limit}
    query = " ".join(" ".join(words or ()).split())
    if right and not query:
        raise UsageError("`--right` needs a query", 'write `kb judge FILE "words" --right PATH`')
    target = user_path(file)
    with opened_place(environment, vault, index, quiet=json) as place:
        refuse_inside(target, place.vault, "judgements")
        settings = read_settings(environment.variables, place.vault, flags)
        environment.color = settings.text("color")
        if right:
            judged = [_record(place, target, query, tuple(right))]
        else:
            judged = _ask(environment, place, settings, target, query, shown=not json)
    _tell(environment, target, judged, json=json)
    return ExitStatus.FOUND if any(one.right for one in judged) else ExitStatus.NOTHING


def _record(place: Place, target: Path, query: str, paths: tuple[str, ...]) -> Judged:
    right = find_notes(place.connection, place.vault, paths)
    return Judged(query, right, append_judgements(target, query, right))


def _ask(
    environment: Environment,
    place: Place,
    settings: Settings,
    target: Path,
    query: str,
    *,
    shown: bool,
) -> list[Judged]:
    session = JudgeSession(environment, place, ranking_options(settings), target, shown=shown)
    if query:
        return session.judge_one(query)
    return session.judge_many()


def _tell(environment: Environment, target: Path, judged: list[Judged], *, json: bool) -> None:
    name = show_path(encode_path(str(target)))
    if json:
        document = {
            "schema": "kb.judge/1",
            "file": name,
            "queries": [
                {
                    "query": one.query,
                    "right": [show_path(path) for path in one.right],
                    "added": one.added,
                }
                for one in judged
            ],
        }
        write_json(environment, document, indent=True)
        return
    added = sum(one.added for one in judged)
    say(environment, f"kb: {added} {'line' if added == 1 else 'lines'} added to {name}")
