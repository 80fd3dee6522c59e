"""Objectives as terms of SMT-LIB, one function for each kind, with their constant parts."""

from collections.abc import Callable

from encoders.formula import Unsupported
from encoders.smt.arithmetic import scaled, total
from encoders.smt.expressions import term_of
from encoders.smt.script import Script, Term, disjunction, negation
from puzzles.constraints import by_kind
from puzzles.objectives.expression import ExpressionObjective
from puzzles.objectives.linear import LinearObjective
from puzzles.objectives.soft import SoftClauses
from puzzles.problem import Objective


def goal_of(script: Script, objective: Objective) -> Term:
    """Return the term that is to be minimised. Raises Unsupported."""
    write = GOALS.get(objective.kind)
    if write is None:
        raise Unsupported(f"SMT-LIB scripts take no objectives of the kind {objective.kind}")
    return write(script, objective)


def linear_goal(script: Script, objective: LinearObjective) -> Term:
    parts = [scaled(script, a, script.variable(x)) for a, x in objective.terms]
    return total(script, [*parts, script.number(objective.offset)])


def soft_goal(script: Script, objective: SoftClauses) -> Term:
    parts = []
    for weight, row in objective.rows:
        true = [script.takes(abs(p) - 1, 1) for p in row]
        satisfied = disjunction(name if p > 0 else negation(name) for p, name in zip(row, true, strict=True))
        parts.append(script.choice(satisfied, script.number(0), script.number(weight)))
    return total(script, parts)


def expression_goal(script: Script, objective: ExpressionObjective) -> Term:
    return term_of(script, objective.tree)


GOALS: dict[str, Callable[..., Term]] = by_kind(globals())
