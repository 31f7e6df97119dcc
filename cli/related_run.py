"""`kb related`, from what was typed to what is printed."""

from __future__ import annotations

from kb.cli.environment import Environment
from kb.cli.filters import relative_path
from kb.cli.output import say
from kb.cli.query_arguments import QueryArguments
from kb.cli.query_run import fit_options, made_ready, say_notices
from kb.cli.setting_kinds import parse_mode, parse_weight_option
from kb.cli.show import is_list_for_people, show_result
from kb.cli.status import ExitStatus
from kb.fusion.options import Mode, SearchOptions
from kb.store.errors import UsageError


def run_related(environment: Environment, arguments: QueryArguments) -> int:
    """List what is related to a note. Returns the exit status; raises KbError."""
    from kb.fusion.related import related

    arguments.check()
    name = " ".join(arguments.words)
    if not name.strip():
        raise UsageError("no note to start from", "write `kb related NOTE`: a path, title or alias")
    with made_ready(environment, arguments) as (place, options, _):
        note, result = related(
            place.index,
            relative_path(name, place.vault),
            fit_options(environment, arguments, _own_ranking(arguments, options)),
            connection=place.connection,
        )
        say_notices(environment, arguments, result.notices)
        if not arguments.quiet:
            show_result(environment, arguments, result, note)
            if not result.hits and is_list_for_people(environment, arguments):
                say(environment, "kb: no related note found")
                say(environment, "hint: `--explain` tells why each stream found none")
        return ExitStatus.FOUND if result.hits else ExitStatus.NOTHING


def _own_ranking(arguments: QueryArguments, options: SearchOptions) -> SearchOptions:
    """The options without what the settings say of weights, mode and reranking of queries."""
    return options._replace(
        rerank=False,
        mode=Mode(parse_mode(arguments.mode)) if arguments.mode else Mode.HYBRID,
        weights=dict(map(parse_weight_option, arguments.weight)),
    )
