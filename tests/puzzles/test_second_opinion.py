"""Solutions of XCSP3 files get the same verdict from us and from the checker in ACE, if Java and pycsp3 are there."""

import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path
from random import Random

import numpy as np
import pytest

from backends.contract import registry
from backends.contract.answer import Ask
from backends.programs.known_programs import installed_file
from encoders.registry import default
from puzzles.corpora import find
from puzzles.formats import read
from puzzles.problem import Instance, Problem
from puzzles.problem.columns import pack, valid
from puzzles.problem.values import Integers, Solution, bits
from tests import xcsp3_forms
from tests.optima import QUICK
from tests.puzzles.test_xcsp3 import models, one, written
from tests.puzzles.test_xcsp3_objectives import FORMS, optimising, values
from tests.xcsp3_forms import document

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        find_spec("pycsp3") is None or find_spec("ortools") is None or shutil.which("java") is None,
        reason="needs Java, OR-Tools and the extra xcsp3",
    ),
]
FILES = ("all-interval-6", "golfers-2-2-3", "golomb-4-6", "magic-sequence-4", "nonogram-5-5-50", "tables-15-6-45-12")
TOGETHER = (  # kinds that have common models
    "element, condition",
    "cardinality, ranges",
    "precedence",
    "minimum",
    "extension, short",
    "nValues",
    "sum, variable coefficients",
    "count",
    "allDifferent, lists",
    "allDifferent, except",
    "sum, range",
)

NOT_TAKEN = {  # by the parser of the checker: numbers in lists, coefficients before them
    "a number",
    "a sum with coefficients first",
    "a maximum",
    "distinct values",
    "distinct values of expressions",
}


def accepted(
    file: Path, instance: Instance[Problem], solution: Solution, folder: Path, cost: int | None = None
) -> bool:
    """Return the verdict of ACE's checker, which prints OK or INVALID, on a solution and perhaps its value."""
    jar = installed_file("pycsp3", "pycsp3/solvers/ace", ".jar")
    assert jar is not None
    problem = instance.problem
    assert isinstance(problem.values, Integers)
    taken = zip(problem.variables, [problem.values.numbers[v] for v in solution], strict=True)
    named = [(name, value) for name, value in taken if not name.lstrip("-").isdigit()]  # constants are ours
    answer = folder / "answer.xml"
    names, values = (" ".join(map(str, column)) for column in zip(*named, strict=True))
    stated = "" if cost is None else f' type="solution" cost="{cost}"'
    answer.write_text(f"<instantiation{stated}> <list> {names} </list> <values> {values} </values> </instantiation>\n")
    command = ["java", *QUICK, "-cp", jar, "org.xcsp.parser.callbacks.SolutionChecker", str(file), str(answer)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    assert ("OK" in done.stdout) != ("INVALID" in done.stdout), done.stdout + done.stderr
    return "OK" in done.stdout


def held(instance: Instance[Problem], solution: Solution) -> bool:
    """Return our verdict."""
    domains = pack(instance.problem, [instance.domains])
    return bool(valid(instance.problem, domains, np.array([solution], np.uint32))[0])


@pytest.mark.parametrize("form", sorted(FORMS.keys() - NOT_TAKEN))
def test_values_of_objectives_get_the_same_verdict_from_both(form: str, tmp_path: Path) -> None:
    attribute, content, _, _ = FORMS[form]
    file = written(tmp_path, optimising(f"<minimize{attribute}> {content} </minimize>"))
    instance = one(file)
    numbers = list(map(int, instance.problem.values))
    model, value = Random(form).choice(sorted(values(instance).items()))
    solution = tuple(map(numbers.index, model))
    verdicts = [accepted(file, instance, solution, tmp_path, cost) for cost in (value, value + 1)]
    assert verdicts == [True, False]


@pytest.mark.parametrize("name", FILES)
def test_a_solution_and_an_altered_one_get_the_same_verdict_from_both(name: str, tmp_path: Path) -> None:
    file = find("csp") / f"{name}.xml"
    (instance,) = read(file)
    backend, random = registry.find("cpsat"), Random(1)
    session = backend.open(default(backend.accepts).formula(instance.problem))
    (solution,) = session.ask(Ask(instance.domains)).solutions
    session.close()
    assert held(instance, solution)
    assert accepted(file, instance, solution, tmp_path)
    at = random.choice([x for x, mask in enumerate(instance.domains) if mask.bit_count() > 1])
    other = random.choice([v for v in bits(instance.domains[at]) if v != solution[at]])
    altered = (*solution[:at], other, *solution[at + 1 :])
    assert accepted(file, instance, altered, tmp_path) == held(instance, altered)


def test_kinds_that_are_true_together_get_the_same_verdict_from_both(tmp_path: Path) -> None:
    file = written(tmp_path, document("\n".join(xcsp3_forms.FORMS[kind][0] for kind in TOGETHER)))
    instance = one(file)
    numbers = list(map(int, instance.problem.values))
    found = sorted(models(instance))
    index, second, *rest = found[0]
    altered = (index, next(v for v in (-1, 0, 1, 3) if (index, v, *rest) not in found), *rest)
    assert second != altered[1]
    for model, good in ((found[0], True), (found[-1], True), (altered, False)):
        solution = tuple(map(numbers.index, model))
        assert held(instance, solution) == accepted(file, instance, solution, tmp_path) == good
