"""Solvers of flat programs: conformance, every kind of constraint against brute force, and loading when used."""

import subprocess
import sys
from importlib.util import find_spec
from io import BytesIO
from random import Random

import pytest

from backends.contract import conformance, registry
from backends.contract.answer import Ask
from backends.flat import flatten
from backends.flat.program import NumberLimits
from backends.programs.fzn.files import flatzinc_blocks
from encoders.direct import constraints
from encoders.formula import Constraints
from puzzles.constraints.numbers import ORDER
from puzzles.generating.problems import KINDS, random_problem, reified_problem
from puzzles.packages import install
from puzzles.problem import Instance, Problem
from puzzles.readers.flatzinc import read_flatzinc
from puzzles.readers.source import from_text
from tests.backends.kind_checks import answered, faults_of_kinds
from tests.definitions import solutions

MODULES = {"choco": "pychoco", "pumpkin": "pumpkin_solver", "toulbar2": "pytoulbar2"}
SEEDS = {"choco": 60, "pumpkin": 40, "toulbar2": 40}


def skipped(name: str) -> pytest.MarkDecorator:
    reason = f"{name} is not installed: {install(MODULES[name])}"
    return pytest.mark.skipif(find_spec(MODULES[name]) is None, reason=reason)


every_backend = pytest.mark.parametrize("backend", [pytest.param(name, marks=skipped(name)) for name in MODULES])


@every_backend
def test_the_backend_conforms(backend: str) -> None:
    assert conformance.check(registry.find(backend)) == []


@every_backend
@pytest.mark.parametrize("kind", KINDS)
def test_all_solutions_of_a_constraint_are_found(kind: str, backend: str) -> None:
    assert faults_of_kinds(backend, [kind], range(SEEDS[backend])) == []


@every_backend
def test_all_solutions_of_several_constraints_are_found(backend: str) -> None:
    for seed in range(SEEDS[backend]):
        kinds = Random(seed).sample(sorted(KINDS), 2)
        assert faults_of_kinds(backend, kinds, [seed]) == []


@every_backend
def test_every_kind_is_taken(backend: str) -> None:
    for kind in KINDS:
        instance = random_problem([kind], Random(1))
        registry.find(backend).open(constraints(instance.problem, instance.domains))


@every_backend
def test_one_session_answers_for_several_domains(backend: str) -> None:
    instance = random_problem(["all_different"], Random(1))
    session = registry.find(backend).open(constraints(instance.problem))
    for domains in (instance.domains, (1,) * len(instance.domains), instance.domains):
        fresh = registry.find(backend).open(constraints(instance.problem))
        assert set(session.ask(Ask(domains, 99)).solutions) == set(fresh.ask(Ask(domains, 99)).solutions)


@every_backend
def test_the_package_is_not_loaded_before_it_is_used(backend: str) -> None:
    code = "import sys; from backends.contract.registry import find; find(sys.argv[1])"
    code += "; assert sys.argv[2] not in sys.modules"
    subprocess.run([sys.executable, "-c", code, backend, MODULES[backend]], check=True)


def literal(a: int, comparison: str, bound: int, domain: tuple[int, ...] = (0, 1)) -> set[int]:
    """Return the numbers of a domain for which the literal of a sum of one variable is true; no post may be needed."""
    program = flatten(Constraints(1, domain, ()), NumberLimits("any", 1 << 30, 1 << 30))
    found = program.reified([(0, a)], comparison, bound)
    assert program.posts == []
    return {n for n in domain if (found if isinstance(found, bool) else n == (found > 0))}


@pytest.mark.parametrize("a", [-7, -3, -1, 1, 2, 3])
@pytest.mark.parametrize("comparison", sorted(ORDER))
def test_the_literal_of_a_multiple_of_a_boolean_is_exact(a: int, comparison: str) -> None:
    for bound in range(-9, 10):
        assert literal(a, comparison, bound) == {n for n in (0, 1) if ORDER[comparison](a * n, bound)}, bound


def test_a_number_that_a_variable_skips_is_taken_nowhere() -> None:
    assert literal(2, "=", 6, (1, 2, 5)) == set()
    assert literal(-2, "!=", -5, (1, 2, 5)) == {1, 2, 5}


@every_backend
def test_reified_sums_with_any_coefficient_are_those_of_brute_force(backend: str) -> None:
    instances = (reified_problem(Random(seed)) for seed in range(150))
    assert [i.problem.constraints for i in instances if not agrees(backend, i)] == []


def agrees(backend: str, instance: Instance[Problem]) -> bool:
    right = solutions(instance.problem, instance.domains)
    answer = answered(backend, instance, len(right) + 1)
    return answer.complete and sorted(answer.solutions) == sorted(right)


REIFIED = "var 0..1: a;\nvar bool: p;\nconstraint int_lin_ne_reif([-3],[a],-1,p);\nsolve satisfy;\n"


@every_backend
def test_a_bound_between_0_and_the_coefficient_of_a_boolean_is_met_by_neither_value(backend: str) -> None:
    instance = read_flatzinc(BytesIO(REIFIED.encode()), from_text("", "reified"))
    assert agrees(backend, instance)
    assert len(solutions(instance.problem, instance.domains)) == 2


def test_encode_writes_a_reified_sum_as_it_is() -> None:
    instance = read_flatzinc(BytesIO(REIFIED.encode()), from_text("", "reified"))
    text = b"".join(flatzinc_blocks(constraints(instance.problem, instance.domains), instance.domains))
    again = read_flatzinc(BytesIO(text), from_text("", "again"))
    p = again.problem.variables.index("v2")
    assert {again.problem.values[found[p]] for found in solutions(again.problem, again.domains)} == {"1"}
