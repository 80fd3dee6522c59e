"""Objectives below a value, as constraints: what a proof that a value is the best refutes.

sum or expression   a row, or a comparison
soft clauses        a row too; a clause of several literals gets a variable that is true where it is false
"""

from collections.abc import Sequence
from dataclasses import replace

from puzzles.constraints.checks import LONGEST
from puzzles.constraints.clauses import Clauses
from puzzles.constraints.expression import Expression, Tree
from puzzles.constraints.linear import Linear
from puzzles.objectives.expression import ExpressionObjective
from puzzles.objectives.linear import LinearObjective
from puzzles.objectives.soft import SoftClauses
from puzzles.problem import BOOLEAN, Constraint, Objective, Problem
from puzzles.problem.values import Numbered

HALF = 32  # bits of the lower part of a long number in an expression


def constant(value: int) -> Tree:
    """Return an integer as an expression, in which no number is longer than LONGEST bits."""
    if value.bit_length() <= LONGEST:
        return "number", value
    high, low = divmod(value, 1 << HALF)
    return "add", ("mul", constant(high), ("number", 1 << HALF)), ("number", low)


def as_sum(goal: Objective) -> LinearObjective | None:
    """Return an objective as a sum, if it is one or its soft clauses have one literal each; else None."""
    if isinstance(goal, LinearObjective):
        return goal
    if not isinstance(goal, SoftClauses) or any(len(row) != 1 for _, row in goal.rows):
        return None
    return sum_of_false(goal.rows)


def sum_of_false(rows: Sequence[tuple[int, Sequence[int]]]) -> LinearObjective:
    """Return the weight of the false clauses as a sum; all clauses are unit clauses."""
    terms = dict.fromkeys((abs(x) - 1 for _, (x,) in rows), 0)
    for weight, (x,) in rows:
        terms[abs(x) - 1] += -weight if x > 0 else weight
    return LinearObjective.of(terms, sum(weight for weight, (x,) in rows if x > 0))


def below(goal: Objective | None, value: int) -> Constraint | None:
    """Return the constraint that the objective is below a value, or None if no kind of constraint states that."""
    if isinstance(goal, ExpressionObjective):
        return Expression((("lt", goal.tree, constant(value)),))
    row = None if goal is None else as_sum(goal)
    if row is None:
        return None
    terms: Sequence[tuple[int, int]] = row.terms
    return Linear.of([([a for a, _ in terms], [x for _, x in terms], "<=", value - 1 - row.offset)])


def bounded(problem: Problem, value: int) -> Problem | None:
    """Return the problem of solutions whose value is below `value`, without an objective; None if it can't be stated.

    Variables for false soft clauses come after the problem's own, whose solutions are those of this problem, cut.
    """
    goal = problem.objective
    if isinstance(goal, SoftClauses) and as_sum(goal) is None:
        return relaxed(problem, goal, value)
    row = below(goal, value)
    return None if row is None else replace(problem, constraints=(*problem.constraints, row), objective=None)


def relaxed(problem: Problem, goal: SoftClauses, value: int) -> Problem:
    """Return a problem of Boolean variables, one more for each soft clause of several literals."""
    last, hard, soft = len(problem.variables), list[list[int]](), list[tuple[int, Sequence[int]]]()
    for weight, row in goal.rows:
        if len(row) == 1:
            soft.append((weight, row))
            continue
        last += 1
        hard.append([*row, last])
        soft.append((weight, [-last]))
    bound = below(sum_of_false(soft), value)
    assert bound
    more = (Clauses.of(hard), bound)
    return Problem(problem.name, Numbered("x", last), BOOLEAN, (*problem.constraints, *more))
