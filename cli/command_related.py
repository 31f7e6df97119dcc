"""`kb related`: what may be typed after it."""

# No `from __future__ import annotations`: Typer would have to compile each annotation, twice.

from typing import Annotated

import typer

from kb.cli.options import IndexOption, JsonOption, VaultOption, environment_of
from kb.cli.query_arguments import QueryArguments
from kb.cli.query_options import (
    AuthorityOption,
    ColorOption,
    CountOption,
    DepthOption,
    ExcludeFromOption,
    ExcludeOption,
    ExplainOption,
    FilesOption,
    IncludeIgnoredOption,
    JsonlOption,
    KOption,
    LimitOption,
    ModeOption,
    NotTagOption,
    PathOption,
    PrettyOption,
    Print0Option,
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
    note: Annotated[
        list[str],
        typer.Argument(
            metavar="NOTE...",
            help="A note by its path, title or alias, or a part of one.",
            show_default=False,
        ),
    ],
    *,
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
    mode: ModeOption = None,
    weight: WeightOption = None,
    k: KOption = None,
    limit: LimitOption = None,
    depth: DepthOption = None,
    authority: AuthorityOption = None,
    update: UpdateOption = None,
    vault: VaultOption = "",
    index: IndexOption = "",
    explain: ExplainOption = False,
    json: JsonOption = False,
    jsonl: JsonlOption = False,
    files: FilesOption = False,
    print0: Print0Option = False,
    count: CountOption = False,
    quiet: SilentOption = False,
    template: TemplateOption = "",
    pretty: PrettyOption = None,
    color: ColorOption = None,
) -> int:
    """List the notes related to a note: by links, names, meaning and words, one fused list."""
    from kb.cli.related_run import run_related

    arguments = QueryArguments(
        words=tuple(note),
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
        mode=mode,
        weight=tuple(weight or ()),
        k=k,
        limit=limit,
        depth=depth,
        hops=None,
        authority=authority,
        update=update,
        vault=vault,
        index=index,
        explain=explain,
        why="",
        json=json,
        jsonl=jsonl,
        files=files,
        print0=print0,
        count=count,
        quiet=quiet,
        format=template,
        pretty=pretty,
        color=color,
    )
    return run_related(environment_of(context), arguments)
