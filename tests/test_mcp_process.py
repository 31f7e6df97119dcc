"""`kb mcp` as agents start it: the SDK's client over a real pipe, beside a run of `kb index`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import anyio
import pytest
from conftest import MakeVault, Result, RunKb, clean_environment
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp.types import CallToolResult
from mcp_support import NOTES, SECONDS, said, serving
from sample_index import HAS_MODEL, NO_MODEL, sample

from kb.cli.mcp.served import Served


def converse(
    arguments: list[str], variables: dict[str, str], conversation: Callable[[Client], Any]
) -> None:
    """Hold a conversation with a server in a process of its own."""

    async def run() -> None:
        with anyio.fail_after(SECONDS):
            parameters = StdioServerParameters(
                command=sys.executable,
                args=["-m", "kb.cli", "mcp", *arguments],
                env=clean_environment(variables),
            )
            async with Client(parameters) as client:
                await conversation(client)

    anyio.run(run)


async def found(client: Client, query: str) -> list[str]:
    """The paths that a search lists."""
    result = await client.call_tool("search", {"query": query, "mode": "lexical"})
    assert isinstance(result, CallToolResult)
    assert not result.is_error, said(result)
    assert result.structured_content is not None
    return [one["path"] for one in result.structured_content["results"]]


def test_a_session_stays_right_while_another_process_indexes(
    make_vault: MakeVault,
    kb: RunKb,
    kb_process: Callable[..., Result],
    kb_variables: dict[str, str],
) -> None:
    vault = make_vault(dict(NOTES))
    assert kb("index", vault).status == 0

    async def index(*options: str) -> None:
        done = await anyio.to_thread.run_sync(lambda: kb_process("index", str(vault), *options))
        assert done.status == 0, done.err

    async def conversation(client: Client) -> None:
        assert client.server_info.name == "kb"
        assert await found(client, "neap") == ["Tides.md"]
        (vault / "new.md").write_text("brine", encoding="utf-8")
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(index)
            for _ in range(10):  # each of them one whole state, the old one or the new one
                assert await found(client, "brine") in ([], ["new.md"])
        assert await found(client, "brine") == ["new.md"]
        (vault / "new.md").unlink()
        await index("--rebuild")
        assert await found(client, "brine") == []
        status = await client.call_tool("status", {})
        assert isinstance(status, CallToolResult)
        assert status.structured_content is not None
        assert status.structured_content["notes"] == len(NOTES)
        assert status.structured_content["pending"]["added"] == 0

    converse(["--vault", str(vault)], kb_variables, conversation)
    assert sorted(path.name for path in vault.rglob("*") if path.is_file()) == sorted(
        Path(name).name for name in NOTES
    )


def test_without_the_extra_it_says_how_to_get_it(
    make_vault: MakeVault, kb: RunKb, monkeypatch: pytest.MonkeyPatch
) -> None:
    def absent(name: str, package: str | None = None) -> object:
        return None if name == "mcp" else find_spec(name, package)

    monkeypatch.setattr("kb.cli.command_mcp.find_spec", absent)
    result = kb("mcp", "--vault", make_vault(dict(NOTES)))
    assert result.status == 2
    assert result.out == ""
    assert result.err == (
        'kb: `kb mcp` needs the extra `mcp`\nhint: run `pip install "kb-search[mcp]"`\n'
    )


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--vault", "x", "--index", "y"), "`--vault` and `--index` cannot be joined"),
        (("--vault", ""), "`--vault` is empty"),
        (("--index", ""), "`--index` is empty"),
    ],
)
def test_options_that_make_no_sense(arguments: tuple[str, ...], says: str, kb: RunKb) -> None:
    result = kb("mcp", *arguments)
    assert result.status == 2
    assert says in result.err


@pytest.mark.skipif(not HAS_MODEL, reason=NO_MODEL)
def test_the_model_is_loaded_once_and_only_when_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    from kb.embedding import query as module
    from kb.streams import query_vector

    made = sample(embed=True)
    loaded: list[str] = []
    embedder = module.QueryEmbedder

    class Counting(embedder):  # type: ignore[valid-type,misc]
        def __init__(self, model: Any) -> None:
            loaded.append(model.name)
            super().__init__(model)

    monkeypatch.setenv("KB_DATA", str(made.folder / "data"))
    monkeypatch.setattr("kb.embedding.QueryEmbedder", Counting)
    query_vector._embedder.cache_clear()

    async def conversation(client: Client) -> None:
        await found(client, "the night boat")
        assert loaded == []
        async with anyio.create_task_group() as tasks:
            for number in range(6):
                arguments = {"query": f"crowded ship number {number}", "mode": "semantic"}
                tasks.start_soon(client.call_tool, "search", arguments)
        assert len(loaded) == 1

    server = serving(Served("sample", str(made.vault)))

    async def run() -> None:
        async with Client(server) as client:
            await conversation(client)

    try:
        anyio.run(run)
    finally:
        query_vector._embedder.cache_clear()


def test_it_speaks_on_the_streams_that_it_is_given(make_vault: MakeVault, kb: RunKb) -> None:
    vault = make_vault(dict(NOTES))
    ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n'
    result = kb("mcp", "--vault", vault, stdin=ping)
    assert result.status == 0
    assert result.json == {"jsonrpc": "2.0", "id": 1, "result": {}}
    assert result.err == (f"kb: {vault} has not been indexed: run `kb index {vault}` first\n")
