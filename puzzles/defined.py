"""Variables whose values follow from those of others, by the constraints: they make no solution a different one.

A compiler adds variables that its source does not state. Those that nothing defines are *free*: several solutions of
the problem are one of the source. A rule is a scope, and those of its variables that follow where they alone are not
known.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import combinations, product

from puzzles.constraints import by_kind
from puzzles.constraints.cardinality import Cardinality
from puzzles.constraints.circuit import Circuit
from puzzles.constraints.clauses import Clauses
from puzzles.constraints.count import Count
from puzzles.constraints.element import Element
from puzzles.constraints.expression import Expression, Tree, variables_of
from puzzles.constraints.linear import Linear, merged
from puzzles.constraints.minmax import MinMax
from puzzles.constraints.nvalues import NValues
from puzzles.problem import Problem
from puzzles.problem.values import Domains, Integers, ends_of, size_of

Rule = tuple[frozenset[int], frozenset[int]]
Clause = Sequence[int]
Boolean = Collection[int]  # variables that take 0 and 1 alone
SMALL = 4  # variables of a gate that is found by its truth table


def free(problem: Problem, domains: Domains, hidden: Iterable[int]) -> tuple[int, ...]:
    """Return those of some variables that do not follow from all others."""
    numbers = problem.values.numbers if isinstance(problem.values, Integers) else range(len(problem.values))
    unknown = {x for x in hidden if size_of(domains[x], problem.values) > 1}
    if not unknown:
        return ()
    ends = {mask: ends_of(mask, problem.values) for mask in set(domains) if mask}
    zero_one = {mask: all(numbers[v] in (0, 1) for v in ends.get(mask, ())) for mask in set(domains)}
    rules = list(rules_of(problem, {x for x, mask in enumerate(domains) if zero_one[mask]}))
    where: dict[int, list[int]] = {}
    left = []  # number of unknown variables of each rule
    for i, (scope, _) in enumerate(rules):
        missing = scope & unknown
        left.append(len(missing))
        for x in missing:
            where.setdefault(x, []).append(i)
    ready = [i for i, n in enumerate(left) if n == 1]
    while ready:
        scope, results = rules[ready.pop()]
        for x in scope & unknown & results:
            unknown.remove(x)
            for i in where[x]:
                left[i] -= 1
                if left[i] == 1:
                    ready.append(i)
    return tuple(sorted(unknown))


def rules_of(problem: Problem, boolean: Boolean) -> Iterator[Rule]:
    """Yield the rules of all constraints."""
    clauses = list[Clause]()
    for part in problem.constraints:
        rows = part.rows if isinstance(part, Clauses) else map(as_clause, part.rows) if isinstance(part, Linear) else ()
        clauses += (row for row in rows if row and all(abs(p) - 1 in boolean for p in row))
        if part.kind in DEFINE:
            yield from DEFINE[part.kind](part, boolean)
    yield from gates(clauses)


def results(scope: Iterable[int], found: Iterable[int]) -> Iterator[Rule]:
    """Yield the rules that variables follow from a scope, but for those of the scope."""
    others = frozenset(scope)
    for x in found:
        if x not in others:
            yield others | {x}, frozenset([x])


def linear(part: Linear, boolean: Boolean) -> Iterator[Rule]:
    for coefficients, scope, comparison, _ in part.rows:
        if comparison == "=":
            members = frozenset(merged(zip(coefficients, scope, strict=True)))
            yield members, members


def as_clause(row: tuple[Sequence[int], Sequence[int], str, int]) -> Clause:
    """Return a row over 0 and 1 as a clause, empty if the row is no clause."""
    coefficients, scope, comparison, bound = row
    signs = {-1, 1} if comparison == ">=" and bound == 1 - coefficients.count(-1) else set()
    return [a * (x + 1) for a, x in zip(coefficients, scope, strict=True)] if signs.issuperset(coefficients) else []


def expression(part: Expression, boolean: Boolean) -> Iterator[Rule]:
    for tree in part.trees:
        yield from equations(tree, boolean)


def equations(tree: Tree, boolean: Boolean) -> Iterator[Rule]:
    """Yield the rules of a true tree: a side of an equation that is a variable follows from the other side."""
    name, *parts = tree
    if name == "and":
        for each in parts:
            yield from equations(each, boolean)
    elif name in ("eq", "iff") and len(parts) == 2:
        for one, other in (parts, parts[::-1]):
            if one[0] == "var" and (name == "eq" or one[1] in boolean):
                yield from results(variables_of(other), [one[1]])
    elif name == "xor":
        for i, one in enumerate(parts):
            if one[0] == "var" and one[1] in boolean:
                others = (x for k, other in enumerate(parts) if k != i for x in variables_of(other))
                yield from results(others, [one[1]])


def element(part: Element, boolean: Boolean) -> Iterator[Rule]:
    for items, index, _, value in part.rows:
        yield from results((*items, index), [value])


def bounds(rows: Iterable[tuple[Iterable[int], str, int]]) -> Iterator[Rule]:
    """Yield the rules of what equals a variable: that follows from the variables that are counted or compared."""
    return (rule for scope, sign, bound in rows if sign == "=" for rule in results(scope, [bound]))


def count(part: Count, boolean: Boolean) -> Iterator[Rule]:
    return bounds((scope, sign, bound) for scope, _, sign, bound in part.rows)


def circuit(part: Circuit, boolean: Boolean) -> Iterator[Rule]:
    return bounds((scope, sign, bound) for scope, _, sign, bound in part.rows)


def nvalues(part: NValues, boolean: Boolean) -> Iterator[Rule]:
    return bounds((scope, sign, bound) for scope, _, sign, bound in part.rows)


def minmax(part: MinMax, boolean: Boolean) -> Iterator[Rule]:
    return bounds((scope, sign, bound) for _, scope, sign, bound in part.rows)


def cardinality(part: Cardinality, boolean: Boolean) -> Iterator[Rule]:
    for scope, _, occurrences, _ in part.rows:
        yield from results(scope, occurrences)


def gates(clauses: Iterable[Clause]) -> Iterator[Rule]:
    """Yield the rules of conjunctions, disjunctions and small gates among clauses."""
    known: dict[frozenset[int], list[Clause]] = {}
    for row in clauses:
        known.setdefault(frozenset(map(abs, row)), []).append(row)
    pairs = {(a, b) for rows in known.values() for row in rows if len(row) == 2 for a, b in (row, row[::-1])}
    for scope, rows in known.items():
        if len(scope) <= SMALL:
            inner = (frozenset(part) for n in range(1, len(scope) + 1) for part in combinations(scope, n))
            within = [set(row) for part in inner for row in known.get(part, ())]
            found = {x for x in scope if follows(x, scope - {x}, within)}
        else:
            found = {abs(p) for row in rows for p in row if all((-p, -q) in pairs for q in row if q != p)}
        yield frozenset(x - 1 for x in scope), frozenset(x - 1 for x in found)


def follows(x: int, others: Collection[int], clauses: Iterable[set[int]]) -> bool:
    """Return True if clauses leave a variable at most one value, whatever the others take."""
    for signs in product((1, -1), repeat=len(others)):
        false = {sign * y for sign, y in zip(signs, others, strict=True)}
        if not any(row <= {*false, x} for row in clauses) and not any(row <= {*false, -x} for row in clauses):
            return False
    return True


DEFINE: dict[str, Callable[..., Iterator[Rule]]] = by_kind(globals())
