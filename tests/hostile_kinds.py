"""Notes of one thing without end, as long as is asked for."""

from __future__ import annotations

from collections.abc import Callable
from math import isqrt


def lines(n: int) -> bytes:
    """Many paragraphs, each with a word of its own."""
    return b"".join(b"word%d and more of them\n\n" % number for number in range(n // 5))


# Each of `n` such things; what could grow with the square of it has fewer.
KINDS: dict[str, Callable[[int], bytes]] = {
    "headings": lambda n: b"".join(b"# h%d\n" % i for i in range(n)),
    "underlined headings": lambda n: b"h\n===\n" * n,
    "links": lambda n: b"".join(b"[[n%d]] " % i for i in range(n)),
    "embeds": lambda n: b"![[a.png|200]]\n" * n,
    "tags": lambda n: b"".join(b"#t%d " % i for i in range(n)),
    "a tag nested without end": lambda n: b"#" + b"a/" * n + b"b",
    "tags in a property": lambda n: b"---\ntags: [" + b"t," * n + b"]\n---\nx",
    "a tag in a property nested without end": lambda n: b"---\ntags: [a" + b"/a" * n + b"]\n---\nx",
    "a tag in a list nested without end": lambda n: b"---\ntags:\n  - a" + b"/a" * n + b"\n---\nx",
    "nested lists": lambda n: b"- " * n + b"a",
    "nested quotes": lambda n: b"> " * n + b"a",
    "lists in quotes": lambda n: b"> - " * n + b"a",
    "opening brackets": lambda n: b"[" * n,
    "double brackets": lambda n: b"[[" * n,
    "closing brackets": lambda n: b"]" * n,
    "pairs of brackets": lambda n: b"[" * n + b"]" * n,
    "link openings": lambda n: b"[a](" * n,
    "links in angles": lambda n: b"[a](<b" * n,
    "images": lambda n: b"![a" * n,
    "references": lambda n: b"[a][" * n,
    "definitions": lambda n: b"[a]: b\n" * n,
    "backticks": lambda n: b"`" * n,
    "backticks of every length": lambda n: b"".join(
        b"`" * i + b" " for i in range(1, isqrt(2 * n))
    ),
    "code spans": lambda n: b"`a" * n,
    "fences": lambda n: b"```\n" * n,
    "emphasis": lambda n: b"*a " * n + b"**a_ " * n,
    "strikes": lambda n: b"~~a" * n,
    "comments": lambda n: b"%%a" * n,
    "HTML comments": lambda n: b"<!--" * n,
    "HTML tags": lambda n: b"<a " * n,
    "HTML attributes": lambda n: b'<a href="' * n,
    "CDATA": lambda n: b"<![CDATA[" * n,
    "character references": lambda n: b"&#x" * n,
    "table columns": lambda n: b"|" + b"a|" * n + b"\n|" + b"-|" * n + b"\n|" + b"b|" * n,
    "table rows": lambda n: b"|a|b|\n|-|-|\n" + b"|x|y|\n" * n,
    "rules": lambda n: b"---\n" * n,
    "inline fields": lambda n: b"k:: v\n" * n,
    "inline fields in brackets": lambda n: b"[k:: " * n,
    "block ids": lambda n: b"x ^id\n" * n,
    "a link with pipes": lambda n: b"[[a" + b"|b" * n + b"]]",
    "a link out of the vault": lambda n: b"[[" + b"../" * n + b"etc/passwd]]",
    "addresses": lambda n: b"http://example.com/a#b " * n,
    "a word of parts": lambda n: b"a-b_c.d/e:f@g+" * n,
    "apostrophes": lambda n: b"a'" * n,
    "marks on one letter": lambda n: ("a" + "\u0301" * n).encode(),
    "joined emoji": lambda n: ("👩\u200d" * n).encode(),
    "characters that stand for eighteen": lambda n: ("\ufdfa" * n).encode(),
    "a line of words": lambda n: b"word " * n * 10,
    "a word as long as a book": lambda n: b"x" * n * 50,
    "blank lines": lambda n: b"\n" * n * 10,
    "spaces": lambda n: b" " * n * 50,
    "NUL": lambda n: b"\0" * n,
    "front matter that never ends": lambda n: b"---\n" + b"a: b\n" * n,
    "properties": lambda n: b"---\n" + b"".join(b"k%d: v\n" % n for n in range(n)) + b"---\nx",
    "a property of many lines": lambda n: b"---\na: |\n" + b"  x\n" * n + b"---\nx",
    "a list in a property": lambda n: b"---\na: [" + b"x,\n " * n + b"]\n---\nx",
    "nested YAML": lambda n: b"---\na: " + b"[" * n + b"]" * n + b"\n---\nx",
    "nested YAML maps": lambda n: b"---\na: " + b"{a: " * (n // 5) + b"}" * (n // 5) + b"\n---\nx",
    "nested YAML keys": lambda n: b"---\n" + b"? " * n + b"a\n---\nx",
    "nested JSON": lambda n: b'{"a":' + b"[" * n + b"]" * n + b"}\nx",
    "nested TOML": lambda n: b"+++\na = " + b"[" * n + b"]" * n + b"\n+++\nx",
    "a dotted TOML key": lambda n: b"+++\n" + b"a." * n + b"b = 1\n+++\nx",
    "a number of many digits": lambda n: b"---\na: " + b"9" * n + b"\n---\nx",
    "aliases": lambda n: b"---\naliases: [" + b"other name," * n + b"]\n---\nx",
    "a title": lambda n: b"---\ntitle: " + b"word " * n + b"\n---\nx",
    "a title above many passages": lambda n: (
        b"---\ntitle: " + b"word " * (n // 2) + b"\n---\n" + lines(n)
    ),
    "aliases above many passages": lambda n: (
        b"---\naliases: [" + b"a name," * (n // 3) + b"]\n---\n" + lines(n)
    ),
    "tags above many passages": lambda n: (
        b"---\ntags: ["
        + b",".join(b"a tag of %d words" % i for i in range(n // 11))
        + b"]\n---\n"
        + lines(n)
    ),
    "a heading above many passages": lambda n: b"# " + b"word " * n + b"\n" + lines(n),
    "dates": lambda n: b"---\ndate: [" + b"2021-01-01," * n + b"]\n---\n",
}


def note_of(kind: str, size: int) -> bytes:
    """A note of about `size` bytes, at least one thing."""
    count = 1_000
    for _ in range(3):
        count = max(1, count * size // max(1, len(KINDS[kind](count))))
    return KINDS[kind](count)
