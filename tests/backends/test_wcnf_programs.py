"""Programs that read WCNF: the files that they get, and their values and solutions in all their forms."""

import sys
from itertools import product
from pathlib import Path
from random import Random

import numpy as np
import pytest

from backends.contract import registry
from backends.contract.answer import OPTIMISE, Answer, Ask, Backend, Status
from backends.contract.cases import FOUR
from backends.programs.wcnf import WcnfNotation
from encoders.cnf import Signs, extended
from encoders.direct import text
from encoders.formula import Cnf, Constraints, Formula, Unsupported, Wcnf
from encoders.opb import opb
from encoders.registry import spec
from puzzles.constraints.clauses import Clauses
from puzzles.constraints.linear import Linear
from puzzles.generating.problems import KINDS, OBJECTIVES, random_problem
from puzzles.objectives.linear import LinearObjective
from puzzles.objectives.soft import SoftClauses
from puzzles.problem import BOOLEAN, Instance, Problem
from puzzles.problem.check import violations
from puzzles.problem.values import Integers, Numbered, bits
from tests.effort import slow_after
from tests.programs import OPB, WCNF

MAX_VARIABLES = 14  # of a formula whose assignments a script tries


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """The file of the program `mine`."""
    return tmp_path / "mine.py"


def backend(path: Path, base: str = "wcnf") -> Backend:
    """Return the backend of the program in a file."""
    return registry.find(f"{base}:mine", {"mine": f"'{sys.executable}' '{path}'"})


def ask(path: Path, source: str, formula: Formula, instance: Instance[Problem], base: str = "wcnf") -> Answer:
    path.write_text(source)
    session = backend(path, base).open(formula)
    try:
        return session.ask(Ask(instance.domains, seconds=60))
    finally:
        session.close()


def optimum(instance: Instance[Problem]) -> int | None:
    """Return the value of the best solution by brute force, None if there is no solution."""
    problem = instance.problem
    assert problem.objective
    every = np.array(list(product(*map(bits, instance.domains))), np.uint32).reshape(-1, len(instance.domains))
    for constraint in problem.constraints:
        every = every[constraint.satisfied(every, problem)]
    return min(problem.objective.values(every, problem).tolist(), default=None)


def drawn(objective: str, seed: int) -> Instance[Problem]:
    random = Random(seed)
    return random_problem([random.choice(sorted(KINDS))], random, objective)


def booleans(formula: Formula, instance: Instance[Problem]) -> int:
    """Return the number of variables of a written file."""
    if isinstance(formula, Wcnf):
        return formula.hard.variables
    assert isinstance(formula, Constraints)
    return int(opb(formula, instance.domains).split()[2])


@pytest.mark.parametrize("base", slow_after(1, ["wcnf", "opb"]))
@pytest.mark.parametrize("objective", sorted(OBJECTIVES))
def test_optima_of_written_files_are_those_of_their_problems(mine: Path, base: str, objective: str) -> None:
    tried = 0
    for seed in range(40):
        instance = drawn(objective, seed)
        encoding = spec("order" if base == "wcnf" else "alldifferent")
        try:
            formula = encoding.formula(instance.problem, instance.domains)
            size = booleans(formula, instance)
        except Unsupported:
            continue
        if size > MAX_VARIABLES:
            continue
        answer, best = ask(mine, WCNF if base == "wcnf" else OPB, formula, instance, base), optimum(instance)
        assert (answer.complete, answer.value) == (True, best), (seed, instance.problem)
        assert answer.status == (Status.UNSATISFIABLE if best is None else Status.SATISFIABLE)
        for solution in answer.solutions:
            assert not list(violations(instance.problem, instance.domains, solution)), seed
            assert instance.problem.objective
            column = np.array([solution], np.uint32)
            assert instance.problem.objective.values(column, instance.problem)[0] == best, seed
        tried += 1
    assert tried >= 10


FORM = spec("direct").formula(
    Problem(
        "soft",
        Numbered("x", 12),
        BOOLEAN,
        (Clauses.of([[1, 2], [12]]),),
        objective=SoftClauses.of([(7, [-1, -2]), (9, [])]),
    )
)
assert isinstance(FORM, Wcnf)
NOTATION = WcnfNotation(FORM)
ALL = {k: k in (1, 10, 11, 12) for k in range(1, 13)}
MODELS = {
    "digits": "100000000111",
    "digits with blanks": " 1000 00000 111 ",
    "a digit a word": "1 0 0 0 0 0 0 0 0 1 1 1",
    "literals": " ".join(str(k if true else -k) for k, true in ALL.items()),
    "literals and a 0": " ".join(str(k if true else -k) for k, true in ALL.items()) + " 0",
}


@pytest.mark.parametrize("text", MODELS.values(), ids=MODELS)
def test_a_solution_is_digits_or_literals(text: str) -> None:
    shown = NOTATION.shown(text, (3,) * 12, True)
    assert ({abs(x): x > 0 for x in shown.model}, shown.whole) == (ALL, True)


def test_positive_literals_are_no_digits() -> None:
    assert NOTATION.shown("1 10 11 12 0", (3,) * 12, True).model == [1, 10, 11, 12]
    assert NOTATION.shown("1 10 11 0", (3,) * 12, True).model == [1, 10, 11]
    assert NOTATION.shown("1 10 11", (3,) * 12, True).whole is False
    assert NOTATION.shown("0110", (3,) * 12, True).model == [-1, 2, 3, -4], "no literal begins with 0"


