"""A problem under construction, of FlatZinc or XCSP3: variables with their domains, and rows of each kind.

All variables of a problem share their values, and a domain is a bit for each. So domains are ranges until the end, and
stay ranges where those would be too many bits.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from puzzles.constraints.all_different import AllDifferent
from puzzles.constraints.automaton import Automaton, Transition
from puzzles.constraints.clauses import Clauses
from puzzles.constraints.expression import MAX_BITS, Expression, Tree
from puzzles.constraints.linear import Linear
from puzzles.constraints.table import Table
from puzzles.objectives.expression import ExpressionObjective
from puzzles.objectives.linear import LinearObjective
from puzzles.problem import Constraint, Instance, Problem
from puzzles.problem.values import IntegerRange, Integers, bounded
from puzzles.readers.refusal import Refusal

MAX_NUMBER = (1 << 63) - 1
MAX_VALUES = 1 << 16  # values of all variables together that have a table
MAX_LISTED = 64  # parts of a domain that are stated as a disjunction
MAX_CANDIDATES = 1 << 28  # variables times values: bits of all domains
Scope = tuple[int, ...]
Ranges = tuple[tuple[int, int], ...]  # ascending, disjoint and not adjacent
Goal = LinearObjective | ExpressionObjective | None
BUILD: dict[Any, Callable[[Sequence[Any]], Constraint]] = {
    AllDifferent: lambda rows: AllDifferent(tuple(rows)),
    Linear: Linear.of,
    Clauses: Clauses.of,
}


class GrowingProblem:
    """Variables, constants, and constraints.

    rows     rows of each kind that has rows
    scopes   scopes of each table and automaton, which `bodies` builds from them
    """

    def __init__(self) -> None:
        self.names: list[str] = []
        self.domains: list[Ranges] = []
        self.constants: dict[int, int] = {}
        self.rows: dict[Any, list[Any]] = {}
        self.scopes: dict[Hashable, list[Scope]] = {}
        self.bodies: dict[Hashable, Callable[[tuple[Scope, ...]], Constraint]] = {}

    def new(self, name: str, domain: Ranges) -> int:
        """Return another variable."""
        self.names.append(name)
        self.domains.append(domain)
        return len(self.names) - 1

    def constant(self, number: int) -> int:
        """Return the variable that is a number."""
        if number not in self.constants:
            self.constants[number] = self.new(str(number), ((number, number),))
        return self.constants[number]

    def add(self, kind: Any, row: Any) -> None:
        """Add a row to the constraints of a kind."""
        self.rows.setdefault(kind, []).append(row)

    def require(self, tree: Tree) -> None:
        """Add a tree that is to be true."""
        self.add(Expression, tree)

    def add_table(
        self, key: Hashable, scope: Scope, tuples: Callable[[], Sequence[int]], positive: bool = True
    ) -> None:
        """Add a scope to the table of a key, whose flat tuples are made once."""
        key = "table", key, len(scope), positive
        if key not in self.scopes:
            flat = np.array(tuples(), np.int64)
            self.bodies[key] = lambda scopes: Table(scopes, flat, positive)
        self.scopes.setdefault(key, []).append(scope)

    def add_automaton(
        self, key: Hashable, scope: Scope, automaton: Callable[[], tuple[Sequence[Transition], int, Sequence[int]]]
    ) -> None:
        """Add a scope to the automaton of a key, whose transitions, start and final states are made once."""
        key = "automaton", key
        if key not in self.scopes:
            transitions, start, finals = automaton()
            self.bodies[key] = lambda scopes: Automaton(scopes, tuple(transitions), start, tuple(finals))
        self.scopes.setdefault(key, []).append(scope)

    def constraints(self) -> list[Constraint]:
        """Return the constraints, one of each kind that has rows, and each table and automaton."""
        found = [BUILD[kind](rows) if kind in BUILD else kind(tuple(rows)) for kind, rows in self.rows.items() if rows]
        return found + [self.bodies[key](tuple(scopes)) for key, scopes in self.scopes.items()]

    def instance(self, name: str, objective: Goal, empty: Ranges = (), most: int = MAX_VALUES) -> Instance[Problem]:
        """Return the instance; without any value its problem has those of `empty`. Raises Refusal.

        With more than `most` values together, or too many for all domains, it is one over ranges.
        """
        values = values_of(self.domains) or empty
        if too_many(size_of(values), len(self.domains), most):
            return self.ranged(name, objective, values[0][0], values[-1][1])
        found = self.constraints()
        starts, total = dict[int, int](), 0
        for first, last in values:
            starts[first] = total - first
            total += last - first + 1
        masks = {domain: mask_of(domain, values, starts) for domain in set(self.domains)}
        problem = Problem(name, tuple(self.names), Integers(numbers_of(values)), tuple(found), objective=objective)
        return checked(Instance(name, problem, tuple(map(masks.__getitem__, self.domains))))

    def ranged(self, name: str, objective: Goal, least: int, most: int) -> Instance[Problem]:
        """Return the instance over ranges; constraints state which of their numbers are none. Raises Refusal."""
        if endless := [self.names[x] for x, domain in enumerate(self.domains) if size_of(domain) > MAX_NUMBER >> 1]:
            raise Refusal([f"integer variables without bounds, such as {endless[0]}"])
        if most - least > MAX_NUMBER:
            raise Refusal([f"numbers from {least} to {most}"])
        for x, domain in enumerate(self.domains):
            if len(domain) > 1:
                self.require(inside(x, domain))
        values = IntegerRange(range(least, most + 1))
        domains = [bounded(part[0][0] - least, part[-1][1] - least) if part else 0 for part in self.domains]
        problem = Problem(name, tuple(self.names), values, tuple(self.constraints()), objective=objective)
        return checked(Instance(name, problem, tuple(domains)))


def checked(instance: Instance[Problem]) -> Instance[Problem]:
    """Return an instance. Raises Refusal if its expressions are too long to evaluate."""
    problem = instance.problem
    parts = (*problem.constraints, problem.objective)
    if any(isinstance(part, Expression | ExpressionObjective) and part.too_long(problem) for part in parts):
        raise Refusal([f"expressions of more than {MAX_BITS:,.0f} bits"])
    return instance


def too_many(values: int, variables: int, most: int = MAX_VALUES) -> bool:
    """Return True if so many variables of so many values together have ranges, not a bit for each value."""
    return values > most or values * variables > MAX_CANDIDATES


def inside(x: int, domain: Ranges) -> Tree:
    """Return the condition that a variable takes a number of a domain. Raises Refusal if it has too many parts."""
    if (size := size_of(domain)) <= MAX_VALUES:
        return "in", ("var", x), ("set", *(number for part in domain for number in range(part[0], part[1] + 1)))
    if len(domain) > MAX_LISTED:
        raise Refusal([f"a domain of {size} numbers in {len(domain)} parts"])
    gaps = [
        ("or", ("le", ("var", x), ("number", before)), ("ge", ("var", x), ("number", after)))
        for (_, before), (after, _) in pairwise(domain)
    ]
    return ("and", *gaps) if len(gaps) > 1 else gaps[0]


def values_of(domains: Iterable[Ranges]) -> Ranges:
    """Return the numbers that variables take together."""
    return united([part for domain in set(domains) for part in domain])


def numbers_of(values: Ranges) -> Iterable[int]:
    """Return the numbers of a set, ascending."""
    if len(values) == 1:
        return range(values[0][0], values[0][1] + 1)
    return (number for first, last in values for number in range(first, last + 1))


def mask_of(domain: Ranges, values: Ranges, starts: Mapping[int, int]) -> int:
    """Return the mask of a domain, each part of which lies in a part of the values."""
    mask, j = 0, 0
    for first, last in domain:
        while values[j][1] < first:
            j += 1
        mask |= ((1 << last - first + 1) - 1) << first + starts[values[j][0]]
    return mask


def is_boolean(domain: Ranges) -> bool:
    """Return True if a domain has no other numbers than 0 and 1."""
    return all(first >= 0 and last <= 1 for first, last in domain)


def united(ranges: list[tuple[int, int]]) -> Ranges:
    """Return the union of ranges, without those that are empty."""
    found: list[tuple[int, int]] = []
    for first, last in sorted(ranges):
        if first > last:
            continue
        if found and first <= found[-1][1] + 1:
            found[-1] = found[-1][0], max(last, found[-1][1])
        else:
            found.append((first, last))
    return tuple(found)


def common(left: Ranges, right: Ranges) -> Ranges:
    """Return the intersection of two sets."""
    found, i, j = list[tuple[int, int]](), 0, 0
    while i < len(left) and j < len(right):
        first, last = max(left[i][0], right[j][0]), min(left[i][1], right[j][1])
        if first <= last:
            found.append((first, last))
        if left[i][1] < right[j][1]:
            i += 1
        else:
            j += 1
    return tuple(found)


def size_of(ranges: Ranges) -> int:
    """Return the number of integers in a set."""
    return sum(last - first + 1 for first, last in ranges)
