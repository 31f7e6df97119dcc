"""`--format '{path}:{line}'`: a line a hit, in the user's own form."""

from __future__ import annotations

import re
from collections.abc import Callable
from string import Formatter

from kb.cli.escape import escape_block, escape_path
from kb.store.errors import UsageError
from kb.store.paths import decode_path
from kb.store.records import Hit, SearchResult

FIELDS: dict[str, Callable[[Hit], object]] = {
    "rank": lambda hit: hit.rank,
    "vault": lambda hit: decode_path(hit.vault),
    "path": lambda hit: decode_path(hit.path),
    "line": lambda hit: hit.passage.line,
    "end_line": lambda hit: hit.passage.end_line,
    "score": lambda hit: hit.score,
    "rrf": lambda hit: hit.rrf,
    "rerank": lambda hit: "" if hit.rerank is None else hit.rerank,
    "fused_rank": lambda hit: hit.fused_rank,
    "authority": lambda hit: hit.authority,
    "title": lambda hit: hit.title,
    "heading": lambda hit: " > ".join(hit.passage.heading),
    "snippet": lambda hit: " ".join(hit.passage.snippet.split()),
    "text": lambda hit: hit.passage.text,
    "tags": lambda hit: ",".join(hit.tags),
    "streams": lambda hit: ",".join(hit.streams),
    "changed": lambda hit: "true" if hit.changed else "false",
    "lapsed": lambda hit: ",".join(dict.fromkeys(one.label for one in hit.lapses)),
}
_ESCAPES = {"t": "\t", "n": "\n", "0": "\0", "\\": "\\"}
_ESCAPE = re.compile(r"\\([tn0\\])")


def render_template(template: str, result: SearchResult, terminal: bool) -> str:
    r"""The text of all hits, a line feed after each. `\t`, `\n` and `\0` in it are read.

    Raises UsageError that names the keys there are.
    """
    pieces = _parse(template)
    return "".join(_render_hit(pieces, hit, terminal) + "\n" for hit in result.hits)


def _parse(template: str) -> list[tuple[str, str | None, str, str | None]]:
    try:
        pieces = list(Formatter().parse(template))
    except ValueError as error:
        raise UsageError(
            f"`--format` cannot be read: {str(error).lower()}", "write a lone `{` as `{{`"
        ) from error
    for _, name, spec, _conversion in pieces:
        if name is not None and name not in FIELDS:
            keys = ", ".join(f"`{{{key}}}`" for key in FIELDS)
            raise UsageError(f"`--format` knows no `{{{name}}}`", f"keys are {keys}")
        if spec and ("{" in spec or sum(map(str.isdigit, spec)) > 4):
            raise UsageError(f"`--format` cannot read `{spec}`", "write such as `{score:.4f}`")
    return [
        (_unescape(literal), name, spec or "", conversion)
        for literal, name, spec, conversion in pieces
    ]


def _unescape(literal: str) -> str:
    return _ESCAPE.sub(lambda match: _ESCAPES[match[1]], literal)


def _render_hit(
    pieces: list[tuple[str, str | None, str, str | None]], hit: Hit, terminal: bool
) -> str:
    parts = []
    for literal, name, spec, conversion in pieces:
        parts.append(literal)
        if name is not None:
            parts.append(_render_field(name, spec, conversion, hit, terminal))
    return "".join(parts)


def _render_field(name: str, spec: str, conversion: str | None, hit: Hit, terminal: bool) -> str:
    value = FIELDS[name](hit)
    if terminal and isinstance(value, str):
        value = escape_path(hit.path) if name == "path" else escape_block(value)
    try:
        return format(Formatter().convert_field(value, conversion), spec)
    except ValueError as error:
        raise UsageError(
            f"`--format` cannot read `{{{name}:{spec}}}`: {str(error).lower()}",
            "write such as `{score:.4f}`",
        ) from error
