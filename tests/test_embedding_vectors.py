"""Vectors as stored bytes, and the store of earlier queries."""

from __future__ import annotations

import os
from pathlib import Path

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.embedding import QueryVectorCache, dequantise, quantise

np = pytest.importorskip("numpy", reason="the extra `model` is not installed")

NUMBERS = st.floats(-1, 1, width=32)
VECTORS = st.lists(NUMBERS, min_size=1, max_size=40).filter(lambda v: max(map(abs, v)) > 1e-6)


@given(VECTORS)
def test_the_largest_component_becomes_127_and_no_other_is_off_by_more_than_half_a_step(
    numbers: list[float],
) -> None:
    stored = np.frombuffer(quantise(np.array(numbers, dtype=np.float32)), dtype=np.int8)
    exact = np.array(numbers, dtype=np.float64) * 127 / max(map(abs, numbers))
    assert np.abs(stored).max() == 127
    assert np.abs(stored - exact).max() <= 0.5 + 1e-6


@given(VECTORS)
def test_storing_what_was_read_changes_nothing(numbers: list[float]) -> None:
    stored = quantise(np.array(numbers))
    assert quantise(dequantise(stored)) == stored


@given(VECTORS)
def test_what_is_read_has_unit_length(numbers: list[float]) -> None:
    vector = dequantise(quantise(np.array(numbers)))
    assert vector.dtype == np.float32
    assert abs(float(np.linalg.norm(vector)) - 1) < 1e-5


def test_a_zero_vector_stays_zeros() -> None:
    assert quantise(np.zeros(5, dtype=np.float32)) == bytes(5)
    assert list(dequantise(bytes(5))) == [0, 0, 0, 0, 0]


def test_a_vector_is_kept_for_its_model_and_text(tmp_path: Path) -> None:
    cache = QueryVectorCache(tmp_path / "q.sqlite")
    cache.put("f1", "why", b"\x01\xff")
    assert cache.get("f1", "why") == b"\x01\xff"
    assert cache.get("f2", "why") is None
    assert cache.get("f1", "Why") is None
    cache.close()
    assert QueryVectorCache(tmp_path / "q.sqlite").get("f1", "why") == b"\x01\xff"
    assert cache.problem == ""


def test_only_the_newest_thousand_are_kept(tmp_path: Path) -> None:
    cache = QueryVectorCache(tmp_path / "q.sqlite")
    for number in range(1000):
        cache.put("f", str(number), b"x")
    cache.put("f", "0", b"y")  # now the newest
    for number in range(1000, 1002):
        cache.put("f", str(number), b"x")
    kept = [number for number in range(1002) if cache.get("f", str(number))]
    assert kept == [0, *range(3, 1002)]
    assert cache.get("f", "0") == b"y"


def test_queries_are_not_written_down(tmp_path: Path) -> None:
    cache = QueryVectorCache(tmp_path / "q.sqlite")
    cache.put("f", "my secret plan \ud800", b"x")
    cache.close()
    assert b"secret" not in (tmp_path / "q.sqlite").read_bytes()


@pytest.mark.skipif(os.name != "posix", reason="modes are POSIX")
def test_the_file_is_private(tmp_path: Path) -> None:
    QueryVectorCache(tmp_path / "new" / "q.sqlite").put("f", "t", b"x")
    assert (tmp_path / "new" / "q.sqlite").stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "new").stat().st_mode & 0o777 == 0o700


def test_a_damaged_file_means_no_cache_and_says_so(tmp_path: Path) -> None:
    path = tmp_path / "q.sqlite"
    path.write_bytes(b"not a database, but long enough to be read as one" * 40)
    before = path.read_bytes()
    cache = QueryVectorCache(path)
    cache.put("f", "t", b"x")
    assert cache.get("f", "t") is None
    assert "cannot be used" in cache.problem
    assert path.read_bytes() == before


def test_a_table_of_another_make_means_no_cache_and_says_so(tmp_path: Path) -> None:
    apsw.Connection(str(tmp_path / "q.sqlite")).execute("CREATE TABLE vectors (x)")
    cache = QueryVectorCache(tmp_path / "q.sqlite")
    assert cache.get("f", "t") is None
    assert "cannot be used" in cache.problem


def test_a_place_that_cannot_be_written_means_no_cache_and_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    cache = QueryVectorCache(tmp_path / "file" / "q.sqlite")
    cache.put("f", "t", b"x")
    assert cache.get("f", "t") is None
    assert "cannot be used" in cache.problem


def test_a_file_in_use_is_passed_over_this_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kb.embedding.query_cache._PATIENCE_MS", 1)
    cache = QueryVectorCache(tmp_path / "q.sqlite")
    other = apsw.Connection(str(tmp_path / "q.sqlite"))
    other.execute("BEGIN EXCLUSIVE")
    cache.put("f", "t", b"x")
    assert "in use" in cache.problem
    other.execute("COMMIT")
    cache.put("f", "t", b"x")
    assert cache.get("f", "t") == b"x"
