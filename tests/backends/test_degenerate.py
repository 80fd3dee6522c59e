"""Degenerate problems of every kind through every encoding and the backends that translate, against brute force.

CRASHES are single cases that ended in an exception or a wrong answer.
"""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from backends.contract import registry
from backends.contract.answer import Backend
from backends.contract.cases import ProblemCase
from encoders.formula import Cnf
from encoders.kinds.tables import TABLES
from encoders.linear import LINEAR
from encoders.registry import AT_MOST_ONE, ENCODINGS, Spec, default, spec
from puzzles.constraints.automaton import Automaton
from puzzles.constraints.cardinality import Cardinality
from puzzles.constraints.cumulative import Cumulative
from puzzles.constraints.expression import Expression
from puzzles.problem import Constraint, Problem
from puzzles.problem.values import Integers, Numbered
from tests.definitions import solutions
from tests.degenerate import degenerate, faults, kinds_drawn, shown

CLAUSAL = [e.name for e in ENCODINGS.values() if e.formula is Cnf]
IN_PROCESS = (
    *("native", "native:python", "native:lazy", "cpsat", "highs", "scip", "naps", "choco", "pumpkin", "toulbar2"),
    *("z3:int", "z3:bool", "z3:bv", "cvc5:int", "cvc5:bv", "clingo", "cryptominisat", "pysat:rc2", "native:cdcl"),
    *("cpmpy:ortools", "cpmpy:choco", "cpmpy:highs", "cpmpy:pumpkin", "cpmpy:pindakaas", "cpmpy:z3"),
)
SHORT, LONG = 30, 50  # 6,000 of each were drawn when the tests were written
PANICS = ("cpmpy:pumpkin",)  # Pumpkin 0.5.0 panics in one of 4,500, where a divisor of CPMpy's may be 0


def one(constraint: Constraint, numbers: Sequence[int], *domains: int) -> ProblemCase:
    """Return a case of one constraint."""
    problem = Problem("one", Numbered("x", len(domains)), Integers(numbers), (constraint,))
    return ProblemCase(constraint.kind, "degenerate", problem, domains, len(solutions(problem, domains)))


ZERO, ONE, X = ("number", 0), ("number", 1), ("var", 0)
CRASHES = (
    one(Cumulative((((0, 1), (1, 1), (1, 1), 1),)), (1,), 0, 1),  # IndexError: a task without a start, as clauses
    one(Automaton(((),), ((0, 1, 1),), 0, (0,)), (0, 1, 2), 7),  # an empty word was refused, as clauses
    one(Cardinality((((0,), (), (), True),)), (-1, 0), 3),  # a closed list of no number was open, to CPMpy
    one(Expression((("eq", ("mod", X, ZERO), ZERO),)), (0, 1), 3),  # ZeroDivisionError, and a crash of Choco, by CPMpy
    one(Expression((("div", X, ("max", X, X)),)), (0, 1), 1),
    one(Expression((("eq", ("if", ONE, X, ZERO), ONE),)), (0, 1), 3),  # AssertionError: a number as index, by CPMpy
)


def found(name: str) -> Backend:
    """Return an installed backend; the test is skipped without it."""
    try:
        return registry.find(name)
    except registry.NoBackend as e:
        pytest.skip(str(e))


def drawn_faults(backend: Backend, number: int, seed: str, chosen: Spec | None = None) -> list[tuple[str, object]]:
    """Return the faults on a number of drawn cases, each kind in turn; in some the formula is made without domains."""
    told = list[tuple[str, object]]()
    for n in range(number):
        random = Random(f"{seed} {n}")
        kinds, goal = kinds_drawn(backend, n, random)
        case = degenerate(kinds, random, goal)
        one = chosen or default(backend.accepts)
        told += [(fault, shown(case)) for fault in right(backend, one, case, random.random() < 0.8)]
    return told


def right(backend: Backend, chosen: Spec, case: ProblemCase, known: bool = True) -> list[str]:
    return [fault for fault in faults(backend, chosen, case, known) if not fault.startswith("Unsupported")]


@pytest.mark.parametrize("case", CRASHES, ids=lambda case: case.name)
@pytest.mark.parametrize("name", IN_PROCESS)
def test_degenerate_cases_that_crashed_are_answered(name: str, case: ProblemCase) -> None:
    backend = found(name)
    assert right(backend, default(backend.accepts), case) == []


@pytest.mark.parametrize("name", CLAUSAL)
def test_degenerate_problems_are_right_in_every_clausal_encoding(name: str) -> None:
    assert drawn_faults(found("pysat:minicard"), SHORT, f"short {name}", spec(name)) == []


@pytest.mark.parametrize("name", IN_PROCESS)
def test_degenerate_problems_are_right_by_every_translation(name: str) -> None:
    assert drawn_faults(found(name), SHORT, "short") == []


def combined(random: Random) -> str:
    """Draw an encoding as clauses with a choice on each axis."""
    name = random.choice(CLAUSAL)
    at_most = f"+{random.choice(list(AT_MOST_ONE))}" if ENCODINGS[name].combines else ""
    return f"{name}{at_most}+linear={random.choice(list(LINEAR))}+table={random.choice(list(TABLES))}"


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_degenerate_problems_are_right_in_combinations_of_encodings(seed: int) -> None:
    chosen = spec(combined(Random(seed)))
    assert drawn_faults(found("pysat:minicard"), 100, f"axes {seed}", chosen) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in IN_PROCESS if name not in PANICS])
def test_many_degenerate_problems_are_right_by_every_translation(name: str) -> None:
    found(name)
    code = f"from tests.backends.test_degenerate import *; print(drawn_faults(found({name!r}), LONG, 'long'))"
    done = subprocess.run(  # libraries of some solvers crash beside those of others
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=600, cwd=Path(__file__).parents[2]
    )
    assert (done.returncode, done.stdout.splitlines()[-1:], done.stderr[-300:]) == (0, ["[]"], done.stderr[-300:])
