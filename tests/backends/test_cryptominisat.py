"""CryptoMiniSat: its options, deadline, empty clauses and refusals. `test_conformance.py` runs the suite on it."""

import subprocess
import sys
from importlib.util import find_spec
from random import Random

import numpy as np
import pytest

from backends.contract import registry
from backends.contract.answer import Answer, Ask, Reason, Status, Unsupported
from backends.contract.conformance import BRIEF, check
from backends.cryptominisat import CryptoSession
from encoders.formula import Cnf
from encoders.registry import spec
from harness.fuzzing.clausal import enumerate_models
from puzzles.boards.families import layout
from tests.backends.configurations import assert_refused, faults_of_options

pytestmark = pytest.mark.skipif(find_spec("pycryptosat") is None, reason="pycryptosat is not installed")


def ask(clauses: list[list[int]], variables: int, count: int = 1, seconds: float = 10) -> Answer:
    flat = np.array([x for clause in clauses for x in (*clause, 0)], np.int32)
    formula = Cnf(flat, variables, [(-x, x) for x in range(1, variables + 1)])
    return registry.find("cryptominisat").open(formula).ask(Ask((3,) * variables, count, seconds))


@pytest.mark.parametrize("options", ["threads=2", "polar=rnd,seed=5", "branchstr=vmtf,varelim=0"])
def test_a_configuration_conforms(options: str) -> None:
    assert check(registry.find(f"cryptominisat[{options}]"), effort=BRIEF) == []


def test_every_value_of_an_option_leaves_answers_right() -> None:
    assert faults_of_options("cryptominisat", frozenset({"threads"})) == []


def test_other_options_and_values_are_refused_by_name() -> None:
    assert_refused("cryptominisat", "branchstr=bogus")


def test_options_reach_the_solver() -> None:
    """The solver raises on a name that it does not know, so it has taken each that is offered."""
    formula = Cnf(np.array([1, 0], np.int32), 1, [(-1, 1)])
    with pytest.raises(ValueError, match="unknown option: nosuch"):
        CryptoSession(formula, {"nosuch": 1}).create()


def test_models_of_random_clauses_are_those_of_brute_force() -> None:
    random = Random(14)
    for _ in range(100):
        n = random.randint(1, 7)
        sizes = [random.randint(1, 3) for _ in range(random.randint(0, 12))]
        clauses = [[random.choice((1, -1)) * random.randint(1, n) for _ in range(size)] for size in sizes]
        known = enumerate_models(tuple(map(tuple, clauses)), (3,) * n, 1000, 10**6)
        answer = ask(clauses, n, 1000)
        assert set(answer.solutions) == set(known.solutions), clauses
        assert answer.complete


@pytest.mark.parametrize("clauses", [[[]], [[1], []], [[], [1]], [[1], [], [2]]])
def test_an_empty_clause_is_false(clauses: list[list[int]]) -> None:
    assert ask(clauses, 2).status == Status.UNSATISFIABLE


def test_variables_in_no_clause_take_both_values() -> None:
    assert len(ask([[1]], 3, 100).solutions) == 4


def test_a_deadline_ends_the_search() -> None:
    n = 12  # holes for one pigeon more
    clauses = [[p * n + h + 1 for h in range(n)] for p in range(n + 1)]
    clauses += [[-p * n - h - 1, -q * n - h - 1] for h in range(n) for p in range(n + 1) for q in range(p)]
    answer = ask(clauses, n * (n + 1), seconds=0.3)
    assert (answer.status, answer.complete, answer.reason) == (Status.UNKNOWN, False, Reason.TIMEOUT)


def test_cardinality_constraints_are_unsupported() -> None:
    with pytest.raises(Unsupported, match="no cardinality"):
        registry.find("cryptominisat").open(spec("extended+cardinality").formula(layout("latin 3")))


def test_the_package_is_not_loaded_before_it_is_used() -> None:
    script = "from backends.contract import catalogue; import sys; catalogue.describe('cryptominisat')"
    words = [sys.executable, "-c", f"{script}; print('pycryptosat' in sys.modules)"]
    assert subprocess.run(words, capture_output=True, text=True, check=True).stdout == "False\n"
