"""However a vault came to be as it is, its index says what a new index would say."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st
from index_support import assert_same, dump, rows, run, write

from kb.indexer.pagerank import ensure_pagerank

NAMES = ["a", "A", "b", "x.md", "note é", "note e\u0301", "pic.png"]
FOLDERS = ["", "d/", "d/e/", "D/"]
LINES = [
    "[[a]]",
    "[[A|shown]] and [[b#Part]]",
    "[[d/a]] [[e/b]]",
    "[[/b]] [[./a]] [[../a]]",
    "[t](a.md) [t](../b.md)",
    "![[pic.png]] [[pic.png]]",
    "[[first name]] [[other]]",
    "[[NOTE É]] [[x.md]]",
    "[[#Own]]",
    "#tag #Tag/sub",
    "# Heading",
    "key:: value",
]
FRONT = [
    "",
    "---\naliases: [First Name, b]\ntags: [TAG]\n---\n",
    "---\nalias: other\ntype: Person\nup: '[[a]]'\ndate: 2024-05-06\n---\n",
    "---\ntags: [tag/Sub, x]\nstatus: ON\n---\n",
    "---\nbroken: [\n---\n",
]

note_paths = st.builds(
    lambda folder, name: f"{folder}{name}.md", *map(st.sampled_from, (FOLDERS, NAMES))
)
texts = st.builds(
    lambda front, lines: front + "\n".join(lines),
    st.sampled_from(FRONT),
    st.lists(st.sampled_from(LINES), max_size=4),
)
writes = st.tuples(st.just("write"), note_paths, texts)
steps = st.one_of(
    writes,
    writes,
    st.tuples(st.just("touch"), note_paths),
    st.tuples(st.just("remove"), note_paths),
    st.tuples(st.just("move"), note_paths, note_paths),
    st.tuples(st.just("case"), note_paths),
    st.tuples(
        st.just("folder"), st.sampled_from(["d", "d/e", "D"]), st.sampled_from(["E", "f/g", "d"])
    ),
    st.tuples(st.just("attachment"), st.sampled_from(FOLDERS)),
    st.tuples(st.just("hide"), st.sampled_from(["d/", "/^a/", ""])),
)


def do(root: Path, step: tuple[str, ...]) -> None:
    match step:
        case ("write", path, text):
            file = root / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        case ("touch", path):
            if (root / path).exists():
                (root / path).touch()
        case ("remove", path):
            (root / path).unlink(missing_ok=True)
        case ("move", source, target):
            _move(root / source, root / target)
        case ("case", path):
            _move(root / path, (root / path).with_name(Path(path).name.swapcase()))
        case ("folder", source, target):
            _move(root / source, root / target)
        case ("attachment", folder):
            file = root / folder / "pic.png"
            if file.exists():
                file.unlink()
            else:
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(b"")
        case ("hide", prefix):
            (root / ".obsidian").mkdir(exist_ok=True)
            (root / ".obsidian" / "app.json").write_text(f'{{"userIgnoreFilters": ["{prefix}"]}}')


def _move(source: Path, target: Path) -> None:
    if not source.exists() or target.exists() or target.is_relative_to(source):
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.move(source, target)


@settings(max_examples=60, deadline=None)
@given(
    st.dictionaries(note_paths, texts, min_size=3, max_size=8),
    st.lists(st.lists(steps, min_size=1, max_size=4), min_size=1, max_size=5),
)
def test_an_index_kept_up_to_date_equals_a_new_one(
    first: dict[str, str], series: list[list[tuple[str, ...]]]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root, kept, new = Path(folder, "vault"), Path(folder, "kept"), Path(folder, "new")
        # Notes that never change, so that a run touches a small part of the vault.
        write(root, {f"still/{number}.md": LINES[number] for number in range(len(LINES))})
        write(root, first)
        run(root, kept)
        for batch in series:
            for step in batch:
                do(root, step)
            run(root, kept)
        run(root, new)
        assert_same(kept, new)
        said = dump(kept)
        assert said["orphan links"] == [(0,)]
        assert all(None not in edge for edge in said["edges"])
        assert _by_path(kept) == _by_path(new)


def _by_path(index: Path) -> dict[str, str]:
    """PageRank by path, to the digits that do not depend on the order of additions."""
    names = dict(rows(index, "SELECT id, path FROM notes"))
    return {names[note]: f"{score:.6g}" for note, score in ensure_pagerank(index).items()}
