"""Bring what the documentation shows up to date with what the program does.

`python docs/refresh.py` indexes a copy of the sample vault, runs every command that stands in a
console block of the pages below and writes what it printed, fills the parts between `made:` marks,
and draws the pictures. With `--check` it writes nothing, and exits with 1 where something is due.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from types import ModuleType
from typing import Any

import kb.embedding
from kb.embedding.packaged import packaged_weights

DOCS = Path(__file__).parent
ROOT = DOCS.parent
PAGES = (
    ROOT / "README.md",
    DOCS / "ranking.md",
    DOCS / "queries.md",
    DOCS / "model.md",
    DOCS / "commands.md",
)
WORKED_QUERY = "postgres migration"
PICTURES = {
    "query": ('kb query "postgres migration" -n 3', 84),
    "explain": ('kb query "postgres migration" -n 4 --explain', 112),
}
_BLOCK = re.compile(r"(?<=```console\n).*?(?=```)", re.DOTALL)
_MADE = re.compile(r"(<!-- made: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)
# What differs from run to run, or from one processor's arithmetic to another's.
_TIMES = re.compile(r"\d{4}-\d\d-\d\dT[\d:+]+|\d+ (?:minutes?|hours?) ago|just now|\d+\.\d+ s\b")
_NUMBERS = re.compile(r"#?\d+\.\d+|#\d+")


@dataclass(frozen=True, slots=True)
class Sample:
    """A copy of the sample vault inside `folder`, with an index and settings of its own there."""

    folder: Path

    @property
    def vault(self) -> Path:
        """The copy; commands run in it."""
        return self.folder / "sample_vault"

    def make(self, *, embed: bool = True) -> None:
        """Copy the vault and index it, with embeddings or without."""
        shutil.copytree(ROOT / "sample_vault", self.vault)
        options = ["--embed"] if embed else []
        self.run(["index", *options, str(self.vault)])

    def run(
        self, arguments: list[str], *, joined: bool = True, **variables: str
    ) -> subprocess.CompletedProcess[str]:
        """Run `kb` in the vault, as a process of its own. `joined`: stderr goes to stdout.

        Raises RuntimeError where it failed: no page shows that.
        """
        done = subprocess.run(
            [sys.executable, "-m", "kb.cli", *arguments],
            cwd=self.vault,
            env={**self.environment(), **variables},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT if joined else subprocess.PIPE,
            encoding="utf-8",
            timeout=120,
            check=False,
        )
        if done.returncode not in (0, 1):
            raise RuntimeError(f"kb {shlex.join(arguments)}: {done.stdout}{done.stderr or ''}")
        return done

    def show(self, command: str) -> str:
        """What a command line prints, with the places that a reader would have."""
        printed = self.run(shlex.split(command)[1:]).stdout
        rooms = Path(kb.embedding.__file__).parent  # in an editable install, the checkout
        version = f"python{sys.version_info[0]}.{sys.version_info[1]}"
        packages = f"{Path(sys.prefix)}/lib/{version}/site-packages"
        for place, name in (
            (rooms, f"{packages}/kb/embedding"),
            *((library, packages) for library in _library_folders()),
            (self.vault, "/home/you/sample_vault"),
            (self.folder / "data", "/home/you/.local/share/kb-search"),
            (self.folder / "config", "/home/you/.config/kb-search"),
            (self.folder / "cache", "/home/you/.cache"),
            (Path(sys.prefix), "/home/you/.venv"),
        ):
            for path in {str(place), os.path.realpath(place)}:
                printed = printed.replace(path, name)
        return printed

    def query(self, *arguments: str) -> Any:
        """The JSON document of a query."""
        return json.loads(self.run(["query", "--json", *arguments], joined=False).stdout)

    def environment(self) -> dict[str, str]:
        kept = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith("KB_") and name not in ("NO_COLOR", "FORCE_COLOR")
        }
        return {
            **kept,
            "HOME": str(self.folder),
            "USERPROFILE": str(self.folder),
            "XDG_CACHE_HOME": str(self.folder / "cache"),
            "KB_DATA": str(self.folder / "data"),
            "KB_CONFIG": str(self.folder / "config" / "config.toml"),
            "PYTHONIOENCODING": "utf-8",
        }


def _library_folders() -> list[Path]:
    """Where the weights are installed, which an environment may share with others."""
    weights = packaged_weights()
    return [] if weights is None else [weights.parent.parent]


def console_commands(text: str) -> Iterator[tuple[str, str]]:
    """Each `kb` command line in the console blocks of a page, with what is shown below it."""
    for block in _BLOCK.findall(text):
        for command, shown in _split_block(block):
            if command.startswith("kb "):
                yield command, shown


def _split_block(block: str) -> list[tuple[str, str]]:
    parts = re.split(r"^\$ (.*)\n", block, flags=re.MULTILINE)
    if parts[0].strip():
        raise ValueError(f"a console block must start with a command: {parts[0]!r}")
    return list(zip(parts[1::2], parts[2::2], strict=True))


def mask(text: str) -> str:
    """A text without what differs between runs and processors: times, scores, ranks, spaces."""
    text = _NUMBERS.sub("N", _TIMES.sub("T", text))
    return re.sub(r"[ \t]+", " ", text).strip()


def refreshed(text: str, sample: Sample) -> str:
    """The page with its console blocks run again and its made parts made again."""

    def block(match: re.Match[str]) -> str:
        return "".join(
            f"$ {command}\n{_same_or_new(shown, sample.show(command), command)}"
            for command, shown in _split_block(match[0])
        )

    def part(match: re.Match[str]) -> str:
        return f"{match[1]}{MADE[match[2]](sample)}\n{match[3]}"

    return _MADE.sub(part, _BLOCK.sub(block, text))


def _same_or_new(shown: str, printed: str, command: str) -> str:
    """What was printed, or what is shown already where only times differ."""
    if not command.startswith("kb "):
        return shown
    return shown if _TIMES.sub("T", shown) == _TIMES.sub("T", printed) else printed


def made_parts(text: str) -> Iterator[tuple[str, str]]:
    """Name and content of each part of a page that is made."""
    for match in _MADE.finditer(text):
        yield match[2], match[0].removeprefix(match[1]).removesuffix(match[3]).rstrip("\n")


def _table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _made_weights(_: Sample) -> str:
    from kb.streams.registry import STREAMS

    return _table(("stream", "weight"), [(stream.name, f"{stream.weight:g}") for stream in STREAMS])


def _constant(module: ModuleType, name: str) -> Any:
    """A constant of a module, whether or not it is the module's own affair."""
    for spelling in (f"_{name}", name):
        if hasattr(module, spelling):
            return getattr(module, spelling)
    raise RuntimeError(f"{module.__name__} has no {name} any more: mend the table of numbers")


