"""Problems over ranges by each translation: random ones against brute force, and models with wide variables."""

from importlib.util import find_spec

import pytest

from backends.contract.answer import Ask
from backends.contract.registry import find
from backends.programs.known_programs import known_for
from backends.programs.xcsp3 import XcspNotation
from encoders.formula import Constraints, Unsupported
from encoders.registry import default
from harness.interface.models import instance_of_model
from puzzles.constraints.linear import Linear
from puzzles.objectives.linear import LinearObjective
from puzzles.problem import Instance, Problem
from puzzles.problem.check import violations
from puzzles.problem.values import IntegerRange, Numbered, bounded
from tests.far_ranges import answered, drawn, right, widened

NEEDS = {
    "cpsat": "ortools",
    "z3": "z3",
    "cvc5": "cvc5",
    "choco": "pychoco",
    "pumpkin": "pumpkin_solver",
    "scip": "pyscipopt",
    "clingo": "clingo",
    "cpmpy": "cpmpy",
    "native:lazy": "numba",
}
SAT = ("pysat:cadical195", "pysat:rc2")
BACKENDS = (
    "native:lazy",
    "native:python",
    "cpsat",
    "z3:int",
    "z3:bv",
    "cvc5:int",
    "choco",
    "pumpkin",
    "scip",
    *SAT,
    "clingo",
)
WEEK = 7 * 24 * 3600
JOBS = [[(0, 30011), (1, 20507), (2, 21013)], [(0, 20011), (2, 10007), (1, 43003)], [(1, 40009), (2, 31013)]]


def installed(backend: str) -> str:
    """Return a backend, skipped where its package is missing."""
    package = NEEDS.get(backend) or NEEDS.get(backend.partition(":")[0])
    return backend if package is None else pytest.importorskip(package) and backend


@pytest.mark.parametrize("backend", BACKENDS)
def test_random_problems_are_answered_as_by_brute_force(backend: str) -> None:
    installed(backend)
    words = {answered(backend, instance := drawn(seed), right(instance)).partition(":")[0] for seed in range(60)}
    assert "right" in words
    assert words <= {"right", "refused", "no objectives", "undecided"}


@pytest.mark.parametrize(
    ("backend", "seed"),
    [("clingo", 4633), ("clingo", 13420), pytest.param("cpmpy:ortools", 50005, marks=pytest.mark.slow)],
)
def test_numbers_far_from_those_of_the_variables_are_counted(backend: str, seed: int) -> None:
    """Nodes of a circuit beyond 32 bits were wrapped around; CPMpy listed 2**53 numbers between two ranges."""
    instance = drawn(seed)
    assert answered(installed(backend), instance, right(instance)) in {"refused", "right"}


def test_ace_is_given_no_numbers_beyond_those_of_java() -> None:
    """It ended in an error, which was counted against it."""
    largest = known_for("xcsp3")["ace"].largest
    assert largest
    for most in (largest, largest + 1):
        form = Constraints(1, range(most - 5, most + 1), (), ranged=True)
        if most == largest:
            XcspNotation.check_size(form, largest, "xcsp3:ace")
            continue
        with pytest.raises(Unsupported, match=r"xcsp3:ace does not support numbers above 2,147,483,646"):
            XcspNotation.check_size(form, largest, "xcsp3:ace")


@pytest.mark.parametrize(("backend", "more"), [("native:lazy", 70_000), *((b, 100) for b in ("native:python", *SAT))])
def test_wide_domains_with_rows_that_narrow_them_have_the_same_solutions(backend: str, more: int) -> None:
    """Sums are of bits or digits, where short ranges are listed."""
    installed(backend)
    for seed in (*range(24), 20806):  # the last has a part that is undefined always
        instance = drawn(seed)
        word = answered(backend, widened(instance, more), right(instance, more))
        assert word in {"right", "refused", "no objectives", "undecided"}, seed


def test_costs_up_to_ten_million_are_minimised_over_integer_columns() -> None:
    cost = IntegerRange(range(10**7 + 1))
    rows = Linear.of([([1, -3500], [0, 1], ">=", 21), ([7, 11], [1, 2], ">=", 30_000)])
    problem = Problem("cost", Numbered("x", 3), cost, (rows,), objective=LinearObjective.of({0: 1, 2: 4000}))
    instance = Instance("cost", problem, (problem.full, bounded(0, 1000), bounded(0, 3000)))
    assert best("scip", instance) == 21 + 3500 * 2 + 4000 * 2726


def best(backend: str, instance: Instance[Problem]) -> int | None:
    """Return the proved optimum of an instance, None if the backend refuses it or the time is up."""
    solver = find(installed(backend))
    try:
        session = solver.open(default(solver.accepts).formula(instance.problem, instance.domains))
    except Unsupported:
        return None
    try:
        answer = session.ask(Ask(instance.domains, 1, 5.0))
    finally:
        session.close()
    for solution in answer.solutions:
        assert not violations(instance.problem, instance.domains, solution)
    return answer.value if answer.complete else None


@pytest.mark.skipif(find_spec("ortools") is None, reason="needs the extra ortools")
def test_a_sum_of_two_wide_variables_is_solved() -> None:
    """Before, no contender took new_int_var(0, 65536)."""
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    z, w = (model.new_int_var(0, 65536, name) for name in "zw")
    model.add(z + w >= 65536)
    model.minimize(3 * z + 2 * w)
    instance = instance_of_model(model).instance
    assert instance.problem.ranged
    assert {
        backend: best(backend, instance)
        for backend in ("native:lazy", "native:python", "cpsat", "z3:int", "choco", "pumpkin", "pysat:rc2")
    } == {
        "native:lazy": 131072,
        "native:python": 131072,
        "cpsat": 131072,
        "z3:int": 131072,
        "choco": 131072,
        "pumpkin": 131072,
        "pysat:rc2": 131072,
    }


@pytest.mark.slow
@pytest.mark.skipif(find_spec("ortools") is None, reason="needs the extra ortools")
def test_the_job_shop_in_seconds_of_a_week_is_solved() -> None:
    from ortools.sat.python import cp_model

    model, machines = cp_model.CpModel(), dict[int, list[object]]()
    makespan = model.new_int_var(0, WEEK, "makespan")
    for j, job in enumerate(JOBS):
        before = None
        for i, (machine, duration) in enumerate(job):
            start, end = model.new_int_var(0, WEEK, f"s{j}{i}"), model.new_int_var(0, WEEK, f"e{j}{i}")
            machines.setdefault(machine, []).append(model.new_interval_var(start, duration, end, ""))
            if before is not None:
                model.add(start >= before)
            before = end
        model.add(makespan >= before)
    for own in machines.values():
        model.add_no_overlap(own)
    model.minimize(makespan)
    instance = instance_of_model(model).instance
    solver = cp_model.CpSolver()
    assert solver.solve(model) == cp_model.OPTIMAL
    found = {backend: best(backend, instance) for backend in ("native:lazy", "cpsat", "z3:int", "choco", "pumpkin")}
    assert {value for value in found.values() if value is not None} == {int(solver.objective_value)}
    assert found["cpsat"] is not None
