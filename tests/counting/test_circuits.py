"""Circuits that come with a number of models hold, or are refused with the reason."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from backends.counters.counted import CompiledCount, CountAsk, normalised
from backends.counters.search import native
from backends.counters.wheels import d4
from harness.judging.checkers.circuits import CountClaim, check_circuit, is_circuit
from harness.model.outcome import CERTIFIED, REFUSED, UNCHECKED
from tests.conftest import Harness
from tests.counting.formulas import Formula, tasks

EITHER = CountClaim([[1, 2]], 3, {}, Fraction(6))  # 1 or 2, and 3 is free
D4 = "o 1 0\no 2 0\nt 3 0\n2 3 -1 2 0\n2 3 1 0\n1 2 0\n"
CPOG = "3 p 4 -1 2 0\n6 s 5 1 4 4 0\nr 5\n"
CPOG_OF_GENERATOR = " r 5\n3 p 4 -1 2 0 \n6 s 5 1 4 4 0\n9 a 5 0 8 7 0\nd 1 9 0 \n"  # as cpog-gen writes it
C2D = "nnf 5 4 3\nL 1\nL -1\nL 2\nA 2 1 2\nO 1 2 0 3\n"
FAULTS = {
    "o 1 0\nt 2 0\n1 2 1 0\n1 2 2 0\n": "not deterministic",
    "o 1 0\na 2 0\nt 3 0\n1 2 0\n2 3 1 2 0\n2 3 -1 0\n": "not decomposable",
    "o 1 0\nt 2 0\n1 2 1 0\n1 2 -1 0\n": "the circuit has a model that the clauses have not",
    "o 1 0\nt 2 0\n1 2 1 -2 0\n1 2 -1 2 0\n": "the clauses have a model that the circuit has not",
    "3 p 4 1 2 0\n6 s 5 1 4 4 0\nr 5\n": "not deterministic",
    "3 p 4 -1 2 0\n6 s 5 -4 1 0\nr 5\n": "not deterministic",
}
UNREAD = {
    "o 1 0\no 2 0\n1 2 0\n2 1 0\n": "is not read",
    "o 1 0\no 2 0\no 3 0\n1 2 0\n2 3 0\n3 2 0\n": "has a cycle",
    "o 1 0\nt 2 0\n1 2 9 0\n": "which is not there",
    "3 p 4 -1 2 0\n": "no root",
}


@pytest.mark.parametrize("text", [D4, CPOG, CPOG_OF_GENERATOR, C2D], ids=["d4", "cpog", "cpog-gen", "c2d"])
def test_a_right_circuit_certifies_its_number_alone(text: str) -> None:
    assert is_circuit(text.encode())
    assert check_circuit(EITHER, text.encode()) == (CERTIFIED, "")
    weights = {1: Fraction(1, 3), -1: Fraction(2, 3)}
    assert check_circuit(CountClaim([[1, 2]], 3, weights, Fraction(8, 3)), text.encode()) == (CERTIFIED, "")
    other = CountClaim([[1, 2]], 3, {}, Fraction(7))
    assert check_circuit(other, text.encode()) == (REFUSED, "the circuit gives 6, not 7")


@pytest.mark.parametrize("text", FAULTS)
def test_a_wrong_circuit_is_refused(text: str) -> None:
    outcome, why = check_circuit(EITHER, text.encode())
    assert (outcome, FAULTS[text] in why) == (REFUSED, True), why


@pytest.mark.parametrize("text", UNREAD)
def test_a_circuit_that_is_not_understood_accuses_nobody(text: str) -> None:
    outcome, why = check_circuit(EITHER, text.encode())
    assert (outcome, UNREAD[text] in why) == (UNCHECKED, True), why


def certified(formula: Formula, counter: str = "native") -> tuple[int, str]:
    """Return the check of the circuit of a counter."""
    rows = normalised(formula.clauses)
    asked = CountAsk(formula.variables, rows, None, formula.weights, 1 << 62, proving=True)
    found = native(asked, {}) if counter == "native" else d4(asked, {})
    assert isinstance(found, CompiledCount)
    return check_circuit(CountClaim(rows, formula.variables, formula.weights, formula.count()), found.circuit)


@pytest.mark.parametrize("seed", range(0, 52, 4))
def test_the_circuits_of_our_search_hold(seed: int) -> None:
    assert certified(tasks(seed)[0]) == (CERTIFIED, "")
    assert certified(tasks(seed)[2]) == (CERTIFIED, "")


@pytest.mark.slow
def test_the_circuits_of_d4_hold() -> None:
    pytest.importorskip("py_d4")
    for seed in range(5, 30):
        assert certified(tasks(seed)[0], "d4") == (CERTIFIED, "")


BIG = Formula(30, [[i, i + 1, -(i + 2)] for i in range(1, 25)])  # too large for exhaustive search


@pytest.mark.slow
def test_a_run_with_proofs_certifies_the_number_of_a_circuit(tmp_path: Path, harness: Harness) -> None:
    BIG.write(tmp_path / "a.cnf")
    (tmp_path / "u.cnf").write_text("p cnf 1 2\n1 0\n-1 0\n")
    words = "--count", "all", "--proof", "-b", "native:cdcl", "-b", "models:pysat", "-t", "1", "--json", "-"
    done = harness("run", tmp_path / "a.cnf", tmp_path / "u.cnf", *words, "-o", tmp_path / "j.sqlite")
    assert json.loads(done.out)["agreement"]["certified"] == 2
    again = harness("report", tmp_path / "j.sqlite", "--json", "-")
    assert json.loads(again.out)["agreement"]["certified"] == 2


def test_certify_asks_for_a_circuit(tmp_path: Path, harness: Harness) -> None:
    BIG.write(tmp_path / "a.cnf")
    words = "--count", "all", "--certify", "-b", "models:native", "--json", "-"
    done = harness("run", tmp_path / "a.cnf", *words, "-o", tmp_path / "j.sqlite")
    assert sum(json.loads(done.out)["certify"]["instance"].values()) == 1
