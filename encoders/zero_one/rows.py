"""Rows of a zero-one programme under construction: exact sums of Booleans 1, 2, ..., at least or equal to a bound.

Boolean variables of a problem are kept. Any other variable has a Boolean per value of its domain, its
candidates, of which one is true; its number is a sum of these. If domains are ranges, it has a Boolean per bit of what
it is above its least number. Booleans that constraints add may not be determined by
the variables, so solutions are counted by the candidates alone.

terms      coefficient by Boolean, and the constant at key 0
indicator  terms that are 0 or 1: a Boolean, its negation, a constant, or a sum of which at most one is true
"""

from collections.abc import Iterable, Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

from encoders.cnf import BitTable, Signs
from encoders.formula import Constraints, Unsupported
from puzzles.problem.values import WORD, Domains, bits

Terms = dict[int, int]
Literals = Sequence[tuple[int, ...]]  # [variable][value index]; 0 outside the domain

MAX_TERMS = 20_000_000  # terms of all rows


class Row(NamedTuple):
    """A sum of `terms`, none of them 0 or constant, that is at least `bound`, or equal to it."""

    terms: Terms
    bound: int
    equal: bool


def literal_table(form: Constraints, domains: Domains) -> Literals:
    """Return the literal of each variable and value."""
    if form.numbers == range(2):
        return Signs(form.variables)
    if form.ranged:
        return bit_table(domains)
    table, last = [], 0
    for mask in domains:
        row = [0] * len(form.numbers)
        for v in bits(mask):
            last += 1
            row[v] = last
        table.append(tuple(row))
    return table


def bit_table(domains: Domains) -> BitTable:
    """Return a Boolean for each bit of variables whose domains are ranges."""
    sizes = [max((domain >> 64) - (domain & WORD) - 1, 0).bit_length() for domain in domains]
    return BitTable(domains, tuple(tuple(range(*ends)) for ends in pairwise(accumulate(sizes, initial=1))))


def variables(form: Constraints, literals: Literals) -> int:
    """Return the number of Booleans in a literal table."""
    return form.variables if isinstance(literals, Signs) else max((max(row, default=0) for row in literals), default=0)


def total(*parts: tuple[int, Terms]) -> Terms:
    """Return the weighted sum of terms."""
    summed: Terms = {}
    for factor, terms in parts:
        for k, a in terms.items():
            summed[k] = summed.get(k, 0) + factor * a
    return summed


def sum_of(parts: Iterable[Terms]) -> Terms:
    return total(*[(1, part) for part in parts])


def negated(indicator: Terms) -> Terms:
    return total((1, {0: 1}), (-1, indicator))


def least(terms: Terms) -> int:
    """Return the least value of a sum of terms."""
    return sum(a for k, a in terms.items() if k == 0 or a < 0)


