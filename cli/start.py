"""Where the command starts: little enough that an interrupt is hardly ever met before this."""

from __future__ import annotations

import sys


def run() -> None:
    """Run `kb` and exit; an interrupt while it is loaded ends it as one later does."""
    try:
        from kb.cli.main import run as run_main

        run_main()
    except KeyboardInterrupt:
        sys.exit(130)
