"""What is true of links, globs, expressions and settings, however they are written."""

from __future__ import annotations

import json
import unicodedata
from functools import cache
from pathlib import Path

from kb.cli.escape import escape_block, escape_json, escape_line, escape_path
from kb.cli.render_template import render_template
from kb.cli.settings_file import VAULT_FILE, read_user_file, read_vault_file, write_setting
from kb.indexer.hidden import parse_hidden_filters
from kb.indexer.resolve import Names, resolve_link
from kb.store.errors import KbError, UsageError
from kb.store.globs import parse_globs, parse_ignore_lines
from kb.store.note_records import LinkKind, LinkStatus
from kb.store.paths import decode_path, encode_path, name_key, show_path
from kb.store.records import SearchResult

from .reader import Reader, temporary_folder

_KINDS = tuple(LinkKind)


def check_link(data: bytes) -> None:
    """A link leads to a file there is, whatever the order in which files were met."""
    reader = Reader(data)
    kind = _KINDS[reader.number(len(_KINDS) - 1)]
    target, source = reader.line(), reader.line().strip("/") or "a.md"
    others = [line.strip("/") for line in reader.lines(12)]
    paths = list(dict.fromkeys(path for path in (source, *others) if path))
    notes = [path for path in paths if path.lower().endswith((".md", ".markdown"))]
    files = [path for path in paths if path not in notes]
    aliases = [(others[0], notes[0])] if others and notes else []
    found = resolve_link(target, kind, source, Names.of(notes, files, aliases))
    again = resolve_link(target, kind, source, Names.of(notes[::-1], files[::-1], aliases))
    assert found == again, "the order of files decides"
    assert (found.path is None) == (found.status is LinkStatus.UNRESOLVED)
    if target:
        holders = files if found.status is LinkStatus.ATTACHMENT else notes
        assert found.path is None or found.path in holders
        assert set(found.candidates) <= set(holders)
    assert len(set(found.candidates)) == len(found.candidates) <= 20
    assert not found.candidates or found.candidates[0] == found.path
    for form in ("NFC", "NFD"):
        twin = unicodedata.normalize(form, target)  # type: ignore[arg-type]
        there = resolve_link(twin, kind, source, Names.of(notes, files, aliases))
        assert (there.path is None) == (found.path is None), "the Unicode form decides"
    assert name_key(target) == name_key(unicodedata.normalize("NFD", target))


def check_globs(data: bytes) -> None:
    """A glob means what it means to git, and is matched at once."""
    from pathspec import GitIgnoreSpec

    reader = Reader(data)
    lines, path = reader.lines(3), reader.line()
    path = path.strip("/") or "a/b.md"
    spec, _ = parse_ignore_lines(lines)
    spec.check_file(path * 20)
    for line in lines:
        try:
            swift = parse_globs([line])
        except ValueError:
            continue
        if sum(map(line.count, "*?[")) > 6:
            continue  # the plain way may take for ever
        plain = GitIgnoreSpec.from_lines([line])
        expected = plain.check_file(path).include
        assert swift.check_file(path).include == expected, (line, path)


def check_expression(data: bytes) -> None:
    """An expression of a vault is refused, or done at once on the path that suits it least."""
    reader = Reader(data)
    text = reader.line()
    path = (reader.line() or "a") * 255
    notices: list[str] = []
    filters = parse_hidden_filters([f"/{text}/", text], notices)
    filters.hides(path[:255])
    filters.hides(path[:200] + "!")
    filters.hides("a" * 254 + "!")
    assert all(notice.startswith("userIgnoreFilters") for notice in notices)


@cache
def _folder() -> Path:
    return temporary_folder()


def check_settings(data: bytes) -> None:
    """A vault's own file never raises; the user's is read, or refused with what to do."""
    file = _folder() / VAULT_FILE
    file.write_bytes(data)
    own = read_vault_file(_folder())
    assert len(own.warnings) <= 6
    assert not {"model", "auto_update", "color"} & own.values.keys()
    try:
        values = read_user_file(file).values
    except KbError as error:
        assert error.message
        assert error.hint
        return
    assert own.values.keys() <= values.keys()
    try:
        write_setting(file, "limit", 7)
        assert read_user_file(file).values == {**values, "limit": 7}
        write_setting(file, "limit", None)
        assert {**read_user_file(file).values, "limit": 7} == {**values, "limit": 7}
    except KbError as error:
        assert error.hint


def _is_hidden(character: str) -> bool:
    return unicodedata.category(character) in ("Cc", "Zl", "Zp", "Cs") or (
        unicodedata.bidirectional(character)
        in ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")
    )


def check_output(data: bytes) -> None:
    """Nothing hidden gets through; nothing is lost in JSON; every path comes back."""
    text = data.decode("utf-8", "surrogateescape")
    assert not any(map(_is_hidden, escape_line(text)))
    assert not any(map(_is_hidden, escape_block(text).replace("\n", "")))
    if not any(0x10FE80 <= ord(char) <= 0x10FEFF for char in text):
        stored = encode_path(text)
        stored.encode()
        assert decode_path(stored) == text
        assert not any(map(_is_hidden, escape_path(stored)))
        show_path(stored).encode()
    plain = data.decode("utf-8", "replace")
    document = escape_json(json.dumps({plain: [plain]}, ensure_ascii=False))
    assert json.loads(document) == {plain: [plain]}
    assert not any(map(_is_hidden, document))
    try:
        render_template(plain, SearchResult("", "", "", 60, {}, ()), False)
    except UsageError as error:
        assert error.hint