class ZeroOneRows:
    """Rows and the number of Booleans, `last`. Raises Unsupported if there are too many terms."""

    def __init__(self, form: Constraints, domains: Domains, literals: Literals) -> None:
        self.literals, self.domains = literals, domains
        self.rows: list[Row] = []
        self.size = 0
        self.last = variables(form, literals)
        self.index, self.beyond = form.index(), len(form.numbers)
        self.taken: dict[tuple[int, int], Terms] = {}  # results of `takes` on bits
        numbers = {mask: form.members(mask) for mask in set(domains)}
        self.numbers = [numbers[mask] for mask in domains]
        if isinstance(literals, BitTable):
            for x, own in enumerate(self.numbers):
                self.require(self.number(x), "<=", own[-1])
            return
        full = form.full
        for x, mask in enumerate(domains):
            if mask != full or not isinstance(literals, Signs):
                self.require(sum_of(self.takes(x, n) for n in self.numbers[x]), "=", 1)

    def takes(self, x: int, n: int) -> Terms:
        """Return the indicator of: variable x takes the number n."""
        if isinstance(self.literals, BitTable):
            return self.takes_bits(x, n)
        v = self.index(n)
        k = self.literals[x][v] if v < self.beyond else 0
        if k < 0:
            return {0: 1, -k: -1}
        return {k: 1} if k else {}

    def takes_bits(self, x: int, n: int) -> Terms:
        """Return the indicator of: the bits of variable x state the number n."""
        if (x, n) not in self.taken:
            more, bits = n - self.numbers[x][0], [{k: 1} for k in self.literals[x]]
            parts = [bit if more >> i & 1 else negated(bit) for i, bit in enumerate(bits)]
            every = {0: 1} if not parts else parts[0] if len(parts) == 1 else self.all_of(parts)
            self.taken[x, n] = every if n in self.numbers[x] else {}
        return self.taken[x, n]

    def number(self, x: int) -> Terms:
        """Return terms whose sum is the number of variable x."""
        if isinstance(self.literals, BitTable):
            return {0: self.numbers[x][0], **{k: 1 << i for i, k in enumerate(self.literals[x])}}
        return total(*[(n, self.takes(x, n)) for n in self.numbers[x]])

    def new(self) -> Terms:
        """Return the indicator of a new Boolean."""
        self.last += 1
        return {self.last: 1}

    def any_of(self, indicators: Iterable[Terms]) -> Terms:
        """Return the indicator of: one of `indicators` is 1."""
        indicators = [part for part in indicators if any(part.values())]
        if len(indicators) < 2:
            return sum_of(indicators)
        found = self.new()
        for part in indicators:
            self.require(total((1, found), (-1, part)), ">=", 0)
        self.require(total((1, sum_of(indicators)), (-1, found)), ">=", 0)
        return found

    def all_of(self, indicators: Iterable[Terms]) -> Terms:
        return negated(self.any_of(map(negated, indicators)))

    def require(self, terms: Terms, comparison: str, bound: int, when: Terms | None = None) -> None:
        """Add rows for: the sum of `terms` compares with `bound` as stated, where the indicator `when` is 1."""
        if comparison == "!=":
            self.require_different(terms, bound, when)
        elif comparison == "=":
            if when is None:
                self.add(terms, bound, equal=True)
            else:
                self.require(terms, ">=", bound, when)
                self.require(terms, "<=", bound, when)
        elif comparison in ("<", "<="):
            self.at_least(total((-1, terms)), (comparison == "<") - bound, when)
        else:
            self.at_least(terms, bound + (comparison == ">"), when)

    def require_different(self, terms: Terms, bound: int, when: Terms | None) -> None:
        """Add two rows: the sum is above the bound if a new Boolean is true, else below."""
        if not least(terms) <= bound <= -least(total((-1, terms))):
            return
        above = self.new()
        below = total((-1, above), (1, {0: 1}))
        for side, comparison in ((above, ">"), (below, "<")):
            both = side if when is None else total((1, side), (1, when), (-1, {0: 1}))
            self.require(terms, comparison, bound, both)

    def at_least(self, terms: Terms, bound: int, when: Terms | None) -> None:
        """Add a row for: the sum is at least the bound, where `when` is 1."""
        if when is not None:
            slack = bound - least(terms)
            if slack <= 0:
                return
            terms, bound = total((1, terms), (-slack, when)), bound - slack
        self.add(terms, bound)

    def add(self, terms: Terms, bound: int, equal: bool = False) -> None:
        """Add a row, unless it always holds."""
        bound -= terms.get(0, 0)
        terms = {k: a for k, a in terms.items() if a and k}
        if not equal and sum(a for a in terms.values() if a < 0) >= bound:
            return
        if not terms:
            if bound == 0:
                return
            self.last = max(self.last, 1)
            terms, bound = {1: 1}, 2  # the row is false
        self.size += len(terms)
        if self.size > MAX_TERMS:
            raise Unsupported(f"as sums of Booleans, the constraints have more than {MAX_TERMS:,} terms")
        self.rows.append(Row(terms, bound, equal))

    def add_clause(self, literals: Iterable[int]) -> None:
        """Add a row for: one of the literals is true."""
        self.require(sum_of({k: 1} if k > 0 else {0: 1, -k: -1} for k in literals), ">=", 1)
