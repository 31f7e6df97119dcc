"""The README and the pages of `docs/` show what the program does."""

from __future__ import annotations

import json
import math
import os
import re
import shlex
import shutil
import subprocess
import sysconfig
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from conftest import RunKb
from sample_index import HAS_MODEL, NO_MODEL, ROOT, refresh, sample

from kb.cli.app import load_command
from kb.cli.commands import COMMANDS
from kb.embedding.record import RECORD_NAME, Record
from kb.fusion.options import DEFAULT_K
from kb.streams.registry import default_weights

README = (ROOT / "README.md").read_text(encoding="utf-8")
WRITTEN_PAGES = [page for page in (ROOT / "docs").glob("*.md") if page.name != "commands.md"]
STREAMS_OF = {
    "Only the entity stream": {"entity"},
    "Only meaning": {"cosine"},
    "Only a link": set(),
    "All four agree": {"lexical", "entity", "cosine"},
}
needs_model = pytest.mark.skipif(not HAS_MODEL, reason=NO_MODEL)
DUE = "run `python docs/refresh.py`"


def shown_commands() -> list[Any]:
    return [
        pytest.param(command, shown, id=f"{page.name}: {command}")
        for page in refresh.PAGES
        for command, shown in refresh.console_commands(page.read_text(encoding="utf-8"))
    ]


def uses_vectors(command: str) -> bool:
    """Whether a query ranks by vectors, whose last digits differ between processors."""
    words = shlex.split(command)
    if words[1] != "query":
        return False
    taken = [word for word in words[2:] if word not in ("--explain", "--files", "-l")]
    for option in ("--format", "--why"):
        if option in taken:
            place = taken.index(option)
            del taken[place : place + 2]
    document = sample(embed=True).query(*taken)
    return bool(document["streams"]["cosine"]["status"] == "ok")


def first_note(text: str) -> str:
    """The first path in an output."""
    found = re.search(r"[^\n:]*?(?:\S+/|\b\w)[^\n:]*\.(?:md|markdown)", text)
    return found[0].lstrip("1 ") if found else ""


@needs_model
@pytest.mark.parametrize(("command", "shown"), shown_commands())
def test_commands_print_what_the_pages_show(command: str, shown: str) -> None:
    printed = refresh.mask(sample(embed=True).show(command))
    if uses_vectors(command):
        # Below the first note, near ties may fall in another order elsewhere.
        assert first_note(printed) == first_note(shown), DUE
    else:
        assert printed == refresh.mask(shown), DUE


def made_parts() -> list[Any]:
    return [
        pytest.param(name, content, id=f"{page.name}: {name}")
        for page in refresh.PAGES
        for name, content in refresh.made_parts(page.read_text(encoding="utf-8"))
    ]


@pytest.mark.parametrize(("name", "content"), made_parts())
def test_made_parts_are_as_the_program_has_them(name: str, content: str) -> None:
    if name != "sum":
        assert content == refresh.MADE[name](sample(embed=False)), DUE


def test_the_worked_example_adds_up() -> None:
    worked = dict(case.values for case in made_parts())["sum"]
    terms, _, score = worked.removeprefix("```text\n").removesuffix("\n```").partition(" = ")
    parts = re.findall(r"([\d.]+) / \((\d+) \+ (\d+)\)", terms)
    assert len(parts) == terms.count("/") == 4
    assert sum(float(w) / (int(k) + int(r)) for w, k, r in parts) == pytest.approx(
        float(score), abs=1e-5
    )


@needs_model
@pytest.mark.parametrize("name", refresh.PICTURES)
def test_pictures_show_what_is_printed(name: str) -> None:
    drawn = (ROOT / "docs" / "images" / f"{name}.svg").read_text(encoding="utf-8")
    new = refresh.draw_picture(name, sample(embed=True))
    # The command, and the first note below it.
    until = "projects/Postgresmigration.md:11"
    said, says = (refresh.mask(refresh.picture_text(svg)).partition(until) for svg in (drawn, new))
    assert said[:2] == says[:2], DUE


@pytest.mark.parametrize("name", refresh.PICTURES)
def test_pictures_are_used_and_fetch_nothing(name: str) -> None:
    assert f"docs/images/{name}.svg" in README
    drawn = (ROOT / "docs" / "images" / f"{name}.svg").read_text(encoding="utf-8")
    assert ElementTree.fromstring(drawn).tag.endswith("svg")
    assert re.findall(r"https?://[^\s\"<]+", drawn) == [
        "http://www.w3.org/2000/svg",
        "https://www.textualize.io",
    ]


def tour_stops() -> list[Any]:
    """Title, note and command of each stop of the tour that names a note."""
    stops = []
    tour = README.split("## A tour of the sample vault")[1].split("\n## ")[0]
    for stop in tour.split("\n### ")[1:]:
        title = stop.split("\n")[0]
        if title in STREAMS_OF:
            note = re.findall(r"\*\*`([^`]+)`\*\*", stop)
            commands = list(refresh.console_commands(stop))
            assert len(note) == len(commands) == 1, title
            stops.append(pytest.param(title, note[0], commands[0][0], id=title))
    return stops


