"""Translations evaluated without solvers: right ones allow what brute force finds, planted faults are found."""

import operator
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from random import Random
from shutil import which
from typing import Any

import numpy as np
import pytest

from backends.contract import registry
from backends.contract.answer import Ask
from backends.cpmpy import model as cpmpy_model
from backends.flat.kinds import TO_POSTS, all_different
from backends.flat.objectives import MINIMISE
from backends.flat.program import NEGATED, FlatProgram, Terms, always
from encoders.elementary import trees
from encoders.formula import Booleans
from encoders.kinds import expressions as clause_trees
from encoders.minizinc import text as minizinc_text
from encoders.registry import ENCODINGS, spec
from encoders.rewriting import simplified
from encoders.smt.script import Script
from encoders.xcsp3 import text as xcsp3_text
from encoders.zero_one import expressions as choices
from encoders.zero_one.expressions import values
from harness.fuzzing.rounds.boards import Scope
from harness.fuzzing.rounds.problems import draw_round
from harness.judging.translations import TRANSLATIONS, Answered, culprit, evaluate, translation_of
from harness.model.lineage import WRITERS, lineage_of
from harness.model.patterns import NamePattern, parse
from harness.runs.runner import Run
from harness.storing.journal import open_journal
from puzzles.boards.families import layout
from puzzles.constraints.all_different import AllDifferent
from puzzles.constraints.expression import Expression, Tree, evaluated
from puzzles.generating.problems import KINDS, OBJECTIVES, random_problem, reified_problem
from puzzles.objectives.linear import LinearObjective
from puzzles.problem import Instance, Problem
from puzzles.problem.values import Domains, Integers, Solution, bits, ends_of
from tests import brute_force, far_ranges
from tests.definitions import solutions
from tests.journals import make

SLOW = ("minizinc:mine/alldifferent", "xcsp3:mine/alldifferent")  # a process reads or compiles what is written
NAMES = (
    *("choco/alldifferent", "pumpkin/alldifferent", "toulbar2/alldifferent", "fzn:mine/alldifferent"),
    *("highs/alldifferent", "z3:int/alldifferent", "z3:bv/alldifferent", "native:lazy/alldifferent"),
    *("pysat:cadical195/order", "pysat:cadical195/direct", "pysat:cadical195/log", "cpmpy:ortools/alldifferent"),
    *SLOW,
)
MISSING = {
    "choco": not find_spec("pychoco"),
    "cpmpy": not find_spec("cpmpy"),
    "xcsp3": not find_spec("pycsp3"),
    "minizinc": not which("minizinc"),
}


