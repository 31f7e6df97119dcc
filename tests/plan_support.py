"""How SQLite means to run a statement."""

from __future__ import annotations

import re

import apsw


def plan(connection: apsw.Connection, sql: str) -> list[str]:
    """The steps of a statement."""
    numbers = [int(number) for number in re.findall(r"\?(\d)", sql)]
    values = [None] * max(numbers, default=sql.count("?"))
    return [str(row[3]) for row in connection.execute(f"EXPLAIN QUERY PLAN {sql}", values)]