@pytest.mark.parametrize(("text", "model"), [("1", 1), ("0", -1), ("1 0", 1), ("-1", -1), ("-1 0", -1)])
def test_a_solution_of_one_variable_is_its_digit_or_its_literal(mine: Path, text: str, model: int) -> None:
    problem = Problem("p", ("x1",), BOOLEAN, (Clauses.of([[1, -1]]),), objective=LinearObjective.of({0: 5}))
    instance = Instance("p", problem, problem.open)
    answer = ask(mine, f"print('s OPTIMUM FOUND\\nv {text}')", spec("direct").formula(problem), instance)
    assert answer.solutions == ((int(model > 0),),)


SAYS_FILE = "import shutil, sys; shutil.copy(sys.argv[-1], __file__ + '.seen'); print('o 9\\ns OPTIMUM FOUND\\nv 1')"


def test_a_written_file_is_of_the_form_of_2022_and_its_constant_is_added(mine: Path) -> None:
    goal = LinearObjective.of({0: 5}, -20, maximise=True)  # -5 x1 + 20 is minimised
    problem = Problem("p", ("x1",), BOOLEAN, (Clauses.of([[1, -1]]),), objective=goal)
    instance = Instance("p", problem, problem.open)
    answer = ask(mine, SAYS_FILE, spec("direct").formula(problem, problem.open), instance)
    lines = Path(f"{mine}.seen").read_text().splitlines()
    assert [line for line in lines if line[0] != "c"] == ["h 1 -1 0", "5 1 0"]
    assert answer.value == 9 + 15


def test_the_original_file_is_read_as_it_is_and_has_no_constant(mine: Path, tmp_path: Path) -> None:
    source = tmp_path / "own.wcnf"
    source.write_text("p wcnf 1 2 100\n100 1 0\n3 -1 0\n")
    mine.write_text(SAYS_FILE)
    problem = Problem("p", ("x1",), BOOLEAN, (Clauses.of([[1]]),), objective=SoftClauses.of([(3, [-1])]))
    session = backend(mine).open(spec("direct").formula(problem))
    answer = session.ask(Ask(problem.open, source=source))
    session.close()
    assert Path(f"{mine}.seen").read_text() == source.read_text()
    assert (answer.solutions, answer.value) == (((1,),), 9)


def test_givens_and_forbidden_solutions_are_hard_clauses(mine: Path) -> None:
    mine.write_text(WCNF)
    hard = Cnf(np.array([1, 2, 0], np.int32), 2, Signs(2))
    session = backend(mine).open(hard)
    assert {session.ask(Ask((mask, 3), 9)).solutions for mask in (1, 2)} == {((0, 1),), ((1, 0), (1, 1))}
    assert session.ask(Ask((1, 1), 9)).status == Status.UNSATISFIABLE
    session.close()


def test_weights_that_the_format_lacks_are_refused_by_name(mine: Path) -> None:
    for weights in ([1 << 63], [(1 << 63) - 1] * 3):
        goal = SoftClauses.of([(weight, [1]) for weight in weights])
        problem = Problem("p", ("x1",), BOOLEAN, (), objective=goal)
        with pytest.raises(Unsupported, match=r"WCNF has no weights from 2\^63 and no sums of weights from 2\^64 - 1"):
            ask(mine, WCNF, spec("direct").formula(problem), Instance("p", problem, problem.open))
    problem = Problem("p", ("x1",), BOOLEAN, (), objective=SoftClauses.of([((1 << 63) - 1, [-1]), (1 << 62, [1])]))
    answer = ask(mine, WCNF, spec("direct").formula(problem), Instance("p", problem, problem.open))
    assert (answer.solutions, answer.value) == (((0,),), 1 << 62)


def test_programs_of_other_formats_take_no_objective(mine: Path) -> None:
    mine.write_text("")
    for base, takes in (("wcnf", True), ("opb", True), ("xcsp3", True), ("dimacs", False), ("lines", False)):
        assert (OPTIMISE in backend(mine, base).can) is takes, base
    with pytest.raises(Unsupported, match="dimacs:mine takes only clauses"):
        backend(mine, "dimacs").open(FORM)
    with pytest.raises(Unsupported, match="lines:mine takes text"):
        backend(mine, "lines").open(FORM)


def test_clauses_alone_are_a_formula_for_a_file_and_text_is_none(mine: Path) -> None:
    mine.write_text("print('s OPTIMUM FOUND')")
    session = backend(mine).open(extended(FOUR))
    session.close()
    with pytest.raises(Unsupported, match="wcnf:mine takes only clauses"):
        backend(mine).open(text(FOUR))


def test_a_constant_objective_is_an_optimum_too(mine: Path) -> None:
    rows = Linear.of([([1, 1], [0, 1], "=", 3)])
    problem = Problem("p", ("a", "b"), Integers(range(4)), (rows,), objective=LinearObjective.of({}, 7))
    instance = Instance("p", problem, problem.open)
    for base, script, encoding in (("wcnf", WCNF, "order"), ("opb", OPB, "alldifferent")):
        answer = ask(mine, script, spec(encoding).formula(problem, problem.open), instance, base)
        assert (answer.complete, answer.value, sum(answer.solutions[0])) == (True, 7, 3), base
