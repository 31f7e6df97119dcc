"""The answers to many queries, each printed and pushed out as soon as it is there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from kb.cli.environment import Environment
from kb.cli.escape import escape_line, flatten
from kb.cli.output import flush_data, write_data, write_json
from kb.cli.query_arguments import Form, QueryArguments
from kb.cli.query_lines import Asked
from kb.cli.render_json import Document, query_document
from kb.cli.render_plain import render_hit, render_path, render_path_field
from kb.store.errors import KbError
from kb.store.paths import show_path
from kb.store.records import Hit, SearchResult


class Answer(NamedTuple):
    """What became of one line: a result, or an error."""

    asked: Asked
    result: SearchResult | None = None
    error: KbError | None = None

    @property
    def found(self) -> bool:
        """Whether there is a note."""
        return self.result is not None and bool(self.result.hits)


Write = Callable[[Answer], None]


def is_for_people(form: Form) -> bool:
    """Whether an answer is lines, which have no place for notices and errors."""
    return form not in (Form.JSON, Form.JSONL)


@contextmanager
def answer_writer(environment: Environment, arguments: QueryArguments) -> Iterator[Write]:
    """What writes one answer in the form that was asked for, with what stands around all."""
    if arguments.quiet:
        yield lambda _: None
    elif arguments.form is Form.JSON:
        with _document(environment) as write:
            yield write
    elif arguments.form is Form.JSONL:

        def write_line(answer: Answer) -> None:
            write_json(environment, answer_document(answer), indent=False)
            flush_data(environment)

        yield write_line
    else:
        yield lambda answer: _write_plain(environment, arguments, answer)


@contextmanager
def _document(environment: Environment) -> Iterator[Write]:
    """One document, schema `kb.queries/1`, that grows by an answer at a time."""
    between = ""

    def write(answer: Answer) -> None:
        nonlocal between
        write_data(environment, between)
        write_json(environment, answer_document(answer), indent=False)
        flush_data(environment)
        between = ","

    write_data(environment, '{"schema":"kb.queries/1","answers":[\n')
    yield write
    write_data(environment, "]}\n")


def answer_document(answer: Answer) -> Document:
    """The answer to one query, schema `kb.answer/1`: its `result`, or an `error`."""
    document: Document = {
        "schema": "kb.answer/1",
        "id": answer.asked.id,
        "query": answer.asked.query,
    }
    if answer.result is not None:
        document["result"] = query_document(answer.result)
    if answer.error is not None:
        document["error"] = {
            "message": show_path(answer.error.message),
            "hint": show_path(answer.error.hint),
        }
    return document


def _write_plain(environment: Environment, arguments: QueryArguments, answer: Answer) -> None:
    """A line a hit, or one with the number of hits, each led by the query's id and a tab."""
    result = answer.result
    if result is None:
        return
    name = flatten(str(answer.asked.id))
    if environment.on_terminal:
        name = escape_line(name)
    if arguments.form is Form.COUNT:
        lines = [f"{len(result.hits)}\n"]
    else:
        lines = [_render(environment, arguments, result, hit) for hit in result.hits]
    write_data(environment, "".join(f"{name}\t{line}" for line in lines))
    flush_data(environment)


def _render(
    environment: Environment, arguments: QueryArguments, result: SearchResult, hit: Hit
) -> str:
    terminal = environment.on_terminal
    match arguments.form:
        case Form.FILES:
            return f"{render_path_field(hit.path, terminal)}\n"
        case Form.PRINT0:
            return f"{render_path(hit.path, terminal)}\0"
        case Form.TEMPLATE:
            from kb.cli.render_template import render_template

            return render_template(arguments.format, result._replace(hits=(hit,)), terminal)
        case _:
            return f"{render_hit(hit, terminal)}\n"
