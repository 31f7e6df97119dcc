"""The server: requests of the protocol to tools and resources, each call in a thread of its own."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeVar

import anyio
from anyio.to_thread import run_sync
from mcp import types
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from kb.cli.environment import Environment
from kb.cli.mcp.parameters import UNTRUSTED
from kb.cli.mcp.resources import TEMPLATE, list_page, read_resource
from kb.cli.mcp.served import ServedVaults
from kb.cli.mcp.tool import Answer, Call, Tool, check_arguments
from kb.cli.mcp.tools import TOOLS
from kb.cli.mcp.transport import stdio_streams
from kb.cli.version import VERSION
from kb.store.errors import KbError
from kb.store.paths import show_path

_Result = TypeVar("_Result")

# Calls at once. More gain nothing where two cores share the work.
_AT_ONCE = 4
_MARKDOWN = "text/markdown"


def make_server(vaults: ServedVaults, variables: Mapping[str, str]) -> Server[Any]:
    """A server of these vaults; `variables` are those of the environment."""
    handlers = _Handlers(vaults, variables)
    return Server(
        "kb",
        version=VERSION,
        title="kb: search Markdown notes",
        instructions=_instructions(vaults),
        on_list_tools=handlers.list_tools,
        on_call_tool=handlers.call_tool,
        on_list_resources=handlers.list_resources,
        on_list_resource_templates=handlers.list_templates,
        on_read_resource=handlers.read_resource,
    )


def serve(vaults: ServedVaults, environment: Environment) -> None:
    """Serve over stdin and stdout until either is closed."""
    server = make_server(vaults, environment.variables)

    async def run() -> None:
        async with stdio_streams(environment) as (reading, writing):
            await server.run(reading, writing, server.create_initialization_options())

    try:
        anyio.run(run)
    except BaseExceptionGroup as errors:
        # Whoever reads the answers has gone, which is how some programs end a session.
        other = errors.split((BrokenPipeError, ConnectionResetError))[1]
        if other is not None:
            raise _first(other) from errors
    finally:
        vaults.close()


def _first(error: BaseException) -> BaseException:
    """What went wrong, out of the groups that tasks wrap it in."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def _instructions(vaults: ServedVaults) -> str:
    names = ", ".join(f"`{label}`" for label in vaults.labels)
    which = f"the vaults {names}" if len(vaults.labels) > 1 else f"the vault {names}"
    return (
        f"Search and read the user's own Markdown notes: {which}. `search` finds notes, `get` reads"
        " one or a part of it, `links` and `related` lead on from one, `tags` lists what a search"
        " can be narrowed by, `why` explains a rank, `status` tells how fresh the index is. Cite"
        f" notes by path and line. Nothing is ever changed. {UNTRUSTED}"
    )


class _Handlers:
    """What the protocol asks for. Work that takes time runs in threads, so that a call can be
    cancelled and others go on meanwhile."""

    def __init__(self, vaults: ServedVaults, variables: Mapping[str, str]) -> None:
        self._vaults = vaults
        self._variables = variables
        self._limiter = anyio.CapacityLimiter(_AT_ONCE)

    async def list_tools(
        self, _: object, params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        """Every tool, on one page."""
        _refuse_cursor(params)
        return types.ListToolsResult(
            tools=[_describe(tool, self._vaults.labels) for tool in TOOLS.values()]
        )

    async def call_tool(
        self, _: object, params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        """Call one tool. What goes wrong in it is a result that says what to do."""
        tool = TOOLS.get(params.name)
        if tool is None:
            raise MCPError(types.INVALID_PARAMS, f"there is no tool `{params.name}`")
        call = Call(params.arguments or {}, self._vaults, self._variables)
        try:
            answer = await self._in_thread(partial(_run, tool, call, self._vaults.labels))
        except KbError as error:
            return _failed(error.message, error.hint)
        except Exception as error:  # a mistake of ours ends one call, not the session
            print(f"kb: {tool.name}: {error!r}", file=sys.stderr)
            return _failed(f"unexpected {type(error).__name__}: {error}", "")
        return types.CallToolResult(
            content=[types.TextContent(text=_clean(answer.text))],
            structured_content=answer.document,
        )

    async def list_resources(
        self, _: object, params: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        """A page of notes."""
        cursor = (params.cursor if params else None) or ""
        page = await self._for_protocol(partial(list_page, self._vaults, cursor))
        return types.ListResourcesResult(
            resources=[
                types.Resource(
                    uri=uri,
                    name=show_path(note.path),
                    title=note.title,
                    mime_type=_MARKDOWN,
                    size=note.size,
                )
                for uri, note in page.notes
            ],
            next_cursor=page.next_cursor or None,
        )

    async def list_templates(
        self, _: object, params: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        """How the URI of a note is made."""
        _refuse_cursor(params)
        template = types.ResourceTemplate(
            name="note",
            title="A note",
            uri_template=TEMPLATE,
            description=(
                "A note by the name of its vault and its path; `#Heading` or `#L10-20` at the end"
                f" for a part. {UNTRUSTED}"
            ),
            mime_type=_MARKDOWN,
        )
        return types.ListResourceTemplatesResult(resource_templates=[template])

    async def read_resource(
        self, _: object, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        """The text of a note."""
        text = await self._for_protocol(partial(read_resource, self._vaults, params.uri))
        contents = types.TextResourceContents(uri=params.uri, mime_type=_MARKDOWN, text=text)
        return types.ReadResourceResult(contents=[contents])

    async def _in_thread(self, work: Callable[[], _Result]) -> _Result:
        """The result of some work. A call that is cancelled does not wait for it."""
        return await run_sync(work, abandon_on_cancel=True, limiter=self._limiter)

    async def _for_protocol(self, work: Callable[[], _Result]) -> _Result:
        try:
            return await self._in_thread(work)
        except KbError as error:
            raise MCPError(types.INVALID_PARAMS, _sentence(error.message, error.hint)) from error


def _run(tool: Tool, call: Call, labels: tuple[str, ...]) -> Answer:
    check_arguments(call.arguments, tool.input_schema(labels))
    answer = tool.run(call)
    label = call.served.label
    return Answer({**answer.document, "vault_name": label}, answer.text)


def _describe(tool: Tool, labels: tuple[str, ...]) -> types.Tool:
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=tool.input_schema(labels),
        output_schema=tool.output_schema(),
        annotations=types.ToolAnnotations(
            title=tool.title,
            read_only_hint=True,
            destructive_hint=False,
            idempotent_hint=True,
            open_world_hint=False,
        ),
    )


def _failed(message: str, hint: str) -> types.CallToolResult:
    text = _clean(f"{message}\nhint: {hint}" if hint else message)
    return types.CallToolResult(content=[types.TextContent(text=text)], is_error=True)


def _sentence(message: str, hint: str) -> str:
    return _clean(f"{message}; {hint}" if hint else message)


def _clean(text: str) -> str:
    """Text that UTF-8 can carry."""
    return show_path(text).encode("utf-8", "replace").decode("utf-8")


def _refuse_cursor(params: types.PaginatedRequestParams | None) -> None:
    if params is not None and params.cursor:
        raise MCPError(types.INVALID_PARAMS, "this list has one page")
