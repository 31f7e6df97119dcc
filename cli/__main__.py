"""`python -m kb.cli`."""

from kb.cli.start import run

run()
