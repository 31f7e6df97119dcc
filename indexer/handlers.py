"""python-frontmatter's handlers, with readers that keep values as their authors wrote them."""

from __future__ import annotations

import re
from typing import Any

from frontmatter.default_handlers import BaseHandler

from kb.indexer.json_values import parse_json
from kb.indexer.values import FrontValue
from kb.indexer.yaml_values import FrontMatterError, parse_yaml


class _NoteHandler(BaseHandler):
    """Splits a block that starts and ends with the same delimiter; `problems` gains what it saw."""

    FM_BOUNDARY = re.compile(r"^---", re.MULTILINE)
    START_DELIMITER = END_DELIMITER = "---"

    def __init__(self, problems: list[str]) -> None:
        super().__init__()
        self.problems = problems

    def split(self, text: str) -> tuple[str, str]:
        """The source between the delimiters; a note's text is never passed in here."""
        return text[len(self.START_DELIMITER) : -len(self.END_DELIMITER)].removeprefix("\n"), ""

    def load(self, fm: str) -> dict[str, Any]:
        """The properties. Raises FrontMatterError where the source holds something else."""
        value = self.read(fm)
        if isinstance(value, dict):
            return value
        if isinstance(value, list):
            raise FrontMatterError("it is a list, not properties")
        if not value.text:
            return {}
        raise FrontMatterError("it is plain text, not properties")

    def read(self, source: str) -> FrontValue:
        """The value that the source stands for."""
        raise NotImplementedError


class YamlHandler(_NoteHandler):
    """YAML between `---` lines."""

    def read(self, source: str) -> FrontValue:
        """The value of the first YAML document."""
        return parse_yaml(source, self.problems)


class JsonHandler(_NoteHandler):
    """A JSON object between `---` lines; where it is no JSON, YAML's flow style looks the same."""

    def read(self, source: str) -> FrontValue:
        """The JSON value, or the YAML value."""
        try:
            return parse_json(source)
        except FrontMatterError:
            return parse_yaml(source, self.problems)


class TomlHandler(_NoteHandler):
    """TOML between `+++` lines."""

    FM_BOUNDARY = re.compile(r"^\+\+\+", re.MULTILINE)
    START_DELIMITER = END_DELIMITER = "+++"

    def read(self, source: str) -> FrontValue:
        """The TOML table."""
        from kb.indexer.toml_values import parse_toml

        return parse_toml(source)


def handler_for(kind: str, block: str, problems: list[str]) -> _NoteHandler:
    """The handler for a block between `kind`'s delimiters (`yaml` or `toml`)."""
    if kind == "toml":
        return TomlHandler(problems)
    return JsonHandler(problems) if block.lstrip().startswith("{") else YamlHandler(problems)
