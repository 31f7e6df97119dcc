"""Other tools over the same notes, where they are on the PATH: `rg`, qmd, markdown-vault-mcp.

Without a model on any side: what each does with words alone.
"""

from __future__ import annotations

import shutil
import statistics
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from benchmarks.measure import kb_command, run
from benchmarks.performance.material import Material, drop
from benchmarks.performance.rows import shown
from benchmarks.questions import questions

HEAD = ("tool", "index from nothing", "nothing changed", "query of 3 words", "query, peak")


@dataclass(frozen=True, slots=True)
class Peer:
    """A tool: its commands for one vault. An empty index command: it has no index."""

    name: str
    index: list[str]
    again: list[str]
    query: Callable[[str], list[str]]
    env: Mapping[str, str]


def side_by_side(material: Material, runs: int) -> Iterator[tuple[str, ...]]:
    """A row for each tool, kb first. Queries are asked in turn."""
    peers = list(_peers(material))
    asked = [" ".join(q.split()[:3]) for q in questions(material.vault, runs + 1, seed=31)]
    first = {peer.name: _seconds(peer, peer.index) for peer in peers}
    again = {peer.name: _seconds(peer, peer.again) for peer in peers}
    queries: dict[str, list[float]] = {peer.name: [] for peer in peers}
    peaks: dict[str, float] = {}
    for words in asked:
        for peer in peers:
            measured = run(peer.query(words), peer.env)
            if measured.status not in (0, 1):
                raise SystemExit(f"{peer.name}: {measured.err}")
            queries[peer.name].append(measured.seconds)
            peaks[peer.name] = max(measured.peak, peaks.get(peer.name, 0.0))
    for peer in peers:
        yield (
            peer.name,
            first[peer.name],
            again[peer.name],
            shown(statistics.median(queries[peer.name][1:])),
            f"{peaks[peer.name]:.0f} MiB",
        )


def _seconds(peer: Peer, command: list[str]) -> str:
    if not command:
        return "none"
    measured = run(command, peer.env)
    if measured.status:
        raise SystemExit(f"{peer.name}: {measured.err}")
    return shown(measured.seconds)


def _peers(material: Material) -> Iterator[Peer]:
    vault = str(material.vault)
    index = material.work / "beside-others.sqlite"
    drop(index)
    again = [*kb_command(), "index", vault, "--index", str(index)]
    yield Peer(
        "kb",
        again,
        again,
        lambda words: [*kb_command(), "query", "--index", str(index), "--", words],
        material.env,
    )
    if rg := shutil.which("rg"):
        yield Peer(
            "ripgrep, any of the words",
            [],
            [],
            lambda words: [
                rg,
                "--count",
                "-i",
                *(p for w in words.split() for p in ("-e", w)),
                vault,
            ],
            material.env,
        )
    home = _empty(material.work / "others")
    env = {**material.env, "XDG_CACHE_HOME": str(home), "XDG_CONFIG_HOME": str(home)}
    if qmd := shutil.which("qmd"):
        yield Peer(
            "qmd search",
            [qmd, "collection", "add", vault, "--name", "notes"],
            [qmd, "update"],
            lambda words: [qmd, "search", words],
            env,
        )
    if mcp := shutil.which("markdown-vault-mcp"):
        env = {**env, "MARKDOWN_VAULT_MCP_INDEX_PATH": str(home / "vault-mcp.sqlite")}
        source = ["--source-dir", vault]
        store = ["--index-path", str(home / "vault-mcp.sqlite")]
        yield Peer(
            "markdown-vault-mcp",
            [mcp, "index", *source, *store],
            [mcp, "reindex", *source, *store],
            lambda words: [mcp, "search", words, *source],
            env,
        )


def _empty(folder: Path) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder
