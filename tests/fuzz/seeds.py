"""Where the fuzzer starts from: the sample vault, real vaults where they are at hand, our own."""

from __future__ import annotations

import os
import random
import tarfile
from collections.abc import Iterator
from pathlib import Path

from .targets import Target

ROOT = Path(__file__).parent.parent.parent
_LARGEST = 3_000  # bytes: the shorter an input, the more often it is tried
_MOST = 200  # notes a vault


def material() -> Path:
    """The folder with real vaults, by `KB_TEST_MATERIAL`."""
    return Path(os.environ.get("KB_TEST_MATERIAL") or ROOT.parent / "shared") / "vaults"


def write_seeds(target: Target, folder: Path) -> int:
    """Write the seeds of a target into a folder; how many there are."""
    texts = [text.encode("utf-8", "surrogatepass") for text in target.seeds]
    if target.notes:
        texts += _notes()
    for number, text in enumerate(texts):
        (folder / f"seed-{number:05d}").write_bytes(text)
    return len(texts)


def _notes() -> list[bytes]:
    own = (file.read_bytes() for file in sorted((ROOT / "sample_vault").rglob("*.md")))
    found = [data[:_LARGEST] for data in own]
    for archive in sorted(material().glob("*.tar*")) if material().is_dir() else ():
        texts = list(_texts(archive))
        random.Random(1).shuffle(texts)
        found += texts[:_MOST]
    return found


def _texts(archive: Path) -> Iterator[bytes]:
    with tarfile.open(archive) as tar:
        for member in tar:
            if member.isfile() and member.name.endswith(".md") and 0 < member.size <= _LARGEST:
                file = tar.extractfile(member)
                if file is not None:
                    yield file.read()
