"""The options of every command that lists notes: filters, ranking, and the form of output."""

from __future__ import annotations

from typing import Annotated

import typer

# As far as the settings go.
MOST = 1_000_000

TagOption = Annotated[
    list[str] | None,
    typer.Option("--tag", metavar="TAG", help="Only notes with this tag or one below it."),
]
NotTagOption = Annotated[
    list[str] | None, typer.Option("--not-tag", metavar="TAG", help="No notes with it.")
]
PathOption = Annotated[
    list[str] | None, typer.Option("--path", metavar="GLOB", help="Only notes at such paths.")
]
TypeOption = Annotated[
    list[str] | None, typer.Option("--type", metavar="TYPE", help="Only notes of this type.")
]
WhereOption = Annotated[
    list[str] | None,
    typer.Option(
        "--where",
        metavar="CONDITION",
        help="A property: `p=v`, with != < <= > >= too; `p` (has it), `!p` (lacks it).",
    ),
]
SinceOption = Annotated[
    str, typer.Option("--since", metavar="DAY", help="Not older: a date, `today`, `7d`, `1y`.")
]
UntilOption = Annotated[str, typer.Option("--until", metavar="DAY", help="Not newer.")]
ExcludeOption = Annotated[
    list[str] | None,
    typer.Option("--exclude", metavar="GLOB", help="Leave out notes at such paths."),
]
ExcludeFromOption = Annotated[
    list[str] | None,
    typer.Option(
        "--exclude-from", metavar="FILE", help="Leave out the paths listed there; `-`: stdin."
    ),
]
IncludeIgnoredOption = Annotated[
    bool | None,
    typer.Option("--include-ignored/--no-include-ignored", help="Notes that the vault hides, too."),
]
ModeOption = Annotated[
    str | None,
    typer.Option(
        "--mode",
        metavar="MODE",
        help="hybrid, lexical (keyword), entity, semantic (cosine), graph.",
    ),
]
WeightOption = Annotated[
    list[str] | None,
    typer.Option("--weight", metavar="STREAM=N", help="Weight of a stream, 0 (off) to 5."),
]
KOption = Annotated[
    int | None,
    typer.Option("--k", metavar="N", min=1, max=MOST, help="k of reciprocal rank fusion."),
]
LimitOption = Annotated[
    int | None,
    typer.Option("--limit", "-n", metavar="N", min=0, max=MOST, help="How many notes; 0 for all."),
]
DepthOption = Annotated[
    int | None,
    typer.Option("--depth", metavar="N", min=1, max=MOST, help="How many notes a stream may rank."),
]
HopsOption = Annotated[
    int | None, typer.Option("--hops", metavar="N", min=1, max=2, help="Steps along links.")
]
AuthorityOption = Annotated[
    bool | None,
    typer.Option("--authority/--no-authority", help="Weigh notes by the links to them."),
]
RecentOption = Annotated[
    bool | None, typer.Option("--recent/--no-recent", help="Newer notes first, where alike.")
]
FactorsOption = Annotated[
    bool | None,
    typer.Option("--factors/--no-factors", help="Weigh notes by the factors of your settings."),
]
CurrentOption = Annotated[
    bool | None,
    typer.Option("--current/--no-current", help="Leave out superseded and expired notes."),
]
RerankOption = Annotated[
    bool | None,
    typer.Option("--rerank/--no-rerank", help="The first notes in a cross-encoder's order."),
]
RerankTopOption = Annotated[
    int | None,
    typer.Option("--rerank-top", metavar="N", min=1, max=MOST, help="How many notes are reranked."),
]
NowOption = Annotated[
    str, typer.Option("--now", metavar="DAY", help="Decide age and expiry as on this day.")
]
ScopeOption = Annotated[
    str | None,
    typer.Option("--scope", metavar="NAME", help="Only notes of this saved filter."),
]
NoScopeOption = Annotated[
    bool, typer.Option("--no-scope", help="Without the saved filter set.", show_default=False)
]
AllVaultsOption = Annotated[
    bool,
    typer.Option("--all-vaults", help="Ask every vault that is indexed.", show_default=False),
]
UpdateOption = Annotated[
    bool | None, typer.Option("--update/--no-update", help="Index changes first.")
]
ExplainOption = Annotated[
    bool,
    typer.Option(
        "--explain/--no-explain", help="A table of what each stream gave.", show_default=False
    ),
]
JsonlOption = Annotated[
    bool, typer.Option("--jsonl/--no-jsonl", help="A JSON line a hit.", show_default=False)
]
FilesOption = Annotated[
    bool,
    typer.Option("--files/--no-files", "-l", help="Paths only, a line each.", show_default=False),
]
Print0Option = Annotated[
    bool,
    typer.Option(
        "--print0/--no-print0", "-0", help="Paths only, NUL after each.", show_default=False
    ),
]
CountOption = Annotated[
    bool,
    typer.Option(
        "--count/--no-count", "-c", help="How many `-n 0` would list.", show_default=False
    ),
]
SilentOption = Annotated[
    bool,
    typer.Option(
        "--quiet/--no-quiet", "-q", help="No output, only the exit status.", show_default=False
    ),
]
TemplateOption = Annotated[
    str, typer.Option("--format", metavar="TEXT", help="Such as `{path}:{line} {title}`.")
]
PrettyOption = Annotated[
    bool | None, typer.Option("--pretty/--plain", help="The readable list, or a line a hit.")
]
ColorOption = Annotated[
    str | None, typer.Option("--color", metavar="WHEN", help="auto, always, never.")
]
