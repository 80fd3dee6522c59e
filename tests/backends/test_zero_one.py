"""HiGHS, SCIP, Exact and NaPS: conformance, options, all solutions by brute force, limits, rows beyond a tolerance."""

import itertools
import os
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backends.contract import conformance, registry
from backends.contract.answer import Answer, Ask, Reason, Status, Unsupported
from backends.contract.objective_cases import long
from backends.contract.objective_checks import Heard
from backends.shared.zero_one import Load, SparseRows, ZeroOneBackend
from encoders.direct import constraints
from encoders.formula import Constraints
from encoders.zero_one import rows_of
from encoders.zero_one.rows import ZeroOneRows, literal_table
from puzzles.constraints.all_different import AllDifferent
from puzzles.constraints.linear import Linear
from puzzles.generating.problems import KINDS, random_problem
from puzzles.objectives.linear import LinearObjective
from puzzles.packages import install
from puzzles.problem import Instance, Problem
from puzzles.problem.values import Integers, Numbered
from tests.backends.configurations import assert_refused, faults_of_options
from tests.definitions import solutions

MODULES = {"highs": "highspy", "scip": "pyscipopt", "exact": "exact", "naps": "naps"}
FLOATING = ("highs", "scip")
UNBOUNDED = ("exact", "naps")  # in the size of coefficients
LIMITED = ("highs", "scip", "exact")  # by their own clock
BAD = {"highs": "presolve=maybe", "scip": "lp/pricing=z", "exact": "ca-division=none"}  # of those with options


ALONE = "CROSSCHECK_HIGHS_ALONE"  # set where HiGHS is tested: in a process without OR-Tools, whose libhighs differs


def skipped(name: str) -> pytest.MarkDecorator:
    """Return the mark that skips a backend whose package is missing, or HiGHS where it is not alone."""
    if find_spec(MODULES[name]) is None:
        return pytest.mark.skipif(True, reason=f"needs `{install(MODULES[name])}`")
    return pytest.mark.skipif(name == "highs" and ALONE not in os.environ, reason="tested in a process of its own")


def installed(names: tuple[str, ...]) -> list[Any]:
    return [pytest.param(name, marks=skipped(name)) for name in names]


@pytest.mark.skipif(find_spec("highspy") is None or ALONE in os.environ, reason="needs highspy")
def test_highs_passes_the_tests_below_in_a_process_of_its_own() -> None:
    words = [sys.executable, "-m", "pytest", "-k", "highs", "-p", "no:cacheprovider", __file__]
    done = subprocess.run(words, env=os.environ | {ALONE: "1"}, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-4000:]
    assert "passed" in done.stdout


every_backend = pytest.mark.parametrize("backend", installed(tuple(MODULES)))
configurable_backend = pytest.mark.parametrize("backend", installed(tuple(BAD)))
limited_backend = pytest.mark.parametrize("backend", installed(LIMITED))
unbounded_backend = pytest.mark.parametrize("backend", installed(UNBOUNDED))
floating_backend = pytest.mark.parametrize("backend", installed(FLOATING))


@pytest.mark.parametrize("backend", installed(("highs", "scip", "exact")))
def test_an_optimiser_reports_solutions_and_bounds_while_it_searches(backend: str) -> None:
    case, heard = long(30), Heard()
    session = registry.find(backend).open(constraints(case.problem, case.domains))
    answer = session.ask(Ask(case.domains, seconds=100, listener=heard))
    assert answer.complete
    assert len(heard.improvements) > 1 or backend == "highs"  # its first is the best
    assert len(heard.bounds) > 1
    assert heard.bounds[-1] == heard.improvements[-1][0] == answer.value


def test_naps_refuses_objectives_by_name() -> None:
    if find_spec("naps") is None:
        pytest.skip("needs pynaps")
    case = long(10)
    with pytest.raises(Unsupported, match="naps does not support objective"):
        registry.find("naps").open(constraints(case.problem, case.domains))


@pytest.mark.parametrize("backend", installed(FLOATING))
def test_a_large_objective_is_refused_with_its_size(backend: str) -> None:
    problem = Problem("large", Numbered("x", 2), Integers(range(2)), (), objective=LinearObjective.of({0: 10**6, 1: 1}))
    with pytest.raises(Unsupported, match="the objective has coefficients or a bound of 1,000,001 together"):
        registry.find(backend).open(constraints(problem))


def solve(
    backend: str, instance: Instance[Problem], count: int = 1, seconds: float = 100, tight: bool = True
) -> Answer:
    session = registry.find(backend).open(constraints(instance.problem, instance.domains if tight else None))
    answer = session.ask(Ask(instance.domains, count, seconds))
    session.close()
    return answer


def sums(coefficients: list[int], bound: int) -> Instance[Problem]:
    """Return the problem of Booleans whose weighted sum is a bound."""
    row = (coefficients, range(len(coefficients)), "=", bound)
    problem = Problem("sums", Numbered("x", len(coefficients)), Integers((0, 1)), (Linear.of([row]),))
    return Instance("sums", problem, problem.open)


@every_backend
def test_the_backend_conforms(backend: str) -> None:
    effort = conformance.FULL if backend in UNBOUNDED else conformance.BRIEF
    assert conformance.check(registry.find(backend), effort=effort) == []


@configurable_backend
def test_every_value_of_an_option_leaves_answers_right(backend: str) -> None:
    """HiGHS has one number of threads a process."""
    assert faults_of_options(backend, frozenset({"threads"})) == []


@configurable_backend
def test_other_options_and_values_are_refused_by_name(backend: str) -> None:
    assert_refused(backend, BAD[backend])


