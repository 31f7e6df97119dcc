"""The vault that a newcomer tries holds what its README and the transcripts count on."""

from __future__ import annotations

import json
import re
import tomllib
import unicodedata
from functools import cache
from pathlib import Path, PurePosixPath

import pytest
import yaml

VAULT = Path(__file__).parent.parent / "sample_vault"
QUERIES = Path(__file__).parent / "data" / "sample_queries.json"
HIDDEN = ("archive/", "templates/", "private-drafts/")
FRONT = re.compile(r"\A(---|\+\+\+)\n(.*?\n)\1\n", re.DOTALL)
NO_LINKS = re.compile(r"```.*?```|`[^`\n]*`|%%.*?%%|<!--.*?-->", re.DOTALL)
WIKILINK = re.compile(r"(!?)\[\[([^\]\n]+)\]\]")


def fold(text: str) -> str:
    """Case-folded NFC, so that names compare alike on every file system."""
    return unicodedata.normalize("NFC", text).casefold()


@cache
def notes() -> dict[str, str]:
    """Each note's text without byte-order mark and carriage returns, by its path."""
    paths = (p for p in VAULT.rglob("*") if p.suffix in {".md", ".markdown"})
    return {
        unicodedata.normalize("NFC", p.relative_to(VAULT).as_posix()): p.read_text("utf-8-sig")
        for p in sorted(paths)
    }


def shown() -> dict[str, str]:
    """The notes that no exclusion hides."""
    return {path: text for path, text in notes().items() if not path.startswith(HIDDEN)}


def front(text: str) -> tuple[str, str]:
    """The fence and the source of the front matter, both empty where there is none."""
    match = FRONT.match(text)
    return (match[1], match[2]) if match else ("", "")


def body(text: str) -> str:
    return FRONT.sub("", text, count=1)


@cache
def properties() -> dict[str, dict[str, object]]:
    """The YAML properties of each note whose front matter can be parsed."""
    found: dict[str, dict[str, object]] = {}
    for path, text in notes().items():
        fence, source = front(text)
        try:
            found[path] = yaml.safe_load(source) if fence == "---" else {}
        except yaml.YAMLError:
            continue
    return found


def links(text: str) -> list[tuple[str, str]]:
    """(target, fragment) of each wikilink outside code and comments."""
    found = []
    for _, inner in WIKILINK.findall(NO_LINKS.sub("", text)):
        target, _, fragment = re.split(r"\\?\|", inner)[0].partition("#")
        found.append((target, fragment))
    return found


def targets(target: str) -> list[str]:
    """The files of the vault that a wikilink's target can mean, by name, path or alias."""
    wanted = fold(target.removeprefix("../"))
    files = [p.relative_to(VAULT).as_posix() for p in VAULT.rglob("*") if p.is_file()]
    by_name = [
        unicodedata.normalize("NFC", f)
        for f in sorted(files)
        for name in (fold(f), fold(str(PurePosixPath(f).with_suffix(""))))
        if name == wanted or name.endswith("/" + wanted)
    ]
    return by_name or [path for path in properties() if wanted in map(fold, aliases(path))]


def aliases(path: str) -> list[str]:
    value = properties()[path].get("aliases") or []
    return [value] if isinstance(value, str) else [str(v) for v in value]  # type: ignore[attr-defined]


def read_queries() -> list[dict[str, object]]:
    return list(json.loads(QUERIES.read_text("utf-8")))


def test_there_is_enough_to_search_in() -> None:
    assert len(shown()) >= 70
    assert len(shown()) < len(notes())


def test_one_note_has_front_matter_that_yaml_refuses() -> None:
    assert set(notes()) - set(properties()) == {"meetings/2026-05-12 Brennholm call.md"}


def test_one_note_comes_with_toml() -> None:
    sources = {path: front(text)[1] for path, text in notes().items() if front(text)[0] == "+++"}
    assert list(sources) == ["blog/why-the-ferry-is-late.md"]
    assert tomllib.loads(sources["blog/why-the-ferry-is-late.md"])["title"]


