"""What was typed after `kb query`, and the form of output that it asks for."""

# No `from __future__ import annotations`: a named tuple compiles each annotation that is text.

from enum import StrEnum
from typing import NamedTuple

from kb.store.errors import UsageError


class Form(StrEnum):
    """A form of output. `AUTO` is the readable list on a terminal and plain lines elsewhere."""

    AUTO = "auto"
    PRETTY = "--pretty"
    PLAIN = "--plain"
    JSON = "--json"
    JSONL = "--jsonl"
    FILES = "--files"
    PRINT0 = "--print0"
    COUNT = "--count"
    TEMPLATE = "--format"


class QueryArguments(NamedTuple):
    """Every argument and option of `kb query`, as typed. None and empty: not given."""

    words: tuple[str, ...]
    tag: tuple[str, ...] = ()
    not_tag: tuple[str, ...] = ()
    path: tuple[str, ...] = ()
    type: tuple[str, ...] = ()
    where: tuple[str, ...] = ()
    since: str = ""
    until: str = ""
    exclude: tuple[str, ...] = ()
    exclude_from: tuple[str, ...] = ()
    include_ignored: bool | None = None
    current: bool | None = None
    scope: str | None = None
    no_scope: bool = False
    mode: str | None = None
    weight: tuple[str, ...] = ()
    k: int | None = None
    limit: int | None = None
    depth: int | None = None
    hops: int | None = None
    authority: bool | None = None
    recent: bool | None = None
    factors: bool | None = None
    now: str = ""
    rerank: bool | None = None
    rerank_top: int | None = None
    update: bool | None = None
    vault: tuple[str, ...] = ()
    all_vaults: bool = False
    index: str = ""  # type: ignore[assignment]  # in place of tuple's
    explain: bool = False
    why: str = ""
    json: bool = False
    jsonl: bool = False
    files: bool = False
    print0: bool = False
    count: bool = False  # type: ignore[assignment]  # in place of tuple's
    quiet: bool = False
    format: str = ""
    pretty: bool | None = None
    color: str | None = None
    queries: str = ""

    @property
    def several_vaults(self) -> bool:
        """Whether more vaults than one are to be asked, as far as can be told from their names."""
        return self.all_vaults or len(set(self.vault)) > 1

    @property
    def one_vault(self) -> str:
        """The vault that was named, "" where none was."""
        return self.vault[-1] if self.vault else ""

    @property
    def form(self) -> Form:
        """The one form of output that was asked for. Raises UsageError where two were."""
        asked = [
            form
            for form, wanted in (
                (Form.JSON, self.json),
                (Form.JSONL, self.jsonl),
                (Form.FILES, self.files and not self.print0),
                (Form.PRINT0, self.print0),
                (Form.COUNT, self.count),
                (Form.TEMPLATE, bool(self.format)),
            )
            if wanted
        ]
        if len(asked) > 1:
            raise UsageError(
                f"`{asked[0]}` and `{asked[1]}` cannot be joined", "ask for one form of output"
            )
        if asked:
            return asked[0]
        if self.pretty is None:
            return Form.AUTO
        return Form.PRETTY if self.pretty else Form.PLAIN

    def check(self) -> None:
        """Raise UsageError for options that make no sense together."""
        form = self.form
        if self.why and form not in (Form.AUTO, Form.PRETTY, Form.PLAIN, Form.JSON):
            raise UsageError(f"`--why` and `{form}` cannot be joined", "use `--why` with `--json`")
        if self.explain and form in (Form.FILES, Form.PRINT0, Form.COUNT, Form.TEMPLATE):
            raise UsageError(f"`--explain` and `{form}` cannot be joined", "leave one of them out")
        if self.queries:
            self._check_many()
        if self.several_vaults:
            self._check_several()
        if self.scope is not None and self.no_scope:
            raise UsageError("`--scope` and `--no-scope` cannot be joined", "leave one of them out")
        if self.scope is not None and not self.scope.strip():
            raise UsageError("`--scope` is empty", "name one, or write `--no-scope`")
        stdin_users = [source for source in self.exclude_from if source == "-"]
        if self.words == ("-",) or self.queries == "-":
            stdin_users.append("-")
        if len(stdin_users) > 1:
            raise UsageError("`-` can read stdin for one thing only", "put the other into a file")

    def _check_many(self) -> None:
        """Raise UsageError for what many queries at once cannot be joined with."""
        if self.words:
            raise UsageError(
                "`--queries` and words cannot be joined", "put the words into the file, on a line"
            )
        for option, wanted in (
            ("--why", bool(self.why)),
            ("--pretty", self.form is Form.PRETTY),
            ("--explain", self.explain and self.form not in (Form.JSON, Form.JSONL)),
        ):
            if wanted:
                raise UsageError(
                    f"`--queries` and `{option}` cannot be joined",
                    "`--queries` with `--jsonl` explains each hit in its answer",
                )

    def _check_several(self) -> None:
        """Raise UsageError for what is about one vault or one index."""
        for option, given in (
            ("--index", self.index),
            ("--why", self.why),
            ("--queries", self.queries),
        ):
            if given:
                raise UsageError(f"`{option}` goes with one vault", "name it with one `--vault`")
        if self.all_vaults and self.vault:
            raise UsageError("`--all-vaults` takes no `--vault`", "leave one of them out")
