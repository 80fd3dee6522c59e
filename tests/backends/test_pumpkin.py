"""Pumpkin: every kind of constraint against brute force, its limits, and what it is not given."""

import subprocess
import sys
from importlib.util import find_spec
from random import Random

import pytest

from backends import conformance, registry
from backends.answer import Ask, Reason, Status, Unsupported
from encoders.direct import constraints
from puzzles.constraints.expression import Expression
from puzzles.constraints.linear import Linear
from puzzles.constraints.table import Table
from puzzles.generating.problems import KINDS, random_problem
from puzzles.problem import Constraint, Instance, Integers, Numbered, Problem
from tests.backends.kind_checks import answered, faults_of_kinds, hard_pigeons

pytestmark = pytest.mark.skipif(
    find_spec("pumpkin_solver") is None, reason="pumpkin is not installed: pip install 'crosscheck[pumpkin]'"
)


def test_pumpkin_conforms() -> None:
    assert conformance.check(registry.find("pumpkin")) == []


@pytest.mark.parametrize("kind", KINDS)
def test_all_solutions_of_a_constraint_are_found(kind: str) -> None:
    assert faults_of_kinds("pumpkin", [kind], range(40)) == []


def test_all_solutions_of_several_constraints_are_found() -> None:
    for seed in range(40):
        kinds = Random(seed).sample(sorted(KINDS), 2)
        assert faults_of_kinds("pumpkin", kinds, [seed]) == []


def test_every_kind_is_taken() -> None:
    for kind in KINDS:
        instance = random_problem([kind], Random(1))
        registry.find("pumpkin").open(constraints(instance.problem, instance.domains))


def test_a_search_without_end_is_a_timeout() -> None:
    answer = answered("pumpkin", hard_pigeons(13), seconds=0.2)
    assert (answer.status, answer.reason) == (Status.UNKNOWN, Reason.TIMEOUT)


def test_one_session_answers_for_several_domains() -> None:
    instance = random_problem(["all_different"], Random(1))
    session = registry.find("pumpkin").open(constraints(instance.problem))
    for domains in (instance.domains, (1,) * len(instance.domains), instance.domains):
        fresh = registry.find("pumpkin").open(constraints(instance.problem))
        assert set(session.ask(Ask(domains, 99)).solutions) == set(fresh.ask(Ask(domains, 99)).solutions)


def alone(constraint: Constraint, *numbers: int) -> Instance[Problem]:
    problem = Problem("alone", Numbered("x", 2), Integers(numbers), (constraint,))
    return Instance("alone", problem, problem.open)


def test_numbers_at_the_limit_are_exact() -> None:
    """Sums of up to a thousand million, positive and negative; Pumpkin computes in 32 bits."""
    ends = (-(10**9), -1, 0, 1, 10**9)
    row = ([1, -1], [0, 1], ">=", 10**9)
    with pytest.raises(Unsupported, match="sums"):
        answered("pumpkin", alone(Linear.of([row]), *ends))
    half = (-(5 * 10**8), 0, 5 * 10**8)
    assert answered("pumpkin", alone(Linear.of([row]), *half)).solutions == ((2, 0),)
    pairs = alone(Table.of([(0, 1)], [(-(10**9), 10**9), (1, 0), (10**9, -(10**9))], True), *ends)
    assert set(answered("pumpkin", pairs).solutions) == {(0, 4), (3, 2), (4, 0)}


@pytest.mark.parametrize(
    ("instance", "named"),
    [
        (alone(Linear.of([([1], [0], ">=", 1)]), 0, 2 * 10**9), "domains with numbers above 1000000000"),
        (alone(Linear.of([([4, -4], [0, 1], "=", 0)]), 0, 10**9), "sums with numbers above 1000000000"),
        (
            alone(Expression((("ge", ("mul", ("var", 0), ("var", 1)), ("number", 9)),)), 0, 65_536),
            "expressions with numbers",
        ),
    ],
)
def test_numbers_that_overflow_are_refused_by_name(instance: Instance[Problem], named: str) -> None:
    with pytest.raises(Unsupported, match=f"pumpkin does not support {named}"):
        answered("pumpkin", instance)


def test_pumpkin_is_not_loaded_before_it_is_used() -> None:
    code = "import sys; from backends import registry; registry.find('pumpkin'); assert '{}' not in sys.modules"
    subprocess.run([sys.executable, "-c", code.format("pumpkin_solver")], check=True)
