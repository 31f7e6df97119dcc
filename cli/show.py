"""The answer to a query in the form that was asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kb.cli.environment import Environment
from kb.cli.output import say, write_data, write_json, write_lines
from kb.cli.query_arguments import Form, QueryArguments
from kb.store.paths import show_path
from kb.store.records import SearchResult, WhyReport

if TYPE_CHECKING:
    from kb.fusion.naming import NamedNote

_LAPSED_NAMED = 3


def show_result(
    environment: Environment,
    arguments: QueryArguments,
    result: SearchResult,
    note: NamedNote | None = None,
) -> None:
    """Print a search's result, or with `note` what is related to that one.

    An empty one prints nothing, or a document with no results.
    """
    form = arguments.form
    if form in (Form.JSON, Form.JSONL):
        _show_json(environment, form, result, note)
    elif form is Form.COUNT:
        write_data(environment, f"{len(result.hits)}\n")
    elif form in (Form.FILES, Form.PRINT0):
        _show_files(environment, result, "\0" if form is Form.PRINT0 else "\n")
    elif form is Form.TEMPLATE:
        from kb.cli.render_template import render_template

        write_data(environment, render_template(arguments.format, result, environment.on_terminal))
    else:
        _show_for_people(environment, arguments, result)


def shows_snippets(environment: Environment, arguments: QueryArguments) -> bool:
    """Whether a snippet of each hit is wanted; making them takes longer than finding the notes."""
    form = arguments.form
    if arguments.quiet or (arguments.explain and form not in (Form.JSON, Form.JSONL)):
        return False
    if form is Form.TEMPLATE:
        return "{snippet" in arguments.format
    return form in (Form.JSON, Form.JSONL) or is_pretty(environment, form)


def is_pretty(environment: Environment, form: Form) -> bool:
    """Whether the readable list is shown rather than plain lines."""
    if form is Form.AUTO:
        return environment.on_terminal or environment.color == "always"
    return form is Form.PRETTY


def is_list_for_people(environment: Environment, arguments: QueryArguments) -> bool:
    """Whether the readable list or table is shown, beside which words are welcome."""
    form = arguments.form
    return form in (Form.AUTO, Form.PRETTY) and is_pretty(environment, form)


def _show_json(
    environment: Environment, form: Form, result: SearchResult, note: NamedNote | None
) -> None:
    from kb.cli.render_json import hit_document, query_document, related_document

    if form is Form.JSON:
        document = related_document(note, result) if note else query_document(result)
        write_json(environment, document, indent=True)
        return
    for hit in result.hits:
        write_json(environment, hit_document(hit), indent=False)


def _show_files(environment: Environment, result: SearchResult, end: str) -> None:
    from kb.cli.render_plain import render_path

    lines = [render_path(hit.path, environment.on_terminal) for hit in result.hits]
    write_data(environment, "".join(f"{line}{end}" for line in lines))


def _show_for_people(
    environment: Environment, arguments: QueryArguments, result: SearchResult
) -> None:
    pretty = is_pretty(environment, arguments.form)
    if arguments.explain:
        from kb.cli.render_explain import explain_table

        table = explain_table(result)
        if pretty:
            from kb.cli.render_terminal import print_table

            print_table(environment, table)
        else:
            from kb.cli.render_plain import render_table

            write_lines(environment, render_table(table, environment.on_terminal))
    elif pretty and result.hits:
        from kb.cli.render_terminal import print_hits

        print_hits(environment, result)
    else:
        from kb.cli.render_plain import render_hit

        lines = [render_hit(hit, environment.on_terminal) for hit in result.hits]
        write_lines(environment, lines)
        _say_lapsed(environment, result)


def _say_lapsed(environment: Environment, result: SearchResult) -> None:
    """Name the listed notes that hold no more, for which a plain line has no place."""
    lapsed = [hit for hit in result.hits if hit.lapses]
    for hit in lapsed[:_LAPSED_NAMED]:
        say(environment, f"kb: {show_path(hit.path)} is {hit.lapses[0].label}")
    if len(lapsed) > _LAPSED_NAMED:
        say(environment, f"kb: {len(lapsed) - _LAPSED_NAMED:,} more hold no more")
    if lapsed:
        say(environment, "hint: `--current` leaves out what is superseded or expired")


def show_why(environment: Environment, arguments: QueryArguments, report: WhyReport) -> None:
    """Print why a note is or is not in the list."""
    if arguments.form is Form.JSON:
        from kb.cli.render_json import why_document

        write_json(environment, why_document(report), indent=True)
        return
    from kb.cli.render_why import render_why

    write_lines(environment, render_why(report, environment.on_terminal, environment.width))
