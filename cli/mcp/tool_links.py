"""The tool `links`."""

from __future__ import annotations

from kb.cli.mcp.bounds import fit, join_entries, one_line
from kb.cli.mcp.parameters import LIST_LIMIT, NOTE, UNTRUSTED
from kb.cli.mcp.tool import Answer, Call, Tool
from kb.cli.render_note_json import links_document
from kb.fusion.note_links import Backlink, NoteLinks, OutgoingLink
from kb.store.paths import show_path

_USUAL = 50


def run(call: Call) -> Answer:
    """Tell the links of a note."""
    links = call.vault.links(call.text("note"), limit=call.number("limit", _USUAL))
    document = fit(links_document(links), ["outgoing", "backlinks"])
    return Answer(document, render_links(links))


def render_links(links: NoteLinks) -> str:
    """The links of a note, a line each."""
    path = show_path(links.note.path)
    out = _head(f"{path} links to", len(links.outgoing), links.outgoing_count)
    back = _head("and is linked from", len(links.backlinks), links.backlink_count)
    return "\n".join(
        (
            join_entries(out, map(_outgoing_text, links.outgoing), 8_000),
            join_entries(back, map(_backlink_text, links.backlinks), 8_000),
        )
    )


def _head(what: str, shown: int, count: int) -> str:
    return f"{what} ({shown} of {count}):" if shown < count else f"{what} ({count}):"


def _outgoing_text(link: OutgoingLink) -> str:
    fragment = f"#{link.fragment}" if link.fragment else ""
    written = one_line(f"{link.target}{fragment}", 200)
    leads = show_path(link.path) if link.path else str(link.status)
    unsure = f" ({link.status})" if link.path and link.status != "resolved" else ""
    return f"- line {link.line}: {written} → {leads}{unsure}"


def _backlink_text(link: Backlink) -> str:
    context = one_line(link.context) if link.context else "in a property"
    return f"- {show_path(link.path)}:{link.line}: {context}"


TOOL = Tool(
    name="links",
    title="Follow links",
    description=(
        "Tell what a note links to and which notes link to it, each backlink with the line that it"
        " stands on, and which links lead nowhere. Use it to follow the user's own connections from"
        f" a note; for notes that only resemble it use `related`. {UNTRUSTED}"
    ),
    properties={"note": NOTE, "limit": LIST_LIMIT},
    required=("note",),
    schema="kb.links-1",
    run=run,
)
