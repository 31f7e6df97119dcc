"""How much text may be given: characters, or tokens as a model's tokenizer counts them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from kb.store.errors import UsageError
from kb.store.meta import Meta

if TYPE_CHECKING:
    from kb.embedding import Model

_BUDGET = re.compile(r"\s*(\d{1,9})\s*(c|chars?|characters?|t|tok|tokens?)?\s*", re.IGNORECASE)
_MOST = 10_000_000
# Characters that a token stands for in most texts of Latin script; others take one each.
_CHARACTERS_A_TOKEN = 4


class Unit(StrEnum):
    """What a budget is counted in."""

    CHARACTERS = "characters"
    TOKENS = "tokens"


class Budget(NamedTuple):
    """At most so much text."""

    amount: int
    unit: Unit = Unit.CHARACTERS


class Measure(NamedTuple):
    """What counts a text, and its name: `characters`, a model, or `estimate`."""

    size: Callable[[str], int]
    name: str


def parse_budget(text: str, unit: str = "") -> Budget:
    """`4000`, `4000c`, `1000t` as a budget; `unit` is for a number alone. Raises UsageError."""
    match = _BUDGET.fullmatch(text)
    if match is None or not 0 < int(match[1]) <= _MOST:
        raise UsageError(
            f"`{text}` is no budget", "write a number of characters, or of tokens as `1000t`"
        )
    units = {one.value[0]: one for one in Unit}
    written = (match[2] or "").lower()[:1]
    wanted = unit.strip().lower()
    if wanted and wanted not in Unit.__members__.values() and wanted not in units:
        raise UsageError(f"`{unit}` is no unit", "units are `characters` and `tokens`")
    if written and wanted and written != wanted[0]:
        raise UsageError(f"`{text}` is not in {units[wanted[0]]}", "leave one of the units out")
    return Budget(int(match[1]), units[(written or wanted or "c")[0]])


def measure_of(unit: Unit, meta: Mapping[str, str]) -> Measure:
    """What counts in that unit, for an index: by the tokenizer of its model where that is here."""
    if unit is Unit.CHARACTERS:
        return Measure(len, "characters")
    from kb.embedding import ModelError, find_model

    try:
        model = find_model(meta.get(Meta.MODEL_SETTING, ""))
        return Measure(_counter(model), model.name)
    except (ModelError, ImportError):
        return Measure(estimate_tokens, "estimate")


@lru_cache(maxsize=1)
def _counter(model: Model) -> Callable[[str], int]:
    from kb.embedding import count_tokens

    return count_tokens(model)


def estimate_tokens(text: str) -> int:
    """About how many tokens a text is: a quarter of its ASCII characters, and all others."""
    plain = sum(map(str.isascii, text))
    return -(-plain // _CHARACTERS_A_TOKEN) + len(text) - plain