def test_one_note_has_the_long_suffix() -> None:
    assert [p for p in notes() if p.endswith(".markdown")] == ["reading/tide-tables.markdown"]


def test_one_note_keeps_its_byte_order_mark_and_crlf() -> None:
    raw = {path: (VAULT / path).read_bytes() for path in ("office/inventory-kiel.md", "Home.md")}
    assert raw["office/inventory-kiel.md"].startswith(b"\xef\xbb\xbf---\r\n")
    assert b"\r" not in raw["Home.md"]
    assert "office/inventory-kiel.md -text" in (VAULT / ".gitattributes").read_text("utf-8")


def test_settings_and_ignore_file_hide_notes_that_exist() -> None:
    settings = json.loads((VAULT / ".obsidian" / "app.json").read_text("utf-8"))
    assert settings["userIgnoreFilters"] == ["archive/", r"/^templates\//"]
    assert "private-drafts/" in (VAULT / ".kbignore").read_text("utf-8").splitlines()
    for folder in HIDDEN:
        assert any(path.startswith(folder) for path in notes()), folder


def test_one_link_leads_nowhere() -> None:
    broken = {
        (path, target)
        for path, text in shown().items()
        for target, _ in links(text)
        if target and not targets(target)
    }
    assert broken == {("projects/Postgres migration.md", "Accessibility audit")}


def test_one_name_is_shared_by_two_notes_and_linked_bare() -> None:
    assert targets("Packing list") == ["life/travel/Packing list.md", "runbooks/Packing list.md"]
    assert ("Packing list", "") in links(notes()["daily/2026-04-10.md"])


def test_one_link_is_an_alias() -> None:
    assert targets("pager rota") == ["runbooks/On-call.md"]
    assert ("pager rota", "") in links(notes()["Home.md"])


def test_fragments_exist_in_the_notes_they_point_into() -> None:
    seen = set()
    for path, text in shown().items():
        for target, fragment in links(text):
            if fragment:
                note = notes()[targets(target)[0] if target else path]
                mark = rf" {re.escape(fragment)}$"
                heading = rf"^#+{mark}"
                assert re.search(mark if fragment[0] == "^" else heading, note, re.MULTILINE), (
                    path,
                    fragment,
                )
                seen.add("block" if fragment[0] == "^" else "heading" if target else "own heading")
    assert seen == {"block", "heading", "own heading"}


def test_the_hub_links_to_twenty_notes_and_more() -> None:
    home = {file for target, _ in links(notes()["Home.md"]) for file in targets(target)}
    assert len(home) >= 20


@pytest.mark.parametrize(("language", "least"), [("de", 5), ("ja", 4), ("zh", 4), ("ru", 4)])
def test_several_notes_of_each_language(language: str, least: int) -> None:
    assert sum(p.get("lang") == language for p in properties().values()) >= least


@pytest.mark.parametrize("language", ["ko", "fr"])
def test_one_note_of_each_other_language(language: str) -> None:
    assert sum(p.get("lang") == language for p in properties().values()) == 1


def test_long_and_short_notes() -> None:
    words = {path: len(body(text).split()) for path, text in shown().items()}
    assert words["handbook/Engineering handbook.md"] > 3000
    assert min(words.values()) < 40


