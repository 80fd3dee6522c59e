"""Constraints of many kinds as tables, sums and clauses over more variables, for a solver that takes only these.

    number   of a tree, a variable: a tree of few assignments is listed, a sum is a row, other operators are listed over
             the numbers of their operands, two at a time
    truth    of a tree, a literal x + 1 or its negation, where x has the numbers 0 and 1, as in clauses
    scope    the variables of a tree

A table leaves out assignments for which a part is undefined: they break the constraint wherever the part stands.
"""

from collections.abc import Callable, Sequence
from math import log2, prod
from typing import NamedTuple

import numpy as np

from encoders.formula import Unsupported
from puzzles.constraints import by_kind
from puzzles.constraints.cardinality import Cardinality
from puzzles.constraints.clauses import Clauses
from puzzles.constraints.count import Count
from puzzles.constraints.element import Element
from puzzles.constraints.expression import MACHINE_BITS, Expression, Tree, bits_of, evaluated, variables_of
from puzzles.constraints.lex import Lex
from puzzles.constraints.linear import Linear, Row
from puzzles.constraints.minmax import MinMax
from puzzles.constraints.table import Table
from puzzles.problem import Constraint
from puzzles.problem.arrays import Int64Array

FEW, PAIRS = 5_000, 50_000  # assignments of a tree that are listed; of a tree of at most two variables
MOST = 250_000  # tuples of one table
ALL = 4_000_000  # numbers in all tables
WIDEST = 20_000  # numbers of the sum of a tree

COMPARISONS = {"lt": ("<=", -1), "le": ("<=", 0), "gt": (">=", 1), "ge": (">=", 0), "ne": ("!=", 0), "eq": ("=", 0)}
NEGATED = {"<=": (">=", 1), ">=": ("<=", -1), "=": ("!=", 0), "!=": ("=", 0)}
NAMES = {"<": "lt", "<=": "le", ">": "gt", ">=": "ge", "=": "eq", "!=": "ne"}
LOGICAL = {"and", "or", "not", "imp"}
ONE, TWO = ("var", 0), ("var", 1)

Domain = Sequence[int]
Terms = dict[int, int]  # coefficient of each variable


class TooMany(Unsupported):
    """Constraints that would become too many tuples; the text says which."""

    def __init__(self, what: str) -> None:
        super().__init__(f"too large for tables: {what}")


class Listing(NamedTuple):
    """Assignments of a scope for which a tree is defined, and the number of the tree for each."""

    assignments: Int64Array
    numbers: Int64Array


