"""Expression trees: comparisons of sums become literals, other operators auxiliary variables.

    sum      terms (coefficient, variable) and a constant
    integer  a variable for the number of a tree; other than sums and conditions, it is made by enumeration
    literal  of a tree as a condition: its number is not 0; with `both` false it only implies the condition

A part that is undefined breaks the constraint wherever it stands (docs/decisions/0021): clauses of its own forbid it.
"""

from collections.abc import Sequence
from functools import reduce
from itertools import product
from math import log2, prod
from typing import Any

import numpy as np

from encoders.gates import all_of, among, any_of, differ, equal_if
from encoders.integers import TooLarge, Variables
from encoders.kinds.choosing import lower_extreme
from encoders.kinds.tables import lower_tuples
from encoders.linear.rows import compare, limited
from puzzles.constraints.expression import MACHINE_BITS, Expression, Tree, bits_of, evaluated, renamed, variables_of
from puzzles.constraints.numbers import ORDER

MAX_SCOPE = 1000  # assignments of all variables of a tree that are enumerated
MAX_OPERANDS = 100_000  # assignments of the operands of one operator
MAX_NUMBERS = 20_000  # numbers of an auxiliary variable that are listed
LONGEST = 1 << 62  # numbers of one that is a range

COMPARISONS = {"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "ne": "!=", "eq": "="}
OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "!=": "=", "=": "!="}
CONDITIONS = {*COMPARISONS, "not", "and", "or", "xor", "iff", "imp", "in"}
SUMS = {"var", "number", "neg", "add", "sub"}

Sum = tuple[list[tuple[int, int]], int]


def lower_expression(expression: Expression, v: Variables) -> None:
    """Add clauses for all trees. Raises TooLarge."""
    trees = ClauseTrees(v)
    for tree in expression.trees:
        trees.require(tree)


