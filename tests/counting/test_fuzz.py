"""`fuzz --count all`: faults of counters are found and shrunk; a right counter has none."""

from fractions import Fraction
from pathlib import Path

import pytest

from backends.counters import search
from backends.counters.counted import CountAsk
from tests.conftest import Harness


def ignores_show(asked: CountAsk, options: dict[str, int]) -> Fraction:
    every = CountAsk(asked.variables, asked.clauses, None, asked.weights, asked.deadline)
    return search.ComponentSearch(every).total()


def test_a_counter_that_ignores_the_projection_is_found_and_shrunk(
    tmp_path: Path, harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "native", ignores_show)
    words = "fuzz", "--count", "all", "-b", "models:native", "--cases", "12", "-o", tmp_path
    done = harness(*words)
    assert done.code == 1
    assert "models:native/extended: number: counts " in done.out
    file = (tmp_path / "models-native-number.cnf").read_text()
    assert "c p show" in file
    assert "p cnf 1 0" in file


def test_a_right_counter_has_no_finding(tmp_path: Path, harness: Harness) -> None:
    done = harness("fuzz", "--count", "all", "-b", "models:native", "--cases", "12", "-o", tmp_path)
    assert (done.code, done.out) == (0, "12 formulas, 0 findings\n")
