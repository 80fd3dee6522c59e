"""Counts of variables and of distinct numbers: sums of literals, compared with a variable."""

from collections.abc import Iterable

from encoders.gates import among, any_of
from encoders.integers import Variables
from encoders.linear.rows import compare
from puzzles.constraints.cardinality import Cardinality
from puzzles.constraints.count import Count
from puzzles.constraints.nvalues import NValues


def compare_count(v: Variables, literals: Iterable[int], comparison: str, bound: int) -> None:
    """Add clauses for: the number of true literals compares with the number of the variable `bound`."""
    literals = list(literals)
    unknown = [x for x in literals if abs(x) != v.constant]
    terms = [(1, v.indicator(x)) for x in unknown]
    compare(v, [*terms, (-1, bound)], comparison, -literals.count(v.constant) if v.constant else 0)


def lower_count(count: Count, v: Variables) -> None:
    for variables, numbers, comparison, bound in count.rows:
        compare_count(v, [among(v, x, numbers) for x in variables], comparison, bound)


def lower_cardinality(cardinality: Cardinality, v: Variables) -> None:
    for variables, numbers, occurrences, closed in cardinality.rows:
        for n, occurrence in zip(numbers, occurrences, strict=True):
            compare_count(v, [v.eq(x, n) for x in variables], "=", occurrence)
        if closed:
            for x in variables:
                for n in set(v.domains[x]).difference(numbers):
                    v.add((-v.eq(x, n),))


def lower_nvalues(distinct: NValues, v: Variables) -> None:
    for variables, excepted, comparison, bound in distinct.rows:
        numbers = sorted({n for x in variables for n in v.domains[x]}.difference(excepted))
        taken = [any_of(v, [v.eq(x, n) for x in variables]) for n in numbers]
        compare_count(v, taken, comparison, bound)
