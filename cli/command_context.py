"""`kb context`: what may be typed after it."""

# No `from __future__ import annotations`: Typer would have to compile each annotation, twice.

from typing import Annotated

import typer

from kb.cli.options import (
    IndexOption,
    JsonOption,
    QuietOption,
    VaultsOption,
    environment_of,
)
from kb.cli.query_arguments import QueryArguments
from kb.cli.query_options import (
    AllVaultsOption,
    AuthorityOption,
    CurrentOption,
    DepthOption,
    ExcludeFromOption,
    ExcludeOption,
    FactorsOption,
    HopsOption,
    IncludeIgnoredOption,
    KOption,
    LimitOption,
    ModeOption,
    NoScopeOption,
    NotTagOption,
    NowOption,
    PathOption,
    RecentOption,
    RerankOption,
    RerankTopOption,
    ScopeOption,
    SinceOption,
    TagOption,
    TypeOption,
    UntilOption,
    UpdateOption,
    WeightOption,
    WhereOption,
)


def command(  # noqa: PLR0913 (one argument an option)
    context: typer.Context,
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="QUESTION...",
            help="What is to be answered; `-` reads it from stdin.",
            show_default=False,
        ),
    ],
    *,
    budget: Annotated[
        str,
        typer.Option(
            "--budget",
            metavar="N",
            help="At most so many characters, or tokens as `1000t` (4000).",
            show_default=False,
        ),
    ] = "",
    unit: Annotated[
        str,
        typer.Option(
            "--unit",
            metavar="UNIT",
            help="Of a plain number: characters, tokens.",
            show_default=False,
        ),
    ] = "",
    tag: TagOption = None,
    not_tag: NotTagOption = None,
    path: PathOption = None,
    note_type: TypeOption = None,
    where: WhereOption = None,
    since: SinceOption = "",
    until: UntilOption = "",
    exclude: ExcludeOption = None,
    exclude_from: ExcludeFromOption = None,
    include_ignored: IncludeIgnoredOption = None,
    current: CurrentOption = None,
    scope: ScopeOption = None,
    no_scope: NoScopeOption = False,
    mode: ModeOption = None,
    weight: WeightOption = None,
    k: KOption = None,
    limit: LimitOption = None,
    depth: DepthOption = None,
    hops: HopsOption = None,
    authority: AuthorityOption = None,
    recent: RecentOption = None,
    factors: FactorsOption = None,
    now: NowOption = "",
    rerank: RerankOption = None,
    rerank_top: RerankTopOption = None,
    update: UpdateOption = None,
    vault: VaultsOption = None,
    all_vaults: AllVaultsOption = False,
    index: IndexOption = "",
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> int:
    """Gather the passages that answer a question, within a budget, as Markdown to read or hand on.

    Notes are found as `kb query` finds them, --limit of them (30). Each passage stands under its
    note, with path, lines and the streams that found it; nothing is said twice.
    """
    from kb.cli.context_run import run_context

    arguments = QueryArguments(
        words=tuple(words),
        tag=tuple(tag or ()),
        not_tag=tuple(not_tag or ()),
        path=tuple(path or ()),
        type=tuple(note_type or ()),
        where=tuple(where or ()),
        since=since,
        until=until,
        exclude=tuple(exclude or ()),
        exclude_from=tuple(exclude_from or ()),
        include_ignored=include_ignored,
        current=current,
        scope=scope,
        no_scope=no_scope,
        mode=mode,
        weight=tuple(weight or ()),
        k=k,
        limit=limit,
        depth=depth,
        hops=hops,
        authority=authority,
        recent=recent,
        factors=factors,
        now=now,
        rerank=rerank,
        rerank_top=rerank_top,
        update=update,
        vault=tuple(vault or ()),
        all_vaults=all_vaults,
        index=index,
        json=json,
        quiet=quiet,
    )
    return run_context(environment_of(context), arguments, budget, unit)
