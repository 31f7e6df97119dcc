"""`python -m kb.cli`."""

from kb.cli.main import run

run()
