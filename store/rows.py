"""Rows of a statement, with the types that the schema promises."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import apsw


def read_rows(
    connection: apsw.Connection,
    sql: str,
    values: Sequence[object] | Mapping[str, object] = (),
) -> list[tuple[Any, ...]]:
    """Every row of one statement. The tables are STRICT, so a column has its declared type."""
    return connection.execute(sql, values).fetchall()