def _made_constants(_: Sample) -> str:
    from kb.fusion import authority, options, run
    from kb.store.schema import FTS_COLUMNS
    from kb.streams import cosine, entity, graph, identifiers, pairs

    columns = ", ".join(f"{name} {weight:g}" for name, weight in FTS_COLUMNS.items())
    kinds = ", ".join(
        f"{kind} {weight:g}" for kind, weight in _constant(entity, "KIND_WEIGHT").items()
    )
    rows: list[tuple[str, object]] = [
        ("k", options.DEFAULT_K),
        ("depth", options.SearchOptions().depth),
        ("largest weight", f"{options.MAXIMUM_WEIGHT:g}"),
        ("column weights of lexical", columns),
        ("p, part of its idf that a near pair adds", _constant(pairs, "PAIR")),
        ("kind weights of entity (1 for any other)", kinds),
        (
            "b, boost of the entity stream where the query is one name",
            f"{_constant(entity, 'NAMED'):g}",
        ),
        ("c₁, least cosine of the nearest", _constant(cosine, "NEAR")),
        ("c₂, least cosine for words that nobody knows", _constant(cosine, "NEAR_UNKNOWN")),
        ("c₃, least cosine behind the nearest", _constant(cosine, "TRAILING")),
        ("c₄, least part of the best cosine", _constant(cosine, "TRAILING_PART")),
        ("n, starting notes of the graph", _constant(run, "SEEDS")),
        ("s, what a step along a link keeps", _constant(graph, "STEP")),
        ("l, least share of a neighbour, of the best note's", _constant(graph, "LEAST")),
        (
            "i, factor of cosine and graph for an identifier",
            _constant(identifiers, "AFTER_THE_OTHERS"),
        ),
        (
            "links, from least to most linked",
            f"{_constant(authority, 'LOWEST')} to {_constant(authority, 'HIGHEST')}",
        ),
        ("recent, what a note of today gains", _constant(authority, "RECENT")),
        (
            "bounds of a factor, and of authority",
            f"{options.LEAST_AUTHORITY:g} to {options.MOST_AUTHORITY:g}",
        ),
    ]
    return _table(("constant", "value"), [(name, str(value)) for name, value in rows])


def _made_surety(_: Sample) -> str:
    """The second paragraph of the module that compares two streams, which states its formula."""
    from kb.fusion import surety

    return (surety.__doc__ or "").split("\n\n")[1].strip()


