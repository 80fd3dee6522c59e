"""What is at fault where a contender is wrong: its encoding, or its solver and what stands between us and that.

The formula is asked on its own, by trying, integers and Booleans of CP models written as clauses for this alone: a
right solution that is no model of it, or a wrong one that is, is the encoding's fault. Where that takes too long,
nothing is said.

    encoding              the formula excludes a right solution, or allows a wrong one
    solver                it fails on clauses alone: no encoding, no decoding of boards is left
    solver or decoding    the formula is right: the solver is not, or what hands it over and reads the models
    backend               native code takes the layout as it is: nobody else had a hand in it
    harness               checked solutions contradict what trying everything found
"""

from harness.fuzzing.clausal import clausal, models, rows_of
from harness.fuzzing.counting import count
from harness.fuzzing.finding import Case
from harness.fuzzing.ground_formulas import GroundFormula, decoded, extended, placed
from puzzles.check import violations
from puzzles.layout import Solution

NODES = 2_000
MOST = 50  # solutions, or models, that are looked at


def blame(case: Case, signature: str) -> str:
    """One of the words above, or '' where it can't be told."""
    if signature == "count refuted":
        return "harness"
    if rows_of(case.problem) is not None:
        return "solver"
    if case.contender.partition(":")[0] == "native":
        return "backend"
    formula = placed(case)
    if formula is None:
        return ""
    if signature in ("unsatisfiable", "too few"):
        return blame_for_missing(case, formula)
    return blame_for_wrong(case, formula) if signature == "wrong solution" else ""


def blame_for_missing(case: Case, formula: GroundFormula) -> str:
    """Whether the formula has a model for each right solution that is known."""
    right: list[Solution] = [*count(case.board, case.asks[-1], MOST, NODES).solutions, *case.witnesses]
    found = [extended(formula, solution) for solution in right]
    if any(search.model is None and search.ended for search in found):
        return "encoding"
    return "solver or decoding" if found and all(search.model is not None for search in found) else ""


def blame_for_wrong(case: Case, formula: GroundFormula) -> str:
    """Whether every model of the formula is a right solution."""
    problem = clausal(formula.clauses)
    found = models(rows_of(problem) or (), problem.open, MOST, NODES // 10)
    shown = decoded(formula, found.solutions, case.asks[-1])
    if any(violations(case.problem, case.asks[-1], solution) for solution in shown):
        return "encoding"
    return "solver or decoding" if found.ended else ""
