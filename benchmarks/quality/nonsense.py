"""Queries that no note answers: words that nobody wrote, and what a cat types.

Both come from a fixed seed. A word that the collection holds is not taken.
"""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

COUNT = 200
_SEED = 7
_ONSETS = "b br c cl d dr f fl g gl h j k kr l m n p pl qu r s sk sl st t tr v w y z zw"
_VOWELS = "a e i o u ai au ea ie oo ou"
_CODAS = ["", "", "b", "ck", "d", "ft", "g", "l", "lm", "m", "n", "nd", "p", "rb", "rt", "sp", "x"]
_KEYS = ("qwertyuiop", "asdfghjkl", "zxcvbnm", "1234567890", "[];',./-=")


def nonsense_queries(vault: Path) -> dict[str, list[str]]:
    """Queries by kind, each kind as many as `COUNT`, none with a word of the vault."""
    known: set[str] = set()
    for note in vault.rglob("*.md"):
        known.update(re.findall(r"\w+", note.read_text(encoding="utf-8").lower()))
    return {"invented words": _invented(known), "keyboard noise": _keyboard(known)}


def _invented(known: set[str]) -> list[str]:
    random = Random(_SEED)
    queries: list[str] = []
    while len(queries) < COUNT:
        words = [_word(random) for _ in range(random.randint(1, 4))]
        if not known.intersection(words):
            queries.append(" ".join(words))
    return queries


def _word(random: Random) -> str:
    onsets, vowels = _ONSETS.split(), _VOWELS.split()
    return "".join(
        random.choice(onsets) + random.choice(vowels) + random.choice(_CODAS)
        for _ in range(random.randint(2, 3))
    )


def _keyboard(known: set[str]) -> list[str]:
    """Runs of neighbouring keys, with a slip of the finger now and then."""
    random = Random(_SEED + 1)
    queries: list[str] = []
    while len(queries) < COUNT:
        text = " ".join(_run_of_keys(random) for _ in range(random.randint(1, 3)))
        words = re.findall(r"\w+", text)
        if words and not known.intersection(words):
            queries.append(text)
    return queries


def _run_of_keys(random: Random) -> str:
    row = random.choice(_KEYS[:3]) if random.random() < 0.8 else random.choice(_KEYS)
    place = random.randrange(len(row))
    keys = []
    for _ in range(random.randint(4, 10)):
        keys.append(row[place])
        if random.random() < 0.15:
            row = random.choice(_KEYS[:3])
        place = min(max(place + random.choice((-1, 1, 1, 2)), 0), len(row) - 1)
    return "".join(keys)
