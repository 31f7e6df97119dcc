"""`kb query`: what may be typed after it."""

# No `from __future__ import annotations`: Typer would have to compile each annotation, twice.

from typing import Annotated

import typer

from kb.cli.options import IndexOption, JsonOption, VaultsOption, environment_of, refuse_empty
from kb.cli.query_arguments import QueryArguments
from kb.cli.query_options import (
    AllVaultsOption,
    AuthorityOption,
    ColorOption,
    CountOption,
    CurrentOption,
    DepthOption,
    ExcludeFromOption,
    ExcludeOption,
    ExplainOption,
    FactorsOption,
    FilesOption,
    HopsOption,
    IncludeIgnoredOption,
    JsonlOption,
    KOption,
    LimitOption,
    ModeOption,
    NoScopeOption,
    NotTagOption,
    NowOption,
    PathOption,
    PrettyOption,
    Print0Option,
    RecentOption,
    ScopeOption,
    SilentOption,
    SinceOption,
    TagOption,
    TemplateOption,
    TypeOption,
    UntilOption,
    UpdateOption,
    WeightOption,
    WhereOption,
)


def command(  # noqa: PLR0913 (one argument an option)
    context: typer.Context,
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[WORDS]...",
            help="What to look for; `-` reads it from stdin.",
            show_default=False,
        ),
    ] = None,
    *,
    queries: Annotated[
        str,
        typer.Option(
            "--queries",
            metavar="FILE",
            help="Ask every line of a file, in one process; `-`: stdin.",
            show_default=False,
            callback=refuse_empty,
        ),
    ] = "",
    tag: TagOption = None,
    not_tag: NotTagOption = None,
    path: PathOption = None,
    type: TypeOption = None,
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
    update: UpdateOption = None,
    vault: VaultsOption = None,
    all_vaults: AllVaultsOption = False,
    index: IndexOption = "",
    explain: ExplainOption = False,
    why: Annotated[
        str, typer.Option("--why", metavar="PATH", help="Why this note is or is not in the list.")
    ] = "",
    json: JsonOption = False,
    jsonl: JsonlOption = False,
    files: FilesOption = False,
    print0: Print0Option = False,
    count: CountOption = False,
    quiet: SilentOption = False,
    format: TemplateOption = "",
    pretty: PrettyOption = None,
    color: ColorOption = None,
) -> int:
    """Search a vault: words and meaning, entities and links, one fused list.

    In the words, "…" is a phrase and -word leaves out notes with that word. Options end at `--`.
    """
    from kb.cli.query_run import run_query

    arguments = QueryArguments(
        words=tuple(words or ()),
        tag=tuple(tag or ()),
        not_tag=tuple(not_tag or ()),
        path=tuple(path or ()),
        type=tuple(type or ()),
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
        update=update,
        vault=tuple(vault or ()),
        all_vaults=all_vaults,
        index=index,
        explain=explain,
        why=why,
        json=json,
        jsonl=jsonl,
        files=files,
        print0=print0,
        count=count,
        quiet=quiet,
        format=format,
        pretty=pretty,
        color=color,
        queries=queries,
    )
    return run_query(environment_of(context), arguments)
