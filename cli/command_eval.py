"""`kb eval`: how well the right notes are found, on queries that somebody judged."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Annotated

import typer

from kb.cli.environment import Environment
from kb.cli.judged import QrelsArgument, QueriesArgument, read_judged, refuse_inside, say_judged
from kb.cli.options import IndexOption, JsonOption, VaultOption, environment_of
from kb.cli.output import write_data, write_json
from kb.cli.place import Place, opened_place
from kb.cli.progress import make_progress
from kb.cli.query_options import KOption, ModeOption, WeightOption
from kb.cli.ranking_options import ranking_flags, ranking_options
from kb.cli.settings import read_settings
from kb.cli.show_measured import show_table
from kb.cli.status import ExitStatus
from kb.evaluation.evaluate import Evaluation, evaluate, system_names
from kb.evaluation.judgements import Judgements
from kb.evaluation.run_files import RunFiles
from kb.fusion.options import SearchOptions
from kb.store.errors import UsageError
from kb.store.files import user_path


def command(  # noqa: PLR0913 (one argument an option)
    context: typer.Context,
    queries: QueriesArgument,
    qrels: QrelsArgument = "",
    *,
    mode: ModeOption = None,
    weight: WeightOption = None,
    k: KOption = None,
    by_query: Annotated[
        bool,
        typer.Option(
            "--by-query/--no-by-query",
            help="Each query: what got better and worse.",
            show_default=False,
        ),
    ] = False,
    against: Annotated[
        str,
        typer.Option(
            "--against",
            metavar="SYSTEM",
            help="Each query, compared with this (else with the best stream).",
        ),
    ] = "",
    run_dir: Annotated[
        str, typer.Option("--run-dir", metavar="FOLDER", help="Write TREC run files there.")
    ] = "",
    vault: VaultOption = "",
    index: IndexOption = "",
    json: JsonOption = False,
) -> int:
    """Measure each stream, the fusion, and the fusion less each stream, on judged queries.

    nDCG@10, MRR@10, recall at 10 and 100, with a paired randomisation test against the fusion.
    """
    environment = environment_of(context)
    flags = ranking_flags(mode, weight, k)
    judgements = read_judged(queries, qrels)
    with opened_place(environment, vault, index, quiet=json) as place:
        settings = read_settings(environment.variables, place.vault, flags)
        environment.color = settings.text("color")
        options = ranking_options(settings)
        systems = system_names(options.mode)
        if against and against not in systems:
            names = ", ".join(f"`{name}`" for name in systems)
            raise UsageError(f"there is no system `{against}`", f"systems are {names}")
        measured = _evaluate(environment, place, judgements, options, run_dir, quiet=json)
    say_judged(environment, measured.judgements)
    _show(environment, measured, json=json, by_query=by_query or bool(against), against=against)
    return ExitStatus.FOUND


def _evaluate(
    environment: Environment,
    place: Place,
    judgements: Judgements,
    options: SearchOptions,
    run_dir: str,
    *,
    quiet: bool,
) -> Evaluation:
    progress = make_progress(environment, quiet=quiet)
    with ExitStack() as stack:
        files = None
        if run_dir:
            folder = user_path(run_dir)
            refuse_inside(folder, place.vault, "run files")
            files = stack.enter_context(RunFiles(folder, system_names(options.mode)))
        progress.begin("asking", len(judgements.queries))
        stack.callback(progress.end)
        return evaluate(
            place.index,
            judgements,
            options,
            sink=files.write if files else None,
            advance=progress.advance,
        )


def _show(
    environment: Environment, measured: Evaluation, *, json: bool, by_query: bool, against: str
) -> None:
    from kb.cli.render_eval import best_stream, by_query_table, eval_document, eval_table

    other = against or best_stream(measured)
    if json:
        write_json(environment, eval_document(measured, other, by_query=by_query), indent=True)
        return
    show_table(environment, eval_table(measured))
    if by_query:
        write_data(environment, "\n")
        show_table(environment, by_query_table(measured, other))
