"""Model counting by search with components and a cache, exact, projected and weighted: sharpSAT in a few functions.

    rows  clauses as frozensets of literals, all of them open: no literal is assigned
    x     a variable; shown ones have weights, and are branched on before hidden ones

count(rows) = sum over both literals p of x of weight(p) * count(rows with p), after unit propagation; variables that
vanish are free, a factor of the sum of both weights each. Clauses without a common variable are counted apart, and
their product is the answer (Bayardo and Pehoushek 2000); components are cached by their clauses (Sang et al. 2004).
A component of hidden variables alone counts 1 if it has a model, else 0.
"""

import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction
from time import perf_counter_ns as now

from backends.counters.counted import ONE, CountAsk, TooLate

Row = frozenset[int]
Rows = frozenset[Row]
ZERO = Fraction(0)
MAX_CACHED = 1 << 20


class ComponentSearch:
    """Cache and weights of one ask."""

    def __init__(self, asked: CountAsk) -> None:
        self.asked, self.shown = asked, frozenset(asked.projection)
        self.cache: dict[Rows, Fraction] = {}
        self.decisions = 0

    def total(self) -> Fraction:
        """Return the weighted number of models. Raises TooLate."""
        sys.setrecursionlimit(max(sys.getrecursionlimit(), 5 * self.asked.variables + 1000))
        rows = frozenset(map(frozenset, self.asked.clauses))
        return self.under(rows, [], range(1, self.asked.variables + 1))

    def under(self, rows: Rows, literals: list[int], variables: Iterable[int]) -> Fraction:
        """Return the count of rows over some variables, under literals that are true."""
        found = propagated(rows, literals)
        if found is None:
            return ZERO
        left, true = found
        here = self.shown.intersection(variables)
        total = self.asked.weight(*(p for p in true if abs(p) in here))
        gone = here - {abs(p) for row in left for p in row} - {*map(abs, true)}
        for x in gone:
            total *= self.asked.weight(x) + self.asked.weight(-x)
        for part in components(left):
            if not total:
                break
            total *= self.counted(part)
        return total

    def counted(self, rows: Rows) -> Fraction:
        """Return the count of a component over its own variables."""
        known = self.cache.get(rows)
        if known is not None:
            return known
        if now() > self.asked.deadline:
            raise TooLate
        self.decisions += 1
        often = Counter(abs(p) for row in rows for p in row)
        branched = [x for x in often if x in self.shown]
        if branched:
            x = max(branched, key=lambda x: (often[x], -x))
            total = self.asked.weight(x) * self.under(rows, [x], set(often) - {x})
            total += self.asked.weight(-x) * self.under(rows, [-x], set(often) - {x})
        else:
            x = max(often, key=lambda x: (often[x], -x))
            some = self.under(rows, [x], set(often) - {x}) or self.under(rows, [-x], set(often) - {x})
            total = ONE if some else ZERO
        if len(self.cache) < MAX_CACHED:
            self.cache[rows] = total
        return total


def propagated(rows: Rows, literals: list[int]) -> tuple[Rows, set[int]] | None:
    """Return the rows that are left under true literals and their consequences, and these; None for a conflict."""
    true, left = set[int](), set(rows)
    new = {*literals, *(p for row in rows if len(row) == 1 for p in row)}
    if frozenset() in left:
        return None
    while new:
        true |= new
        if any(-p in true for p in new):
            return None
        false, changed = {-p for p in new}, set[Row]()
        for row in left:
            if row.isdisjoint(true):
                short = row - false if not row.isdisjoint(false) else row
                if not short:
                    return None
                changed.add(short)
        left = changed
        new = {p for row in left if len(row) == 1 for p in row}
    return frozenset(left), true


def components(rows: Rows) -> list[Rows]:
    """Return the rows in groups without a common variable."""
    where: dict[int, list[Row]] = {}
    for row in rows:
        for p in row:
            where.setdefault(abs(p), []).append(row)
    found, seen = [], set[int]()
    for start in where:
        if start in seen:
            continue
        seen.add(start)
        stack, part = [start], set[Row]()
        while stack:
            for row in where[stack.pop()]:
                if row not in part:
                    part.add(row)
                    others = {abs(p) for p in row} - seen
                    seen |= others
                    stack += others
        found.append(frozenset(part))
    return found


def native(asked: CountAsk, options: Mapping[str, int]) -> Fraction:
    """Return the exact count."""
    return ComponentSearch(asked).total()
