"""Model counting by search with components and a cache, exact, projected and weighted: sharpSAT in a few functions.

    rows  clauses as frozensets of literals, all of them open: no literal is assigned
    x     a variable; shown ones have weights, and are branched on before hidden ones

count(rows) = sum over both literals p of x of weight(p) * count(rows with p), after unit propagation; variables that
vanish are free, a factor of the sum of both weights each. Clauses without a common variable are counted apart, and
their product is the answer (Bayardo and Pehoushek 2000); components are cached by their clauses (Sang et al. 2004).
A component of hidden variables alone counts 1 if it has a model, else 0.

The trace of the search is a decision d-DNNF: components are conjunctions, branchings disjunctions. If a proof is wanted
it is written as D4 does it: nodes `o NUMBER 0` and `a NUMBER 0`, arcs `FROM TO LITERALS 0`, and node 1 is the root.
"""

import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction
from time import perf_counter_ns as now

from backends.counters.counted import ONE, CompiledCount, CountAsk, TooLate

Row = frozenset[int]
Rows = frozenset[Row]
ZERO = Fraction(0)
MAX_CACHED = 1 << 20


class ComponentSearch:
    """Cache and weights of one ask."""

    def __init__(self, asked: CountAsk) -> None:
        self.asked, self.shown = asked, frozenset(asked.projection)
        self.cache: dict[Rows, tuple[Fraction, int]] = {}  # count, and node of the circuit
        self.decisions, self.nodes = 0, 0
        self.circuit = list[str]()

    def total(self) -> Fraction:
        """Return the weighted number of models. Raises TooLate."""
        sys.setrecursionlimit(max(sys.getrecursionlimit(), 5 * self.asked.variables + 1000))
        rows = frozenset(map(frozenset, self.asked.clauses))
        root = self.node("o")
        total, arc = self.under(rows, [], range(1, self.asked.variables + 1))
        self.arc(root, arc)
        return total

    def node(self, kind: str) -> int:
        """Add a node of the circuit and return its number."""
        self.nodes += 1
        if self.asked.proving:
            self.circuit.append(f"{kind} {self.nodes} 0\n")
        return self.nodes

    def arc(self, node: int, to: str) -> None:
        """Add an arc of the circuit to a node with literals, nothing for ''."""
        if self.asked.proving and to:
            self.circuit.append(f"{node} {to} 0\n")

    def conjunction(self, nodes: list[int], literals: Iterable[int]) -> str:
        """Add a conjunction to the circuit; return what an arc to it states, with these literals."""
        own = self.node("a")
        for below in nodes:
            self.arc(own, str(below))
        return " ".join(map(str, (own, *sorted(literals)))) if self.asked.proving else ""

    def under(self, rows: Rows, literals: list[int], variables: Iterable[int]) -> tuple[Fraction, str]:
        """Return the count of rows over some variables, under literals that are true, and the arc to it."""
        found = propagated(rows, literals)
        if found is None:
            return ZERO, ""
        left, true = found
        here = self.shown.intersection(variables)
        total = self.asked.weight(*(p for p in true if abs(p) in here))
        gone = here - {abs(p) for row in left for p in row} - {*map(abs, true)}
        for x in gone:
            total *= self.asked.weight(x) + self.asked.weight(-x)
        below = list[int]()
        for part in components(left):
            if not total and not self.asked.proving:
                break
            number, node = self.counted(part)
            total *= number
            below.append(node)
        return total, self.conjunction(below, true)

    def counted(self, rows: Rows) -> tuple[Fraction, int]:
        """Return the count of a component over its own variables, and its node."""
        known = self.cache.get(rows)
        if known is not None:
            return known
        if now() > self.asked.deadline:
            raise TooLate
        self.decisions += 1
        often, node = Counter(abs(p) for row in rows for p in row), self.node("o")
        branched = [x for x in often if x in self.shown]
        x = max(branched or often, key=lambda x: (often[x], -x))
        total, others = ZERO, set(often) - {x}
        if self.has_model(rows):
            for p in (x, -x):
                number, arc = self.under(rows, [p], others)
                total += self.asked.weight(p) * number if branched else number
                self.arc(node, arc)
                if total and not branched:
                    total = ONE
                    break
        if len(self.cache) < MAX_CACHED:
            self.cache[rows] = total, node
        return total, node

    def has_model(self, rows: Rows) -> bool:
        """Return False if it is known that a component has no model."""
        return True


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


def searched(search: ComponentSearch) -> Fraction | CompiledCount:
    """Return the exact count, with the circuit if that is wanted. Raises TooLate."""
    total = search.total()
    return CompiledCount(total, "".join(search.circuit).encode()) if search.asked.proving else total


def native(asked: CountAsk, options: Mapping[str, int]) -> Fraction | CompiledCount:
    """Return the exact count."""
    return searched(ComponentSearch(asked))
