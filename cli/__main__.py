"""`python -m kb.cli`."""

import os
import sys

# Python puts the current folder first, which may be a vault from a stranger with a `json.py` in it.
if sys.path[:1] == [os.getcwd()]:  # noqa: PTH109
    del sys.path[0]

from kb.cli.start import run

run()