def skip(name: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(MISSING.get(re.split("[:/]", name)[0], False), reason="not installed")


def drawn(seed: int) -> Instance[Problem]:
    """Draw a reified problem, or one of a kind or two, some with an objective."""
    random = Random(seed)
    if seed % 3 == 0:
        return reified_problem(random)
    goal = random.choice(sorted(OBJECTIVES)) if seed % 3 == 1 else ""
    return random_problem(random.sample(sorted(KINDS), random.choice((1, 1, 2))), random, goal)


def assignments(instance: Instance[Problem], most: int) -> Iterator[Solution]:
    every = list(product(*map(bits, instance.domains)))
    yield from Random(len(every)).sample(every, min(most, len(every)))


def value_of(problem: Problem, solution: Solution) -> int:
    assert problem.objective is not None
    found: int = problem.objective.values(np.array([solution], np.uint16), problem).tolist()[0]
    return found


def faults(name: str, instance: Instance[Problem], most: int) -> tuple[int, list[str]]:
    """Return how many assignments are evaluated, and which of them otherwise than by brute force."""
    contender, (problem, domains) = parse(name), (instance.problem, instance.domains)
    translation = TRANSLATIONS[lineage_of(contender.backend, contender.encoding).encoder]
    right, known, wrong = solutions(problem, domains), 0, list[str]()
    for assignment in assignments(instance, most):
        found = evaluate(translation, contender, problem, domains, assignment)
        known += found.allowed is not None
        value = value_of(problem, assignment) if found.value is not None and assignment in right else found.value
        if found.allowed not in (None, assignment in right) or found.value != value:
            wrong.append(f"{problem}: {assignment} is {found}, of value {value}")
    return known, wrong


EVERY = pytest.mark.parametrize("name", [pytest.param(name, marks=skip(name)) for name in NAMES])


@EVERY
def test_a_translation_allows_the_solutions_of_brute_force(name: str) -> None:
    check(name, range(1, 2) if name in SLOW else range(15), 3 if name in SLOW else 6)


@pytest.mark.slow
@EVERY
def test_translations_of_many_problems_allow_the_solutions_of_brute_force(name: str) -> None:
    check(name, range(15, 18 if name in SLOW else 50), 6 if name in SLOW else 12)  # 300 of each were drawn when written


def check(name: str, seeds: range, most: int) -> None:
    found = [faults(name, drawn(seed), most) for seed in seeds]
    assert [text for _, wrong in found for text in wrong] == []
    assert sum(known for known, _ in found) > 0


P, A, B = (("var", x) for x in range(3))
SAMPLE = Problem(
    "sample",
    ("p", "a", "b"),
    Integers(range(4)),
    (
        Expression(
            (
                ("iff", P, ("le", ("mul", ("number", 3), A), ("number", 3))),
                ("le", ("add", A, B), ("add", ("mul", ("number", 2), P), ("number", 1))),
            )
        ),
    ),
)
DOMAINS = (3, 7, 3)
BOARD = layout("latin 2")


def strictly(tree: Tree) -> Tree:
    """Return a tree with < for each <=."""
    name, *parts = tree
    return tree if name in ("var", "number") else ({"le": "lt"}.get(name, name), *map(strictly, parts))


def plant_in_flat(patch: pytest.MonkeyPatch) -> None:
    right = FlatProgram.reified
    patch.setattr(FlatProgram, "reified", lambda self, terms, sign, n: right(self, terms, sign, n - 1))


def plant_in_rows(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(choices, "values", lambda tree, *more: values(strictly(tree), *more))


def plant_in_scripts(patch: pytest.MonkeyPatch) -> None:
    right = Script.compare
    patch.setattr(Script, "compare", lambda self, a, sign, b: right(self, a, "<" if sign == "<=" else sign, b))


def plant_in_xcsp3(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(xcsp3_text, "simplified", lambda tree: strictly(simplified(tree)))


def plant_in_booleans(patch: pytest.MonkeyPatch) -> None:
    right = ENCODINGS["booleans"]
    assert right.encode
    made = right.encode(BOARD)
    assert isinstance(made, Booleans)
    wrong = replace(made, at_most_one=((0, 5),))
    patch.setitem(ENCODINGS, "booleans", replace(right, encode=lambda *_: wrong))


PLANTED: dict[str, tuple[str, Callable[[pytest.MonkeyPatch], None]]] = {
    "flat": ("choco/alldifferent", plant_in_flat),
    "zero-one": ("naps/alldifferent", plant_in_rows),
    "smt-lib": ("z3:int/alldifferent", plant_in_scripts),
    "minizinc": ("minizinc:mine/alldifferent", lambda patch: patch.setitem(minizinc_text.COMPARISONS, "le", "<")),
    "xcsp3": ("xcsp3:mine/alldifferent", plant_in_xcsp3),
    "cpmpy": ("cpmpy:ortools/alldifferent", lambda patch: patch.setitem(cpmpy_model.COMPARE, "le", operator.lt)),
    "elementary": ("native:lazy/alldifferent", lambda patch: patch.setattr(trees, "evaluated", strictly_evaluated)),
    "clauses": ("pysat:cadical195/order", lambda patch: patch.setitem(clause_trees.COMPARISONS, "le", "<")),
    "booleans": ("cpsat/booleans", plant_in_booleans),
}


def strictly_evaluated(tree: Tree, numbers: Any) -> Any:
    return evaluated(strictly(tree), numbers)


def answered(contender: NamePattern, problem: Problem, domains: Domains) -> Answered:
    """Return the answer of the solver if it is a package that is installed, else all solutions of what is planted."""
    with suppress(registry.NoBackend):
        backend = registry.find(contender.backend)
        session = backend.open(spec(contender.encoding).formula(problem, domains))
        answer = session.ask(Ask(domains, 99, 60.0))
        session.close()
        return Answered(answer.solutions, answer.complete)
    (trees_of,) = problem.constraints
    assert isinstance(trees_of, Expression)
    planted = replace(problem, constraints=(Expression(tuple(map(strictly, trees_of.trees))),))
    return Answered(sorted(solutions(planted, domains)), True)


def asked(name: str) -> tuple[Problem, Domains, list[Solution]]:
    """Return the problem in which a fault is planted, its domains, and its solutions."""
    if name == "booleans":
        return BOARD, BOARD.open, sorted(brute_force.solutions(BOARD, BOARD.open))
    return SAMPLE, DOMAINS, sorted(solutions(SAMPLE, DOMAINS))


def found_by(name: str, answer: Answered) -> str:
    """Return the name of the translation that is to blame for an answer, '' if none is."""
    problem, domains, known = asked(name)
    found = culprit(parse(PLANTED[name][0]), problem, domains, answer, known)
    return "" if found is None else found.name


@pytest.mark.parametrize("name", [pytest.param(n, marks=skip(PLANTED[n][0])) for n in PLANTED])
def test_a_fault_of_a_translation_is_told_from_one_of_its_solver(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    contender, (problem, domains, right) = parse(PLANTED[name][0]), asked(name)
    wrong = next(s for s in product(*map(bits, domains)) if s not in right)
    for answer in (Answered(right[1:], True), Answered([*right, wrong], True), Answered((), True)):
        assert found_by(name, answer) == ""
    PLANTED[name][1](monkeypatch)
    answer = answered(contender, problem, domains)
    assert sorted(answer.solutions) != right
    assert found_by(name, answer) == TRANSLATIONS[name].name


def test_every_writer_of_a_lineage_is_a_translation_with_its_backends() -> None:
    users = {user.partition(":")[0] for t in TRANSLATIONS.values() for user in t.users}
    assert {*WRITERS.values(), "clauses", "booleans"} == TRANSLATIONS.keys()
    assert {name.partition(":")[0] for name in WRITERS} <= users
    assert str(TRANSLATIONS["flat"]) == "our flattening, shared by choco, pumpkin, toulbar2, fzn:*"


def test_an_objective_that_a_translation_misstates_is_its_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = replace(SAMPLE, objective=LinearObjective.of({2: -1}, 5))
    known, contender = sorted(solutions(SAMPLE, DOMAINS)), parse("choco/alldifferent")
    worst = max(known, key=lambda s: value_of(problem, s))
    answer = Answered([worst], True)
    assert culprit(contender, problem, DOMAINS, answer, known) is None
    monkeypatch.setitem(MINIMISE, "linear", lambda program, goal: ([(2, 1)], 0))
    found = culprit(contender, problem, DOMAINS, answer, known)
    assert found is not None
    assert found.name == "flattening"


def test_a_bound_or_value_that_holds_blames_no_translation() -> None:
    problem = replace(SAMPLE, objective=LinearObjective.of({2: 1}, 0))
    known = sorted(solutions(SAMPLE, DOMAINS), key=lambda s: value_of(problem, s))
    least, most = value_of(problem, known[0]), value_of(problem, known[-1])
    assert least < most
    for answer in (Answered(known[-1:], True, bound=least), Answered(known[-1:], True, stated=most)):
        assert culprit(parse("choco/alldifferent"), problem, DOMAINS, answer, known) is None


def excluding(program: FlatProgram, constraint: AllDifferent) -> None:
    """Post units, and that a square that is 1 in the solution of the board is not."""
    all_different(program, constraint)
    program.compare([(0, 1)], "!=", 0)


def blamed(path: Path, text: str) -> dict[str, str]:
    """Return the reasons against wrong answers of a journal, by contender, that hold a text."""
    with open_journal(path) as journal:
        found = Run(journal).rejudge().summary()["agreement"]["disagreements"]
    return {name: d["why"] for d in found for name in d["contenders"] if text in d["why"]}


def test_a_report_names_the_translation_that_is_at_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, wrong = tmp_path / "a.sqlite", {"unsatisfiable": [0]}
    times = dict.fromkeys(("choco", "pumpkin", "native", "cpsat", "pysat:minisat22/extended"), np.ones((1, 2)))
    make(path, times, odd=dict.fromkeys(("choco", "pumpkin", "native"), wrong))
    assert blamed(path, "at fault") == {}
    monkeypatch.setitem(TO_POSTS, "all_different", excluding)
    named = blamed(path, "at fault: our flattening, shared by choco, pumpkin, toulbar2")
    assert named.keys() == {"choco", "pumpkin"}
    assert blamed(path, "says that no solution exists").keys() == {"choco", "pumpkin", "native"}


def test_rounds_of_fuzz_show_a_literal_that_is_tried_at_1_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(FlatProgram, "known", known_by_bounds)
    blocks = (block for number in range(20) for block in draw_round(1, number, Scope(problems="csp")).blocks)
    reified = (Instance("drawn", s.problem, s.boards[0].domains) for s in blocks if s.problem.name == "reified")
    assert sum(bool(faults("choco/alldifferent", instance, 20)[1]) for instance in reified) > 1


def known_by_bounds(program: FlatProgram, terms: Terms, comparison: str, bound: int) -> bool | None:
    low, high = program.span(terms)
    if always(low, high, comparison, bound):
        return True
    return False if always(low, high, NEGATED[comparison], bound) else None


@pytest.mark.parametrize("name", ["highs/alldifferent", "z3:int/alldifferent", "native:lazy/alldifferent"])
def test_translations_of_ranges_allow_what_brute_force_finds(name: str) -> None:
    """Rows had a Boolean for each value alone, so blaming a solver of rows for a range ended in a traceback."""
    pattern, compared = parse(name), 0
    made = translation_of(pattern)
    assert made is not None
    more = 70_000 if name.startswith("native") else 0
    for drawn in map(far_ranges.drawn, range(60 if more else 30)):
        instance, found = far_ranges.widened(drawn, more), far_ranges.right(drawn, more)
        problem, domains = instance.problem, instance.domains
        for solution in sorted(found)[:1]:
            allowed = evaluate(made, pattern, problem, domains, solution).allowed
            assert allowed or (more and allowed is None)  # kinds that list wide variables are refused
            compared += allowed is not None
            last = ends_of(domains[0], problem.values)[1] + 1
            if last < len(problem.values):
                assert not evaluate(made, pattern, problem, domains, (last, *solution[1:])).allowed
    assert compared > 5
