"""All-different units, clauses, sums, lists in order, and smallest and largest numbers."""

import numpy as np

from backends.cpsat.posting.model import LARGEST, Model, check_size
from puzzles.constraints.all_different import AllDifferent
from puzzles.constraints.clauses import Clauses
from puzzles.constraints.lex import Lex
from puzzles.constraints.linear import Linear
from puzzles.constraints.minmax import MinMax


def all_different(model: Model, constraint: AllDifferent) -> None:
    for unit in constraint.units:
        model.cp.add_all_different(model.of(unit))


def clauses(model: Model, constraint: Clauses) -> None:
    for row in constraint.rows:
        model.cp.add_bool_or([model.takes(abs(p) - 1, int(p > 0)) for p in row])


def linear(model: Model, constraint: Linear) -> None:
    from ortools.sat.python.cp_model import LinearExpr

    sizes = [max(abs(domain[0]), abs(domain[-1])) for domain in model.domains]
    long = constraint.coefficients.dtype == object
    every = LARGEST if long else np.abs(constraint.coefficients.astype(float)).sum() * max(sizes, default=0)  # all rows
    for coefficients, xs, comparison, bound in constraint.rows:
        reach = sum(abs(a) * sizes[x] for a, x in zip(coefficients, xs, strict=True)) if every >= LARGEST else 0
        check_size("sums", bound, reach)
        total = LinearExpr.weighted_sum(model.of(xs), coefficients) if xs else 0
        model.compare(total, comparison, bound)


def lex(model: Model, constraint: Lex) -> None:
    """Post each row with a literal for each suffix, true where it is in order: x < y, or x = y and the rest is."""
    for left, right, comparison in constraint.rows:
        if comparison in (">", ">="):
            left, right = right, left
        in_order = int(comparison in ("<=", ">="))
        pairs = list(zip(model.of(left), model.of(right), strict=True))
        for x, y in reversed(pairs[1:]):
            in_order = model.reified(x, "<", y + in_order)
        for x, y in pairs[:1]:
            model.compare(x, "<", y + in_order)
        if not pairs and not in_order:
            model.refuse()


def minmax(model: Model, constraint: MinMax) -> None:
    for which, xs, comparison, bound in constraint.rows:
        least, most = min(model.domains[x][0] for x in xs), max(model.domains[x][-1] for x in xs)
        extreme = model.cp.new_int_var(least, most, "")
        post = model.cp.add_min_equality if which == "minimum" else model.cp.add_max_equality
        post(extreme, model.of(xs))
        model.compare(extreme, comparison, model.variables[bound])
