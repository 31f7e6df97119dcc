"""Lines broken between words at the width of a terminal."""

from __future__ import annotations

from kb.cli.render_table import text_width

_HANGING = 4
_LEAST_WIDTH = 20


def wrap_line(line: str, width: int, hanging: int = _HANGING) -> list[str]:
    """A line in pieces of at most `width` columns, the later ones `hanging` columns further in.

    A word that is longer than a line is left whole, so that a path can be copied.
    """
    width = max(width, _LEAST_WIDTH)
    if text_width(line) <= width:
        return [line]
    text = line.lstrip(" ")
    lead = line[: len(line) - len(text)]
    pieces: list[str] = []
    current = lead
    for word in text.split(" "):
        longer = f"{current} {word}" if current.strip() else current + word
        if current.strip() and text_width(longer) > width:
            pieces.append(current.rstrip())
            current = f"{lead}{' ' * hanging}{word}"
        else:
            current = longer
    return [*pieces, current]