class ClauseTrees:
    """Trees of one formula; equal parts share their variables."""

    def __init__(self, v: Variables) -> None:
        self.v = v
        self.integers: dict[Tree, int] = {}
        self.literals: dict[tuple[Tree, bool], int] = {}

    def require(self, tree: Tree) -> None:
        """Add clauses for: the tree is true. Raises TooLarge."""
        v, (name, *parts) = self.v, tree
        if name == "and":
            for part in parts:
                self.require(part)
        elif name == "or":
            v.add([self.literal(part, both=False) for part in parts])
        elif name == "imp":
            v.add([-self.literal(parts[0]), self.literal(parts[1], both=False)])
        elif name == "eq" and len(parts) > 2:
            for part in parts[1:]:
                self.require(("eq", parts[0], part))
        elif name in COMPARISONS and self.enumerable(tree):
            self.require_tuples(tree)
        elif name in COMPARISONS:
            terms, bound = self.difference(parts)
            compare(v, terms, COMPARISONS[name], bound)
        else:
            v.add([self.literal(tree, both=False)])

    def enumerable(self, tree: Tree) -> bool:
        """Return True if a tree is a comparison of more than sums with few assignments, so that a table is small."""
        return not all(map(self.linear, tree[1:])) and self.assignments(tree) <= MAX_SCOPE

    def linear(self, tree: Tree) -> bool:
        """Return True if the tree is a sum of variables."""
        name, *parts = tree
        if name == "mul":
            return all(map(self.linear, parts)) and sum(self.assignments(part) != 1 for part in parts) < 2
        return name in ("var", "number") or (name in SUMS and all(map(self.linear, parts)))

    def assignments(self, tree: Tree) -> int:
        """Return the number of assignments of a tree's variables."""
        return prod(len(self.v.domains[x]) for x in set(variables_of(tree)))

    def difference(self, parts: Sequence[Tree]) -> Sum:
        """Return terms and a bound: comparing two parts is comparing the sum of the terms with the bound."""
        (left, a), (right, b) = map(self.sum, parts)
        return left + [(-c, x) for c, x in right], b - a

    def sum(self, tree: Tree) -> Sum:
        """Return a tree as a sum; parts that are no sums become auxiliary variables."""
        name, *parts = tree
        if name == "number":
            return [], parts[0]
        if name == "var":
            domain = self.v.domains[parts[0]]
            return ([], domain[0]) if len(domain) == 1 else ([(1, parts[0])], 0)
        if name in ("neg", "sub"):
            sums = [self.sum(part) for part in parts]
            terms, constant = sums[-1]
            terms, constant = [(-a, x) for a, x in terms], -constant
            return (sums[0][0] + terms, sums[0][1] + constant) if name == "sub" else (terms, constant)
        if name == "add":
            sums = [self.sum(part) for part in parts]
            return [term for terms, _ in sums for term in terms], sum(constant for _, constant in sums)
        if name == "mul" and sum(self.assignments(part) != 1 for part in parts) < 2:
            factors = sorted((self.sum(part) for part in parts), key=lambda s: bool(s[0]))
            if len(factors) < 2 or not factors[-2][0]:
                k = prod(constant for _, constant in factors[:-1])
                return [(k * a, x) for a, x in factors[-1][0]], k * factors[-1][1]
        return [(1, self.integer(tree))], 0

    def integer(self, tree: Tree) -> int:
        """Return a variable that takes the number of a tree. Raises TooLarge."""
        found = self.integers.get(tree)
        if found is None:
            found = self.integers[tree] = tree[1] if tree[0] == "var" else self.make_integer(tree)
        return found

    def make_integer(self, tree: Tree) -> int:
        v, (name, *parts) = self.v, tree
        if name in CONDITIONS:
            return v.indicator(self.literal(tree))
        if self.linear(tree):
            terms, constant = self.sum(tree)
            if len(terms) == 1 and terms[0][0] == 1 and constant == 0:
                return terms[0][1]
            if self.assignments(tree) > MAX_SCOPE:
                return self.integer_of_sum(terms, constant)
        scope = list(dict.fromkeys(variables_of(tree)))
        if self.assignments(tree) <= MAX_SCOPE:
            return self.integer_of(renamed(tree, {x: k for k, x in enumerate(scope)}), scope)
        if name in SUMS:
            return self.integer_of_sum(*self.sum(tree))
        if name == "if":
            return self.choice(parts)
        operands = [self.integer(part) for part in parts]
        if any(map(v.wide, operands)) and name in ("abs", "dist"):
            left, right = ("var", operands[0]), ("var", operands[1]) if name == "dist" else ("number", 0)
            return self.integer(("max", ("sub", left, right), ("sub", right, left)))
        if any(map(v.wide, operands)) and name in ("min", "max"):
            return self.wide_extreme(operands, ">=" if name == "max" else "<=")
        if name in ("min", "max"):
            numbers = sorted({n for x in operands for n in v.domains[x]})
            extreme = v.integer(numbers)
            lower_extreme(v, {"min": "minimum", "max": "maximum"}[name], operands, "=", extreme)
            return extreme
        pair = [("var", 0), ("var", 1)]
        if len(operands) > 2:
            return reduce(lambda x, y: self.integer_of((name, *pair), [x, y]), operands)
        return self.integer_of((name, *pair[: len(operands)]), operands)

    def wide_extreme(self, xs: Sequence[int], comparison: str) -> int:
        """Return a variable that compares so with all of xs, and equals one of them. Raises TooLarge."""
        found = self.range_of(self.ends(xs))
        opposite = {">=": "<=", "<=": ">="}[comparison]
        for x in xs:
            compare(self.v, [(1, found), (-1, x)], comparison, 0)
        self.v.add([self.comparison([(1, found), (-1, x)], 0, opposite, both=False) for x in xs])
        return found

    def ends(self, xs: Sequence[int]) -> list[int]:
        """Return the least and the greatest number of each variable that has any: a part may be undefined always."""
        return [n for x in xs for n in (*self.v.domains[x][:1], *self.v.domains[x][-1:])]

    def range_of(self, numbers: Sequence[int]) -> int:
        """Return a variable with all numbers between the least and the greatest of some, if any. Raises TooLarge."""
        low, high = min(numbers, default=0), max(numbers, default=-1)
        if high - low >= LONGEST:
            raise TooLarge(f"numbers from {low} to {high}")
        return self.v.integer(range(low, high + 1))

    def integer_of_sum(self, terms: list[tuple[int, int]], constant: int) -> int:
        """Return a variable for a sum. Raises TooLarge."""
        v = self.v
        if any(v.wide(x) for _, x in terms):
            ends = [sorted(a * n for n in self.ends([x])) for a, x in terms]
            found = self.range_of([constant + sum(end) for end in zip(*ends, strict=False)])
            compare(v, [*terms, (-1, found)], "=", -constant)
            return found
        numbers = {constant}
        for a, x in terms:
            if len(numbers) * len(self.v.domains[x]) > 50 * MAX_NUMBERS:
                raise TooLarge(f"a sum of {len(terms)} terms with more than {MAX_NUMBERS:,} values")
            numbers = {n + a * m for n in numbers for m in self.v.domains[x]}
            check_numbers(len(numbers), "a sum")
        found = self.v.integer(sorted(numbers))
        compare(self.v, [*terms, (-1, found)], "=", -constant)
        return found

    def choice(self, parts: Sequence[Tree]) -> int:
        """Return a variable that equals the second part where the first is true, else the third."""
        condition, (x, y) = self.literal(parts[0]), map(self.integer, parts[1:])
        if self.v.wide(x) or self.v.wide(y):
            found = self.range_of(self.ends((x, y)))
            compare(self.v, [(1, x), (-1, found)], "=", 0, condition)
            compare(self.v, [(1, y), (-1, found)], "=", 0, -condition)
            return found
        found = self.v.integer(sorted({*self.v.domains[x], *self.v.domains[y]}))
        equal_if(self.v, x, found, (-condition,))
        equal_if(self.v, y, found, (condition,))
        return found

    def integer_of(self, tree: Tree, scope: Sequence[int]) -> int:
        """Return a variable for a tree over a scope, where ("var", k) is its k-th variable. Raises TooLarge."""
        v = self.v
        assignments, values, defined = self.enumerated(tree, scope)
        numbers = sorted({n for n, known in zip(values, defined, strict=True) if known})
        check_numbers(len(numbers), tree[0])
        found = v.integer(numbers)
        for assignment, n, known in zip(assignments, values, defined, strict=True):
            clause = [-v.eq(x, taken) for x, taken in zip(scope, assignment, strict=True)]
            v.add([*clause, v.eq(found, n)] if known else clause)
        return found

    def enumerated(self, tree: Tree, scope: Sequence[int]) -> tuple[list[tuple[int, ...]], list[int], list[bool]]:
        """Return all assignments of a scope, the number of the tree for each, and True where it is defined."""
        domains = [self.v.domains[x] for x in scope]
        if (count := prod(map(len, domains))) > MAX_OPERANDS:
            raise TooLarge(f"{tree[0]} over {count:,} assignments of its operands")
        assignments = list(product(*domains))
        limit = max((abs(n) for domain in domains for n in domain), default=1)
        wide = bits_of(tree, log2(max(limit, 1))) >= MACHINE_BITS
        numbers: Any = np.array(assignments, object if wide else np.int64).reshape(count, len(scope))
        values, defined = evaluated(tree, numbers)
        return assignments, np.asarray(values).tolist(), defined.tolist()

    def require_tuples(self, tree: Tree) -> None:
        """Add a table of the assignments for which the tree is true, or of the others if these are fewer."""
        scope = list(dict.fromkeys(variables_of(tree)))
        local = renamed(tree, {x: k for k, x in enumerate(scope)})
        assignments, values, defined = self.enumerated(local, scope)
        true = [bool(n) and known for n, known in zip(values, defined, strict=True)]
        positive = 2 * sum(true) <= len(true)
        lower_tuples(
            self.v, scope, [t for t, ok in zip(assignments, true, strict=True) if ok == positive], positive=positive
        )

    def literal(self, tree: Tree, both: bool = True) -> int:
        """Return a literal that is equivalent to the tree, or implies it. Raises TooLarge."""
        found = self.literals.get((tree, both))
        if found is None:
            found = self.literals[tree, both] = self.make_literal(tree, both)
        return found

    def make_literal(self, tree: Tree, both: bool) -> int:
        v, (name, *parts) = self.v, tree
        if name in ("and", "or"):
            literals = [self.literal(part, both) for part in parts]
            return all_of(v, literals) if name == "and" else any_of(v, literals)
        if name == "not":
            return -self.literal(parts[0])
        if name == "imp":
            return any_of(v, [-self.literal(parts[0]), self.literal(parts[1], both)])
        if name == "xor":
            return reduce(lambda a, b: differ(v, a, b), map(self.literal, parts))
        if name == "iff":
            first, *others = map(self.literal, parts)
            return all_of(v, [-differ(v, first, other) for other in others])
        if name == "in":
            return among(v, self.integer(parts[0]), parts[1][1:])
        if name == "eq" and len(parts) > 2:
            return all_of(v, [self.literal(("eq", parts[0], part), both) for part in parts[1:]])
        if name in COMPARISONS:
            return self.comparison(*self.difference(parts), COMPARISONS[name], both)
        return self.comparison(*self.difference([tree, ("number", 0)]), "!=", both)

    def comparison(self, terms: list[tuple[int, int]], bound: int, comparison: str, both: bool) -> int:
        """Return a literal for the comparison of a sum with a bound."""
        v, terms = self.v, [(a, x) for a, x in terms if a]
        if len(terms) < 2:
            a, x = terms[0] if terms else (0, -1)
            if terms and v.wide(x):
                return self.wide_threshold(a, x, bound, comparison)
            domain = v.domains[x] if terms else (0,)
            return self.threshold(x, [bool(ORDER[comparison](a * n, bound)) for n in domain])
        found = v.new()
        compare(v, terms, comparison, bound, found)
        if both:
            compare(v, terms, OPPOSITE[comparison], bound, -found)
        return found

    def wide_threshold(self, a: int, x: int, bound: int, comparison: str) -> int:
        """Return the literal for a comparison of `a` times the number of variable x with a bound."""
        if comparison in ("!=", ">", ">="):
            return -self.wide_threshold(a, x, bound, OPPOSITE[comparison])
        if comparison == "=":
            return -self.v.true if bound % a else self.v.eq(x, bound // a)
        return limited(self.v, a, x, bound - (comparison == "<"))

    def threshold(self, x: int, truth: Sequence[bool]) -> int:
        """Return the literal for: variable x takes a number at an index where `truth` is True."""
        v = self.v
        if all(truth):
            return v.true
        if not any(truth):
            return -v.true
        changes = [i for i in range(1, len(truth)) if truth[i] != truth[i - 1]]
        if len(changes) == 1:
            least = v.at_least(x, changes[0])
            return least if truth[-1] else -least
        return among(v, x, [n for n, ok in zip(v.domains[x], truth, strict=True) if ok])


def check_numbers(count: int, what: str) -> None:
    """Raise TooLarge if an auxiliary variable would have too many numbers."""
    if count > MAX_NUMBERS:
        raise TooLarge(f"{what} with more than {MAX_NUMBERS:,} values")
