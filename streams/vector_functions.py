"""The SQL functions that compare vectors: sqlite-vec where it can be had, else numpy."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import apsw


def add_vector_functions(connection: apsw.Connection) -> None:
    """Give the connection `vec_distance_cosine(a, b)` and `vec_int8(blob)`.

    sqlite-vec is compiled code that needs no numpy; systems that it is not built for get the
    same two functions over numpy, slower. Raises ImportError where there is neither.
    """
    if _has_functions(connection):
        return
    try:
        compiled = _compiled()
        connection.enable_load_extension(True)
        try:
            connection.load_extension(compiled)
        finally:
            connection.enable_load_extension(False)
    except (ImportError, apsw.ExtensionLoadingError):
        add_numpy_functions(connection)


def _compiled() -> str:
    """Where the package sqlite-vec keeps its library; importing the package would load numpy."""
    from importlib.util import find_spec

    found = find_spec("sqlite_vec")
    if found is None or found.origin is None:
        raise ImportError("sqlite-vec is not installed")
    return str(Path(found.origin).with_name("vec0"))


def _has_functions(connection: apsw.Connection) -> bool:
    rows = connection.execute(
        "SELECT 1 FROM pragma_function_list WHERE name = 'vec_distance_cosine' LIMIT 1"
    )
    return bool(rows.fetchall())


def add_numpy_functions(connection: apsw.Connection) -> None:
    """The two functions without compiled code of their own. Raises ImportError without numpy."""
    import numpy as np

    def vector(*values: Any) -> Any:
        return values[0]

    def distance(*values: Any) -> float | None:
        left, right = (np.frombuffer(one, dtype=np.int8).astype(np.float32) for one in values)
        norm = float(np.linalg.norm(left) * np.linalg.norm(right))
        return 1.0 - float(left @ right) / norm if norm else None

    connection.create_scalar_function("vec_int8", vector, 1, deterministic=True)
    connection.create_scalar_function("vec_distance_cosine", distance, 2, deterministic=True)
