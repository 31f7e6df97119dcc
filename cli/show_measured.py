"""A table of figures: with lines on a terminal, aligned by spaces elsewhere."""

from __future__ import annotations

from kb.cli.environment import Environment
from kb.cli.output import write_lines
from kb.cli.render_table import TextTable


def show_table(environment: Environment, table: TextTable) -> None:
    """Print a table. Nothing of it is ever cut."""
    if environment.on_terminal or environment.color == "always":
        from kb.cli.render_terminal import print_table

        print_table(environment, table)
        return
    from kb.cli.render_plain import render_table

    write_lines(environment, render_table(table, environment.on_terminal))