class Elementary:
    """Constraints under construction. `domains` are the numbers of each variable, ascending; new ones come last."""

    def __init__(self, domains: Sequence[Domain]) -> None:
        self.domains = list(domains)
        self.rows: list[Row] = []
        self.clauses: list[Sequence[int]] = []
        self.tables: list[Table] = []
        self.size = 0
        self.known: dict[Tree, int] = {}
        self.truths: dict[Tree, int] = {}

    def new(self, domain: Domain = (0, 1)) -> int:
        """Return a new variable, of two truth values if no domain is stated."""
        self.domains.append(domain)
        return len(self.domains) - 1

    def constraints(self) -> list[Constraint]:
        """Return the constraints, each kind together."""
        return [Linear.of(self.rows), Clauses.of(self.clauses), *self.tables]

    def require(self, tree: Tree) -> None:
        """Add: the tree is true. Raises TooMany."""
        name, *parts = tree
        if name == "and":
            for part in parts:
                self.require(part)
        elif name == "or" and not self.few(tree):
            self.clauses.append([self.truth(part) for part in parts])
        elif name in COMPARISONS and len(parts) == 2 and not self.listable(tree):
            self.compare(*self.difference(tree), COMPARISONS[name][0], ())
        elif self.few(tree):
            scope, (assignments, numbers) = self.scope(tree), self.listing(tree)
            true, whole = numbers != 0, prod(map(len, self.domains_of(tree)))
            if 2 * np.count_nonzero(true) <= whole or len(numbers) < whole:
                self.tabulate(scope, assignments[true])
            else:
                self.tabulate(scope, assignments[~true], positive=False)
        else:
            self.clauses.append([self.truth(tree)])

    def scope(self, tree: Tree) -> tuple[int, ...]:
        """Return the variables of a tree, each once."""
        return tuple(dict.fromkeys(variables_of(tree)))

    def domains_of(self, tree: Tree) -> list[Domain]:
        return [self.domains[x] for x in self.scope(tree)]

    def few(self, tree: Tree) -> bool:
        """Return True if the assignments of a tree can be listed."""
        domains = self.domains_of(tree)
        return prod(map(len, domains)) <= (FEW if len(domains) > 2 else PAIRS)

    def listable(self, tree: Tree) -> bool:
        """Return True if a table suits a comparison better than a row: no sum, or an equation of few variables."""
        if not self.few(tree):
            return False
        variables = len(self.scope(tree))
        return not all(map(linear, tree[1:])) or variables < 2 or (tree[0] == "eq" and variables <= 3)

    def tabulate(self, scope: Sequence[int], rows: Int64Array, positive: bool = True) -> None:
        """Add a table. Raises TooMany."""
        self.size += rows.size
        if len(rows) > MOST or self.size > ALL:
            raise TooMany(f"a table of {len(rows):,} tuples")
        if scope:
            self.tables.append(Table((tuple(scope),), np.ascontiguousarray(rows, np.int64).ravel(), positive))
        elif positive != bool(len(rows)):
            self.clauses.append(())

    def listing(self, tree: Tree) -> Listing:
        """Return all assignments for which a tree is defined. Raises TooMany."""
        scope, domains = self.scope(tree), self.domains_of(tree)
        if (count := prod(map(len, domains))) > MOST:
            raise TooMany(f"{tree[0]} of {count:,} assignments")
        limit = max((abs(n) for domain in domains for n in (domain[0], domain[-1])), default=1)
        if bits_of(tree, log2(max(limit, 1))) >= MACHINE_BITS:
            raise TooMany(f"{tree[0]} of more than 64 bits")
        columns = np.meshgrid(*(np.array(domain, np.int64) for domain in domains), indexing="ij")
        assignments = np.stack([c.ravel() for c in columns], 1) if columns else np.zeros((1, 0), np.int64)
        values, defined = evaluated(renamed(tree, {x: k for k, x in enumerate(scope)}), assignments)
        return Listing(assignments[defined], np.asarray(values, np.int64)[defined])

    def number(self, tree: Tree) -> int:
        """Return a variable that has the number of a tree. Raises TooMany."""
        if tree[0] == "var":
            found: int = tree[1]
            return found
        if tree not in self.known:
            self.known[tree] = self.make_number(tree)
        return self.known[tree]

    def make_number(self, tree: Tree) -> int:
        name, *parts = tree
        if self.few(tree):
            return self.listed(tree)
        if name in COMPARISONS or name in LOGICAL:
            return self.variable(self.truth(tree))
        if linear(tree):
            terms, constant = self.sum(tree)
            found = self.new(self.sums(terms, constant))
            self.row({**terms, found: -1}, "=", -constant)
            return found
        operands: list[Tree] = [p if p[0] in ("number", "set") else ("var", self.number(p)) for p in parts]
        while len(operands) > 2 and name in ("add", "mul", "min", "max", "xor"):
            operands[:2] = [("var", self.listed((name, *operands[:2])))]
        return self.listed((name, *operands))

    def listed(self, tree: Tree) -> int:
        """Return a variable that has the number of a tree, by a table. Raises TooMany."""
        assignments, numbers = self.listing(tree)
        taken = np.unique(numbers).tolist()
        found, scope = self.new(taken), self.scope(tree)
        if taken == [0, 1] and len(numbers) == prod(map(len, self.domains_of(tree))):
            self.tabulate((*scope, found), np.column_stack([assignments, 1 - numbers]), positive=False)
        else:
            self.tabulate((*scope, found), np.column_stack([assignments, numbers]))
        return found

    def sums(self, terms: Terms, constant: int) -> list[int]:
        """Return the numbers that a sum can have. Raises TooMany."""
        numbers = {constant}
        for x, a in terms.items():
            if len(numbers) * len(self.domains[x]) > 50 * WIDEST:
                raise TooMany(f"a sum of {len(terms)} terms")
            numbers = {n + a * m for n in numbers for m in self.domains[x]}
        if len(numbers) > WIDEST:
            raise TooMany(f"a sum of {len(numbers):,} numbers")
        return sorted(numbers)

    def sum(self, tree: Tree, factor: int = 1) -> tuple[Terms, int]:
        """Return a tree as terms and a constant; parts that are no sums become variables. Raises TooMany."""
        name, *parts = tree
        if name == "number":
            return {}, factor * parts[0]
        if name in ("add", "sub", "neg"):
            signs = {"neg": [-1], "sub": [1, -1]}.get(name, [1] * len(parts))
            return total([self.sum(part, factor * sign) for part, sign in zip(parts, signs, strict=True)])
        if name == "mul" and linear(tree):
            k = prod(part[1] for part in parts if part[0] == "number")
            others = [part for part in parts if part[0] != "number"]
            return self.sum(others[0], factor * k) if others else ({}, factor * k)
        return {self.number(tree): factor}, 0

    def difference(self, tree: Tree) -> tuple[Terms, int]:
        """Return terms and the bound that a comparison of two trees compares their sum with."""
        terms, constant = total([self.sum(tree[1]), self.sum(tree[2], -1)])
        return terms, COMPARISONS[tree[0]][1] - constant

    def row(self, terms: Terms, comparison: str, bound: int) -> None:
        self.rows.append(([*terms.values()], [*terms], comparison, bound))

    def compare(self, terms: Terms, bound: int, comparison: str, given: Sequence[int]) -> None:
        """Add a comparison of a sum with a bound where a literal is true, if one is given."""
        if not given:
            self.row(terms, comparison, bound)
        elif comparison == "!=":
            below, above = self.new() + 1, self.new() + 1
            self.clauses.append((-given[0], below, above))
            self.compare(terms, bound - 1, "<=", (below,))
            self.compare(terms, bound + 1, ">=", (above,))
        elif comparison == "=":
            self.compare(terms, bound, "<=", given)
            self.compare(terms, bound, ">=", given)
        elif comparison == ">=":
            self.compare({x: -a for x, a in terms.items()}, -bound, "<=", given)
        else:
            most = sum(max(a * self.domains[x][0], a * self.domains[x][-1]) for x, a in terms.items())
            if (excess := most - bound) > 0:
                x, positive = abs(given[0]) - 1, given[0] > 0
                freed = {**terms, x: terms.get(x, 0) + (excess if positive else -excess)}
                self.row(freed, "<=", most if positive else bound)

    def variable(self, literal: int) -> int:
        """Return a variable that is 1 where a literal is true, else 0."""
        if literal > 0:
            return literal - 1
        found = self.new()
        self.row({found: 1, -literal - 1: 1}, "=", 1)
        return found

    def truth(self, tree: Tree) -> int:
        """Return a literal that is true where a tree is. Raises TooMany."""
        if tree not in self.truths:
            self.truths[tree] = self.make_truth(tree)
        return self.truths[tree]

    def make_truth(self, tree: Tree) -> int:
        name, *parts = tree
        if name == "var" and {0, 1}.issuperset(self.domains[parts[0]]):
            literal: int = parts[0] + 1
            return literal
        if name == "not":
            return -self.truth(parts[0])
        if name == "imp":
            return self.truth(("or", ("not", parts[0]), parts[1]))
        if name == "ne":
            return -self.truth(("eq", *parts))
        if name in ("and", "or") and (len(self.scope(tree)) > 2 or not self.few(tree)):
            sign = 1 if name == "or" else -1
            return sign * self.any_of([sign * self.truth(part) for part in parts])
        if name in COMPARISONS and len(parts) == 2 and not self.listable(tree):
            found, (terms, bound), comparison = self.new() + 1, self.difference(tree), COMPARISONS[name][0]
            opposite, step = NEGATED[comparison]
            self.compare(terms, bound, comparison, (found,))
            self.compare(terms, bound + step, opposite, (-found,))
            return found
        if name in ("xor", "iff") and not self.few(tree):
            return 1 + self.listed((name, *(("var", self.variable(self.truth(part))) for part in parts)))
        if name == "eq" and len(parts) > 2:
            return self.truth(("and", *(("eq", parts[0], part) for part in parts[1:])))
        return 1 + self.listed(("ne", tree if self.few(tree) else ("var", self.number(tree)), ("number", 0)))

    def any_of(self, literals: Sequence[int]) -> int:
        """Return a literal that is true where any of these is."""
        found = self.new() + 1
        self.clauses += [(-literal, found) for literal in literals]
        self.clauses.append((-found, *literals))
        return found

    def order(self, left: Sequence[int], right: Sequence[int], strict: bool) -> None:
        """Add: a list of variables is lexicographically below another, or equal if not `strict`.

        While no earlier pair is below, each pair is in order. `open_` is true where the pairs before are equal.
        """
        open_ = self.new() + 1
        self.clauses.append((open_,))
        for x, y in zip(left, right, strict=True):
            below, after = self.new() + 1, self.new() + 1
            self.clauses.append((-open_, below, after))
            self.compare({x: 1, y: -1} if x != y else {}, 0, "<=", (open_,))
            self.compare({x: 1, y: -1} if x != y else {}, -1, "<=", (below,))
            open_ = after
        if strict:
            self.clauses.append((-open_,))


