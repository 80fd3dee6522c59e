"""All-different units, clauses, sums and counts as rows."""

from encoders.zero_one.rows import Terms, ZeroOneRows, sum_of, total
from puzzles.constraints.all_different import AllDifferent
from puzzles.constraints.cardinality import Cardinality
from puzzles.constraints.clauses import Clauses
from puzzles.constraints.count import Count
from puzzles.constraints.linear import Linear
from puzzles.constraints.nvalues import NValues


def add_all_different(rows: ZeroOneRows, part: AllDifferent) -> None:
    """Add rows for a unit: at most one variable takes each number, exactly one if numbers are as many as variables."""
    for unit in part.units:
        taken: dict[int, list[Terms]] = {}
        for x in unit:
            for n in rows.numbers[x]:
                taken.setdefault(n, []).append(rows.takes(x, n))
        every = len(taken) == len(unit)
        for indicators in taken.values():
            if every or len(indicators) > 1:
                rows.require(sum_of(indicators), "=" if every else "<=", 1)


def add_clauses(rows: ZeroOneRows, part: Clauses) -> None:
    """Add rows for clauses: a literal is true if its variable takes the number 1, a negated literal if it does not."""
    for clause in part.rows:
        signs = [(1 if k > 0 else -1, rows.takes(abs(k) - 1, 1)) for k in clause]
        rows.require(total(*signs), ">=", 1 - sum(k < 0 for k in clause))


def add_linear(rows: ZeroOneRows, part: Linear) -> None:
    known: dict[int, Terms] = {}
    for coefficients, xs, comparison, bound in part.rows:
        for x in xs:
            if x not in known:
                known[x] = rows.number(x)
        rows.require(total(*[(a, known[x]) for a, x in zip(coefficients, xs, strict=True)]), comparison, bound)


def add_count(rows: ZeroOneRows, part: Count) -> None:
    for xs, numbers, comparison, bound in part.rows:
        found = sum_of(rows.takes(x, n) for x in xs for n in dict.fromkeys(numbers))
        rows.require(total((1, found), (-1, rows.number(bound))), comparison, 0)


def add_cardinality(rows: ZeroOneRows, part: Cardinality) -> None:
    for xs, numbers, occurrences, closed in part.rows:
        for n, occurrence in zip(numbers, occurrences, strict=True):
            found = sum_of(rows.takes(x, n) for x in xs)
            rows.require(total((1, found), (-1, rows.number(occurrence))), "=", 0)
        for x in xs if closed else ():
            rows.require(sum_of(rows.takes(x, n) for n in dict.fromkeys(numbers)), ">=", 1)


def add_nvalues(rows: ZeroOneRows, part: NValues) -> None:
    for xs, excepted, comparison, bound in part.rows:
        numbers = sorted({n for x in xs for n in rows.numbers[x]} - set(excepted))
        distinct = dict.fromkeys(xs)
        found = sum_of([rows.any_of(rows.takes(x, n) for x in distinct) for n in numbers])
        rows.require(total((1, found), (-1, rows.number(bound))), comparison, 0)
