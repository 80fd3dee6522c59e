"""Each form of each XCSP3 constraint: every backend that takes constraints finds the solutions of its definition."""

from importlib.util import find_spec
from itertools import product
from pathlib import Path

import pytest

from backends.contract import registry
from backends.contract.answer import Ask, Unsupported
from encoders.registry import default, spec
from puzzles.formats import read
from puzzles.problem import Instance, Problem
from puzzles.problem.values import Integers
from tests.effort import slow_after
from tests.xcsp3_forms import ALL, FORMS, VARIABLES, document

pytestmark = pytest.mark.skipif(find_spec("pycsp3") is None, reason="needs the extra xcsp3")

FEW = '<array id="x" size="[3]"> 0 1 3 </array> <array id="y" size="[2][2]"> 0 1 </array>'
PAIRS = [*product((0, 1), repeat=2)]
ASSIGNMENTS = [*product(product((0, 1, 3), repeat=3), product(PAIRS, repeat=2))]
OF_ALL = "precedence, of all values"  # its definition depends on the domains
FIRST = {"cpmpy:ortools": 3, "z3": 40}  # solutions that a backend is asked for, where all take long
LACKING = {"cpmpy:ortools": {"intension, power"}}  # forms that a backend refuses by name
MODULES = {
    "native:python": "numpy",
    "cpsat": "ortools",
    "pysat:cadical195/direct": "pysat",
    "pysat:cadical195/order+linear=totalizer": "pysat",
    "pysat:cadical195/log": "pysat",
    "exact": "exact",
    "choco": "pychoco",
    "pumpkin": "pumpkin_solver",
    "toulbar2": "pytoulbar2",
    "z3": "z3",
    "clingo": "clingo",
    "cpmpy:ortools": "cpmpy",
}


def is_solved_by_few(name: str) -> bool:
    """Return True if a form has a solution in the small domains."""
    return name != OF_ALL and any(FORMS[name][1](x, y) for x, y in ASSIGNMENTS)


@pytest.fixture(scope="module")
def instances(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Instance[Problem]]:
    """Return each form as an instance with small domains."""
    folder = tmp_path_factory.mktemp("forms")
    found = {}
    for i, (name, (text, _)) in enumerate(FORMS.items()):
        path: Path = folder / f"{i}.xml"
        path.write_text(document(text, FEW if is_solved_by_few(name) else VARIABLES))
        (found[name],) = read(path)
    return found


def numbers_of(backend: str, instance: Instance[Problem], count: int) -> set[tuple[int, ...]]:
    """Return up to `count` solutions that a backend finds, as numbers of x and y."""
    solver, _, encoding = backend.partition("/")
    found = registry.find(solver)
    formula = (spec(encoding) if encoding else default(found.accepts)).formula(instance.problem, instance.domains)
    session = found.open(formula)
    answer = session.ask(Ask(instance.domains, count, seconds=100.0))
    session.close()
    assert answer.complete or len(answer.solutions) == count
    assert isinstance(instance.problem.values, Integers)
    numbers = instance.problem.values.numbers
    assert len(set(answer.solutions)) == len(answer.solutions)
    return {tuple(numbers[v] for v in solution[:7]) for solution in answer.solutions}


@pytest.mark.parametrize("backend", slow_after(1, MODULES))
def test_every_form_is_taken_and_has_the_solutions_of_its_definition(
    backend: str, instances: dict[str, Instance[Problem]]
) -> None:
    pytest.importorskip(MODULES[backend])
    wrong = []
    for name, (_, held) in FORMS.items():
        if name in LACKING.get(backend, ()):
            with pytest.raises(Unsupported):
                numbers_of(backend, instances[name], 1)
            continue
        right = {(*x, *y[0], *y[1]) for x, y in (ASSIGNMENTS if is_solved_by_few(name) else ALL) if held(x, y)}
        assert right or name in ("extension, no tuple", "channel", "channel, lists")
        count = min(len(right) + 1, FIRST.get(backend, len(ALL)))
        found = numbers_of(backend, instances[name], count)
        if not found <= right or len(found) != min(count, len(right)):
            wrong.append(name)
    assert wrong == []
