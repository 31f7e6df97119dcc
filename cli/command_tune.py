"""`kb tune`: weights and k that find more on a user's own judged queries."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer

from kb.cli.environment import Environment
from kb.cli.judged import QrelsArgument, QueriesArgument, read_judged, say_judged
from kb.cli.options import IndexOption, JsonOption, VaultOption, environment_of
from kb.cli.output import say, write_json
from kb.cli.place import opened_place
from kb.cli.progress import make_progress
from kb.cli.query_options import KOption, WeightOption
from kb.cli.ranking_options import ranking_flags, ranking_options
from kb.cli.setting_kinds import Value
from kb.cli.settings import Origin, Settings, read_settings
from kb.cli.settings_file import write_setting
from kb.cli.show_measured import show_table
from kb.cli.status import ExitStatus
from kb.evaluation.candidates import Candidate
from kb.evaluation.tune import Tuning, tune


def command(  # noqa: PLR0913 (one argument an option)
    context: typer.Context,
    queries: QueriesArgument,
    qrels: QrelsArgument = "",
    *,
    apply: Annotated[
        bool,
        typer.Option(
            "--apply", help="Write what is proposed to your settings.", show_default=False
        ),
    ] = False,
    weight: WeightOption = None,
    k: KOption = None,
    vault: VaultOption = "",
    index: IndexOption = "",
    json: JsonOption = False,
) -> int:
    """Choose weights and k by cross-validation on judged queries, and say what that gains.

    Only --apply changes your settings, and only where queries that were held out gained.
    """
    environment = environment_of(context)
    flags = ranking_flags("hybrid", weight, k)
    judgements = read_judged(queries, qrels)
    with opened_place(environment, vault, index, quiet=json) as place:
        settings = read_settings(environment.variables, place.vault, flags)
        environment.color = settings.text("color")
        progress = make_progress(environment, quiet=json)
        with ExitStack() as stack:
            progress.begin("asking", len(judgements.queries))
            stack.callback(progress.end)
            options = ranking_options(settings)
            tuning = tune(place.index, judgements, options, progress.advance)
        say_judged(environment, tuning.judgements)
        applied: dict[str, Value] = {}
        if apply:
            applied = _apply(environment, tuning, settings, place.vault)
    _show(environment, tuning, applied, json=json)
    return ExitStatus.FOUND


def _show(
    environment: Environment, tuning: Tuning, applied: dict[str, Value], *, json: bool
) -> None:
    from kb.cli.render_tune import tune_document, tune_table

    if json:
        write_json(environment, tune_document(tuning, applied), indent=True)
    else:
        show_table(environment, tune_table(tuning))


def _apply(
    environment: Environment, tuning: Tuning, settings: Settings, vault: Path
) -> dict[str, Value]:
    """Write what differs from the settings; returns it. A flag of this run is no setting."""
    if tuning.proposed == tuning.current:
        say(environment, "kb: nothing was written: what is set is the best that was tried")
        return {}
    if tuning.gain <= 0:
        say(environment, "kb: nothing was written: queries that were held out gained nothing")
        return {}
    stored = read_settings(environment.variables, vault)
    wanted = _as_settings(tuning.proposed)
    changed: dict[str, Value] = {
        key: value for key, value in wanted.items() if stored.chosen[key].value != value
    }
    for key, value in changed.items():
        write_setting(settings.user_path, key, value)
        say(environment, f"kb: set {key} to {wanted[key]:g} in {settings.user_path}")
    for key, chosen in read_settings(environment.variables, vault).chosen.items():
        if key in changed and chosen.origin is not Origin.USER:
            say(environment, f"kb: {chosen.source} sets {key} too, and wins")
    return changed


def _as_settings(chosen: Candidate) -> dict[str, float]:
    return {f"weights.{name}": weight for name, weight in chosen.weights} | {"k": chosen.k}
