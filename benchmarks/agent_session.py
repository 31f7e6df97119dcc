"""A session of a client with `kb mcp`, as Markdown.

`python -m benchmarks.agent_session VAULT NAME` asks an indexed vault and calls it NAME.
The calls are those that an agent would make for one question to the notes of
https://github.com/simonw/til; the SDK's own client makes them over a pipe. With `--write` the
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
QUESTION = (
    "VACUUM on my SQLite database fails, though the disk has room. What did I learn about it?"
)
CALLS: tuple[tuple[str, str, dict[str, Any]], ...] = (
    (
        "The question goes into a search as it is.",
        "search",
        {"query": "sqlite vacuum fails although the disk has room", "limit": 3, "explain": True},
    ),
    ("The first result is about it; it is short, so all of it is read.", "get", {"note": "vacum"}),
    (
        "What else belongs with that note? What has been read is left out.",
        "related",
        {"note": "sqlite/vacum-disk-full.md", "exclude": ["*/README.md"], "limit": 3},
    ),
    (
        "A note that was expected is not in the list.",
        "why",
        {"query": "sqlite vacuum fails although the disk has room", "note": "import-csv"},
    ),
    ("Who links to the first note?", "links", {"note": "sqlite/vacum-disk-full.md", "limit": 3}),
    ("A name that is not quite right.", "get", {"note": "sqlite/vacuum-disk-full.md"}),
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
