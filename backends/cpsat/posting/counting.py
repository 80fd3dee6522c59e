"""Counts of numbers: sums of literals of "variable x takes number n"."""

from typing import Any

from backends.cpsat.posting.model import PostedModel
from puzzles.constraints.cardinality import Cardinality
from puzzles.constraints.count import Count
from puzzles.constraints.nvalues import NValues


def count(model: PostedModel, constraint: Count) -> None:
    for xs, numbers, comparison, bound in constraint.rows:
        found = sum(model.takes(x, n) for x in xs for n in dict.fromkeys(numbers))
        model.compare(found, comparison, model.variables[bound])


def cardinality(model: PostedModel, constraint: Cardinality) -> None:
    for xs, numbers, occurrences, closed in constraint.rows:
        for n, occurrence in zip(numbers, occurrences, strict=True):
            model.compare(sum(model.takes(x, n) for x in xs), "=", model.variables[occurrence])
        for x in xs if closed else ():
            model.cp.add_bool_or([model.takes(x, n) for n in dict.fromkeys(numbers)])


def nvalues(model: PostedModel, constraint: NValues) -> None:
    for xs, excepted, comparison, bound in constraint.rows:
        numbers = sorted({n for x in xs for n in model.domains[x]} - set(excepted))
        taken = sum(taken_by_any(model, xs, n) for n in numbers)
        model.compare(taken, comparison, model.variables[bound])


def taken_by_any(model: PostedModel, xs: tuple[int, ...], n: int) -> Any:
    """Return a literal that is true exactly where one of the variables takes the number n."""
    literals = [model.takes(x, n) for x in dict.fromkeys(xs) if model.may_take(x, n)]
    if any(literal is True for literal in literals):
        return True
    taken = model.cp.new_bool_var("")
    model.cp.add_max_equality(taken, literals)
    return taken
