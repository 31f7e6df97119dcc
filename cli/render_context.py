"""A context pack as a JSON document: see docs/json.md and schema/."""

from __future__ import annotations

from kb.cli.render_json import Document, contribution_document, lapse_documents, path_keys
from kb.fusion.context import ContextPack
from kb.fusion.context_items import ContextItem
from kb.store.paths import show_path


def context_document(pack: ContextPack) -> Document:
    """The passages for a question, schema `kb.context/1`."""
    return {
        "schema": "kb.context/1",
        "query": pack.query,
        "vault": show_path(pack.vault),
        "vaults": [show_path(vault) for vault in pack.vaults],
        "scope": pack.scope,
        "mode": pack.mode,
        "budget": {
            "amount": pack.budget.amount,
            "unit": str(pack.budget.unit),
            "counted_by": pack.counted_by,
            "used": pack.used,
        },
        "found": pack.found,
        "passages": [_item_document(item) for item in pack.items],
        "notices": [show_path(notice) for notice in pack.notices],
    }


def _item_document(item: ContextItem) -> Document:
    return {
        "rank": item.rank,
        "vault": show_path(item.vault),
        **path_keys(item.path),
        "title": item.title,
        "score": item.score,
        "heading": list(item.heading),
        "line": item.line,
        "end_line": item.end_line,
        "text": item.text,
        "cut": item.cut,
        "why": show_path(item.why),
        "streams": {name: contribution_document(one) for name, one in item.streams.items()},
        "lapsed": lapse_documents(item.lapses),
    }
