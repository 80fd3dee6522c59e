"""Find the component at fault for a wrong answer: encoding, solver, backend or harness.

The formula is checked on its own by exhaustive search; integers and Booleans of CP models are written as clauses for
this purpose only. If a right solution is no model of it, or a wrong solution is a model, the encoding is at fault. No
component is named where the search takes too long.

    our NAME, shared ...  the answer is right for what a translation of ours made of the problem
    encoding              the formula excludes a right solution, or allows a wrong one
    solver                the failure remains on clauses alone, without encoding or decoding of boards
    solver or decoding    the formula is right; the solver, or the code that loads it and reads models, is wrong
    solver or its output  the same for a program (dimacs:NAME, wcnf:NAME), which writes its models itself
    backend               the fault is in a backend that takes the constraints directly, without encoder or decoder
    harness               checked solutions contradict the exhaustive search
"""

from dataclasses import replace

from backends.contract.answer import Status
from encoders.formula import Constraints
from harness.fuzzing.assignments import solutions_of
from harness.fuzzing.clausal import clause_problem, clauses_of_problem, enumerate_models
from harness.fuzzing.findings.finding import Case
from harness.fuzzing.ground_formulas import (
    GroundFormula,
    decode_models,
    encoding_of,
    extend_to_model,
    formula_of,
    ground,
)
from harness.fuzzing.round_judge import Failure
from harness.judging.translations import Answered, Translation, culprit, translation_of
from harness.model.patterns import parse
from harness.model.trajectory import NOTHING
from puzzles.problem.check import violations
from puzzles.problem.values import Solution

MAX_NODES = 2_000
MAX_SOLUTIONS = 50  # or models


def blame(case: Case, signature: str, failure: Failure | None = None) -> str:
    """Return one of the words above, or '' if the fault can't be located; `failure` is what the last ask gave."""
    found = None if failure is None else translation_to_blame(case, failure)
    if found is not None:
        return str(found)
    if signature in ("count refuted", "optimum refuted"):
        return "harness"
    if clauses_of_problem(case.problem) is not None:
        return "solver"
    if case.contender.partition(":")[0] == "native":
        return "backend"
    if case.problem.objective is not None:
        return ""
    formula = ground(case)
    if formula is None:
        return "backend" if isinstance(formula_of(case, case.asks[-1]), Constraints) else ""
    if signature in ("unsatisfiable", "too few"):
        return blame_for_missing(case, formula)
    return blame_for_wrong(case, formula) if signature == "wrong solution" else ""


def translation_to_blame(case: Case, failure: Failure) -> Translation | None:
    """Return the translation of ours for which a wrong answer is right, if there is one."""
    named = replace(parse(case.contender), encoding=encoding_of(case))
    if translation_of(named) is None:
        return None
    at, outcomes = failure.position, failure.outcomes
    course = outcomes.trajectories.get(at, NOTHING)
    complete = bool(outcomes.rows["complete"][at]) or outcomes.rows["status"][at] == Status.UNSATISFIABLE
    answer = Answered([*map(tuple, failure.solutions())], complete, course.stated, course.bound)
    return culprit(named, case.problem, case.asks[-1], answer, right_solutions(case))


def right_solutions(case: Case) -> list[Solution]:
    """Return known right solutions of the last ask."""
    found = solutions_of(case.problem, case.asks[-1], MAX_SOLUTIONS, MAX_NODES).solutions
    return [*found, *case.witnesses]


def blame_for_missing(case: Case, formula: GroundFormula) -> str:
    """Check that each known right solution extends to a model of the formula."""
    searches = [extend_to_model(formula, solution) for solution in right_solutions(case)]
    if any(search.model is None and search.complete for search in searches):
        return "encoding"
    return solver_or_reader(case) if searches and all(search.model is not None for search in searches) else ""


def blame_for_wrong(case: Case, formula: GroundFormula) -> str:
    """Check that every model of the formula is a right solution."""
    problem = clause_problem(formula.clauses)
    found = enumerate_models(clauses_of_problem(problem) or (), problem.open, MAX_SOLUTIONS, MAX_NODES // 10)
    solutions = decode_models(formula, found.solutions, case.asks[-1])
    if any(violations(case.problem, case.asks[-1], solution) for solution in solutions):
        return "encoding"
    return solver_or_reader(case) if found.complete else ""


def solver_or_reader(case: Case) -> str:
    """Return the blame for a right formula; the models of a program come from its output."""
    return "solver or its output" if case.contender.startswith(("dimacs:", "wcnf:")) else "solver or decoding"
