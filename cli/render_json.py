"""Results as JSON documents. Their keys are a contract: see docs/json.md and schema/."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from kb.store.paths import decode_path, show_path
from kb.store.records import (
    Contribution,
    Factor,
    Hit,
    Lapse,
    RerankReport,
    SearchResult,
    StreamReport,
    StreamWhy,
    WhyReport,
)

if TYPE_CHECKING:
    from kb.fusion.naming import NamedNote

Document = dict[str, object]


def query_document(result: SearchResult) -> Document:
    """A search's result, schema `kb.query/1`."""
    return {"schema": "kb.query/1", "query": result.query, **_list_keys(result)}


def related_document(note: NamedNote, result: SearchResult) -> Document:
    """What is related to a note, schema `kb.related/1`."""
    return {
        "schema": "kb.related/1",
        "note": {**path_keys(note.path), "title": note.title},
        **_list_keys(result),
    }


def _list_keys(result: SearchResult) -> Document:
    """The keys of a list of notes, whatever was asked."""
    return {
        "vault": show_path(result.vault),
        "vaults": [show_path(vault) for vault in result.vaults or (result.vault,)],
        "scope": result.scope,
        "mode": str(result.mode),
        "k": result.k,
        "streams": {name: _stream_document(one) for name, one in result.streams.items()},
        "rerank": _rerank_document(result.rerank) if result.rerank else None,
        "results": [hit_document(hit) for hit in result.hits],
        "notices": [show_path(notice) for notice in result.notices],
    }


def hit_document(hit: Hit) -> Document:
    """One hit, as in `results`, and as one line of `--jsonl`."""
    passage = hit.passage
    return {
        "rank": hit.rank,
        "vault": show_path(hit.vault),
        **path_keys(hit.path),
        "title": hit.title,
        "score": hit.score,
        "rrf": hit.rrf,
        "authority": hit.authority,
        "authority_factors": [_factor_document(one) for one in hit.factors],
        "streams": {name: contribution_document(one) for name, one in hit.streams.items()},
        "passage": {
            "heading": list(passage.heading),
            "line": passage.line,
            "end_line": passage.end_line,
            "text": passage.text,
            "snippet": passage.snippet,
            "marks": [list(span) for span in passage.marks],
        },
        "tags": list(hit.tags),
        "changed": hit.changed,
        "lapsed": lapse_documents(hit.lapses),
        "rerank": hit.rerank,
        "fused_rank": hit.fused_rank,
    }


def lapse_documents(lapses: tuple[Lapse, ...]) -> list[Document]:
    """Why a note holds no more."""
    return [{"label": one.label, "reason": show_path(one.reason)} for one in lapses]


def _factor_document(factor: Factor) -> Document:
    return {"name": show_path(factor.name), "factor": factor.value}


def path_keys(stored: str) -> Document:
    """`path`, and for one that is not UTF-8 `path_base64`, the bytes that open the file."""
    shown = show_path(stored)
    if shown == stored:
        return {"path": stored}
    import base64

    raw = os.fsencode(decode_path(stored))
    return {"path": shown, "path_base64": base64.b64encode(raw).decode("ascii")}


def _rerank_document(report: RerankReport) -> Document:
    return {
        "model": show_path(report.model),
        "candidates": report.candidates,
        "scored": report.scored,
        "ms": report.milliseconds,
        "reason": show_path(report.reason),
    }


def _stream_document(report: StreamReport) -> Document:
    document: Document = {
        "status": str(report.status),
        "weight": report.weight,
        "base_weight": report.base_weight,
        "candidates": report.candidates,
        "ms": report.milliseconds,
    }
    if report.reason:
        document["reason"] = report.reason
    return document


def contribution_document(given: Contribution) -> Document:
    """What one stream gave a note."""
    document: Document = {
        "rank": given.rank,
        "score": given.score,
        "contribution": given.amount,
    }
    if given.matched:
        document["matched"] = list(given.matched)
    if given.via:
        document["via"] = [show_path(path) for path in given.via]
    if given.hops is not None:
        document["hops"] = given.hops
    return document


def why_document(report: WhyReport) -> Document:
    """Why a note is or is not in the list, schema `kb.why/1`."""
    return {
        "schema": "kb.why/1",
        "query": report.query,
        "vault": show_path(report.vault),
        **path_keys(report.path),
        "title": report.title,
        "limit": report.limit,
        "listed": report.listed,
        "rank": report.rank,
        "score": report.score,
        "authority": report.authority,
        "authority_factors": [_factor_document(one) for one in report.factors],
        "verdict": show_path(report.verdict),
        "needs": show_path(report.needs),
        "streams": {name: _stream_why_document(one) for name, one in report.streams.items()},
        "notices": [show_path(notice) for notice in report.notices],
    }


def _stream_why_document(told: StreamWhy) -> Document:
    return {
        "status": str(told.status),
        "rank": told.rank,
        "score": told.score,
        "contribution": told.contribution,
        "weight": told.weight,
        "reason": show_path(told.reason),
        "has": list(told.has),
        "lacks": list(told.lacks),
        "matched": list(told.matched),
        "nearly": list(told.nearly),
        "links": [show_path(path) for path in told.links],
        "needs": show_path(told.needs),
    }
