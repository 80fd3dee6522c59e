"""cvc5 over integers and bit vectors: conformance, options, all kinds against brute force, limits."""

import subprocess
import sys
from importlib.util import find_spec
from random import Random

import pytest

from backends.contract import registry
from backends.contract.answer import Ask, Unsupported
from backends.contract.cases import FOUR
from backends.contract.conformance import BRIEF, check
from backends.cvc5 import Cvc5Models, Cvc5Session
from encoders.direct import alldifferent, constraints
from encoders.formula import Constraints, Text
from puzzles.constraints.all_different import AllDifferent
from puzzles.constraints.expression import Expression
from puzzles.generating.problems import KINDS
from puzzles.problem import Instance, Problem
from puzzles.problem.values import Integers, Numbered
from tests.backends.configurations import assert_refused, faults_of_options
from tests.backends.small_problems import assert_stopped, check_kinds, pigeonhole
from tests.definitions import solutions

pytestmark = pytest.mark.skipif(find_spec("cvc5") is None, reason="cvc5 is not installed")
VARIANTS = ("cvc5:int", "cvc5:bv")


@pytest.mark.parametrize("name", [*VARIANTS, "cvc5:bv[sat-solver=minisat,simplification=none]"])
def test_the_backend_conforms(name: str) -> None:
    assert check(registry.find(name), effort=BRIEF) == []


@pytest.mark.parametrize("name", VARIANTS)
def test_every_value_of_an_option_leaves_answers_right(name: str) -> None:
    assert faults_of_options(name) == []


def test_other_options_and_values_are_refused_by_name() -> None:
    assert_refused("cvc5:bv", "decision=bogus")


def test_an_option_reaches_the_solver() -> None:
    session = registry.find("cvc5:int[seed=7,sat-solver=minisat]").open(alldifferent(FOUR))
    assert isinstance(session, Cvc5Session)
    solver = Cvc5Models(session, Ask(FOUR.open), 0).solver
    assert [solver.getOption(name) for name in ("seed", "sat-solver")] == ["7", "minisat"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", VARIANTS)
def test_solutions_of_a_kind_are_those_of_brute_force(name: str, kind: str) -> None:
    for seed in range(4):
        check_kinds(name, [kind], seed)


@pytest.mark.parametrize("name", VARIANTS)
def test_solutions_of_two_kinds_are_those_of_brute_force(name: str) -> None:
    random = Random(1)
    for seed in range(6):
        check_kinds(name, random.sample(sorted(KINDS), 2), seed)


@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.parametrize("operator", ["mul", "div", "mod", "pow"])
def test_operators_on_two_variables_are_exact(name: str, operator: str) -> None:
    equation = Expression((("eq", (operator, ("var", 0), ("var", 1)), ("var", 2)),))
    problem = Problem(operator, Numbered("x", 3), Integers((-3, -2, 0, 1, 4)), (equation,))
    instance = Instance(operator, problem, problem.open)
    session = registry.find(name).open(constraints(problem, problem.open))
    answer = session.ask(Ask(instance.domains, 200))
    assert set(answer.solutions) == solutions(problem, problem.open)
    assert answer.complete


@pytest.mark.parametrize("name", VARIANTS)
def test_the_deadline_stops_a_search(name: str) -> None:
    problem = pigeonhole(14)
    session = registry.find(name).open(constraints(problem, problem.open))
    assert_stopped(session.ask(Ask(problem.open, seconds=0.1)))
    assert_stopped(session.ask(Ask(problem.open, seconds=0.0)))


@pytest.mark.parametrize("name", VARIANTS)
def test_what_is_not_supported_is_refused_by_name(name: str) -> None:
    class Unknown(AllDifferent):
        kind = "unknown"

    with pytest.raises(Unsupported, match="no constraints of the kind unknown"):
        registry.find(name).open(Constraints(1, range(2), (Unknown(()),)))
    with pytest.raises(Unsupported, match=f"{name} takes .*, not Text"):
        registry.find(name).open(Text("12", ".", "latin 2"))


def test_describing_backends_imports_no_cvc5() -> None:
    code = (
        "import sys; from backends.contract import registry; registry.load_base('cvc5'); print('cvc5' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
