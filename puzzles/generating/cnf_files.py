"""CNF formulas with known answers: random ones around the threshold, and structured ones.

    literal  a variable from 1, negative if it is to be false

Each function returns the number of variables and the clauses.
"""

from itertools import combinations, pairwise, product
from random import Random

Clauses = list[list[int]]
Formula = tuple[int, Clauses]


def random_clauses(variables: int, clauses: int, length: int, random: Random) -> Formula:
    """Return random clauses of one length, each of distinct variables; 3-SAT is hardest near 4.26 per variable."""
    return variables, [drawn(variables, length, random) for _ in range(clauses)]


def planted_clauses(variables: int, clauses: int, length: int, random: Random) -> Formula:
    """Return random clauses that a hidden assignment satisfies."""
    hidden = [random.random() < 0.5 for _ in range(variables + 1)]
    found: Clauses = []
    while len(found) < clauses:
        clause = drawn(variables, length, random)
        if any(hidden[abs(x)] == (x > 0) for x in clause):
            found.append(clause)
    return variables, found


def drawn(variables: int, length: int, random: Random) -> list[int]:
    """Return a random clause."""
    return [x if random.random() < 0.5 else -x for x in random.sample(range(1, variables + 1), length)]


def pigeonhole(holes: int) -> Formula:
    """Give each of holes + 1 pigeons a hole of its own: unsatisfiable, and long for resolution."""
    at = {(p, h): p * holes + h + 1 for p in range(holes + 1) for h in range(holes)}
    some = [[at[p, h] for h in range(holes)] for p in range(holes + 1)]
    return len(at), some + [[-at[p, h], -at[q, h]] for h in range(holes) for p, q in combinations(range(holes + 1), 2)]


def xor(literals: list[int], odd: bool) -> Clauses:
    """Return clauses for: an odd, or even, number of literals is true."""
    signs = product((1, -1), repeat=len(literals))
    return [[s * x for s, x in zip(row, literals, strict=True)] for row in signs if (row.count(-1) % 2 == 1) != odd]


def parity(inputs: int, random: Random) -> Formula:
    """State that inputs are even by a chain of sums and odd by another chain in random order: unsatisfiable."""
    clauses, last = [], inputs
    for order, odd in ((list(range(1, inputs + 1)), False), (random.sample(range(1, inputs + 1), inputs), True)):
        total = order[0]
        for x in order[1:-1]:
            last += 1
            clauses += xor([total, x, last], False)
            total = last
        clauses += xor([total, order[-1]], odd)
    return last, clauses


def tseitin(vertices: int, degree: int, odd: bool, random: Random) -> Formula:
    """Return Tseitin's formula of a random graph: the edges at each vertex sum to its charge.

    Unsatisfiable if the charges sum to an odd number and the graph is connected, as random ones nearly always are.
    """
    edges = regular_edges(vertices, degree, random)
    charges = [random.random() < 0.5 for _ in range(vertices)]
    charges[0] ^= (sum(charges) % 2 == 1) != odd
    at: list[list[int]] = [[] for _ in range(vertices)]
    for i, (u, v) in enumerate(edges, 1):
        at[u].append(i)
        at[v].append(i)
    return len(edges), [clause for own, charge in zip(at, charges, strict=True) for clause in xor(own, charge)]


def regular_edges(vertices: int, degree: int, random: Random) -> list[tuple[int, int]]:
    """Return the edges of a random regular graph without loops or double edges."""
    while True:
        ends = [v for v in range(vertices) for _ in range(degree)]
        random.shuffle(ends)
        edges = {(min(pair), max(pair)) for pair in zip(ends[::2], ends[1::2], strict=True) if pair[0] != pair[1]}
        if len(edges) == vertices * degree // 2:
            return sorted(edges)


def counter(bits: int, steps: int, target: int) -> Formula:
    """Unroll a counter of steps that an input may hold, from 0, and require that it ends at `target`.

    Satisfiable if and only if the target is at most the number of steps; both are to fit the bits.
    """
    state = [[t * bits + b + 1 for b in range(bits)] for t in range(steps + 1)]
    last = (steps + 1) * bits
    clauses = [[-x] for x in state[0]] + [[x if target >> b & 1 else -x] for b, x in enumerate(state[-1])]
    for now, after in pairwise(state):
        last += 1
        carry = last  # the input: add one
        for x, y in zip(now, after, strict=True):
            last += 1
            clauses += [*xor([x, carry, y], False), [-last, x], [-last, carry], [last, -x, -carry]]
            carry = last
    return last, clauses


def ordering(n: int) -> Formula:
    """State a strict order of n elements without a smallest: unsatisfiable, with short proofs."""
    less = {pair: i for i, pair in enumerate(((a, b) for a in range(n) for b in range(n) if a != b), 1)}
    clauses = [[-less[a, b], -less[b, a]] for a, b in combinations(range(n), 2)]
    triples = ((a, b, c) for a, b, c in product(range(n), repeat=3) if len({a, b, c}) == 3)
    clauses += [[-less[a, b], -less[b, c], less[a, c]] for a, b, c in triples]
    return len(less), clauses + [[less[a, b] for a in range(n) if a != b] for b in range(n)]


def mutilated(n: int) -> Formula:
    """Cover an n x n board without two opposite corners with dominoes: unsatisfiable."""
    cells = [c for c in product(range(n), repeat=2) if c not in ((0, 0), (n - 1, n - 1))]
    dominoes = [(a, b) for a in cells for b in ((a[0] + 1, a[1]), (a[0], a[1] + 1)) if b in cells]
    clauses: Clauses = []
    for cell in cells:
        own = [i for i, domino in enumerate(dominoes, 1) if cell in domino]
        clauses += [own, *([-a, -b] for a, b in combinations(own, 2))]
    return len(dominoes), clauses


def cnf_text(formula: Formula, comments: list[str]) -> str:
    """Return a formula as a DIMACS file."""
    variables, clauses = formula
    lines = [*(f"c {line}" for line in comments), f"p cnf {variables} {len(clauses)}"]
    return "\n".join([*lines, *(" ".join(map(str, [*clause, 0])) for clause in clauses), ""])
