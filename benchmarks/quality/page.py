"""The page that the benchmark writes."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.measure import table
from benchmarks.quality.material import ALL, REPORT, TUNING
from benchmarks.quality.measurement import Outcome
from benchmarks.quality.reference import BASELINES, BELOW_BEST
from benchmarks.quality.tables import (
    NOTHING_HEAD,
    ablation_head,
    ablation_rows,
    arm,
    mean_row,
    nothing_row,
    quality_head,
    quality_row,
)
from kb.fusion.options import DEFAULT_K
from kb.streams.registry import default_weights

_INTRODUCTION = """\
# Ranking quality

How well the right notes are found, measured on judged test collections that were turned into
vaults, a note a document. Every figure comes from one command:

```console
$ python -m benchmarks.quality --write docs/quality.md
```

Weights and every other choice were made on the **tuning half** of each collection's queries
(those on even lines; for scifact its train split, though its test queries were looked at too for
the column weights, the word pairs and the size of passages). The tables show the **report half**
unless they say otherwise. Defaults: {weights}, k {k}.

`plain` is what plain parts reach on all queries of the collection: with the model, reciprocal rank
fusion (k 60, equal weights) of the two lists of the last table; without, FTS5 alone. `floor` is
what the fusion must reach on all queries. `less best` is the fusion's nDCG@10 less that of the
best single stream, which must not be below -{below_best}. A `!` marks what falls short.

nDCG uses the grade as gain, as trec_eval does. A stream that has nothing to say on a query counts
0 for it: entity and graph are not meant to stand alone.
"""

_ABLATION = """\
What leaving a stream out would cost: the fusion's nDCG@10 less that of the fusion without the
stream, which then gives the graph no starting notes either. Above 0 the stream helps; `*` where a
paired randomisation test gives p < 0.05.
"""

_NOTHING = """\
200 queries of invented words and 200 of keyboard noise, from a fixed seed, none with a word that
the collection holds: the share of them that finds nothing. Beside it, the share of the judged
queries that finds anything.
"""

_ALL = """\
## All queries

Both halves together, to compare with `plain`; for scifact its test queries.
"""

_TUNING = """\
## The tuning half

The queries that the choices were made on.
"""

_BASELINE = """\
nDCG@10 on all queries. Lexical: FTS5 with Porter stemming (Snowball for Russian, trigrams for
Chinese and Japanese), words joined with OR, stop words dropped, title weight 2. Cosine:
all-MiniLM-L6-v2 int8, 256 tokens, exact search.
"""


def render_page(outcomes: Sequence[Outcome]) -> str:
    """The whole page as Markdown."""
    weights = ", ".join(f"{name} {weight:g}" for name, weight in default_weights().items())
    parts = [_INTRODUCTION.format(weights=weights, k=DEFAULT_K, below_best=BELOW_BEST)]
    arms = [[one for one in outcomes if one.model == model] for model in (True, False)]
    arms = [one for one in arms if one]
    for group in arms:
        parts += [f"## {arm(group[0].model).capitalize()}\n", _quality(group, REPORT)]
    parts.append(f"## What each stream adds\n\n{_ABLATION}")
    for group in arms:
        parts.append(f"### {arm(group[0].model).capitalize()}\n")
        parts.append(table(ablation_head(group[0].model), ablation_rows(group, REPORT)))
    parts.append(f"## Nothing to find\n\n{_NOTHING}")
    for group in arms:
        parts.append(f"### {arm(group[0].model).capitalize()}\n")
        parts.append(table(NOTHING_HEAD, [nothing_row(one, REPORT) for one in group]))
    for title, half in ((_ALL, ALL), (_TUNING, TUNING)):
        parts.append(title)
        for group in arms:
            parts += [f"### {arm(group[0].model).capitalize()}\n", _quality(group, half)]
    parts.append(f"## Plain parts\n\n{_BASELINE}\n{_baselines()}")
    return "\n".join(parts)


def _quality(group: Sequence[Outcome], half: str) -> str:
    rows = [quality_row(one, half) for one in group]
    return table(quality_head(group[0].model), [*rows, mean_row(group, half)])


def _baselines() -> str:
    rows = [
        [name, *("-" if value is None else f"{value:.3f}" for value in values)]
        for name, baseline in BASELINES.items()
        for values in [(baseline.lexical, baseline.cosine, baseline.fused)]
    ]
    return table(["collection", "lexical", "cosine", "fused"], rows)
