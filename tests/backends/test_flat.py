"""Solvers of flat programs: conformance, every kind of constraint against brute force, and loading when used."""

import subprocess
import sys
from importlib.util import find_spec
from random import Random

import pytest

from backends.contract import conformance, registry
from backends.contract.answer import Ask
from encoders.direct import constraints
from puzzles.generating.problems import KINDS, random_problem
from puzzles.packages import install
from tests.backends.kind_checks import faults_of_kinds

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