@pytest.mark.parametrize(
    ("feature", "pattern"),
    [
        ("nested tag in a property", r"team/platform"),
        ("nested tag in the text", r"(?m)(^|\s)#[a-z]+/[a-z-]+"),
        ("tags as comma text", r"(?m)^tags: \w+, \w+"),
        ("the older spelling `tag`", r"(?m)^tag: \w+$"),
        ("null among the tags", r"(?m)^  - null$"),
        ("aliases as a list", r"(?m)^aliases: \["),
        ("aliases as plain text", r"(?m)^aliases: \w+$"),
        ("a date", r"(?m)^date: \d{4}-\d\d-\d\d$"),
        ("a date and time", r"(?m)^detected: \d{4}-\d\d-\d\dT"),
        ("a number", r"(?m)^penalty_percent: 4\.5$"),
        ("a number that is a version", r"(?m)^version: 1\.10$"),
        ("a number that is a time of day", r"(?m)^start_time: 19:20$"),
        ("a checkbox", r"(?m)^reversible: false$"),
        ("an empty property", r"(?m)^superseded_by:$"),
        ("a quoted link in a property", r'(?m)^owner: "\[\['),
        ("an unquoted link in a property", r"(?m)^up: \[\["),
        ("an inline field on its own line", r"(?m)^Owner:: \[\[Ada Okafor\]\]$"),
        ("an inline field in brackets", r"\[due:: 2026-07-01\]"),
        ("an inline field in parentheses", r"\(effort:: 3\)"),
        ("an embedded section", r"!\[\[Handheld scanners#Signals\]\]"),
        ("an embedded picture with a width", r"!\[\[tide-curve\.png\|240\]\]"),
        ("an escaped pipe in a table", r"\| \[\[[^\]]+\\\|[^\]]+\]\]"),
        ("a callout", r"(?m)^> \[!warning\]"),
        ("a tag and a link in code", r"(?s)```.*#notatag.*\[\[not a link\]\].*```"),
        ("a comment", r"%%.+%%"),
        ("a footnote", r"(?m)^\[\^1\]: "),
        ("a Markdown link with an escaped space", r"\]\(Rotate%20the"),
        ("a Markdown link in angle brackets", r"\]\(<\.\./"),
        ("a relative wikilink", r"\[\[\.\./"),
        ("a template's placeholder", r"\{\{date\}\}"),
        ("a highlight", r"==.+=="),
        ("a date in the text", r"17 May 2026"),
        ("a telephone number", r"\+49 431 5550 142"),
    ],
)
def test_a_feature_of_vaults_is_there(feature: str, pattern: str) -> None:
    assert any(re.search(pattern, text) for text in notes().values()), feature


def test_embedded_files_are_pictures() -> None:
    assert (VAULT / "attachments/tide-curve.png").read_bytes().startswith(b"\x89PNG\r\n")
    assert "<svg" in (VAULT / "attachments/deck-plan.svg").read_text("utf-8")


def test_names_of_files_are_allowed_on_every_system() -> None:
    for path in VAULT.rglob("*"):
        assert not re.search(r'[<>:"\\|?*]|[. ]$', path.name), path


@pytest.mark.parametrize("case", read_queries(), ids=lambda case: str(case["query"]))
def test_queries_expect_notes_that_are_shown(case: dict[str, object]) -> None:
    assert case["expects"] in shown()
    assert case.get("via", "Home.md") in shown()
    assert case.get("why", "Home.md") in notes()


def cases(kind: str) -> list[tuple[str, str]]:
    return [(str(c["query"]), str(c["expects"])) for c in read_queries() if c["kind"] == kind]


@pytest.mark.parametrize(("query", "expected"), cases("entity"))
def test_entity_queries_stand_in_a_property_and_nowhere_else(query: str, expected: str) -> None:
    assert query in front(notes()[expected])[1]
    everything = " ".join(p + " " + (body(t) if p == expected else t) for p, t in notes().items())
    for word in query.split():
        assert not re.search(rf"\b{word}\b", everything, re.IGNORECASE), word


@pytest.mark.parametrize("word", ["exhaust", "overwhelm", "hacker", "guess", "password"])
def test_words_of_the_meaning_queries_stand_nowhere(word: str) -> None:
    assert not [p for p, t in notes().items() if re.search(rf"\b{word}", t, re.IGNORECASE)]


@pytest.mark.parametrize(("query", "expected"), cases("link"))
def test_link_queries_share_no_word_with_the_wanted_note(query: str, expected: str) -> None:
    assert not set(query.split()) & set(
        re.findall(r"\w+", fold(expected + " " + notes()[expected]))
    )
