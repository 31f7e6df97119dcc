"""What a tool is: a name, words that tell a model when to use it, schemas, and a function."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from kb.cli.mcp.served import Served, ServedVaults
from kb.cli.render_json import Document
from kb.fusion.vault import Vault
from kb.store.errors import UsageError

Schema = dict[str, Any]


class Answer(NamedTuple):
    """What a tool answers: a document of the schema that it names, and the same in few words."""

    document: Document
    text: str


class Call:
    """One call of a tool, its arguments checked against the tool's schema.

    `variables` are those of the environment, which settings may come from.
    """

    def __init__(
        self, arguments: Mapping[str, Any], vaults: ServedVaults, variables: Mapping[str, str]
    ) -> None:
        self.arguments = {name: value for name, value in arguments.items() if value is not None}
        self.variables = variables
        self._vaults = vaults

    @property
    def served(self) -> Served:
        """The vault that the call is about. Raises UsageError where that is not clear."""
        return self._vaults.choose(self.text("vault"))

    @property
    def vault(self) -> Vault:
        """The same, to be asked. Raises KbError where it has not been indexed."""
        return self.served.open()

    def text(self, name: str) -> str:
        """An argument that is text, "" where it was not given."""
        return str(self.arguments.get(name, ""))

    def texts(self, name: str) -> tuple[str, ...]:
        """An argument that is a list of texts."""
        return tuple(str(one) for one in self.arguments.get(name, ()))

    def number(self, name: str, default: int) -> int:
        """An argument that is a whole number."""
        return int(self.arguments.get(name, default))

    def switch(self, name: str) -> bool:
        """An argument that is true or false, false where it was not given."""
        return bool(self.arguments.get(name, False))


class Tool(NamedTuple):
    """One tool. `schema` names the file in cli/schema that its documents follow.

    `properties` are those of its arguments, as JSON Schema; `required` must be given.
    """

    name: str
    title: str
    description: str
    properties: Mapping[str, Schema]
    required: tuple[str, ...]
    schema: str
    run: Callable[[Call], Answer]

    def input_schema(self, labels: tuple[str, ...]) -> Schema:
        """The schema of its arguments; which vault is asked for only where there are several."""
        properties = dict(self.properties)
        required = list(self.required)
        if len(labels) > 1:
            told = "Which vault to ask; its name stands in every answer as `vault_name`."
            properties["vault"] = {"type": "string", "enum": list(labels), "description": told}
            required.append("vault")
        return {
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": False,
        }

    def output_schema(self) -> Schema:
        """The schema of its documents, as it ships."""
        file = Path(__file__).parent.parent / "schema" / f"{self.schema}.json"
        schema: Schema = json.loads(file.read_text(encoding="utf-8"))
        schema["properties"]["vault_name"] = {"type": "string"}
        return schema


def check_arguments(arguments: Mapping[str, Any], schema: Schema) -> None:
    """Raise UsageError for the first argument that its schema does not allow."""
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import best_match

    names = ", ".join(f"`{name}`" for name in schema["properties"]) or "none"
    known = f"the arguments of this tool are {names}"
    if unknown := sorted(arguments.keys() - schema["properties"].keys()):
        raise UsageError(f"there is no argument `{unknown[0]}`", known)
    error = best_match(Draft202012Validator(schema).iter_errors(arguments))
    if error is None:
        return
    at = ".".join(str(part) for part in error.absolute_path)
    said = error.message if len(error.message) <= 200 else f"{error.message[:199]}…"
    told = error.schema.get("description", "") if isinstance(error.schema, dict) and at else ""
    raise UsageError(
        f"argument `{at}`: {said}" if at else f"arguments: {said}",
        told or known,
    )
