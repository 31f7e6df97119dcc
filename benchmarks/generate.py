"""Write a synthetic vault: Zipf words, links with hubs, front matter, headings.

usage: python -m benchmarks.generate OUT [--notes 10000] [--size 1700] [--seed 1]

The same arguments give the same bytes.
"""

from __future__ import annotations

import argparse
import random
from datetime import date, timedelta
from itertools import accumulate
from pathlib import Path

_ONSETS = [
    "b",
    "br",
    "c",
    "ch",
    "d",
    "dr",
    "f",
    "fl",
    "g",
    "gr",
    "h",
    "j",
    "k",
    "kl",
    "l",
    "m",
    "n",
    "p",
    "pl",
    "pr",
    "qu",
    "r",
    "s",
    "sh",
    "sk",
    "st",
    "t",
    "th",
    "tr",
    "v",
    "w",
    "z",
]
_VOWELS = ["a", "e", "i", "o", "u", "ai", "ea", "io", "oo"]
_CODAS = ["", "", "n", "r", "s", "t", "l", "nd", "rk", "st"]
_VOCABULARY = 30_000
_NOTES_A_FOLDER = 200
_PART = 600  # bytes of a part, about
_EPOCH = date(2020, 1, 1)


def vocabulary(rng: random.Random) -> list[str]:
    """Invented words, each once, in no order."""
    words: dict[str, None] = {}
    while len(words) < _VOCABULARY:
        syllables = rng.choice((1, 2, 2, 3, 3, 4))
        words["".join(_syllable(rng) for _ in range(syllables))] = None
    return list(words)


def _syllable(rng: random.Random) -> str:
    return rng.choice(_ONSETS) + rng.choice(_VOWELS) + rng.choice(_CODAS)


def write_vault(out: Path, notes: int, size: int, seed: int) -> None:
    """Write `notes` notes of about `size` bytes each below `out`."""
    rng = random.Random(seed)
    words = vocabulary(rng)
    weights = list(accumulate(1 / (rank + 2) for rank in range(len(words))))
    for number in range(notes):
        path = out / _relative_path(number)
        path.parent.mkdir(parents=True, exist_ok=True)
        text = _note(rng, words, weights, number, notes, size)
        path.write_text(text, encoding="utf-8", newline="\n")


def _relative_path(number: int) -> str:
    return f"area-{number // _NOTES_A_FOLDER:04d}/note-{number:06d}.md"


def _note(
    rng: random.Random, words: list[str], weights: list[float], number: int, notes: int, size: int
) -> str:
    def some(count: int) -> str:
        return " ".join(rng.choices(words, cum_weights=weights, k=count))

    day = _EPOCH + timedelta(days=rng.randrange(2400))
    parts = [
        f"---\ntitle: {some(4).capitalize()}\ntags: [{some(1)}, {some(1)}/{some(1)}]\n"
        f"created: {day.isoformat()}\nstatus: {rng.choice(('open', 'done', 'draft'))}\n"
        f"owner: {some(2).title()}\nid: NOTE-{number}\n---\n\n# {some(4).capitalize()}\n"
    ]
    length = len(parts[0])
    while length < size - _PART / 2:  # parts are not cut: half of them end above, half below
        part = f"\n## {some(3).capitalize()}\n\n" if rng.random() < 0.2 else "\n"
        part += f"{some(rng.randrange(25, 70)).capitalize()}.\n"
        if rng.random() < 0.6:
            part += f"See [[note-{_linked(rng, notes):06d}]] and #{some(1)}.\n"
        parts.append(part)
        length += len(part)
    return "".join(parts)


def _linked(rng: random.Random, notes: int) -> int:
    """A note to link to: a hub one time in four, else any."""
    hubs = max(1, notes // 200)
    return rng.randrange(hubs) if rng.random() < 0.25 else rng.randrange(notes)


def main() -> None:
    """Read the arguments and write the vault."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--notes", type=int, default=10_000)
    parser.add_argument("--size", type=int, default=1_700, help="bytes a note, about")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    write_vault(given.out, given.notes, given.size, given.seed)


if __name__ == "__main__":
    main()
