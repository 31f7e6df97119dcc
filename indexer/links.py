"""Links as they are written: wikilinks, embeds, Markdown links. Where they lead is decided later.

Every form is read from text whose code and comments are blank. Addresses outside the vault
(`https:`, `mailto:`, …) are no links here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from typing import NamedTuple
from urllib.parse import unquote

from kb.store.note_records import LinkKind
from kb.text.inline import FILLER, Span, blank

MAX_DISPLAY = 300
_MAX_TARGET = 1_000

_WIKILINK = re.compile(rf"!?\[\[([^\[\]\n{FILLER}]{{1,{_MAX_TARGET}}})\]\]")
_PIPE = re.compile(r"\\?\|")
_SCHEME = re.compile(r"(?:[A-Za-z][A-Za-z0-9+.-]*:|//)\S")
_WIKI_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://|mailto:")
_DENDRON_VAULT = re.compile(r"dendron://[^/\s]+/")
# A line may end around an address, a paragraph may not.
_GAP = r"[ \t]*+(?:\n[ \t]*+)?"
# Possessive throughout: no text can make it go back over what it took.
_DESTINATION = re.compile(
    rf"""\({_GAP}(?:<(?P<angle>[^<>\n]*+)>
        |(?P<plain>(?!<)(?:[^\s()\\]++|\\.|\((?:[^\s()\\]++|\\.)*+\))*+))
        (?:(?:[ \t]++(?:\n[ \t]*+)?|\n[ \t]*+)
           (?:"[^"]{{0,500}}+"|'[^']{{0,500}}+'|\([^()]{{0,500}}+\)))?
        {_GAP}\)""",
    re.VERBOSE,
)
_BRACKET = re.compile(r"\\.|!?\[|\]|\n[ \t]*\n", re.DOTALL)
_REFERENCE = re.compile(r"\[([^\[\]]{0,300})\]")
_DEFINITION = re.compile(
    rf"^[ \t>]{{0,12}}\[([^\[\]\n^][^\[\]\n]{{0,300}})\]:{_GAP}(?:<([^<>\n]++)>|([^\s<]\S*+))",
    re.MULTILINE,
)
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")


class RawLink(NamedTuple):
    """A link and where it stands: `start` to `end` in the text, its address from `address`."""

    target: str
    fragment: str
    display: str
    kind: LinkKind
    start: int
    end: int
    address: int


def find_wikilinks(text: str, *, dendron: bool = False) -> Iterator[RawLink]:
    """The wikilinks and embeds of a text, in order.

    `dendron`: `[[shown|target]]`, the other way round than everywhere else.
    """
    for found in _WIKILINK.finditer(text) if "[[" in text else ():
        start, end = found.span()
        if _is_escaped(text, start) or (
            text[end : end + 1] == "(" and _DESTINATION.match(text, end)
        ):
            # `[[1]](address)` is a Markdown link that shows `[1]`.
            continue
        inner = found[1]
        first, _, rest = _PIPE.sub("|", inner).partition("|") if "|" in inner else (inner, "", "")
        if dendron and rest:
            first, rest = rest, first
        if dendron:
            first = _DENDRON_VAULT.sub("", first)
        target, _, fragment = (part.strip() for part in first.partition("#"))
        if (target or fragment) and not (":" in target and _WIKI_SCHEME.match(target)):
            kind = LinkKind.EMBED if found[0][0] == "!" else LinkKind.WIKI
            display = rest.strip()[:MAX_DISPLAY]
            yield RawLink(target, fragment, display, kind, start, end, start)


def _is_escaped(text: str, start: int) -> bool:
    backslashes = 0
    while start > backslashes and text[start - backslashes - 1] == "\\" and backslashes < 100:
        backslashes += 1
    return backslashes % 2 == 1


def find_definitions(text: str) -> tuple[dict[str, str], list[Span]]:
    """The addresses that `[label]: address` lines define, by label key, and where they stand."""
    addresses: dict[str, str] = {}
    spans: list[Span] = []
    for found in _DEFINITION.finditer(text) if "]:" in text else ():
        addresses.setdefault(_label_key(found[1]), found[2] or found[3])
        spans.append(found.span())
    return addresses, spans


def _label_key(label: str) -> str:
    return " ".join(label.casefold().split())


def find_markdown_links(text: str, definitions: dict[str, str]) -> Iterator[RawLink]:
    """The Markdown links and images of a text, by where they end, those by reference too.

    The text has its wikilinks and definitions blanked. `display` is Markdown still.
    """
    if "](" not in text and not definitions:
        return
    openings: list[tuple[int, int]] = []
    position = 0
    while found := _BRACKET.search(text, position):
        position = found.end()
        mark = found[0][-1]
        if mark == "[" and found[0][0] != "\\":
            openings.append(found.span())
        elif mark == "\n":
            openings.clear()
        elif found[0] == "]" and openings:
            start, shown = openings.pop()
            link = _link_behind(text, start, shown, found.start(), definitions)
            if link:
                position = link.end
                yield from _inside_vault(link)


def _link_behind(
    text: str, start: int, shown: int, closing: int, definitions: dict[str, str]
) -> RawLink | None:
    """The link whose text in brackets ends at `closing`, with its address still as written."""
    kind = LinkKind.EMBED if text[start] == "!" else LinkKind.MARKDOWN
    display = text[shown : min(closing, shown + MAX_DISPLAY)]
    if found := _DESTINATION.match(text, closing + 1):
        part = "plain" if found["angle"] is None else "angle"
        address, at = found[part], found.start(part)
        return RawLink(address, "", display, kind, start, found.end(), at)
    if not definitions:
        return None
    found = _REFERENCE.match(text, closing + 1)
    end = found.end() if found else closing + 1
    label = (found[1] if found else "") or display
    address = definitions.get(_label_key(label), "")
    return RawLink(address, "", display, kind, start, end, start) if address else None


def _inside_vault(link: RawLink) -> Iterator[RawLink]:
    """The link with its address decoded; nothing for an address outside the vault."""
    address = _ESCAPE.sub(r"\1", link.target)
    if "&" in address:
        address = unescape(address)
    target, _, fragment = address.partition("#")
    target, fragment = unquote(target).strip(), unquote(fragment).strip()
    if len(target) > _MAX_TARGET or _SCHEME.match(target) or not (target or fragment):
        return
    if FILLER not in target + fragment:
        yield link._replace(target=target, fragment=fragment[:_MAX_TARGET])


def links_of_value(value: str, *, dendron: bool = False) -> list[RawLink]:
    """The links in a property's value."""
    if "[" not in value:
        return []
    found = list(find_wikilinks(value, dendron=dendron))
    rest = blank(value, [(link.start, link.end) for link in found], FILLER)
    found += find_markdown_links(rest, {})
    return [link._replace(kind=LinkKind.PROPERTY) for link in sorted(found, key=_place)]


def _place(link: RawLink) -> int:
    return link.start
