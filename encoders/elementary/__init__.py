"""Constraints of many kinds as tables, sums and clauses over more variables, for a solver that takes only these.

Only native:lazy reads them, so no other contender shares an error of these files (harness/model/lineage.py).
"""

from collections.abc import Callable, Sequence
from math import inf
from typing import NamedTuple

from encoders.elementary import parts, paths
from encoders.elementary.bounding import BoundedTrees
from encoders.elementary.parts import Domain, TooMany
from encoders.elementary.trees import EQUAL
from puzzles.constraints import by_kind
from puzzles.constraints.cardinality import Cardinality
from puzzles.constraints.count import Count
from puzzles.constraints.element import Element
from puzzles.constraints.expression import OPERATOR_OF, Expression, Tree
from puzzles.constraints.lex import Lex
from puzzles.constraints.minmax import MinMax
from puzzles.constraints.nvalues import NValues
from puzzles.objectives.expression import ExpressionObjective
from puzzles.objectives.linear import LinearObjective
from puzzles.problem import Constraint, Objective


def expression(constraint: Expression, e: BoundedTrees) -> None:
    for tree in constraint.trees:
        e.require(tree)


def lex(constraint: Lex, e: BoundedTrees) -> None:
    for left, right, comparison in constraint.rows:
        pair = (left, right) if comparison in ("<", "<=") else (right, left)
        e.order(*pair, strict=comparison in ("<", ">"))


def element(constraint: Element, e: BoundedTrees) -> None:
    for variables, index, start, value in constraint.rows:
        for n in e.domains[index]:
            taken: Tree = ("ne", ("var", index), ("number", n))
            if 0 <= n - start < len(variables):
                e.require(("or", taken, ("eq", ("var", variables[n - start]), ("var", value))))
            else:
                e.require(taken)


def count(constraint: Count, e: BoundedTrees) -> None:
    for variables, numbers, comparison, bound in constraint.rows:
        taken = (("in", ("var", x), ("set", *numbers)) for x in variables)
        e.require((OPERATOR_OF[comparison], ("add", *taken, ("number", 0)), ("var", bound)))


def cardinality(constraint: Cardinality, e: BoundedTrees) -> None:
    for variables, numbers, counts, closed in constraint.rows:
        for n, number in zip(numbers, counts, strict=True):
            taken = (("eq", ("var", x), ("number", n)) for x in variables)
            e.require(("eq", ("add", *taken, ("number", 0)), ("var", number)))
        for x in variables if closed else ():
            e.require(("in", ("var", x), ("set", *numbers)))


def min_max(constraint: MinMax, e: BoundedTrees) -> None:
    for which, variables, comparison, bound in constraint.rows:
        e.require((OPERATOR_OF[comparison], (which[:3], *(("var", x) for x in variables)), ("var", bound)))


def n_values(constraint: NValues, e: BoundedTrees) -> None:
    for variables, excepted, comparison, bound in constraint.rows:
        numbers = sorted({n for x in variables for n in e.domains[x]} - {*excepted})
        taken = (("or", *(("eq", ("var", x), ("number", n)) for x in variables)) for n in numbers)
        e.require((OPERATOR_OF[comparison], ("add", *taken, ("number", 0)), ("var", bound)))


WIDE = inf  # assignments of an equation or a choice that is listed at first
BY_ROWS = 4  # part of ALL that may be numbers where wide equations are rows, which take longer
# Kinds that become tables, sums and clauses.
TO_ELEMENTARY: dict[str, Callable[..., None]] = by_kind(globals(), vars(paths))


class Elementary(NamedTuple):
    """Constraints of kinds that are in no TO_ELEMENTARY, the objective as a sum, and the domains of more variables."""

    constraints: list[Constraint]
    objective: Objective | None
    more: list[Domain]


def elementary(
    constraints: Sequence[Constraint], domains: Sequence[Domain], objective: Objective | None = None
) -> Elementary:
    """Return constraints with those of TO_ELEMENTARY rewritten, and an objective by an expression. Raises TooMany.

    Where tables are too many, equations and choices of wide variables are rows, as long as propagation then stays fast.
    """
    try:
        return rewritten(constraints, BoundedTrees(domains, WIDE, parts.ALL), objective)
    except TooMany:
        return rewritten(constraints, BoundedTrees(domains, EQUAL, parts.ALL // BY_ROWS), objective)


def rewritten(constraints: Sequence[Constraint], e: BoundedTrees, objective: Objective | None) -> Elementary:
    """Return what `elementary` does, with the trees of `e`, which has the domains alone. Raises TooMany."""
    count, kept = len(e.domains), [c for c in constraints if c.kind not in TO_ELEMENTARY]
    for constraint in constraints:
        if constraint.kind in TO_ELEMENTARY:
            TO_ELEMENTARY[constraint.kind](constraint, e)
    if isinstance(objective, ExpressionObjective):
        objective = LinearObjective.of(*e.least(objective.tree))
    return Elementary(kept + e.constraints(), objective, e.domains[count:])
