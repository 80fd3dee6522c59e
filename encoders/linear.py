"""Linear constraints over Boolean variables as clauses: one function per encoding, named as in the literature.

A row is first normalised: positive coefficients over literals, each variable once, `sum >= bound`, no coefficient above
the bound; a row with `=` becomes two. What is a clause, or decides variables, is written as such. For the rest:

    name        auxiliaries            propagates   source
    totalizer   a sum's distinct values  fully      Joshi, Martins & Manquinho 2015, generalised; cut off at the bound
    bdd         nodes of the diagram     fully      Een & Soerensson 2006; the terms by falling coefficient
    adder       bits of the sums         partly     Een & Soerensson 2006, Warners 1998
    mixed       bdd where it is small, else adder   as in minisat+

Auxiliaries may not be determined by the variables, so models are counted projected onto the variables.

    literal  x or -x, a variable of the formula from 1       term  (coefficient > 0, literal)
    New      returns a new auxiliary variable                Clauses  lists of literals
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate

from encoders.formula import Unsupported
from puzzles.constraints.linear import Linear

Term = tuple[int, int]
Clauses = list[list[int]]
New = Callable[[], int]
LinearEncoding = Callable[[Sequence[Term], int, New], Clauses]
SMALL_NODES = 40  # of a diagram, per term, in `mixed`
ALLOWANCE = 2000  # nodes that any diagram may have


LARGEST = 2_000_000  # nodes or clauses of one row
NAMES = 1 << 40  # above every variable of a formula
TRUE, FALSE = NAMES << 1, NAMES << 2  # as the names of nodes
Node = tuple[int, int, int]  # lowest and highest bound of its function, and its name


class TooLarge(Unsupported):
    """An encoding that would have more nodes than allowed."""


def clauses_of_rows(
    linear: Linear, numbers: Sequence[int], encoding: LinearEncoding, variables: int
) -> tuple[Clauses, int]:
    """Return the clauses of all rows, and the number of variables with the auxiliaries.

    `numbers` are the two values of a Boolean variable. Raises Unsupported for a comparison with `!=`.
    """
    last = variables

    def new() -> int:
        nonlocal last
        last += 1
        return last

    clauses: Clauses = []
    low, step = numbers[0], numbers[1] - numbers[0]
    for coefficients, xs, comparison, bound in linear.rows:
        if comparison == "!=":
            raise Unsupported("linear constraints with != have no encoding as clauses")
        bound -= low * sum(coefficients)
        terms = [(a * step, x + 1) for a, x in zip(coefficients, xs, strict=True)]
        for sign in {">=": (1,), "<=": (-1,), "=": (1, -1)}[comparison]:
            normal, k = normalised([(sign * a, x) for a, x in terms], sign * bound)
            clauses += clauses_of_sum(normal, k, encoding, new)
    return clauses, last


def normalised(terms: Iterable[Term], bound: int) -> tuple[list[Term], int]:
    """Return an equivalent `sum >= bound` with positive coefficients, falling, each variable once."""
    merged: dict[int, int] = {}
    for a, literal in terms:
        x = abs(literal)
        merged[x] = merged.get(x, 0) + (a if literal > 0 else -a)
        bound -= 0 if literal > 0 else a
    found = []
    for x, a in merged.items():
        if a < 0:
            bound -= a
        if a:
            found.append((abs(a), x if a > 0 else -x))
    found = [(min(a, max(bound, 0)), literal) for a, literal in found]
    return sorted(found, key=lambda term: (-term[0], abs(term[1]))), bound


def clauses_of_sum(terms: Sequence[Term], bound: int, encoding: LinearEncoding, new: New) -> Clauses:
    """Return the clauses of `sum >= bound` in normal form: directly if it needs no auxiliaries."""
    if bound <= 0:
        return []
    if (slack := sum(a for a, _ in terms) - bound) < 0:
        return [[]]
    forced = [literal for a, literal in terms if a > slack]
    rest = [(a, literal) for a, literal in terms if a <= slack]
    units = [[literal] for literal in forced]
    if forced:
        left = bound - sum(a for a, _ in terms if a > slack)
        return units + clauses_of_sum([(min(a, max(left, 0)), x) for a, x in rest], left, encoding, new)
    if terms[-1][0] >= bound:
        return [[literal for _, literal in terms]]
    return encoding(terms, bound, new)


def totalizer(terms: Sequence[Term], bound: int, new: New) -> Clauses:
    """Build a tree of sums of missing coefficients: one literal for each value that a node's sum can reach.

    A literal is implied once that much is missing. Raises TooLarge.
    """
    most = sum(a for a, _ in terms) - bound  # that may be missing
    clauses: Clauses = []
    level: list[dict[int, int]] = [{a: -literal} for a, literal in terms]
    while len(level) > 1:
        pairs = [level[i : i + 2] for i in range(0, len(level), 2)]
        level = [merged(p[0], p[1], most, clauses, new) if len(p) == 2 else p[0] for p in pairs]
    return clauses + [[-literal] for missing, literal in level[0].items() if missing > most]


def merged(left: dict[int, int], right: dict[int, int], most: int, clauses: Clauses, new: New) -> dict[int, int]:
    """Return the literals of the sum of two nodes, by value; all values above `most` are one. Raises TooLarge."""
    node: dict[int, int] = {}
    for a, x in [(0, 0), *left.items()]:
        for b, y in [(0, 0), *right.items()]:
            if a + b:
                value = min(a + b, most + 1)
                if value not in node:
                    node[value] = new()
                clauses.append([*(-z for z in (x, y) if z), node[value]])
        if len(clauses) > LARGEST:
            raise TooLarge(f"a totalizer of more than {LARGEST} clauses")
    return node


class Level:
    """Nodes of a decision diagram at one term, by the interval of bounds for which they are the same function."""

    def __init__(self) -> None:
        self.lows: list[int] = []
        self.nodes: list[Node] = []

    def find(self, bound: int) -> Node | None:
        i = bisect_right(self.lows, bound) - 1
        return self.nodes[i] if i >= 0 and bound <= self.nodes[i][1] else None

    def add(self, node: Node) -> None:
        i = bisect_right(self.lows, node[0])
        self.lows.insert(i, node[0])
        self.nodes.insert(i, node)


def bdd(terms: Sequence[Term], bound: int, new: New, largest: int = LARGEST) -> Clauses:
    """Build the reduced decision diagram of the sum, with one literal per node. Raises TooLarge.

    Nodes of the same function are found by the interval of bounds for which it stays the same (Abio et al. 2012).
    """
    rests = [0, *accumulate(a for a, _ in reversed(terms))][::-1]  # the sum of the terms from i on
    far = 2 * (rests[0] + 1)
    levels = [Level() for _ in terms]
    clauses: Clauses = []

    def find(i: int, k: int) -> Node | None:
        if k <= 0:
            return -far, 0, TRUE
        return (rests[i] + 1, far, FALSE) if k > rests[i] else levels[i].find(k)

    nodes, open_ = 0, [(0, bound)]
    while open_:
        i, k = open_[-1]
        if find(i, k) is not None:
            open_.pop()
            continue
        a, literal = terms[i]
        high, low = find(i + 1, k - a), find(i + 1, k)
        if high is None:
            open_.append((i + 1, k - a))
        elif low is None:
            open_.append((i + 1, k))
        else:
            name = high[2]
            if name != low[2]:
                nodes += 1
                if nodes > largest:
                    raise TooLarge(f"a decision diagram of more than {largest} nodes")
                name = new()
                clauses += implications(name, literal, high[2], low[2])
            levels[i].add((max(high[0] + a, low[0]), min(high[1] + a, low[1]), name))
    root = find(0, bound)
    assert root is not None
    return [*clauses, [root[2]]]


def implications(name: int, literal: int, high: int, low: int) -> Clauses:
    """Return clauses for: a node implies `high`, and `low` unless its literal is true; `low` itself implies `high`."""
    rows = [] if high == TRUE else [[-name] if high == FALSE else [-name, high]]
    return rows + ([[-name, literal]] if low == FALSE else [[-name, literal, low]])


def mixed(terms: Sequence[Term], bound: int, new: New) -> Clauses:
    """Use a decision diagram where it is small, else an adder, as minisat+ does."""
    names: list[int] = []

    def provisional() -> int:
        names.append(0)
        return NAMES + len(names)

    try:
        clauses = bdd(terms, bound, provisional, ALLOWANCE + SMALL_NODES * len(terms))
    except TooLarge:
        return adder(terms, bound, new)
    final = [new() for _ in names]

    def renamed(x: int) -> int:
        return x if abs(x) <= NAMES else final[abs(x) - NAMES - 1] * (1 if x > 0 else -1)

    return [[renamed(x) for x in clause] for clause in clauses]


def adder(terms: Sequence[Term], bound: int, new: New) -> Clauses:
    """Binary addition by full and half adders, and a comparison of the sum's bits with the bound."""
    clauses: Clauses = []
    buckets: list[list[int]] = []
    for a, literal in terms:
        for bit in range(a.bit_length()):
            while len(buckets) <= bit:
                buckets.append([])
            if a >> bit & 1:
                buckets[bit].append(literal)
    total: list[int] = []
    bit = 0
    while bit < len(buckets):
        bucket = buckets[bit]
        while len(bucket) > 1:
            parts = [bucket.pop(0) for _ in range(min(3, len(bucket)))]
            sum_, carry = new(), new()
            clauses += parity(parts, sum_) + majority(parts, carry)
            bucket.append(sum_)
            if bit + 1 == len(buckets):
                buckets.append([])
            buckets[bit + 1].append(carry)
        total.append(bucket[0] if bucket else 0)
        bit += 1
    return clauses + at_least(total, bound)


