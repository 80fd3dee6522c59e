"""What is not clauses: the layout for CP solvers, over integers, Booleans or both, and the text that programs read.

Booleans, one a square and value, are in these groups:

                 exactly one                                       at most one
a square         its values
a unit, a value  its squares, if it has as many as there are values    its squares otherwise
"""

from encoders.formula import AllDifferent, Booleans, Channelled, Text, Unsupported
from puzzles.layout import Layout


def alldifferent(layout: Layout) -> AllDifferent:
    """The layout as it is, for solvers that know the constraint."""
    return AllDifferent(len(layout.squares), len(layout.values), layout.units)


def booleans(layout: Layout) -> Booleans:
    """Exactly one of the values of a square, and of the places of a value in a unit."""
    squares, values = len(layout.squares), len(layout.values)
    exactly_one = [tuple(range(s * values, (s + 1) * values)) for s in range(squares)]
    at_most_one: list[tuple[int, ...]] = []
    for unit in dict.fromkeys(layout.units):
        groups = exactly_one if layout.is_permutation(unit) else at_most_one
        if len(unit) > 1 or layout.is_permutation(unit):
            groups += [tuple(s * values + v for s in unit) for v in range(values)]
    return Booleans(squares, values, tuple(exactly_one), tuple(at_most_one))


def channelled(layout: Layout) -> Channelled:
    """Both at once: an integer a square with all-different units, and the Booleans that say which value it has."""
    return Channelled(alldifferent(layout), booleans(layout))


def text(layout: Layout) -> Text:
    """One symbol a value, '.' for an open square. Raises Unsupported where values have longer names than that."""
    if any(len(name) != 1 or name == "." for name in layout.values):
        raise Unsupported(f"values of {layout.name} can't be written as one character each")
    return Text("".join(layout.values), ".")
