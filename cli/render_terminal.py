"""Results for a person at a terminal. The only module that loads rich for a query."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table
from rich.text import Text

from kb.cli.escape import escape_block, escape_line, escape_path
from kb.cli.render_explain import highest_score, lapses_text
from kb.cli.render_stacked import is_too_narrow, stack_table
from kb.cli.wrap import wrap_line
from kb.store.records import Hit, SearchResult, ShownPassage

if TYPE_CHECKING:
    from kb.cli.environment import Environment
    from kb.cli.render_table import TextTable

_BAR_CELLS = 10
_INDENT = "   "


def make_console(environment: Environment) -> Console:
    """A console that writes what it is given: no markup, no highlighting, no emoji codes."""
    return Console(
        file=environment.stdout,
        width=max(environment.width, 20),
        force_terminal=environment.colored or environment.on_terminal,
        color_system="standard" if environment.colored else None,
        no_color=not environment.colored,
        markup=False,
        highlight=False,
        emoji=False,
    )


def print_hits(environment: Environment, result: SearchResult) -> None:
    """The readable list: title, place, heading trail, snippet, and how good a score is."""
    console = make_console(environment)
    highest = highest_score(result)
    for position, hit in enumerate(result.hits):
        if position:
            console.print()
        _print_hit(console, hit, highest, colored=environment.colored)


def _print_hit(console: Console, hit: Hit, highest: float, *, colored: bool) -> None:
    head = Text()
    head.append(f"{hit.rank}. ", style="dim")
    head.append(escape_line(hit.title), style="bold")
    console.print(head, soft_wrap=False)
    place = Text(_INDENT)
    place.append(f"{escape_path(hit.path)}:{hit.passage.line}", style="cyan")
    if hit.changed:
        place.append("  (changed since it was indexed)", style="yellow")
    if hit.lapses:
        place.append(f"  {escape_line(lapses_text(hit.lapses))}", style="yellow")
    console.print(place, soft_wrap=True)
    score = Text(_INDENT)
    score.append(score_bar(hit.score, highest), style="green")
    score.append(f" {hit.score:.4f}  {', '.join(hit.streams)}", style="dim")
    console.print(score)
    trail = " › ".join(map(escape_line, _below_title(hit)))
    if trail:
        console.print(_indented(Text(trail, style="magenta"), console))
    console.print(_indented(marked_snippet(hit.passage, colored=colored), console))


def _below_title(hit: Hit) -> tuple[str, ...]:
    """The heading trail; a first heading that is the title has been shown."""
    heading = hit.passage.heading
    return heading[1:] if heading[:1] == (hit.title,) else heading


def _indented(text: Text, console: Console) -> Text:
    lines = text.wrap(console, max(console.width - len(_INDENT), 10))
    for line in lines:
        line.rstrip()
    return Text("\n").join([Text(_INDENT).append_text(line) for line in lines])


def score_bar(score: float, highest: float) -> str:
    """A score as a bar against the highest there could be."""
    share = min(max(score / highest, 0.0), 1.0) if highest > 0 else 0.0
    filled = max(round(share * _BAR_CELLS), 1 if score > 0 else 0)
    return "▰" * filled + "▱" * (_BAR_CELLS - filled)


def marked_snippet(passage: ShownPassage, *, colored: bool) -> Text:
    """The snippet with its matches marked: by colour, else between `**`."""
    text, snippet, end = Text(), passage.snippet, 0
    for start, stop in passage.marks:
        if not end <= start < stop <= len(snippet):
            continue  # a span that does not fit marks nothing
        text.append(escape_line(snippet[end:start]))
        match = escape_line(snippet[start:stop])
        text.append(match if colored else f"**{match}**", style="bold yellow" if colored else "")
        end = stop
    text.append(escape_line(snippet[end:]))
    return text


def print_table(environment: Environment, table: TextTable) -> None:
    """A table with lines, or stacked where the terminal is narrow. A cell is never cut."""
    console = make_console(environment)
    if is_too_narrow(table, console.width):
        _print_stacked(console, table)
    else:
        _print_drawn(console, table)
    for note in table.notes:
        for line in wrap_line(escape_line(note), console.width):
            console.print(Text(line), soft_wrap=True)


def _print_stacked(console: Console, table: TextTable) -> None:
    clean = table._replace(
        columns=tuple(map(escape_block, table.columns)),
        rows=tuple(tuple(map(escape_block, row)) for row in table.rows),
    )
    stacked = stack_table(clean, console.width)
    for line in wrap_line(escape_line(table.title), console.width):
        console.print(Text(line, style="italic"), soft_wrap=True)
    for line in stacked.head:
        console.print(Text(line, style="bold"), soft_wrap=True)
    for above, lines in stacked.rows:
        console.print(Text(above, style="cyan"), soft_wrap=True)
        for line in lines:
            console.print(Text(line), soft_wrap=True)


def _print_drawn(console: Console, table: TextTable) -> None:
    drawn = Table(title=Text(escape_line(table.title)), title_justify="left")
    for position, name in enumerate(table.columns):
        right = position in table.numeric
        drawn.add_column(
            Text(escape_block(name)), justify="right" if right else "left", overflow="fold"
        )
    for row in table.rows:
        drawn.add_row(*(Text(escape_block(cell)) for cell in row))
    console.print(drawn)
