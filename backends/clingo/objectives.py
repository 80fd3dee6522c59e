"""Objectives of logic programs: each kind as weak constraints, of which clingo minimises the sum of weights.

    :~ BODY. [W,T]    costs W where BODY holds, once for each T

Weights have 32 bits, and clasp adds them up in 64. A constant part is left out, and returned.
"""

from collections.abc import Callable

from backends.clingo.expressions import value
from backends.clingo.rules import LARGEST, LogicProgram, check_size
from encoders.formula import Constraints, Unsupported
from puzzles.constraints import by_kind
from puzzles.constraints.expression import largest
from puzzles.objectives.expression import ExpressionObjective
from puzzles.objectives.linear import LinearObjective
from puzzles.objectives.soft import SoftClauses

LARGEST_SUM = 1 << 61


def minimise(program: LogicProgram, form: Constraints) -> int:
    """Add the objective of a problem and return its constant part. Raises Unsupported."""
    assert form.objective is not None
    write = MINIMISE.get(form.objective.kind)
    if write is None:
        raise Unsupported(f"clingo does not support objectives of the kind {form.objective.kind}")
    return write(program, form.objective)


def linear(program: LogicProgram, objective: LinearObjective) -> int:
    check_weights([abs(a) * program.limit for a, _ in objective.terms])
    check_size("objectives", max((abs(a) for a, _ in objective.terms), default=0))
    for i, (a, x) in enumerate(objective.terms):
        program.add(f":~ at({x},N). [{a}*N,{i}]")
    return objective.offset


def soft(program: LogicProgram, objective: SoftClauses) -> int:
    """Add a weak constraint for each clause; an empty one is a part of the constant."""
    check_weights(objective.weights.tolist())
    constant = 0
    for i, (weight, row) in enumerate(objective.rows):
        body = [f"not at({p - 1},1)" if p > 0 else f"at({-p - 1},1)" for p in row]
        if body:
            program.add(f":~ {', '.join(body)}. [{weight},{i}]")
        else:
            constant += weight
    return constant


def expression(program: LogicProgram, objective: ExpressionObjective) -> int:
    check_size("objectives", largest(objective.tree, float(program.limit)))
    program.add(f":~ {value(program, objective.tree)('N')}. [N,0]")
    return 0


def check_weights(sizes: list[int]) -> None:
    """Raise Unsupported if a weight or the sum of all is too large."""
    if max(sizes, default=0) > LARGEST or sum(sizes) >= LARGEST_SUM:
        raise Unsupported("clingo does not support objectives with weights of more than 32 bits")


MINIMISE: dict[str, Callable[..., int]] = by_kind(globals())