def linear(tree: Tree) -> bool:
    """Return True if a tree is a sum of variables and numbers."""
    name, *parts = tree
    if name == "mul":
        return all(map(linear, parts)) and sum(part[0] != "number" for part in parts) < 2
    return name in ("var", "number") or (name in ("add", "sub", "neg") and all(map(linear, parts)))


def total(sums: Sequence[tuple[Terms, int]]) -> tuple[Terms, int]:
    """Return the sum of sums."""
    terms: Terms = {}
    for part, _ in sums:
        for x, a in part.items():
            terms[x] = terms.get(x, 0) + a
    return {x: a for x, a in terms.items() if a}, sum(constant for _, constant in sums)


def renamed(tree: Tree, names: dict[int, int]) -> Tree:
    """Return a tree with other indices of variables."""
    name, *parts = tree
    if name == "var":
        return ("var", names[parts[0]])
    return tree if name in ("number", "set") else (name, *(renamed(part, names) for part in parts))


def expression(constraint: Expression, e: Elementary) -> None:
    for tree in constraint.trees:
        e.require(tree)


def lex(constraint: Lex, e: Elementary) -> None:
    for left, right, comparison in constraint.rows:
        pair = (left, right) if comparison in ("<", "<=") else (right, left)
        e.order(*pair, strict=comparison in ("<", ">"))


