"""Notes, their links and what narrows a search, as JSON documents; see docs/json.md and schema/."""

from __future__ import annotations

from kb.cli.render_json import Document, path_keys
from kb.fusion.facets import Facets
from kb.fusion.note_links import Backlink, NoteLinks, OutgoingLink
from kb.fusion.note_text import NoteText
from kb.store.paths import show_path


def note_document(note: NoteText) -> Document:
    """The text of a note or of a part of it, schema `kb.note/1`."""
    return {
        "schema": "kb.note/1",
        "vault": show_path(note.vault),
        **path_keys(note.path),
        "title": note.title,
        "heading": list(note.heading),
        "line": note.line,
        "end_line": note.end_line,
        "lines": note.lines,
        "text": note.text,
        "next_line": note.next_line,
        "changed": note.changed,
        "notices": list(note.notices),
    }


def links_document(links: NoteLinks) -> Document:
    """The links of a note both ways, schema `kb.links/1`."""
    return {
        "schema": "kb.links/1",
        "vault": show_path(links.vault),
        **path_keys(links.note.path),
        "title": links.note.title,
        "outgoing": [_outgoing_document(link) for link in links.outgoing],
        "backlinks": [_backlink_document(link) for link in links.backlinks],
        "outgoing_count": links.outgoing_count,
        "backlink_count": links.backlink_count,
        "notices": [],
    }


def _outgoing_document(link: OutgoingLink) -> Document:
    document: Document = {
        "target": link.target,
        "fragment": link.fragment,
        "display": link.display,
        "kind": str(link.kind),
        "status": str(link.status),
        "line": link.line,
        "section": list(link.section),
        "note": {**path_keys(link.path), "title": link.title} if link.path else None,
    }
    if link.candidates:
        document["candidates"] = [show_path(path) for path in link.candidates]
    return document


def _backlink_document(link: Backlink) -> Document:
    return {
        **path_keys(link.path),
        "title": link.title,
        "line": link.line,
        "section": list(link.section),
        "kind": str(link.kind),
        "fragment": link.fragment,
        "display": link.display,
        "context": link.context,
    }


def tags_document(facets: Facets) -> Document:
    """Tags, types and properties with their counts, schema `kb.tags/1`."""
    return {
        "schema": "kb.tags/1",
        "vault": show_path(facets.vault),
        "tags": [{"tag": one.tag, "notes": one.notes, "own": one.own} for one in facets.tags],
        "types": [{"type": one.type, "notes": one.notes} for one in facets.types],
        "properties": [
            {"name": one.name, "notes": one.notes, "values": list(one.values)}
            for one in facets.properties
        ],
        "tag_count": facets.tag_count,
        "type_count": facets.type_count,
        "property_count": facets.property_count,
        "notices": [],
    }
