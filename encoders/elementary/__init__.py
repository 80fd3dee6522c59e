"""Constraints of many kinds as tables, sums and clauses over more variables, for a solver that takes only these.

Only native:lazy reads them, so no other contender shares an error of these files (harness/model/lineage.py).
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from encoders.elementary import digits, paths
from encoders.elementary.bounding import BoundedTrees
from encoders.elementary.parts import Domain, Sum, TooMany
from encoders.elementary.trees import EQUAL, WIDEST
from puzzles.constraints import by_kind
from puzzles.constraints.cardinality import Cardinality
from puzzles.constraints.count import Count
from puzzles.constraints.element import Element
from puzzles.constraints.expression import OPERATOR_OF, Expression
from puzzles.constraints.lex import Lex
from puzzles.constraints.minmax import MinMax
from puzzles.constraints.moving import variables_of
from puzzles.constraints.nvalues import NValues
from puzzles.objectives.expression import ExpressionObjective
from puzzles.objectives.linear import LinearObjective
from puzzles.objectives.soft import SoftClauses
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
        at, possible = ("var", index), {*e.domains[index]} if len(e.domains[index]) <= WIDEST else e.domains[index]
        own = [(n, x) for n, x in enumerate(variables, start) if n in possible]
        if len(own) < len(possible):
            e.require(("in", at, ("set", *(n for n, _ in own))))
        for n, x in own:
            e.require(("or", ("ne", at, ("number", n)), ("eq", ("var", x), ("var", value))))


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


BY_ROWS = 4  # part of ALL that may be numbers where wide equations are rows, which take longer
# Kinds that become tables, sums and clauses; those that do so where variables are wide; those that list no variable.
TO_ELEMENTARY: dict[str, Callable[..., None]] = by_kind(globals(), vars(paths))
OF_DIGITS: dict[str, Callable[..., None]] = by_kind(vars(digits))
RANGES = {*OF_DIGITS, *(kind.kind for kind in (Expression, Lex, Element, Count, Cardinality, MinMax))}


class Elementary(NamedTuple):
    """Constraints of kinds that are in no TO_ELEMENTARY, the objective as a sum, and the domains of more variables.

    `digits` has the sum of further variables that is the number of a wide one, which no constraint has.
    """

    constraints: list[Constraint]
    objective: Objective | None
    more: list[Domain]
    digits: dict[int, Sum]


def elementary(
    constraints: Sequence[Constraint], domains: Sequence[Domain], objective: Objective | None = None
) -> Elementary:
    """Return constraints with those of TO_ELEMENTARY rewritten, and an objective by an expression. Raises TooMany.

    Where tables are too many, equations and choices of many assignments are rows, as long as propagation stays fast.
    """
    wide = wide_variables(constraints, domains)
    try:
        return taken_apart(constraints, BoundedTrees(domains, wide), objective, len(domains))
    except TooMany:
        e = BoundedTrees(domains, wide)
        e.equal, e.share = EQUAL, BY_ROWS
        return taken_apart(constraints, e, objective, len(domains))


def taken_apart(
    constraints: Sequence[Constraint], e: BoundedTrees, objective: Objective | None, count: int
) -> Elementary:
    """Return what `elementary` does, with the trees of `e`, whose first `count` variables are those given."""
    rewrites = TO_ELEMENTARY | OF_DIGITS if e.digits else TO_ELEMENTARY
    kept = [c for c in constraints if c.kind not in rewrites]
    for constraint in constraints:
        if constraint.kind in rewrites:
            rewrites[constraint.kind](constraint, e)
    if isinstance(objective, ExpressionObjective):
        objective = LinearObjective.of(*e.least(objective.tree))
    elif isinstance(objective, LinearObjective) and e.digits:
        terms, constant = e.weighted(objective.terms)
        objective = LinearObjective.of(terms, constant + objective.offset)
    elif isinstance(objective, SoftClauses) and not e.digits.keys().isdisjoint((abs(objective.flat) - 1).tolist()):
        raise TooMany("soft clauses over a range")
    return Elementary(kept + e.constraints(), objective, e.domains[count:], e.digits)


def wide_variables(constraints: Sequence[Constraint], domains: Sequence[Domain]) -> list[int]:
    """Return the variables whose domains are ranges of more than WIDEST numbers, unless a constraint lists these."""
    wide = [x for x, domain in enumerate(domains) if isinstance(domain, range) and len(domain) > WIDEST]
    listed = set[int]().union(*(variables_of(c) for c in constraints if c.kind not in RANGES)) if wide else set()
    return [x for x in wide if x not in listed]
