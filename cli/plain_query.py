"""What follows `kb query`, read without Typer wherever it is plain.

Typer is the parser, and takes longer to load than all the rest of a query. Nearly every command
line has only whole options, each with a value that is in order, and words. Those are read here by
the table below, which a test holds to Typer's own parameters; another test holds what is read to
what Typer reads. Whatever else was typed (help, mistakes, `-n5`, an option that is not in the
table) is left to Typer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kb.cli.query_arguments import QueryArguments

# As far as whole numbers go; the same stands in `query_options.py`, which imports Typer.
_MOST = 1_000_000

# The field that an option fills, and what with: "texts" adds its value to those before, "text"
# takes the last, two numbers are the bounds of one, and a truth value is what it stands for.
OPTIONS: dict[str, tuple[str, str | bool | tuple[int, int]]] = {
    "--tag": ("tag", "texts"),
    "--not-tag": ("not_tag", "texts"),
    "--path": ("path", "texts"),
    "--type": ("type", "texts"),
    "--where": ("where", "texts"),
    "--since": ("since", "text"),
    "--until": ("until", "text"),
    "--exclude": ("exclude", "texts"),
    "--exclude-from": ("exclude_from", "texts"),
    "--include-ignored": ("include_ignored", True),
    "--no-include-ignored": ("include_ignored", False),
    "--current": ("current", True),
    "--no-current": ("current", False),
    "--scope": ("scope", "text"),
    "--no-scope": ("no_scope", True),
    "--mode": ("mode", "text"),
    "--weight": ("weight", "texts"),
    "--k": ("k", (1, _MOST)),
    "--limit": ("limit", (0, _MOST)),
    "-n": ("limit", (0, _MOST)),
    "--depth": ("depth", (1, _MOST)),
    "--hops": ("hops", (1, 2)),
    "--authority": ("authority", True),
    "--no-authority": ("authority", False),
    "--recent": ("recent", True),
    "--no-recent": ("recent", False),
    "--factors": ("factors", True),
    "--no-factors": ("factors", False),
    "--now": ("now", "text"),
    "--rerank": ("rerank", True),
    "--no-rerank": ("rerank", False),
    "--rerank-top": ("rerank_top", (1, _MOST)),
    "--update": ("update", True),
    "--no-update": ("update", False),
    "--vault": ("vault", "texts"),
    "--all-vaults": ("all_vaults", True),
    "--index": ("index", "text"),
    "--queries": ("queries", "text"),
    "--explain": ("explain", True),
    "--no-explain": ("explain", False),
    "--why": ("why", "text"),
    "--json": ("json", True),
    "--no-json": ("json", False),
    "--jsonl": ("jsonl", True),
    "--no-jsonl": ("jsonl", False),
    "--files": ("files", True),
    "-l": ("files", True),
    "--no-files": ("files", False),
    "--print0": ("print0", True),
    "-0": ("print0", True),
    "--no-print0": ("print0", False),
    "--count": ("count", True),
    "-c": ("count", True),
    "--no-count": ("count", False),
    "--quiet": ("quiet", True),
    "-q": ("quiet", True),
    "--no-quiet": ("quiet", False),
    "--format": ("format", "text"),
    "--pretty": ("pretty", True),
    "--plain": ("pretty", False),
    "--color": ("color", "text"),
}

_Value = str | int | bool | tuple[str, ...]


def read_plain(arguments: Sequence[str]) -> QueryArguments | None:
    """What was typed after `kb query`, None where only Typer can tell."""
    given: dict[str, _Value] = {}
    words: list[str] = []
    rest = iter(arguments)
    for argument in rest:
        if argument == "--":
            words.extend(rest)
        elif argument[:1] != "-" or argument == "-":
            words.append(argument)
        elif not _take(argument, rest, given):
            return None
    return QueryArguments(tuple(words), **given)  # type: ignore[arg-type]


def _take(argument: str, rest: Iterator[str], given: dict[str, _Value]) -> bool:
    """Take an option, with its value where it has one; False where that is not plain."""
    name, equals, value = argument.partition("=")
    if name not in OPTIONS or (equals and name[:2] != "--"):
        return False
    field, kind = OPTIONS[name]
    if isinstance(kind, bool):
        given[field] = kind
        return not equals
    if not equals:
        value = next(rest, "")
    if value[:1] in ("", "-"):
        return False  # nothing, or perhaps the next option: for Typer to say
    if isinstance(kind, tuple):
        if not (value.isascii() and value.isdecimal() and len(value) < 10):
            return False
        given[field] = int(value)
        return kind[0] <= int(value) <= kind[1]
    if kind == "texts":
        before = given.get(field, ())
        assert isinstance(before, tuple)
        given[field] = (*before, value)
    else:
        given[field] = value
    return True
