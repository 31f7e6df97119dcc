"""How many passages match, counted once for one state of an index."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from search_support import make_library, make_options

from kb.fusion.search import asked
from kb.store.connection import open_reader
from kb.streams.counted import count_matching, is_held


def counted(index: Path, expression: str) -> tuple[int, bool, int]:
    """The count, whether any passage matches, and how many statements that took."""
    seen: list[str] = []
    with (
        closing(open_reader(index)) as connection,
        asked(index, "heron", make_options(), connection) as question,
    ):
        connection.exec_trace = lambda _, sql, __: seen.append(sql) or True
        found = count_matching(question.request, expression), is_held(question.request, expression)
        connection.exec_trace = None
    return *found, len(seen)


def test_what_was_counted_is_not_counted_again(tmp_path: Path) -> None:
    library = make_library(tmp_path, {"a.md": "heron\n", "b.md": "heron marsh\n", "c.md": "eel\n"})
    assert counted(library.index, '"heron"') == (2, True, 2)
    assert counted(library.index, '"heron"') == (2, True, 0)
    assert counted(library.index, '"otter"') == (0, False, 2)


def test_after_another_run_it_is_counted_anew(tmp_path: Path) -> None:
    library = make_library(tmp_path, {"a.md": "heron\n", "b.md": "marsh\n"})
    assert counted(library.index, '"heron"') == (1, True, 2)
    library.update({"b.md": "heron too\n"})
    assert counted(library.index, '"heron"') == (2, True, 2)