@needs_model
@pytest.mark.parametrize(("title", "note", "command"), tour_stops())
def test_the_tour_finds_the_note_it_names_by_the_streams_it_says(
    title: str, note: str, command: str
) -> None:
    arguments = [word for word in shlex.split(command)[2:] if word != "--explain"]
    found = {hit["path"]: hit for hit in sample(embed=True).query(*arguments)["results"]}
    assert note in found
    # The graph has its starting notes in its list, so it is in every one.
    assert set(found[note]["streams"]) == STREAMS_OF[title] | {"graph"}
    if title != "Only a link":
        assert next(iter(found)) == note


def test_the_tour_has_every_stop() -> None:
    assert {stop.values[0] for stop in tour_stops()} == set(STREAMS_OF)


def fresh_machine() -> list[str]:
    """The lines of the section on a fresh machine, one a block."""
    section = README.split("## Two commands")[1].split("\n## ")[0]
    return [line for block in _blocks(section) for line in block.strip().split("\n")]


def _blocks(text: str) -> list[str]:
    return re.findall(r"```(?:sh|powershell)\n(.*?)```", text, flags=re.DOTALL)


def test_two_commands_do_for_a_fresh_machine() -> None:
    install, test, windows = fresh_machine()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert 'pip install ".[model]"' in install
    assert 'pip install ".[model]"' in windows
    assert "model" in project["project"]["optional-dependencies"]
    assert "pip install --upgrade pip && pip install --group test && pytest" in test
    assert "test" in project["dependency-groups"]
    kept = [part.strip() for part in install.split("&&") if part.strip().startswith("kb ")]
    assert kept == [part.strip() for part in windows.split(";") if part.strip().startswith("kb ")]
    assert kept[0] == "kb index sample_vault --embed"


@needs_model
def test_the_first_command_shows_the_note_it_looks_for() -> None:
    query = fresh_machine()[0].split("&&")[-1]
    assert "projects/Postgres migration.md" in sample(embed=True).show(query.strip())


def recipes() -> list[str]:
    section = README.split("## In a pipe")[1].split("\n## ")[0]
    lines = [line for block in _blocks(section) for line in block.split("\n")]
    return [line for line in lines if line and not line.startswith("#")]


