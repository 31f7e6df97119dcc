"""`kb query` of several vaults: `--vault A --vault B`, `--all-vaults`."""

from __future__ import annotations

import io
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

from kb.cli.environment import Environment
from kb.cli.filters import read_stdin
from kb.cli.output import say
from kb.cli.query_arguments import Form, QueryArguments
from kb.cli.query_run import Ready, fit_options, made_ready, say_notices, shared_options
from kb.cli.settings import Settings
from kb.cli.show import is_list_for_people, show_result
from kb.cli.status import ExitStatus
from kb.fusion.options import SearchOptions
from kb.fusion.vaults import VaultToAsk, search_vaults
from kb.store.errors import IndexMissingError, KbError
from kb.store.files import user_path
from kb.store.locations import known_vaults
from kb.store.paths import encode_path, show_path
from kb.store.records import Hit, SearchResult


def query_vaults(environment: Environment, arguments: QueryArguments, text: str) -> int:
    """Answer one query from several vaults. Returns the exit status; raises KbError.

    A vault that was named must be there; of all vaults, one that cannot be asked is left out with
    a word.
    """
    with ExitStack() as stack:
        vaults, options, _ = opened_vaults(stack, environment, arguments)
        result = search_vaults(vaults, text, fit_options(environment, arguments, options))
    say_notices(environment, arguments, result.notices)
    if not arguments.quiet:
        show_result(environment, arguments, _with_places(environment, arguments, result))
        if not result.hits and is_list_for_people(environment, arguments):
            say(environment, f"kb: no note found in {len(vaults)} vaults")
    return ExitStatus.FOUND if result.hits else ExitStatus.NOTHING


def opened_vaults(
    stack: ExitStack, environment: Environment, arguments: QueryArguments
) -> tuple[list[VaultToAsk], SearchOptions, Settings]:
    """The vaults to ask, one or several, how to rank, and the settings.

    The file of the only vault has a say in those; of several vaults, none has.

    Raises KbError where one that was named cannot be asked, or none can.
    """
    if not arguments.several_vaults:
        one = stack.enter_context(made_ready(environment, arguments))
        return [_to_ask(one)], one.options, one.settings
    readies = list(_opened(stack, environment, arguments))
    if not readies:
        raise IndexMissingError("no vault can be asked", "run `kb index VAULT` first")
    return [*map(_to_ask, readies)], *shared_options(environment, arguments)


def _to_ask(ready: Ready) -> VaultToAsk:
    return VaultToAsk(ready.place.index, ready.options, ready.place.connection)


def _opened(
    stack: ExitStack, environment: Environment, arguments: QueryArguments
) -> Iterator[Ready]:
    """Each vault, ready to be asked, once whatever it is called."""
    listed = read_stdin(environment) if "-" in arguments.exclude_from else b""
    seen = set()
    for vault in _named(arguments):
        if listed:  # each vault reads it for itself
            environment.stdin = io.TextIOWrapper(io.BytesIO(listed))
        one = arguments._replace(vault=(vault,))
        try:
            ready = stack.enter_context(made_ready(environment, one))
        except KbError as error:
            if not arguments.all_vaults:
                raise
            if not arguments.quiet:
                say(
                    environment, f"kb: {show_path(encode_path(vault))} is left out: {error.message}"
                )
            continue
        if ready.place.index not in seen:
            seen.add(ready.place.index)
            yield ready


def _named(arguments: QueryArguments) -> Sequence[str]:
    if not arguments.all_vaults:
        return tuple(os.path.realpath(user_path(vault)) for vault in arguments.vault)
    return sorted(str(known.path) for known in known_vaults())


def _with_places(
    environment: Environment, arguments: QueryArguments, result: SearchResult
) -> SearchResult:
    """The result with paths that tell the vaults apart, for every form but JSON.

    A person reads the name of the vault's folder before the path, a script the whole path.
    """
    if arguments.form in (Form.JSON, Form.JSONL):
        return result
    people = is_list_for_people(environment, arguments)
    labels = {vault: vault for vault in result.vaults}
    if people or arguments.explain:
        names = Counter(Path(vault).name for vault in result.vaults)
        labels = {
            vault: Path(vault).name if names[Path(vault).name] == 1 else vault
            for vault in result.vaults
        }
    return result._replace(hits=tuple(_placed(hit, labels[hit.vault]) for hit in result.hits))


def _placed(hit: Hit, label: str) -> Hit:
    return hit._replace(path=f"{label.rstrip('/')}/{hit.path}")
