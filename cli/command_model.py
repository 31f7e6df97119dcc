"""`kb model`: which embedding models there are, fetching one, and what is known of one.

`fetch` is the only command of all that uses the network.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kb.cli.app import make_group
from kb.cli.environment import Environment
from kb.cli.escape import escape_line, flatten
from kb.cli.options import JsonOption, environment_of
from kb.cli.output import say, write_json, write_lines
from kb.cli.progress import make_progress
from kb.cli.render_json import Document
from kb.cli.render_plain import render_table
from kb.cli.render_table import TextTable
from kb.cli.settings import read_settings
from kb.cli.status import ExitStatus
from kb.store.paths import encode_path, show_path

if TYPE_CHECKING:
    from collections.abc import Callable

    from kb.embedding import ListedModel, Model

command = make_group("List, fetch and describe embedding models.")

NameArgument = Annotated[str, typer.Argument(metavar="NAME", help="As `kb model list` shows it.")]
NameOrFolder = Annotated[
    str,
    typer.Argument(
        metavar="[NAME|FOLDER]", help="By default the one that would embed.", show_default=False
    ),
]


@command.command("list")
def list_command(context: typer.Context, json: JsonOption = False) -> int:
    """List the models that can be used or fetched."""
    from kb.embedding import list_models

    environment = environment_of(context)
    models = list_models()
    if json:
        documents = [listed_document(model) for model in models]
        write_json(environment, {"schema": "kb.model/1", "models": documents}, indent=True)
    elif environment.on_terminal:
        write_lines(environment, render_table(_table(models), terminal=True))
    else:
        rows = ["\t".join(map(flatten, row)) for row in _table(models).rows]
        write_lines(environment, rows)
    return ExitStatus.FOUND


@command.command("fetch")
def fetch_command(
    context: typer.Context,
    name: NameArgument,
    json: JsonOption = False,
    quiet: Annotated[
        bool, typer.Option("--quiet/--no-quiet", "-q", help="No progress.", show_default=False)
    ] = False,
) -> int:
    """Fetch a model from the hub, the only thing that uses the network."""
    from kb.embedding import fetch_model

    environment = environment_of(context)
    model = fetch_model(name, _watch(environment, name, quiet=quiet or json))
    if json:
        _write_model(environment, model)
    else:
        write_lines(environment, [f"{model.name}\t{_shown(model.folder)}"])
        if not quiet:
            say(
                environment, f"hint: `kb index --embed --model {model.name}` embeds a vault with it"
            )
    return ExitStatus.FOUND


@command.command("info")
def info_command(context: typer.Context, name: NameOrFolder = "", json: JsonOption = False) -> int:
    """Show what is known of a model on this machine."""
    environment = environment_of(context)
    setting = name or read_settings(environment.variables, None).text("model")
    model = _find(setting)
    if json:
        _write_model(environment, model)
    else:
        clean = escape_line if environment.on_terminal else flatten
        rows = [(key, _plain(value)) for key, value in model_document(model).items()]
        width = max(len(key) for key, _ in rows) + 2
        write_lines(environment, [clean(f"{key:<{width}}{value}") for key, value in rows])
    return ExitStatus.FOUND


def _find(setting: str) -> Model:
    from kb.embedding import ModelError, find_model, find_reranker

    try:
        return find_model(setting)
    except ModelError as error:
        if not setting:
            raise
        try:
            return find_reranker(setting)
        except ModelError:
            raise error from None  # what was said of an embedding model fits better


def _watch(environment: Environment, name: str, *, quiet: bool) -> Callable[[int, int], None]:
    progress = make_progress(environment, quiet=quiet)
    shown = 0

    def report(arrived: int, total: int) -> None:
        nonlocal shown
        if not shown and arrived < total:
            progress.begin(f"fetching {escape_line(name)}", total)
        progress.advance(arrived - shown)
        shown = arrived
        if arrived >= total:
            progress.end()

    return report


def listed_document(model: ListedModel) -> Document:
    """A model of the list."""
    return {
        "name": model.name,
        "kind": str(model.kind),
        "state": str(model.state),
        "dimension": model.dimension,
        "size_mb": model.size_mb,
        "languages": list(model.languages),
        "description": model.description,
    }


def model_document(model: Model) -> Document:
    """A model on this machine."""
    return {
        "name": model.name,
        "kind": str(model.kind),
        "dimension": model.dimension,
        "languages": list(model.languages),
        "max_tokens": model.max_tokens,
        "pooling": model.pooling,
        "normalise": model.normalise,
        "query_prefix": model.query_prefix,
        "passage_prefix": model.passage_prefix,
        "fingerprint": model.fingerprint,
        "folder": _shown(model.folder),
        "weights": _shown(model.weights),
    }


def _write_model(environment: Environment, model: Model) -> None:
    document = {"schema": "kb.model/1", "models": [model_document(model)]}
    write_json(environment, document, indent=True)


def _table(models: list[ListedModel]) -> TextTable:
    rows = tuple(
        (
            model.name,
            str(model.kind),
            str(model.state),
            str(model.dimension),
            str(model.size_mb),
            ",".join(model.languages),
        )
        for model in models
    )
    columns = ("name", "kind", "state", "dimension", "MB", "languages")
    return TextTable("", columns, rows, numeric=frozenset({3, 4}))


def _plain(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _shown(path: Path) -> str:
    return show_path(encode_path(os.fspath(path)))
