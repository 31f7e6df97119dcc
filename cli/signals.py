"""Requests to end: `kill`, a service manager, a terminal that is closed."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_REQUESTS = ("SIGTERM", "SIGHUP", "SIGBREAK")  # as far as the system knows them


@contextmanager
def ended_on_request() -> Iterator[None]:
    """Take a request to end as an interrupt: what is half done is undone, and the status is 130.

    One that is ignored stays so (`nohup`). Only the main thread can be asked.
    """
    before = {}
    if threading.current_thread() is threading.main_thread():
        for name in _REQUESTS:
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) == signal.SIG_DFL:
                before[number] = signal.signal(number, _interrupt)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _interrupt(number: int, frame: FrameType | None) -> None:  # noqa: ARG001
    raise KeyboardInterrupt
