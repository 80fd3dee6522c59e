"""Formulas, and solutions of any problem, as text; boards are drawn."""

from collections.abc import Iterator, Sequence
from textwrap import fill

from harness.reporting.tables import plural
from puzzles.board import Board
from puzzles.constraints.clauses import Clauses
from puzzles.constraints.linear import Linear
from puzzles.families import draw
from puzzles.layout import Layout
from puzzles.problem import Constraint, Integers, Problem

WIDTH = 78  # of the lines of a solution
BOOLEAN = Integers(range(2))


def solution_text(problem: Problem, solution: Sequence[int]) -> str:
    """Draw a solution of a board; write that of a formula as lines `v x1 -x2`, as solvers in competitions do."""
    if isinstance(problem, Layout):
        return draw(problem, [problem.values[v] if v < len(problem.values) else "?" for v in solution])
    if isinstance(problem, Board):
        return problem.draw([problem.symbols[v] if v < len(problem.values) else "?" for v in solution])
    words = " ".join(assignments(problem, solution))
    return fill(words, WIDTH, initial_indent="v ", subsequent_indent="v ", break_on_hyphens=False) or "v"


def assignments(problem: Problem, solution: Sequence[int]) -> Iterator[str]:
    """Yield each variable with its value: x1 or -x1 if it is Boolean, else x1=3; x1=? if it has none."""
    values = problem.values
    for x, v in zip(problem.variables, solution, strict=True):
        if v >= len(values):
            yield f"{x}=?"
        else:
            yield ("-", "")[v] + x if values == BOOLEAN else f"{x}={values[v]}"


def description(problem: Problem) -> str:
    """Return the size of a formula: its variables, and its constraints by kind."""
    return ", ".join([plural(len(problem.variables), "variable"), *map(size, problem.constraints)])


def size(constraint: Constraint) -> str:
    """Return the number of constraints that one object holds, and their kind."""
    if isinstance(constraint, Clauses):
        return plural(int((constraint.flat == 0).sum()), "clause")
    if isinstance(constraint, Linear):
        return plural(len(constraint), "linear constraint")
    return f"constraints of the kind {constraint.kind}"
