"""Each pattern alone is equivalent to at-most-one on its literals."""

from itertools import product

import pytest
from pysat.solvers import Solver

from encoders.at_most_one import AT_MOST_ONE

CLAUSES = [name for name, one in AT_MOST_ONE.items() if not one(3).native]


@pytest.mark.parametrize("name", CLAUSES)
@pytest.mark.parametrize("n", range(1, 11))
def test_an_assignment_extends_to_the_auxiliaries_iff_at_most_one_literal_is_true(name: str, n: int) -> None:
    pattern = AT_MOST_ONE[name](n)
    with Solver("minisat22", bootstrap_with=pattern.clauses) as solver:
        for choice in product((False, True), repeat=n):
            literals = [i + 1 if true else -(i + 1) for i, true in enumerate(choice)]
            assert solver.solve(literals) == (sum(choice) <= 1), literals


@pytest.mark.parametrize("name", CLAUSES)
@pytest.mark.parametrize("n", range(1, 40))
def test_a_pattern_uses_exactly_its_stated_auxiliaries(name: str, n: int) -> None:
    pattern = AT_MOST_ONE[name](n)
    used = {abs(x) for clause in pattern.clauses for x in clause}
    assert used <= set(range(1, n + pattern.auxiliaries + 1))
    assert used >= set(range(n + 1, n + pattern.auxiliaries + 1))


@pytest.mark.parametrize("name", CLAUSES)
@pytest.mark.parametrize("n", [2, 5, 9, 16, 25])
def test_one_true_literal_propagates_to_all_others(name: str, n: int) -> None:
    pattern = AT_MOST_ONE[name](n)
    with Solver("minisat22", bootstrap_with=pattern.clauses) as solver:
        for chosen in range(1, n + 1):
            consistent, implied = solver.propagate([chosen])
            assert consistent
            assert {-x for x in range(1, n + 1) if x != chosen} <= set(implied)


@pytest.mark.parametrize("name", ["sequential", "ladder"])
@pytest.mark.parametrize("n", range(3, 10))
def test_the_validity_clauses_of_the_ladder_leave_one_model_per_choice(name: str, n: int) -> None:
    pattern = AT_MOST_ONE[name](n)
    with Solver("minisat22", bootstrap_with=pattern.clauses) as solver:
        models = sum(1 for _ in solver.enum_models())
    assert (models == n + 1) == (name == "ladder")
