"""`fuzz --count all`: faults of counters are found and shrunk; a right counter has none."""

from fractions import Fraction
from pathlib import Path

import pytest

from backends.counters import search
from backends.counters.counted import CountAsk
from tests.conftest import Harness
from tests.counting.formulas import Formula


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


@pytest.mark.slow
def test_shrink_finds_the_smallest_formula_on_which_a_counter_fails(
    tmp_path: Path, harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "native", ignores_show)
    formula = Formula(12, [[1, 2], [-2, 3, 5], [4, -6], [7, 8, -9], [10, 11]], [1, 4, 7, 12])
    path = formula.write(tmp_path / "a.cnf")
    done = harness("shrink", path, "--count", "all", "-b", "models:native")
    assert done.code == 1
    assert "models:native/extended: number: counts 2, exhaustive search 1" in done.out
    assert "p cnf 1 0\nc p show 0\n" in (tmp_path / "a.min.cnf").read_text()
    monkeypatch.undo()
    again = harness("shrink", tmp_path / "a.min.cnf", "--count", "all", "-b", "models:native")
    assert (again.code, "does not fail here" in again.out) == (0, True)


def test_two_counters_that_differ_on_a_large_formula_are_shrunk(
    tmp_path: Path, harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "native", ignores_show)
    formula = Formula(40, [[i, i + 1] for i in range(1, 39)], [1, 2, 3])  # too large for exhaustive search
    path = formula.write(tmp_path / "a.cnf")
    done = harness("shrink", path, "--count", "all", "-b", "models:native", "-b", "models:pysat", "--seconds", "20")
    assert done.code == 1
    assert "p cnf 1 0\nc p show 0\n" in (tmp_path / "a.min.cnf").read_text()
