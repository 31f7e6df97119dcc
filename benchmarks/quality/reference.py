"""What the product is held against: plain baselines and the floors that it must not fall below."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Baseline:
    """nDCG@10 of plain parts on all queries of a collection; None where it was not measured.

    Lexical: FTS5 with Porter stemming, words joined with OR, stop words dropped, title weight 2
    (`trigram` where words are not separated, Snowball for Russian). Cosine: all-MiniLM-L6-v2 int8,
    256 tokens, exact. Fused: reciprocal rank fusion of the two, k 60, weights 1 and 1.
    """

    lexical: float
    cosine: float | None = None
    fused: float | None = None


BASELINES: dict[str, Baseline] = {
    "scifact": Baseline(0.688, 0.645, 0.720),
    "cranfield": Baseline(0.368, 0.373, 0.414),
    "cacm": Baseline(0.491, 0.427, 0.525),
    "docs-site-qa": Baseline(0.753, 0.694, 0.807),
    "hotpotqa-small": Baseline(0.823, 0.791, 0.836),
    "xquad-en": Baseline(0.969, 0.939, 0.966),
    "xquad-de": Baseline(0.931, 0.673, 0.847),
    "xquad-ru": Baseline(0.954),
    "xquad-zh": Baseline(0.880),
    "jsquad-valid": Baseline(0.922),
}
COLLECTIONS = tuple(BASELINES)

# nDCG@10 of the fusion that must be reached, with the offline model and without any.
FLOORS: dict[bool, dict[str, float]] = {
    True: {
        "scifact": 0.73,
        "cranfield": 0.42,
        "cacm": 0.56,
        "docs-site-qa": 0.81,
        "hotpotqa-small": 0.87,
        "xquad-en": 0.97,
        "xquad-de": 0.94,
        "xquad-ru": 0.95,
    },
    False: {
        "scifact": 0.69,
        "cranfield": 0.37,
        "cacm": 0.51,
        "xquad-ru": 0.95,
        "xquad-de": 0.94,
        "xquad-zh": 0.96,
        "jsquad-valid": 0.945,
    },
}
# How far the fusion may stay below its best stream.
BELOW_BEST = 0.005
# The least share of nonsense queries that must find nothing.
NOTHING_FOUND = 0.95
