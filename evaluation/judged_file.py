"""The file that `kb judge` builds: `query<TAB>path` a line, which `kb eval` reads."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from kb.store.errors import KbError
from kb.store.paths import decode_path


def append_judgements(file: Path, query: str, paths: Iterable[str]) -> int:
    """Add the right notes of one query, those that the file holds already left out.

    Returns how many lines were added. White space in the query becomes single spaces. Raises
    KbError for a file that cannot be written, and for a path that a line cannot hold.
    """
    text = " ".join(query.split())
    try:
        known = file.read_bytes() if file.exists() else b""
        present = {line.rstrip(b"\r") for line in known.split(b"\n")}
        lines = dict.fromkeys(_line(text, path) for path in paths)
        fresh = [line for line in lines if line not in present]
        start = b"\n" if known and not known.endswith(b"\n") else b""
        if fresh:
            with file.open("ab") as out:
                out.write(start + b"".join(line + b"\n" for line in fresh))
    except OSError as error:
        raise KbError(
            f"cannot write {file} ({error.strerror})", "name a file in a folder that is there"
        ) from error
    return len(fresh)


def _line(query: str, path: str) -> bytes:
    raw = decode_path(path)
    if "\t" in raw or "\n" in raw:
        raise KbError(
            f"the path `{path}` holds a tab or a line break, which a table cannot hold",
            "rename the note, or judge it in a pair of files",
        )
    return f"{query}\t{raw}".encode("utf-8", "surrogateescape")
