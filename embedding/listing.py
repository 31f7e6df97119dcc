"""The models that could be used: packaged, fetched, or to be fetched."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from kb.embedding.catalogue import list_entries
from kb.embedding.find import fetched_folder, find_snapshot
from kb.embedding.model import ModelKind
from kb.embedding.packaged import PACKAGED_NAME, WEIGHTS_MB, packaged_weights
from kb.embedding.places import cache_root
from kb.embedding.record import RECORD_NAME


class ModelState(StrEnum):
    """Whether a model is on this machine, and how it came there."""

    PACKAGED = "packaged"
    FETCHED = "fetched"
    AVAILABLE = "available"


@dataclass(frozen=True, slots=True)
class ListedModel:
    """One line of the list. `size_mb` is in 10⁶ bytes; a reranker's dimension is 1."""

    name: str
    kind: ModelKind
    dimension: int
    size_mb: int
    languages: tuple[str, ...]
    description: str
    state: ModelState


def list_models(*, cache_folder: Path | None = None) -> list[ListedModel]:
    """Return the packaged model, then all that fastembed lists, embedding models first.

    Takes half a second, since it imports fastembed; raises ModelError where that is missing.
    """
    root = cache_root(cache_folder)
    packaged = ListedModel(
        name=PACKAGED_NAME,
        kind=ModelKind.EMBEDDING,
        dimension=384,
        size_mb=WEIGHTS_MB,
        languages=("en",),
        description="small and English; comes as an ordinary package, nothing to fetch",
        state=ModelState.PACKAGED if packaged_weights() else ModelState.AVAILABLE,
    )
    listed = [packaged]
    for entry in list_entries():
        here = (fetched_folder(root, entry.name) / RECORD_NAME).is_file() or find_snapshot(entry)
        listed.append(
            ListedModel(
                name=entry.name,
                kind=entry.kind,
                dimension=entry.dimension,
                size_mb=entry.size_mb,
                languages=entry.languages,
                description=entry.description,
                state=ModelState.FETCHED if here else ModelState.AVAILABLE,
            )
        )
    return listed
