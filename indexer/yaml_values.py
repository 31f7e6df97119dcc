"""YAML to values, with every scalar as its author wrote it.

Built on PyYAML's stream of events instead of its constructors: no YAML 1.1 surprises (`on`,
`1.10`, `01234`, `19:20`, impossible dates), no objects from tags, no recursion, and no alias that
expands without bound, since an aliased value is one shared object here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from kb.indexer.values import EMPTY, FrontValue, Leaf, leaf
from kb.store.note_records import PropertyKind

if TYPE_CHECKING:
    from yaml._yaml import Mark as CMark
    from yaml.error import Mark
    from yaml.events import Event, ScalarEvent

MAX_DEPTH = 32

_WIKILINK = re.compile(r"\[\[[^\[\]\n]+\]\]")
# Characters that YAML forbids outright, where a note should not be lost over one.
_FORBIDDEN = re.compile("[\x01-\x08\x0b\x0c\x0e-\x1f\x7f\x80-\x84\x86-\x9f\ufffe\uffff]")
_LINE_SEPARATORS = re.compile("[\x85\u2028\u2029]")


class FrontMatterError(Exception):
    """The front matter cannot be read; the message says why, in one line."""


def parse_yaml(text: str, problems: list[str]) -> FrontValue:
    """The value of a YAML document; `problems` gains duplicate keys and the like.

    Raises FrontMatterError where the text is no YAML, or is nested deeper than MAX_DEPTH.
    """
    # A note without front matter does not pay for the import.
    import yaml

    # One forbidden character becomes one harmless one, so that positions stay true.
    text = _LINE_SEPARATORS.sub(" ", _FORBIDDEN.sub("\ufffd", text))
    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    try:
        return _Reader(text, yaml.parse(text, Loader=loader), problems).document()
    except yaml.YAMLError as error:
        raise FrontMatterError(_one_line(error)) from error


def _one_line(error: Exception) -> str:
    problem = getattr(error, "problem", None) or getattr(error, "reason", None)
    mark = getattr(error, "problem_mark", None)
    said = " ".join(str(problem or error).split())[:200]
    # The block starts on the second line of the file, and marks count from 0.
    return f"{said} (line {mark.line + 2})" if mark else said


def _index(mark: Mark | CMark | None) -> int:
    """A mark's offset in characters; every event of a text has marks."""
    return mark.index if mark else 0


class _Reader:
    """Turns the events of one document into a value, without recursion."""

    def __init__(self, text: str, events: Iterator[Event], problems: list[str]) -> None:
        self._text = text
        self._events = events
        self._problems = problems
        self._anchors: dict[str, FrontValue] = {}

    def document(self) -> FrontValue:
        """The first document's value, EMPTY where there is none."""
        from yaml import events as kinds

        root = _Frame(None, "", 0)
        stack = [root]
        for event in self._events:
            if isinstance(event, kinds.ScalarEvent):
                self._add(stack[-1], self._scalar(event), event)
            elif isinstance(event, kinds.AliasEvent):
                self._add(stack[-1], self._alias(event), event)
            elif isinstance(event, kinds.SequenceStartEvent | kinds.MappingStartEvent):
                if len(stack) > MAX_DEPTH:
                    raise FrontMatterError(f"nested deeper than {MAX_DEPTH} levels")
                holds_list = isinstance(event, kinds.SequenceStartEvent)
                stack.append(
                    _Frame([] if holds_list else {}, event.anchor, _index(event.start_mark))
                )
            elif isinstance(event, kinds.SequenceEndEvent | kinds.MappingEndEvent):
                frame = stack.pop()
                self._add(stack[-1], self._closed(frame, event), event, frame.start)
            elif isinstance(event, kinds.DocumentEndEvent):
                break
        return root.only

    def _scalar(self, event: ScalarEvent) -> Leaf:
        value = leaf(event.value, quoted=event.style in ("'", '"', "|", ">"))
        if event.anchor:
            self._anchors[event.anchor] = value
        return value

    def _alias(self, event: Event) -> FrontValue:
        """What the anchor stands for; its own text where it is unknown or still open."""
        name: str = event.anchor  # type: ignore[attr-defined]
        if name in self._anchors:
            return self._anchors[name]
        return Leaf(f"*{name}", PropertyKind.TEXT)

    def _closed(self, frame: _Frame, event: Event) -> FrontValue:
        """The list or map that ends here, or the wikilink that it was meant to be."""
        value: FrontValue = frame.value if frame.value is not None else EMPTY
        source = self._text[frame.start : _index(event.end_mark)]
        if source.startswith("[["):
            # An unquoted `up: [[X]]` is a list in a list to YAML and a link to its author.
            if _WIKILINK.fullmatch(source):
                value = Leaf(source, PropertyKind.LINK)
        elif source.startswith("{{"):
            # An unfilled template, `created: {{date}}`: a map as a key to YAML.
            value = leaf(source, quoted=True)
        if frame.anchor:
            self._anchors[frame.anchor] = value
        return value

    def _add(self, frame: _Frame, value: FrontValue, event: Event, start: int = -1) -> None:
        if isinstance(frame.value, list):
            frame.value.append(value)
        elif not isinstance(frame.value, dict):
            frame.only = value
        elif frame.key is None:
            begin = _index(event.start_mark) if start < 0 else start
            written = self._text[begin : _index(event.end_mark)]
            frame.key = value.text if isinstance(value, Leaf) and value.text else written.strip()
        else:
            key, frame.key = frame.key, None
            self._set(frame.value, key, value)

    def _set(self, mapping: dict[str, FrontValue], key: str, value: FrontValue) -> None:
        if key in mapping:
            self._problems.append(f"the property `{key[:80]}` stands twice; the last one counts")
        mapping[key] = value


class _Frame:
    """A list or map that is still open (or, with no value of its own, the document)."""

    __slots__ = ("anchor", "key", "only", "start", "value")

    def __init__(
        self,
        value: list[FrontValue] | dict[str, FrontValue] | None,
        anchor: str | None,
        start: int,
    ) -> None:
        self.value = value
        self.anchor = anchor
        self.start = start
        self.key: str | None = None
        self.only: FrontValue = EMPTY
