"""Queries that are a name to be found as it stands: `INC-2041`, `foo_bar`, `2026.4.10`."""

from __future__ import annotations

import re
from collections.abc import Iterable

import apsw

from kb.store.rows import read_rows
from kb.streams.match import match_any
from kb.text import Query, Term

# The factor of a stream that cannot read such a name. At the default weights such streams give
# less together than the step from rank 1 to rank 2 of the lexical stream (1/61 - 1/62), so they
# fill the end of the list and leave its order alone.
AFTER_THE_OTHERS = 0.01

_HOLDS = "SELECT 1 FROM passages_fts WHERE passages_fts MATCH ? LIMIT 1"
# A hyphen alone makes no identifier of two words (`real-time`); a digit, an underscore, an inner
# dot, slash, colon or @, or a capital after a small letter does.
_IDENTIFIER = re.compile(r"[\d_@]|\w[.:/]\w|[a-z][A-Z]|\+\+|#$")


def vault_holds(connection: apsw.Connection, terms: Iterable[Term]) -> bool:
    """Whether any passage of the vault matches any of the terms."""
    expression = match_any(terms)
    return bool(expression and read_rows(connection, _HOLDS, (expression,)))


def held_identifier(connection: apsw.Connection, query: Query) -> str:
    """The identifier that the whole query consists of and that the vault holds, else ""."""
    names = [
        term for term in query.terms if term.kind == "compound" and _IDENTIFIER.search(term.surface)
    ]
    if not names:
        return ""
    for term in query.terms:
        if not any(name.start <= term.start and term.end <= name.end for name in names):
            return ""
    held = [name for name in names if vault_holds(connection, (name,))]
    return held[0].surface if held else ""
