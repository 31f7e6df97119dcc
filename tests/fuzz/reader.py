"""Bytes of the fuzzer as the values that a check takes: every input means something."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from pathlib import Path


def temporary_folder(parent: Path | None = None) -> Path:
    """A folder that is taken away when the process ends."""
    folder = Path(tempfile.mkdtemp(prefix="kb-fuzz-", dir=parent)).resolve()
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


class Reader:
    """Takes values from the front of the bytes; what is left is text."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    @property
    def left(self) -> bool:
        """Whether any byte is left."""
        return self._at < len(self._data)

    def number(self, most: int) -> int:
        """A number from 0 to `most`, which is below 256."""
        if not self.left:
            return 0
        self._at += 1
        return self._data[self._at - 1] % (most + 1)

    def line(self) -> str:
        """The text up to the next line feed."""
        end = self._data.find(b"\n", self._at)
        end = len(self._data) if end < 0 else end
        text = self._data[self._at : end].decode("utf-8", "replace")
        self._at = end + 1
        return text

    def lines(self, most: int) -> list[str]:
        """At most so many lines."""
        found: list[str] = []
        while self.left and len(found) < most:
            found.append(self.line())
        return found

    def rest(self) -> str:
        """All that is left."""
        text = self._data[self._at :].decode("utf-8", "replace")
        self._at = len(self._data)
        return text
