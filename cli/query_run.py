"""`kb query`, from what was typed to what is printed: find, set, search, show."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from kb.cli.environment import Environment
from kb.cli.filters import build_filters, read_excluded, read_stdin, relative_path
from kb.cli.output import say
from kb.cli.place import Place, opened_place, reopened
from kb.cli.query_arguments import Form, QueryArguments
from kb.cli.setting_kinds import Value, parse_mode, parse_weight_option, settings_table
from kb.cli.settings import Origin, Settings, read_settings
from kb.cli.show import is_list_for_people, is_pretty, show_result, show_why, shows_snippets
from kb.cli.status import ExitStatus
from kb.fusion.options import SearchOptions
from kb.store.errors import UsageError, VaultError
from kb.store.paths import encode_path, show_path
from kb.store.records import Filters


class Ready(NamedTuple):
    """An index that can be asked now, how, and the settings that say so."""

    place: Place
    options: SearchOptions
    settings: Settings


def run_query(environment: Environment, arguments: QueryArguments) -> int:
    """Answer one query. Returns the exit status; raises KbError."""
    arguments.check()
    if arguments.queries:
        from kb.cli.query_many import run_queries

        return run_queries(environment, arguments)
    text = query_text(environment, arguments)
    if arguments.several_vaults:
        from kb.cli.query_vaults import query_vaults

        return query_vaults(environment, arguments, text)
    with made_ready(environment, arguments) as (place, options, _):
        if arguments.why:
            return _explain_note(environment, arguments, text, place, options)
        return _search(environment, arguments, text, place, options)


@contextmanager
def made_ready(environment: Environment, arguments: QueryArguments) -> Iterator[Ready]:
    """Find the index, read the settings, and index changes and authority where that is wanted."""
    flags = _flags(arguments)
    with opened_place(
        environment, arguments.one_vault, arguments.index, quiet=arguments.quiet
    ) as place:
        settings = read_settings(environment.variables, place.vault, flags)
        environment.color = settings.text("color")
        if not arguments.quiet:
            for warning in settings.warnings:
                say(environment, f"kb: {warning}")
        options = _search_options(environment, arguments, settings, place.vault)
        if not settings.switch("auto_update"):
            ensure_authority(place.index, options)
            yield Ready(place, options, settings)
            return
    _update(environment, arguments, place, settings)
    with reopened(place) as place:
        ensure_authority(place.index, options)
        yield Ready(place, options, settings)


def shared_options(
    environment: Environment, arguments: QueryArguments
) -> tuple[SearchOptions, Settings]:
    """How to rank where no vault's own file has a say: several are asked."""
    settings = read_settings(environment.variables, None, _flags(arguments))
    return settings.search_options(_today(arguments).isoformat()), settings


def ensure_authority(index: Path, options: SearchOptions) -> None:
    """Work out PageRank, where notes are to be weighed by it and links changed since it was."""
    if options.authority:
        from kb.indexer.pagerank import ensure_pagerank

        ensure_pagerank(index)


def fit_options(
    environment: Environment, arguments: QueryArguments, options: SearchOptions
) -> SearchOptions:
    """The options, with as many notes and as much of each as will be shown."""
    if arguments.quiet:
        options = options._replace(limit=1, rerank=False)
    elif arguments.form is Form.COUNT:
        options = options._replace(limit=0, rerank=False)
    if not shows_snippets(environment, arguments):
        options = options._replace(snippet_width=0)
    elif is_pretty(environment, arguments.form):
        options = options._replace(plain_snippets=True)
    return options


def _search(
    environment: Environment,
    arguments: QueryArguments,
    text: str,
    place: Place,
    options: SearchOptions,
) -> int:
    from kb.fusion.search import search

    options = fit_options(environment, arguments, options)
    result = search(place.index, text, options, connection=place.connection)
    say_notices(environment, arguments, result.notices)
    if not arguments.quiet:
        show_result(environment, arguments, result)
        if not result.hits and is_list_for_people(environment, arguments):
            from kb.cli.nothing_found import say_nothing_found

            say_nothing_found(environment, place.connection, options.filters, result)
    return ExitStatus.FOUND if result.hits else ExitStatus.NOTHING


def _explain_note(
    environment: Environment,
    arguments: QueryArguments,
    text: str,
    place: Place,
    options: SearchOptions,
) -> int:
    from kb.fusion.why import why

    path = relative_path(arguments.why, place.vault)
    report = why(place.index, text, path, options, connection=place.connection)
    say_notices(environment, arguments, report.notices)
    if not arguments.quiet:
        show_why(environment, arguments, report)
    return ExitStatus.FOUND if report.listed else ExitStatus.NOTHING


