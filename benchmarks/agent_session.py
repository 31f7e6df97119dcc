"""A session of a client with `kb mcp`, as Markdown.

`python -m benchmarks.agent_session VAULT NAME` asks an indexed vault and calls it NAME.
The calls are those that an agent would make for one question to the notes of
https://github.com/foambubble/foam; the SDK's own client makes them over a pipe. With `--write` the
transcript in docs/agents.md is replaced.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from pathlib import Path
from typing import Any

import anyio
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp.types import CallToolResult

PAGE = Path(__file__).resolve().parents[1] / "docs" / "agents.md"
_MARKS = re.compile(r"(<!-- session -->\n).*?(<!-- end -->)", re.DOTALL)

# What is asked, and the calls with the words that lead to each.
QUESTION = "How do I rename a note in Foam without breaking the links to it?"
_ASKED = "rename a note without breaking the links to it"
CALLS: tuple[tuple[str, str, dict[str, Any]], ...] = (
    (
        "The question goes into a search, with what each stream gave.",
        "search",
        {"query": _ASKED, "limit": 3, "explain": True},
    ),
    (
        "The first note tells of it; its headings are asked for by trying one.",
        "get",
        {"note": "docs/user/tools/cli/rename.md", "section": "Links"},
    ),
    ("A few of its lines.", "get", {"note": "docs/user/tools/cli/rename.md", "lines": "1-14"}),
    (
        "Others of the kind, without what was read.",
        "search",
        {"query": _ASKED, "limit": 2, "exclude": ["docs/user/tools/cli/*"], "paths": ["docs/**"]},
    ),
    (
        "Who links to the note, and where does it lead?",
        "links",
        {"note": "docs/user/features/wikilinks.md", "limit": 4},
    ),
    ("What belongs with it?", "related", {"note": "features/wikilinks", "limit": 2}),
    (
        "A note that was expected is not among the first three: why?",
        "why",
        {"query": _ASKED, "note": "docs/user/features/backlinking.md", "limit": 3},
    ),
    ("What can a search be narrowed by?", "tags", {"limit": 5}),
    ("A name that is not quite right.", "get", {"note": "docs/user/tools/cli/renaming.md"}),
    ("A path that leads out of the vault.", "get", {"note": "../../etc/passwd"}),
    ("How fresh is all this?", "status", {}),
)


async def hold_session(vault: Path, name: str) -> str:
    """The transcript, without the places of this machine."""
    parameters = StdioServerParameters(
        command=sys.executable,
        args=["-m", "kb.cli", "mcp", "--vault", str(vault)],
        env=dict(os.environ),
    )
    parts = [f"> {QUESTION}\n"]
    async with Client(parameters) as client:
        for words, tool, arguments in CALLS:
            result = await client.call_tool(tool, arguments)
            assert isinstance(result, CallToolResult)
            text = "".join(getattr(content, "text", "") for content in result.content)
            failed = " (`isError`)" if result.is_error else ""
            call = f"{tool} {json.dumps(arguments, ensure_ascii=False)}"
            # Four marks: notes hold blocks of code of their own.
            parts.append(f"{words}\n\n```json\n{call}\n```\n\n````text\n{text}\n````{failed}\n")
    return masked("\n".join(parts), vault, name)


def masked(text: str, vault: Path, name: str) -> str:
    """The text with names for places, and without times and sizes."""
    text = re.sub(r"^index: .* \(", "index: … (", text, flags=re.MULTILINE)
    text = text.replace(str(vault), name)
    text = re.sub(r"^(indexed: ).*$", r"\1…", text, flags=re.MULTILINE)
    return re.sub(r"````( \(`isError`\))", r"````\n\n\1", text).replace("\n\n (`", "\n\n(`")


def main() -> None:
    """Print the transcript, or write it into the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("vault", type=Path)
    parser.add_argument("name")
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    transcript = anyio.run(hold_session, arguments.vault.resolve(), arguments.name)
    if not arguments.write:
        print(transcript)
        return
    page = PAGE.read_text(encoding="utf-8")
    filled = _MARKS.sub(lambda found: f"{found[1]}\n{transcript}\n{found[2]}", page)
    PAGE.write_text(filled, encoding="utf-8")


if __name__ == "__main__":
    main()
