"""Encodings other than clauses: integers, Booleans or both for CP solvers, and text for programs.

Booleans, one per square and value, are in these groups:

                    exactly one                                    at most one
per square          its values
per unit and value  its squares, if as many as values              its squares otherwise
"""

from encoders.formula import AllDifferent, Booleans, Channelled, Constraints, Text, Unsupported
from puzzles.boards.layout import Layout
from puzzles.problem import Problem
from puzzles.problem.values import Domains, Integers


def alldifferent(layout: Layout) -> AllDifferent:
    """Return the units of the layout unchanged, for solvers with an all-different constraint."""
    return AllDifferent(len(layout.squares), len(layout.values), layout.units)


def booleans(layout: Layout) -> Booleans:
    """Return Booleans: one value per square, and one square, or at most one, per value in a unit."""
    squares, values = len(layout.squares), len(layout.values)
    exactly_one = [tuple(range(s * values, (s + 1) * values)) for s in range(squares)]
    at_most_one: list[tuple[int, ...]] = []
    for unit in dict.fromkeys(layout.units):
        groups = exactly_one if layout.is_permutation(unit) else at_most_one
        if len(unit) > 1 or layout.is_permutation(unit):
            groups += [tuple(s * values + v for s in unit) for v in range(values)]
    return Booleans(squares, values, tuple(exactly_one), tuple(at_most_one))


def channelled(layout: Layout) -> Channelled:
    """Return integers with all-different units, and the Booleans that are linked to their values."""
    return Channelled(alldifferent(layout), booleans(layout))


def text(layout: Layout) -> Text:
    """Return one symbol per value, '.' for an open square. Raises Unsupported if a name is longer."""
    if any(len(name) != 1 or name == "." for name in layout.values):
        raise Unsupported(f"values of {layout.name} can't be written as one character each")
    return Text("".join(layout.values), ".", layout.name)


def constraints(problem: Problem, domains: Domains | None = None) -> Constraints:
    """Return the constraints and the objective of any problem unchanged.

    Values that are no integers are numbered from 0.
    """
    values, variables = problem.values, problem.variables
    numbers = values.numbers if isinstance(values, Integers) else range(len(values))
    parts = len(variables), numbers, problem.constraints, domains, variables, problem.objective
    return Constraints(*parts, ranged=problem.ranged)