def say_notices(
    environment: Environment, arguments: QueryArguments, notices: tuple[str, ...]
) -> None:
    """What the user should know of this run, on stderr."""
    if not arguments.quiet:
        for notice in notices:
            say(environment, f"kb: {show_path(notice)}")


def query_text(environment: Environment, arguments: QueryArguments) -> str:
    """The text of the query, as typed or from stdin."""
    if not arguments.words:
        raise UsageError("no words to search for", 'write `kb query "some words"`')
    if arguments.words == ("-",):
        data = read_stdin(environment)
    else:
        # Bytes of an argument that are no text arrive as lone surrogates.
        data = " ".join(arguments.words).encode("utf-8", "surrogateescape")
    return data.decode("utf-8", "replace").strip("\r\n")


def _flags(arguments: QueryArguments) -> dict[str, Value | None]:
    """The settings that were given as options, checked as strictly as everywhere else."""
    flags: dict[str, Value | None] = {
        "mode": None if arguments.mode is None else parse_mode(arguments.mode),
        "k": arguments.k,
        "limit": arguments.limit,
        "depth": arguments.depth,
        "hops": arguments.hops,
        "authority": arguments.authority,
        "recent": arguments.recent,
        "rerank": arguments.rerank,
        "rerank_top": arguments.rerank_top,
        "current": arguments.current,
        "scope": "" if arguments.no_scope else arguments.scope,
        "include_ignored": arguments.include_ignored,
        "auto_update": arguments.update,
    }
    if arguments.color is not None:
        flags["color"] = settings_table()["color"].parse(arguments.color)
    for option in arguments.weight:
        name, weight = parse_weight_option(option)
        flags[f"weights.{name}"] = weight
    return flags


def _search_options(
    environment: Environment, arguments: QueryArguments, settings: Settings, vault: Path
) -> SearchOptions:
    excluded = [
        glob
        for source in arguments.exclude_from
        for glob in read_excluded(environment, source, vault)
    ]
    today = _today(arguments)
    filters = build_filters(
        tags=arguments.tag,
        not_tags=arguments.not_tag,
        paths=arguments.path,
        exclude=(*arguments.exclude, *excluded),
        types=arguments.type,
        where=arguments.where,
        since=arguments.since,
        until=arguments.until,
        include_ignored=settings.switch("include_ignored"),
        current=settings.switch("current"),
        today=today,
    )
    if settings.text("scope"):
        filters = _within_scope(environment, arguments, settings, filters, today)
    options = settings.search_options(today.isoformat())._replace(filters=filters)
    return options._replace(rules=()) if arguments.factors is False else options


def _today(arguments: QueryArguments) -> datetime.date:
    """The day to decide age and expiry by."""
    today = datetime.date.today()
    if not arguments.now:
        return today
    from kb.cli.dates import parse_day

    return datetime.date.fromisoformat(parse_day(arguments.now, today, "--now"))


def _within_scope(
    environment: Environment,
    arguments: QueryArguments,
    settings: Settings,
    filters: Filters,
    today: datetime.date,
) -> Filters:
    """The filters, and the saved ones that the settings name.

    Where a vault's own file names some that there are not, that is said and nothing else.
    """
    from kb.cli.setting_families import read_scope

    chosen = settings.chosen["scope"]
    try:
        scope = read_scope(settings.named("scopes"), settings.text("scope"), today)
    except UsageError as error:
        if chosen.origin is not Origin.VAULT:
            raise
        if not arguments.quiet:
            say(environment, f"kb: {chosen.source} sets `scope`: {error.message}; it is left out")
        return filters
    shown = filters.include_ignored or scope.include_ignored
    return filters._replace(within=(scope,), include_ignored=shown)


def _update(
    environment: Environment, arguments: QueryArguments, place: Place, settings: Settings
) -> None:
    """Index what changed. Where only a setting asks for it, a vault that is away is no error."""
    from kb.cli.index_run import update_index

    try:
        report = update_index(
            environment, place.vault, place.index, settings, quiet=arguments.quiet
        )
    except VaultError as error:
        if arguments.update:
            raise
        if not arguments.quiet:
            say(environment, f"kb: not updated: {error.message}")
        return
    moved = report.added + report.changed + report.removed
    if moved and not arguments.quiet:
        name = show_path(encode_path(str(place.vault)))
        noun = "note was" if moved == 1 else "notes were"
        say(environment, f"kb: {moved} changed {noun} indexed first ({name})")
