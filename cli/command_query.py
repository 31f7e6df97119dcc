"""`kb query`: what may be typed after it."""

# No `from __future__ import annotations`: Typer would have to compile each annotation, twice.

from typing import Annotated

import typer

from kb.cli.options import IndexOption, VaultOption, environment_of
from kb.cli.query_arguments import QueryArguments


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
    tag: Annotated[
        list[str] | None,
        typer.Option("--tag", metavar="TAG", help="Only notes with this tag or one below it."),
    ] = None,
    not_tag: Annotated[
        list[str] | None, typer.Option("--not-tag", metavar="TAG", help="No notes with it.")
    ] = None,
    path: Annotated[
        list[str] | None, typer.Option("--path", metavar="GLOB", help="Only notes at such paths.")
    ] = None,
    note_type: Annotated[
        list[str] | None, typer.Option("--type", metavar="TYPE", help="Only notes of this type.")
    ] = None,
    where: Annotated[
        list[str] | None,
        typer.Option(
            "--where",
            metavar="CONDITION",
            help="A property: `p=v`, with != < <= > >= too; `p` (has it), `!p` (lacks it).",
        ),
    ] = None,
    since: Annotated[
        str, typer.Option("--since", metavar="DAY", help="Not older: a date, `today`, `7d`, `1y`.")
    ] = "",
    until: Annotated[str, typer.Option("--until", metavar="DAY", help="Not newer.")] = "",
    exclude: Annotated[
        list[str] | None,
        typer.Option("--exclude", metavar="GLOB", help="Leave out notes at such paths."),
    ] = None,
    exclude_from: Annotated[
        list[str] | None,
        typer.Option(
            "--exclude-from", metavar="FILE", help="Leave out the paths listed there; `-`: stdin."
        ),
    ] = None,
    include_ignored: Annotated[
        bool | None,
        typer.Option(
            "--include-ignored/--no-include-ignored", help="Notes that the vault hides, too."
        ),
    ] = None,
    mode: Annotated[
        str | None,
        typer.Option(
            "--mode",
            metavar="MODE",
            help="hybrid, lexical (keyword), entity, semantic (cosine), graph.",
        ),
    ] = None,
    weight: Annotated[
        list[str] | None,
        typer.Option("--weight", metavar="STREAM=N", help="Weight of a stream, 0 (off) to 5."),
    ] = None,
    k: Annotated[
        int | None, typer.Option("--k", metavar="N", min=1, help="k of reciprocal rank fusion.")
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option("--limit", "-n", metavar="N", min=0, help="How many notes; 0 for all."),
    ] = None,
    depth: Annotated[
        int | None,
        typer.Option("--depth", metavar="N", min=1, help="How many notes a stream may rank."),
    ] = None,
    hops: Annotated[
        int | None, typer.Option("--hops", metavar="N", min=1, max=2, help="Steps along links.")
    ] = None,
    authority: Annotated[
        bool | None,
        typer.Option("--authority/--no-authority", help="Weigh notes by the links to them."),
    ] = None,
    update: Annotated[
        bool | None, typer.Option("--update/--no-update", help="Index changes first.")
    ] = None,
    vault: VaultOption = "",
    index: IndexOption = "",
    explain: Annotated[
        bool,
        typer.Option(
            "--explain/--no-explain", help="A table of what each stream gave.", show_default=False
        ),
    ] = False,
    why: Annotated[
        str, typer.Option("--why", metavar="PATH", help="Why this note is or is not in the list.")
    ] = "",
    json: Annotated[
        bool, typer.Option("--json/--no-json", help="One JSON document.", show_default=False)
    ] = False,
    jsonl: Annotated[
        bool, typer.Option("--jsonl/--no-jsonl", help="A JSON line a hit.", show_default=False)
    ] = False,
    files: Annotated[
        bool,
        typer.Option(
            "--files/--no-files", "-l", help="Paths only, a line each.", show_default=False
        ),
    ] = False,
    print0: Annotated[
        bool,
        typer.Option(
            "--print0/--no-print0", "-0", help="Paths only, NUL after each.", show_default=False
        ),
    ] = False,
    count: Annotated[
        bool,
        typer.Option(
            "--count/--no-count", "-c", help="How many `-n 0` would list.", show_default=False
        ),
    ] = False,
    quiet: Annotated[
        bool,
        typer.Option(
            "--quiet/--no-quiet", "-q", help="No output, only the exit status.", show_default=False
        ),
    ] = False,
    template: Annotated[
        str, typer.Option("--format", metavar="TEXT", help="Such as `{path}:{line} {title}`.")
    ] = "",
    pretty: Annotated[
        bool | None, typer.Option("--pretty/--plain", help="The readable list, or a line a hit.")
    ] = None,
    color: Annotated[
        str | None, typer.Option("--color", metavar="WHEN", help="auto, always, never.")
    ] = None,
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
        hops=hops,
        authority=authority,
        update=update,
        vault=vault,
        index=index,
        explain=explain,
        why=why,
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
    return run_query(environment_of(context), arguments)