def parity(parts: Sequence[int], result: int) -> Clauses:
    """Return clauses for: result is the parity of two or three literals."""
    rows: Clauses = []
    for mask in range(1 << len(parts)):
        odd = mask.bit_count() & 1
        rows.append([*(-x if mask >> i & 1 else x for i, x in enumerate(parts)), result if odd else -result])
    return rows


def majority(parts: Sequence[int], carry: int) -> Clauses:
    """Return clauses for: carry is true iff at least two of two or three literals are."""
    if len(parts) == 2:
        a, b = parts
        return [[-a, -b, carry], [a, -carry], [b, -carry]]
    a, b, c = parts
    pairs = ((a, b), (a, c), (b, c))
    return [[-x, -y, carry] for x, y in pairs] + [[x, y, -carry] for x, y in pairs]


def at_least(total: Sequence[int], bound: int) -> Clauses:
    """Return clauses for: a number is at least `bound`. Its bits are lowest first, 0 for one that is never set."""
    if bound.bit_length() > len(total):
        return [[]]
    rows: Clauses = []
    higher: list[int] = []  # bits above that are 0 in the bound: one of them true decides
    for bit in range(len(total) - 1, -1, -1):
        if bound >> bit & 1:
            rows.append([*higher, total[bit]] if total[bit] else list(higher))
        elif total[bit]:
            higher.append(total[bit])
    return rows


# The first is the default.
LINEAR: dict[str, LinearEncoding] = {"mixed": mixed, "totalizer": totalizer, "bdd": bdd, "adder": adder}