@pytest.mark.skipif(os.name == "nt", reason="the recipes are for a POSIX shell")
@pytest.mark.parametrize("recipe", recipes())
def test_recipes_run(recipe: str, tmp_path: Path) -> None:
    scripts = sysconfig.get_path("scripts")
    path = os.pathsep.join([scripts, os.environ.get("PATH", "")])
    for tool in ("kb", "jq", "xargs", "sh"):
        if tool in recipe and shutil.which(tool, path=path) is None:
            pytest.skip(f"needs {tool}")
    made = sample(embed=False)
    done = subprocess.run(
        ["sh", "-e", "-c", recipe],
        cwd=made.vault,
        env={**made.environment(), "PATH": path, "TMPDIR": str(tmp_path)},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.strip()


def test_json_is_the_formula(kb: RunKb) -> None:
    """One whole document, each number worked out."""
    made = sample(embed=False)
    env = {"KB_DATA": str(made.folder / "data")}
    query = ("query", "Ylva Rask", "-n", "1", "--weight", "graph=0", "--json")
    document = kb(*query, env=env, cwd=made.vault).json
    for stream in document["streams"].values():
        assert stream.pop("ms") >= 0
    note = (made.vault / "customers" / "Ottervik Freight.md").read_text(encoding="utf-8")
    notes = 101  # as the index counts them; one of them has this contact
    weights = default_weights()
    # Two words of two name one note: the stream counts (1 + 9 · 1³) / √1 of its weight.
    weight = weights["entity"] * (1 + 9 * 1**3) / math.sqrt(1)
    amount = weight / (DEFAULT_K + 1)
    hit = document["results"][0]
    text = hit["passage"].pop("text")
    snippet = hit["passage"].pop("snippet")
    assert text in note
    assert text.startswith("# Ottervik Freight")
    assert snippet
    assert document == {
        "schema": "kb.query/1",
        "query": "Ylva Rask",
        "vault": made.vault.as_posix(),
        "vaults": [made.vault.as_posix()],
        "scope": "",
        "mode": "hybrid",
        "k": DEFAULT_K,
        "streams": {
            "lexical": {
                "status": "ok",
                "weight": weights["lexical"],
                "base_weight": weights["lexical"],
                "candidates": 0,
            },
            "entity": {
                "status": "ok",
                "weight": pytest.approx(weight),
                "base_weight": weights["entity"],
                "candidates": 1,
                "reason": "100% of the query names one note",
            },
            "cosine": {
                "status": "off",
                "weight": weights["cosine"],
                "base_weight": weights["cosine"],
                "candidates": 0,
                "reason": "the index holds no embeddings; run `kb index --embed`",
            },
            "graph": {
                "status": "off",
                "weight": 0.0,
                "base_weight": 0.0,
                "candidates": 0,
                "reason": "its weight is 0",
            },
        },
        "results": [
            {
                "rank": 1,
                "vault": made.vault.as_posix(),
                "path": "customers/Ottervik Freight.md",
                "title": "Ottervik Freight",
                "score": pytest.approx(amount),
                "rrf": pytest.approx(amount),
                "authority": 1.0,
                "authority_factors": [],
                "streams": {
                    "entity": {
                        "rank": 1,
                        "score": pytest.approx(math.log(1 + notes / 1) * 2),
                        "contribution": pytest.approx(amount),
                        "matched": ["contact:Ylva Rask"],
                    },
                },
                "passage": {
                    "heading": ["Ottervik Freight"],
                    "line": 12,
                    "end_line": 12 + text.count("\n"),
                    "marks": [],
                },
                "tags": ["customer", "freight"],
                "changed": False,
                "rerank": None,
                "fused_rank": 1,
                "lapsed": [],
            }
        ],
        "rerank": None,
        "notices": [],
    }


def options() -> Iterator[Any]:
    """Every option of every command."""
    for name in COMMANDS:
        command: Any = load_command(name)
        for inner in [command, *getattr(command, "commands", {}).values()]:
            for parameter in inner.params:
                if parameter.param_type_name == "option":
                    yield f"kb {name}", parameter


def test_every_command_and_option_is_explained_somewhere() -> None:
    written = README + "".join(page.read_text(encoding="utf-8") for page in WRITTEN_PAGES)
    missing = {
        f"{command} {option.opts[0]}"
        for command, option in options()
        if not any(
            re.search(rf"(?<![\w-]){re.escape(one)}(?![\w-])", written) for one in option.opts
        )
    }
    missing |= {f"kb {name}" for name in COMMANDS if f"kb {name}" not in written}
    assert not missing


def test_every_variable_that_is_read_is_on_its_page() -> None:
    page = (ROOT / "docs" / "environment.md").read_text(encoding="utf-8")
    rooms = ("cli", "embedding", "evaluation", "fusion", "indexer", "store", "streams", "text")
    sources = [file.read_text("utf-8") for room in rooms for file in (ROOT / room).glob("*.py")]
    names = {
        name
        for source in sources
        for name in re.findall(r"""(?:get\(|environ\[)\s*"([A-Z][A-Z_]{2,})\"""", source)
    }
    names |= {name for source in sources for name in re.findall(r'"(KB_[A-Z_]+[A-Z])"', source)}
    assert {"KB_DATA", "NO_COLOR"} <= names
    assert not {name for name in names if f"`{name}`" not in page}


@pytest.mark.parametrize("page", [ROOT / "README.md", *WRITTEN_PAGES], ids=lambda page: page.name)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text):
        if target == "quality.md" and not (page.parent / target).exists():
            pytest.skip("made from collections that are not here, by `benchmarks.quality`")
        if not target.startswith("http"):
            assert (page.parent / target).exists(), target


def test_the_document_that_the_page_shows_is_valid(
    schema_errors: Callable[[Any], list[str]],
) -> None:
    page = (ROOT / "docs" / "json.md").read_text(encoding="utf-8")
    shown = json.loads(re.findall(r"```json\n(.*?)```", page, flags=re.DOTALL)[0])
    assert schema_errors(shown) == []
    hit = shown["results"][0]
    weight = shown["streams"]["lexical"]["weight"]
    given = hit["streams"]["lexical"]
    assert given["contribution"] == weight / (shown["k"] + given["rank"]) == hit["rrf"]
    assert hit["score"] == hit["rrf"] * hit["authority"]


def test_the_record_that_the_page_shows_is_that_of_the_packaged_model() -> None:
    page = (ROOT / "docs" / "model.md").read_text(encoding="utf-8")
    shown = json.loads(re.findall(r"```json\n(.*?)```", page, flags=re.DOTALL)[0])
    folder = ROOT / "embedding" / "models" / "all-MiniLM-L6-v2"
    assert shown == json.loads((folder / RECORD_NAME).read_text(encoding="utf-8"))
    for field in fields(Record):
        assert f"`{field.name}`" in page


def test_masking_keeps_words_and_order() -> None:
    table = "1  a.md:3   #1 0.016393  0.016393\n2  b.md:1         -  in 0.05 s"
    assert refresh.mask(table) == "1 a.md:3 N N N\n2 b.md:1 - in T"


def test_refreshing_changes_outputs_and_nothing_else() -> None:
    class Still(refresh.Sample):
        def show(self, command: str) -> str:
            return f"{len(command)} printed\n"

    text = "A\n\n```console\n$ cd here\n$ kb query x\nold\n```\nB\n\n```sh\nkb query y\n```\n"
    new = refresh.refreshed(text, Still(Path()))
    assert new == text.replace("old", "10 printed")
