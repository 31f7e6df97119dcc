"""Markdown as a reader sees it: no marks, no addresses."""

from __future__ import annotations

import re
from html import unescape

_MARKED = re.compile(r"[\\`*_~=\[\]<>&{}%!^]")
_CODE = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)")
_COMMENT = re.compile(r"<!--.*?-->|%%.*?%%")
_WIKILINK = re.compile(r"!?\[\[([^\[\]\n]+)\]\]")
_LINK = re.compile(r"!?\[([^\[\]\n]*)\]\((?:<[^<>\n]*>|[^()\n]*(?:\([^()\n]*\)[^()\n]*)?)\)")
_REFERENCE = re.compile(r"\[([^\[\]\n]+)\]\[[^\[\]\n]*\]")
_ADDRESS = re.compile(r"<([A-Za-z][A-Za-z0-9+.-]{1,31}:[^<>\s]*|[^<>\s@]+@[^<>\s@]+)>")
_TAG = re.compile(r"</?[A-Za-z][^<>\n]*>")
_ATTRIBUTES = re.compile(r"[ \t]*\{[#.:][^{}\n]*\}[ \t]*$")
_BLOCK_ID = re.compile(r"[ \t]+\^[A-Za-z0-9-]+$")
_STRONG = re.compile(r"(\*\*|__|~~|==)(?=\S)(.{1,200}?)(?<=\S)\1")
_EMPHASIS = re.compile(r"(?<![\w*])([*_])(?=[^\s*_])([^*_\n]+?)(?<=\S)\1(?![\w*])")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_HELD = re.compile("\0([0-9]+)\0")
_LONGEST = 500


def plain_line(text: str) -> str:
    """The text of a heading or link without its Markdown, in one line of at most 500 characters."""
    return plain_words(text[:_LONGEST])


def plain_words(text: str) -> str:
    """The text of one block without the Markdown inside it, in one line."""
    text = " ".join(text.split())
    if not _MARKED.search(text):
        return text
    held: list[str] = []

    def hold(shown: str) -> str:
        # What must not be read as Markdown again waits outside the text.
        held.append(shown)
        return f"\0{len(held) - 1}\0"

    text = text.replace("\0", "")
    text = _CODE.sub(lambda found: hold(found[2].strip()), text)
    text = _ESCAPE.sub(lambda found: hold(found[1]), text)
    text = _ATTRIBUTES.sub("", _BLOCK_ID.sub("", _COMMENT.sub("", text)))
    text = without_links(text)
    if "<" in text:
        text = _TAG.sub("", _ADDRESS.sub(lambda found: hold(found[1]), text))
    for _ in range(2):
        text = _EMPHASIS.sub(r"\2", _STRONG.sub(r"\2", text))
    text = _HELD.sub(lambda found: held[int(found[1])], unescape(text))
    return " ".join(text.split())


def without_links(text: str) -> str:
    """The text with each link replaced by what it shows, each image by its description."""
    if "[" not in text:
        return text
    text = _WIKILINK.sub(lambda found: shown_of_wikilink(found[1]), text)
    if "](" in text:  # twice: an image may be the text of a link
        text = _LINK.sub(r"\1", _LINK.sub(r"\1", text))
    return _REFERENCE.sub(r"\1", text) if "][" in text else text


def shown_of_wikilink(inner: str) -> str:
    """What a reader sees of `[[inner]]`: the display text, else the target's last component."""
    target, _, display = inner.replace("\\|", "|").partition("|")
    if display.strip():
        return display.strip()
    name, _, fragment = target.partition("#")
    return name.strip().rpartition("/")[2].removesuffix(".md") or fragment.lstrip("^")
