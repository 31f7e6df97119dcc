"""What can be fuzzed: each target with its check, and texts to start from."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from .checks_names import check_expression, check_globs, check_link, check_output, check_settings
from .checks_notes import check_dendron, check_front_matter, check_note
from .checks_queries import check_filters, check_query


class Target(NamedTuple):
    """One entrance. `seeds`: texts of its own; `notes`: real notes are good seeds too."""

    check: Callable[[bytes], None]
    seeds: tuple[str, ...]
    notes: bool = False


_NOTE = """---
title: "A: b"
tags: [a/b, c]
aliases: &x [One, *x]
date: 2021-02-30
up: [[Other#Head|shown]]
n: {a: [1, {b: ~}]}
---
# Head `code` [[Link|x]] #tag

text [a](b%20c.md "t") ![i](<p q.png>) [r][ref] key:: value (k:: v) ^block-id

[ref]: other.md
%%comment%% <!-- c --> `` ` `` **b** *e* ~~s~~ $m$

- list
  > quote
    1. item
       ```py
       [[not a link]] #no
       ```
| a | b |
|---|---|
| [[x\\|y]] | \u65e5\u672c\u8a9e |

Title
===
<div>
html
</div>
\u0928\u092e\u0938\u094d\u0924\u0947 \u0e2a\u0e27\u0e31\u0e2a\u0e14\u0e35 \u0627\u0644 \u202e
"""

TARGETS: dict[str, Target] = {
    "parser": Target(check_note, (_NOTE,), notes=True),
    "dendron": Target(check_dendron, (_NOTE,), notes=True),
    "front-matter": Target(
        check_front_matter,
        (
            "a: b\nc: [1, 2]\nd:\n  - e\n  - {f: g}\n",
            "a: &x {b: *x}\n? [k]\n: v\n<<: *x\n- z\n",
            "a: |\n  b\nc: >-\n  d\ne: !!python/name:os.system\n",
            '{"a": [1, {"b": null}], "c": "\\ud800"}',
            '+a = 1\n[b.c]\nd = 2021-01-01T00:00:00Z\ne = ["x", """y"""]\n',
            "tags: #a b, c\ndate: 0000-00-00\ntitle: {{title}}\nx: 0x1F\n",
        ),
    ),
    "query": Target(
        check_query,
        (
            'why did we "leave mysql" -oracle\nWe left MySQL (2024-05-01), see ADR-016.',
            "c++ .NET 1.0.21 foo_bar user@host.org -38.101\nnode.js real-time C# a/b",
            "日本語の検索 中文\n中文合約轉換",
            "l'amour qu'il \u043e\u0431'\u0454\u043a\u0442 \u0130stanbul'da\ntext",
            "AND OR NOT NEAR(a b) title:x * ^ [[l]] #t\n# Heading\n| a | b |\n```\ncode\n```",
        ),
        notes=True,
    ),
    "filters": Target(
        check_filters,
        ("\0project/x\n*.md\nstatus\ndone\n**/a*\nheron\n2024-05", "\3\n\ndate\n2024\n\nx\n7d"),
    ),
    "links": Target(
        check_link,
        (
            "\0Note#h\nfolder/source.md\nNote.md\nfolder/note.MD\nother/Note.md",
            "\2../a%20b.md\nx/y.md\na b.md\nx/a b.md\nimage.png\nimage.png.md",
            "\1caf\u00e9\na.md\ncafe\u0301.md\nCAF\u00c9.md",
        ),
    ),
    "globs": Target(
        check_globs,
        (
            "*.tmp\n!keep/\n/a/**/b\na/x/b",
            "[!a-c]?\\*\n**/foo/*\nbar\\ \nfoo/bar",
            "a*b*c\n\n\nabc",
        ),
    ),
    "expressions": Target(
        check_expression, ("^a.*b$\nab", "(a|b)?c+\nabc", "[^/]+/x{1,3}\na/x", "(?i)a\\.md$\na.md")
    ),
    "settings": Target(
        check_settings,
        (
            'k = 60\nmode = "hybrid"\nexclude = ["a/*"]\n[weights]\nlexical = 1.5\n',
            'language = "de"\nlimit = 0 # c\nweights.graph = 0\nauthority = true\nmodel = "x"\n',
        ),
    ),
    "output": Target(
        check_output,
        (
            "a\x1b[31m\x07\u202e\u200b\ud7ff\n\t",
            "{path}\\t{score:.4f} {rank!r:>5}",
            "caf\u00e9/x.md",
        ),
    ),
}
