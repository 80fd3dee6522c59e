"""Objectives of flat programs: each kind as a sum of variables and a constant. Raises Unsupported for others."""

from collections.abc import Callable

from backends.flat.expressions import BoundedSum, node_of
from backends.flat.program import FlatProgram, negated
from encoders.formula import Unsupported
from puzzles.constraints import by_kind
from puzzles.objectives.expression import ExpressionObjective
from puzzles.objectives.linear import LinearObjective
from puzzles.objectives.soft import SoftClauses
from puzzles.problem import Objective


def minimise(program: FlatProgram, objective: Objective) -> None:
    """Set the terms that a program minimises, and the constant that is added to their sum."""
    write = MINIMISE.get(objective.kind)
    if write is None:
        raise Unsupported(f"{program.limits.solver} does not support objectives of the kind {objective.kind}")
    terms, constant = write(program, objective)
    program.goal, rest = program.simplified(terms, 0)
    program.constant_cost = constant - rest
    low, high = program.span(program.goal)
    program.limits.check("objectives", program.limits.number, low, high)


Sum = tuple[list[tuple[int, int]], int]  # variables and coefficients, and a constant


def linear(program: FlatProgram, objective: LinearObjective) -> Sum:
    return [(x, a) for a, x in objective.terms], objective.offset


def soft(program: FlatProgram, objective: SoftClauses) -> Sum:
    """Each clause has a Boolean that is true where the clause is false; only the best solution makes it false else."""
    terms, constant = list[tuple[int, int]](), 0
    for weight, row in objective.rows:
        literals = [program.takes(abs(p) - 1, 1) if p > 0 else negated(program.takes(abs(p) - 1, 1)) for p in row]
        stated = [literal for literal in literals if not isinstance(literal, bool)]  # True == 1, a literal
        if any(literal is True for literal in literals) or any(-literal in stated for literal in stated):
            continue
        if not stated:
            constant += weight
        else:
            broken = program.new(0, 1)
            program.clause([*stated, broken + 1])
            terms.append((broken, weight))
    return terms, constant


def expression(program: FlatProgram, objective: ExpressionObjective) -> Sum:
    found: BoundedSum = node_of(program, objective.tree)
    return list(found.terms.items()), found.constant


MINIMISE: dict[str, Callable[..., Sum]] = by_kind(globals())
