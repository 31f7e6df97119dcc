"""The floors: what the same work costs a plain script, run as a process of its own."""

from __future__ import annotations

import sys
from collections.abc import Sequence

TYPER = "import typer"
RICH = "import typer, rich.table, rich.console"

# argv: folder
WALK = """
import os, sys
def walk(folder):
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                walk(entry.path)
            else:
                entry.stat(follow_symlinks=False)
walk(sys.argv[1])
"""

# argv: folder, database
PLAIN_INDEX = """
import pathlib, sys, apsw
db = apsw.Connection(sys.argv[2])
db.execute("PRAGMA journal_mode=WAL")
db.execute("CREATE VIRTUAL TABLE f USING fts5(path, body)")
with db:
    for path in pathlib.Path(sys.argv[1]).rglob("*.md"):
        db.execute("INSERT INTO f VALUES (?, ?)", (str(path), path.read_text("utf-8")))
"""

# argv: weights, tokenizer, matrix of int8 vectors (.npy), text
MODEL = """
import os, sys
os.environ["OPENBLAS_NUM_THREADS"] = "1"
import numpy as np, onnxruntime
from tokenizers import Tokenizer
weights, tokenizer, matrix, text = sys.argv[1:]
encoding = Tokenizer.from_file(tokenizer).encode(text)
options = onnxruntime.SessionOptions()
options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.{level}
session = onnxruntime.InferenceSession(weights, options, providers=["CPUExecutionProvider"])
feeds = {{
    "input_ids": np.array([encoding.ids]),
    "attention_mask": np.array([encoding.attention_mask]),
    "token_type_ids": np.array([encoding.type_ids]),
}}
wanted = {{node.name for node in session.get_inputs()}}
vector = session.run(None, {{k: v for k, v in feeds.items() if k in wanted}})[0][0].mean(axis=0)
vector /= np.linalg.norm(vector)
stored = np.load(matrix, mmap_mode="r")
best = []
for start in range(0, len(stored), 4096):
    block = stored[start : start + 4096].astype(np.float32)
    best.append(((block @ vector) / np.linalg.norm(block, axis=1)).max())
print(max(best))
"""
MODEL_AS_IT_COMES = MODEL.format(level="ORT_ENABLE_ALL")
MODEL_LOADED_FAST = MODEL.format(level="ORT_DISABLE_ALL")


def script(source: str, *arguments: object) -> Sequence[str]:
    """The command that runs a script in this environment's Python."""
    return [sys.executable, "-c", source, *(str(argument) for argument in arguments)]
