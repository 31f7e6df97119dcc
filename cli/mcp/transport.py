"""Messages over stdin and stdout, where what is no message is answered, too.

The SDK keeps stdout for messages: while it serves, file descriptor 1 leads to stderr.
"""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import anyio
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from mcp.types import INVALID_REQUEST, PARSE_ERROR, ErrorData, JSONRPCError
from pydantic import ValidationError

from kb.cli.environment import Environment


@asynccontextmanager
async def stdio_streams(environment: Environment) -> AsyncIterator[tuple[Any, Any]]:
    """What the server reads from and writes to. A line that is no message gets its error."""
    stdin, stdout = environment.stdin, environment.stdout
    own = stdin is sys.stdin and stdout is sys.stdout  # else those of whoever runs it
    files = () if own else (anyio.wrap_file(stdin), anyio.wrap_file(stdout))
    async with stdio_server(*files) as (reading, writing):
        sending, received = anyio.create_memory_object_stream[SessionMessage | Exception](0)

        async def relay() -> None:
            async with sending:
                async for item in reading:
                    if isinstance(item, Exception):
                        await _answer(writing, item)
                    else:
                        await sending.send(item)

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(relay)
            yield received, writing
            tasks.cancel_scope.cancel()


async def _answer(writing: Any, error: Exception) -> None:
    """JSON-RPC's answer to a line that cannot be read, with the id where one can be told."""
    request_id: int | str | None = None
    data = ErrorData(code=PARSE_ERROR, message="the line is no JSON")
    if isinstance(error, ValidationError) and error.errors()[0]["type"] != "json_invalid":
        data = ErrorData(code=INVALID_REQUEST, message="the line is no JSON-RPC message")
        request_id = _find_id(error)
    await writing.send(SessionMessage(JSONRPCError(jsonrpc="2.0", id=request_id, error=data)))


def _find_id(error: ValidationError) -> int | str | None:
    for one in error.errors():
        message = one["input"]
        found = message.get("id") if isinstance(message, dict) else None
        if isinstance(found, int | str) and not isinstance(found, bool):
            return found
    return None