def _made_sum(sample: Sample) -> str:
    """The first hit of the worked example, added up."""
    found = sample.query(WORKED_QUERY)
    hit, streams = found["results"][0], found["streams"]
    terms = [
        f"{streams[name]['weight']:g} / ({found['k']} + {given['rank']})"
        for name, given in hit["streams"].items()
    ]
    return f"```text\n{' + '.join(terms)} = {hit['score']:.6f}\n```"


def _made_fields(_: Sample) -> str:
    from kb.cli.render_template import FIELDS

    return ", ".join(f"`{{{name}}}`" for name in FIELDS)


def _made_commands(_: Sample) -> str:
    from kb.cli.app import load_command
    from kb.cli.commands import COMMANDS

    parts = []
    for name in COMMANDS:
        command: Any = load_command(name)
        parts += _command_page(f"kb {name}", command)
        for below, inner in getattr(command, "commands", {}).items():
            parts += _command_page(f"kb {name} {below}", inner)
    return "\n\n".join(parts)


def _command_page(name: str, command: Any) -> list[str]:
    arguments = [one for one in command.params if one.param_type_name == "argument"]
    options = [one for one in command.params if one.param_type_name == "option"]
    usage = " ".join([name, *(one.metavar or one.name.upper() for one in arguments)])
    rows = [(f"`{one.metavar or one.name.upper()}`", one.help or "") for one in arguments]
    rows += [(_option_cell(one), one.help or "") for one in options]
    if hasattr(command, "commands"):
        return [f"## {name}", command.help.strip()]
    escaped = [(left.replace("|", "\\|"), right.replace("|", "\\|")) for left, right in rows]
    return [
        f"## {name}",
        f"`{usage}`",
        command.help.strip(),
        _table(("argument, option", "meaning"), escaped),
    ]


def _option_cell(option: Any) -> str:
    names = ", ".join(f"`{name}`" for name in sorted(option.opts, key=len, reverse=True))
    if option.is_flag:
        off = "".join(f", `{name}`" for name in option.secondary_opts)
        return names + off
    return f"{names} `{option.metavar}`"


MADE: dict[str, Callable[[Sample], str]] = {
    "weights": _made_weights,
    "constants": _made_constants,
    "surety": _made_surety,
    "sum": _made_sum,
    "fields": _made_fields,
    "commands": _made_commands,
}


def draw_picture(name: str, sample: Sample) -> str:
    """The SVG of one command and what it prints in colour, in a terminal of some width."""
    from rich._export_format import CONSOLE_SVG_FORMAT
    from rich.console import Console
    from rich.terminal_theme import MONOKAI
    from rich.text import Text

    command, width = PICTURES[name]
    arguments = [*shlex.split(command)[1:], "--pretty", "--color", "always"]
    printed = sample.run(arguments, COLUMNS=str(width)).stdout
    console = Console(record=True, width=width, file=StringIO(), highlight=False)
    console.print(Text.assemble(("$ ", "dim"), command))
    for line in printed.rstrip("\n").split("\n"):
        console.print(Text.from_ansi(line), soft_wrap=True)
    # The picture must not fetch a font from somebody's server.
    plain_format = re.sub(r"@font-face \{\{.*?\}\}\n", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL)
    families = "font-family: Menlo, Consolas, DejaVu Sans Mono, monospace"
    plain_format = plain_format.replace("font-family: Fira Code, monospace", families)
    drawn = console.export_svg(
        title="", theme=MONOKAI, code_format=plain_format, unique_id=f"kb-{name}"
    )
    return "\n".join(line.rstrip() for line in drawn.splitlines()) + "\n"


def picture_text(svg: str) -> str:
    """The words of a picture, without spaces."""
    from html import unescape

    found = re.findall(r"<text[^>]*>([^<]*)</text>", svg)
    return re.sub(r"\s", "", unescape("".join(found)))


def main() -> None:
    """Rewrite the pages and pictures that differ from what the program does, or name them."""
    check = sys.argv[1:] == ["--check"]
    with tempfile.TemporaryDirectory() as folder:
        sample = Sample(Path(folder))
        sample.make()
        made = {page: refreshed(page.read_text(encoding="utf-8"), sample) for page in PAGES}
        for name in PICTURES:
            made[DOCS / "images" / f"{name}.svg"] = draw_picture(name, sample)
    due = [path for path, text in made.items() if _rewrite(path, text, check)]
    sys.exit(bool(check and due))


def _rewrite(path: Path, text: str, check: bool) -> bool:
    """Whether the file differs from the text; it is written then, unless this is a check."""
    if path.is_file() and path.read_text(encoding="utf-8") == text:
        return False
    if not check:
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    print(path.relative_to(ROOT).as_posix())
    return True


if __name__ == "__main__":
    main()
