"""Nothing is told about the user by the libraries that run a model either."""

from __future__ import annotations

import os

# onnxruntime writes an identifier of the machine into the user's cache and reports to its makers
# from the moment it is loaded; huggingface_hub tells the hub about each download. Both look for
# their variable when they are loaded, before anything of theirs can be called.
_OFF = ("ORT_DISABLE_TELEMETRY", "HF_HUB_DISABLE_TELEMETRY")


def refuse_telemetry() -> None:
    """Turn reporting off in libraries that are loaded from here on."""
    for name in _OFF:
        os.environ[name] = "1"
