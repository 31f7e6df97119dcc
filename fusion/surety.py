"""Which of two streams is surer of its first note, and so counts more for this query.

Of lexical and cosine, the one whose first note stands further ahead of its second is right more
often. The weight of cosine is multiplied by 1.2 √((m_c + 0.05) / (m_l + 0.1)), from 0.7 to 2,
where m = (s1 - s2) / s1 for the scores s1 and s2 of a stream's two best notes, and 1 where it has
one note only. Over the tuning halves this gains more than any fixed weight.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt

from kb.store.records import Ranking, StreamStatus

_LEAST, _MOST = 0.7, 2.0


def compare_sureness(rankings: Mapping[str, Ranking]) -> dict[str, Ranking]:
    """The rankings, cosine's with the factor and the reason that comparing gives.

    Nothing changes where either is not there, or cosine has a reason of its own to count less.
    """
    compared = dict(rankings)
    lexical, cosine = rankings.get("lexical"), rankings.get("cosine")
    if lexical is None or cosine is None or cosine.factor != 1.0:
        return compared
    if lexical.status != StreamStatus.OK or cosine.status != StreamStatus.OK or not lexical.hits:
        return compared
    by_words, by_meaning = _margin(lexical), _margin(cosine)
    factor = 1.2 * sqrt((by_meaning + 0.05) / (by_words + 0.1))
    reason = (
        f"its first note is {by_meaning:.0%} ahead of its second, that of lexical {by_words:.0%}"
    )
    compared["cosine"] = cosine._replace(factor=min(_MOST, max(_LEAST, factor)), reason=reason)
    return compared


def _margin(ranking: Ranking) -> float:
    """How far the first note is ahead of the second (0 to 1)."""
    if len(ranking.hits) < 2:
        return 1.0
    first, second = ranking.hits[0].score, ranking.hits[1].score
    return (first - second) / first if first > 0 else 0.0
