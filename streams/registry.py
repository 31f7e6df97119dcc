"""The streams there are, with the weights that measuring chose. A new stream is one line here."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple, cast

if TYPE_CHECKING:
    from kb.streams.request import StreamModule


class Stream(NamedTuple):
    """A stream by name: the module `kb.streams.NAME`. `follows`: it starts from the others."""

    name: str
    weight: float
    follows: bool = False

    def load(self) -> StreamModule:
        """The stream's module, imported when it is first wanted."""
        return cast("StreamModule", import_module(f"kb.streams.{self.name}"))


STREAMS: tuple[Stream, ...] = (
    Stream("lexical", 1.0),
    Stream("entity", 0.1),
    Stream("cosine", 0.7),
    Stream("graph", 0.5, follows=True),
)
STREAM_NAMES: tuple[str, ...] = tuple(stream.name for stream in STREAMS)


def default_weights() -> dict[str, float]:
    """The weight of each stream where the user set none."""
    return {stream.name: stream.weight for stream in STREAMS}
