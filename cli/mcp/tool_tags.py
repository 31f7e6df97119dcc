"""The tool `tags`."""

from __future__ import annotations

from collections.abc import Iterable

from kb.cli.mcp.bounds import fit, one_line
from kb.cli.mcp.parameters import LIST_LIMIT, text
from kb.cli.mcp.tool import Answer, Call, Tool
from kb.cli.render_note_json import tags_document
from kb.fusion.facets import Facets, PropertyCount

_USUAL = 50


def run(call: Call) -> Answer:
    """Tell what a search can be narrowed by."""
    limit = call.number("limit", _USUAL)
    facets = call.vault.facets(under=call.text("under"), limit=limit)
    document = fit(tags_document(facets), ["tags", "types", "properties"])
    return Answer(document, render_facets(facets))


def render_facets(facets: Facets) -> str:
    """Tags, types and properties, a line each."""
    return "\n".join(
        _line(*kind)
        for kind in (
            ("tags", (f"{one.tag} {one.notes}" for one in facets.tags), facets.tag_count),
            ("types", (f"{one.type} {one.notes}" for one in facets.types), facets.type_count),
            ("properties", map(_property, facets.properties), facets.property_count),
        )
    )


def _line(kind: str, entries: Iterable[str], count: int) -> str:
    return f"{count} {kind}: {one_line(', '.join(entries), 6_000)}" if count else f"no {kind}"


def _property(one: PropertyCount) -> str:
    values = "; ".join(one_line(value, 40) for value in one.values)
    return f"{one.name} {one.notes} ({values})" if values else f"{one.name} {one.notes}"


TOOL = Tool(
    name="tags",
    title="List tags, types and properties",
    description=(
        "List the tags of the vault, the types of its notes and their properties, with how many"
        " notes have each. Use it before filtering a `search`, to see what there is: tags for"
        " `tags`, types for `types`, properties and their commonest values for `where`."
    ),
    properties={
        "under": text("Only this tag and those below it (`project` gives `project/alpha`)."),
        "limit": LIST_LIMIT,
    },
    required=(),
    schema="kb.tags-1",
    run=run,
)
