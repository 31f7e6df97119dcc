"""BLAKE2b as `hashlib` has it, without OpenSSL, whose loading takes longer than the hashing."""

from __future__ import annotations

try:
    from _blake2 import blake2b
except ImportError:  # another implementation of Python
    from hashlib import blake2b

__all__ = ["KEY_BYTES", "blake2b"]

# Of a hash of a file, and of the text that a vector is made from.
KEY_BYTES = 16