@pytest.mark.parametrize(
    ("name", "read", "value"),
    [
        pytest.param("highs[threads=2]", lambda s: s.getOptionValue("threads")[1], 2, marks=skipped("highs")),
        pytest.param("scip[lp/scaling=2]", lambda s: s.getParam("lp/scaling"), 2, marks=skipped("scip")),
        pytest.param("scip[presolve=OFF]", lambda s: s.getParam("presolving/maxrounds"), 0, marks=skipped("scip")),
    ],
)  # fmt: skip
def test_an_option_reaches_the_solver(name: str, read: Callable[[Any], int], value: int) -> None:
    backend, instance = registry.find(name), sums([1, 2], 2)
    assert isinstance(backend, ZeroOneBackend)
    form = constraints(instance.problem)
    rows = rows_of(form, form.known, literal_table(form, form.known))
    solver: Any = backend.load(Load(rows, [], 0, backend.chosen))
    assert read(solver.solver) == value


@every_backend
def test_all_solutions_of_every_kind_are_found(backend: str) -> None:
    for seed, kind in enumerate(kind for kind in KINDS for _ in range(2)):
        instance = random_problem([kind], Random(seed))
        right = solutions(instance.problem, instance.domains)
        answer = solve(backend, instance, 9, tight=seed % 2 == 0)
        assert set(answer.solutions) <= right
        assert len(set(answer.solutions)) == len(answer.solutions) == min(9, len(right))
        assert answer.complete == (len(right) < 9)


@limited_backend
def test_a_limit_ends_in_a_timeout(backend: str) -> None:
    answer = solve(backend, market_split(Random(3)), seconds=0.05)
    assert (answer.status, answer.reason) == (Status.UNKNOWN, Reason.TIMEOUT)


@every_backend
def test_a_limit_ends_the_search_for_many_solutions(backend: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each search is short, so the deadline falls between two. A second passes whenever the clock is read."""
    monkeypatch.setattr("backends.shared.zero_one.now", itertools.count(0, 10**9).__next__)
    problem = Problem("free", Numbered("x", 30), Integers((0, 1)), ())
    answer = solve(backend, Instance("free", problem, problem.open), 10**9, seconds=20)
    assert (answer.status, answer.reason) == (Status.SATISFIABLE, Reason.TIMEOUT)
    assert len(set(answer.solutions)) == len(answer.solutions)
    assert not answer.complete


def market_split(random: Random) -> Instance[Problem]:
    """Return four sums of thirty Booleans, each half of its coefficients (Cornuejols & Dawande 1998)."""
    rows = [[random.randrange(100) for _ in range(30)] for _ in range(4)]
    linear = Linear.of([(row, range(30), "=", sum(row) // 2) for row in rows])
    problem = Problem("split", Numbered("x", 30), Integers((0, 1)), (linear,))
    return Instance("split", problem, problem.open)


@every_backend
def test_an_unknown_kind_is_refused_by_name(backend: str) -> None:
    class Unknown(AllDifferent):
        kind = "unknown"

    with pytest.raises(Unsupported, match=f"{backend} does not support unknown"):
        registry.find(backend).open(Constraints(1, range(2), (Unknown(()),)))


@every_backend
def test_domains_outside_those_of_the_formula_have_no_solution(backend: str) -> None:
    problem = Problem("two", Numbered("x", 2), Integers(range(3)), (AllDifferent(((0, 1),)),))
    session = registry.find(backend).open(constraints(problem, (3, 7)))
    for domains, total in (((3, 7), 4), ((4, 7), 0), ((1, 3), 1), ((0, 7), 0), ((3, 7), 4)):
        answer = session.ask(Ask(domains, 9))
        assert (len(answer.solutions), answer.complete) == (total, True)


@floating_backend
def test_rows_beyond_the_tolerance_are_refused_by_name(backend: str) -> None:
    assert solve(backend, sums([500_000, 500_000], 500_000)).status == Status.SATISFIABLE
    with pytest.raises(
        Unsupported, match=rf"{backend} computes in floating point and .* more than 1,000,000: .* 1,000,001"
    ):
        solve(backend, sums([500_000, 500_001], 500_000))


@floating_backend
@given(st.integers(0, 1 << 32))
@settings(max_examples=10)
def test_sums_that_miss_by_one_below_the_limit_are_told_apart(backend: str, seed: int) -> None:
    random = Random(seed)
    coefficients = [random.randrange(50_000, 100_000) for _ in range(10)]
    reached = {0}
    for a in coefficients:
        reached |= {a + b for b in reached}
    near = min(reached, key=lambda n: abs(n - sum(coefficients) // 2))
    for bound in (near - 1, near, near + 1):
        expected = Status.SATISFIABLE if bound in reached else Status.UNSATISFIABLE
        assert solve(backend, sums(coefficients, bound)).status == expected


@unbounded_backend
def test_coefficients_may_be_of_any_size(backend: str) -> None:
    assert solve(backend, sums([10**40, 10**40 + 1], 10**40 + 1), 9).solutions == ((0, 1),)
    assert solve(backend, sums([10**40, 10**40 + 2], 10**40 + 1)).status == Status.UNSATISFIABLE


def test_values_are_checked_against_rows_in_integers() -> None:
    form = constraints(sums([1], 1).problem)
    rows = ZeroOneRows(form, (3,), literal_table(form, (3,)))
    rows.add({1: 3}, 3, equal=True)
    rows.add({1: -1}, -1)
    assert SparseRows.of(rows).holds(np.array([1]))
    assert not SparseRows.of(rows).holds(np.array([0]))
