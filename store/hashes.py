"""BLAKE2b as `hashlib` has it, without OpenSSL, whose loading takes longer than the hashing."""

from __future__ import annotations

try:
    from _blake2 import blake2b
except ImportError:  # another implementation of Python
    from hashlib import blake2b

__all__ = ["KEY_BYTES", "blake2b", "digest_of"]

# Of a hash of a file, and of the text that a vector is made from.
KEY_BYTES = 16


def digest_of(data: bytes) -> bytes:
    """BLAKE2b-128, by which the index tells whether anything changed."""
    return blake2b(data, digest_size=KEY_BYTES).digest()
