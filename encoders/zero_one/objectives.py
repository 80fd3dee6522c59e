"""Objectives as terms: for every solution, and not for the best alone, their sum is the value."""

from collections.abc import Callable

from encoders.formula import Unsupported
from encoders.zero_one.expressions import RowTrees
from encoders.zero_one.rows import Terms, ZeroOneRows, negated, total
from puzzles.constraints import by_kind
from puzzles.objectives.expression import ExpressionObjective
from puzzles.objectives.linear import LinearObjective
from puzzles.objectives.soft import SoftClauses
from puzzles.problem import Objective


def terms_of(rows: ZeroOneRows, objective: Objective) -> Terms:
    """Return the terms that are to be minimised, and add the rows that define their Booleans. Raises Unsupported."""
    write = TO_TERMS.get(objective.kind)
    if write is None:
        raise Unsupported(f"objectives of the kind {objective.kind} have no form as sums of Booleans")
    return write(rows, objective)


def linear_terms(rows: ZeroOneRows, objective: LinearObjective) -> Terms:
    return total((1, {0: objective.offset}), *[(a, rows.number(x)) for a, x in objective.terms])


def soft_terms(rows: ZeroOneRows, objective: SoftClauses) -> Terms:
    """Each clause has an indicator of: all its literals are false."""
    parts = []
    for weight, row in objective.rows:
        true = [rows.takes(abs(k) - 1, 1) for k in row]
        parts.append((weight, rows.all_of([negated(t) if k > 0 else t for k, t in zip(row, true, strict=True)])))
    return total(*parts)


def expression_terms(rows: ZeroOneRows, objective: ExpressionObjective) -> Terms:
    return RowTrees(rows).sum(objective.tree)


TO_TERMS: dict[str, Callable[..., Terms]] = by_kind(globals())