def element(constraint: Element, e: Elementary) -> None:
    for variables, index, start, value in constraint.rows:
        for n in e.domains[index]:
            taken: Tree = ("ne", ("var", index), ("number", n))
            if 0 <= n - start < len(variables):
                e.require(("or", taken, ("eq", ("var", variables[n - start]), ("var", value))))
            else:
                e.require(taken)


def count(constraint: Count, e: Elementary) -> None:
    for variables, numbers, comparison, bound in constraint.rows:
        taken = (("in", ("var", x), ("set", *numbers)) for x in variables)
        e.require((NAMES[comparison], ("add", *taken, ("number", 0)), ("var", bound)))


def cardinality(constraint: Cardinality, e: Elementary) -> None:
    for variables, numbers, counts, closed in constraint.rows:
        for n, number in zip(numbers, counts, strict=True):
            taken = (("eq", ("var", x), ("number", n)) for x in variables)
            e.require(("eq", ("add", *taken, ("number", 0)), ("var", number)))
        for x in variables if closed else ():
            e.require(("in", ("var", x), ("set", *numbers)))


def min_max(constraint: MinMax, e: Elementary) -> None:
    for which, variables, comparison, bound in constraint.rows:
        e.require((NAMES[comparison], (which[:3], *(("var", x) for x in variables)), ("var", bound)))


# Kinds that become tables, sums and clauses.
REWRITE: dict[str, Callable[..., None]] = by_kind(expression, lex, element, count, cardinality, min_max)


def elementary(constraints: Sequence[Constraint], domains: Sequence[Domain]) -> tuple[list[Constraint], list[Domain]]:
    """Return the constraints with those of REWRITE rewritten, and the domains of more variables. Raises TooMany."""
    e = Elementary(domains)
    kept = [c for c in constraints if c.kind not in REWRITE]
    for constraint in constraints:
        if constraint.kind in REWRITE:
            REWRITE[constraint.kind](constraint, e)
    return kept + e.constraints(), e.domains[len(domains) :]
