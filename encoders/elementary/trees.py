"""Expression trees as tables, sums and clauses.

    number   of a tree, a variable: a tree of few assignments is listed, a sum is a row, other operators are listed over
             the numbers of their operands, two at a time
    truth    of a tree, a literal: the tree is true where it holds
    scope    the variables of a tree

A table leaves out assignments for which a part is undefined: they break the constraint wherever the part stands.
"""

from collections.abc import Iterable, Sequence
from itertools import chain, product
from math import inf, log2, prod
from typing import NamedTuple

import numpy as np

from encoders.elementary.parts import MOST, Domain, ElementaryParts, Sum, Terms, TooMany
from puzzles.constraints.expression import MACHINE_BITS, Tree, bits_of, evaluated, renamed, variables_of
from puzzles.problem.arrays import Int64Array

FEW, PAIRS = 5_000, 50_000  # assignments of a tree that are listed; of a tree of at most two variables
EQUAL = 1_000  # assignments of an equation or a choice that is listed where tables were too many: rows are shorter
PRODUCTS = 64  # of a product of sums that is multiplied out
WIDEST = 20_000  # numbers of the sum of a tree
LONGEST = 256.0  # bits of a part of a tree that is listed

COMPARISONS = {"lt": ("<=", -1), "le": ("<=", 0), "gt": (">=", 1), "ge": (">=", 0), "ne": ("!=", 0), "eq": ("=", 0)}
NEGATED = {"<=": (">=", 1), ">=": ("<=", -1), "=": ("!=", 0), "!=": ("=", 0)}
LOGICAL = {"and", "or", "not", "imp"}
FOLDED = {"add", "mul", "min", "max", "xor"}  # operators that take two parts at a time


class Listing(NamedTuple):
    """Assignments of a scope for which a tree is defined, and the number of the tree for each."""

    assignments: Int64Array
    numbers: Int64Array


class Trees(ElementaryParts):
    """Parts with trees. Equal trees share their variables.

    `equal` is the most assignments of an equation or a choice that is listed.
    """

    equal: float = inf

    def __init__(self, domains: Sequence[Domain]) -> None:
        super().__init__(domains)
        self.known: dict[Tree, int] = {}
        self.truths: dict[Tree, int] = {}

    def listed_as_true(self, tree: Tree) -> None:
        """Add a table of the assignments for which a tree is true, or is false, whichever are fewer. Raises TooMany."""
        scope, (assignments, numbers) = self.scope(tree), self.listing(tree)
        true, whole = numbers != 0, prod(map(len, self.domains_of(tree)))
        if 2 * np.count_nonzero(true) <= whole or len(numbers) < whole:
            self.tabulate(scope, assignments[true])
        else:
            self.tabulate(scope, assignments[~true], positive=False)

    def scope(self, tree: Tree) -> tuple[int, ...]:
        """Return the variables of a tree, each once."""
        return tuple(dict.fromkeys(variables_of(tree)))

    def domains_of(self, tree: Tree) -> list[Domain]:
        return [self.domains[x] for x in self.scope(tree)]

    def few(self, tree: Tree) -> bool:
        """Return True if the assignments of a tree can be listed."""
        return self.count(tree) <= (FEW if len(self.scope(tree)) > 2 else PAIRS)

    def count(self, tree: Tree) -> int:
        """Return the number of assignments of a tree."""
        return prod(map(len, self.domains_of(tree)))

    def listable(self, tree: Tree) -> bool:
        """Return True if a table suits a comparison better than a row: no sum, or an equation of few assignments."""
        if not self.few(tree):
            return False
        variables = len(self.scope(tree))
        equation = tree[0] == "eq" and variables <= 3 and self.count(tree) <= self.equal
        return not all(map(linear, tree[1:])) or variables < 2 or equation

    def listing(self, tree: Tree) -> Listing:
        """Return all assignments for which a tree is defined. Raises TooMany."""
        scope, domains = self.scope(tree), self.domains_of(tree)
        if (count := self.count(tree)) > MOST:
            raise TooMany(f"{tree[0]} of {count:,} assignments")
        limit = max((abs(n) for domain in domains for n in (domain[0], domain[-1])), default=1)
        if (bits := bits_of(tree, log2(max(limit, 1)))) >= LONGEST:
            raise TooMany(f"{tree[0]} of more than {LONGEST:g} bits")
        columns = np.meshgrid(*(np.array(domain, np.int64) for domain in domains), indexing="ij")
        assignments = np.stack([c.ravel() for c in columns], 1) if columns else np.zeros((1, 0), np.int64)
        exact = assignments.astype(object) if bits >= MACHINE_BITS else assignments
        values, defined = evaluated(renamed(tree, {x: k for k, x in enumerate(scope)}), exact)
        try:
            return Listing(assignments[defined], np.asarray(values[defined], np.int64))
        except OverflowError:
            raise TooMany(f"{tree[0]} of more than 64 bits") from None

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
        if name == "if" and self.count(tree) > self.equal:
            return self.chosen(*parts)
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
        while len(operands) > 2 and name in FOLDED:
            operands[:2] = [("var", self.listed((name, *operands[:2])))]
        return self.listed((name, *operands))

    def chosen(self, condition: Tree, *cases: Tree) -> int:
        """Return a variable that has the number of the first case where a condition is true, else of the second."""
        literal, sums = self.truth(condition), [self.sum(case) for case in cases]
        found = self.new(sorted({n for terms, constant in sums for n in self.sums(terms, constant)}))
        for given, (terms, constant) in zip((literal, -literal), sums, strict=True):
            self.compare(total([(terms, 0), ({found: -1}, 0)])[0], -constant, "=", (given,))
        return found

    def listed(self, tree: Tree) -> int:
        """Return a variable that has the number of a tree, by a table. Raises TooMany."""
        assignments, numbers = self.listing(tree)
        taken = np.unique(numbers).tolist()
        found, scope = self.new(taken or [0]), self.scope(tree)
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

    def sum(self, tree: Tree, factor: int = 1) -> Sum:
        """Return a tree as terms and a constant; parts that are no sums become variables. Raises TooMany."""
        name, *parts = tree
        if name == "number":
            return {}, factor * parts[0]
        if name in ("add", "sub", "neg"):
            signs = {"neg": [-1], "sub": [1, -1]}.get(name, [1] * len(parts))
            return total([self.sum(part, factor * sign) for part, sign in zip(parts, signs, strict=True)])
        if name == "mul":
            return self.product(parts, factor)
        return {self.number(tree): factor}, 0

    def product(self, parts: Sequence[Tree], factor: int) -> Sum:
        """Return a product as terms and a constant; a product of sums is multiplied out if its table would be large."""
        factor *= prod(part[1] for part in parts if part[0] == "number")
        others = [part for part in parts if part[0] != "number"]
        if len(others) < 2:
            return self.sum(others[0], factor) if others else ({}, factor)
        if all(map(linear, others)):
            sums = [self.sum(part) for part in others]
            lengths = [len(terms) + 1 for terms, _ in sums]
            spans = [1 + high - low for low, high in (self.ends(terms) for terms, _ in sums)]
            if max(lengths) > 2 and prod(lengths) <= PRODUCTS and prod(spans) > PAIRS:
                addends = [[*((("var", x), ("number", a)) for x, a in s.items()), (("number", n),)] for s, n in sums]
                chosen = [list(chain(*choice)) for choice in product(*addends)]
                return total([self.product(sorted(parts), factor) for parts in chosen if ("number", 0) not in parts])
        return {self.number(("mul", *others)): factor}, 0

    def weighted(self, terms: Iterable[tuple[int, int]]) -> Sum:
        """Return the sum of variables times coefficients."""
        return total([self.sum(("var", x), a) for a, x in terms])

    def order(self, left: Sequence[int], right: Sequence[int], strict: bool) -> None:
        """Add: a list of variables is lexicographically below another, or equal if not `strict`.

        While no earlier pair is below, each pair is in order. `open_` is true where the pairs before are equal.
        """
        open_ = self.new() + 1
        self.clauses.append((open_,))
        for x, y in zip(left, right, strict=True):
            below, after = self.new() + 1, self.new() + 1
            self.clauses.append((-open_, below, after))
            terms, constant = self.weighted([(1, x), (-1, y)])
            self.compare(terms, -constant, "<=", (open_,))
            self.compare(terms, -constant - 1, "<=", (below,))
            open_ = after
        if strict:
            self.clauses.append((-open_,))

    def difference(self, tree: Tree) -> Sum:
        """Return a comparison of two trees as the terms of a sum and a bound."""
        terms, constant = total([self.sum(tree[1]), self.sum(tree[2], -1)])
        return terms, COMPARISONS[tree[0]][1] - constant

    def truth(self, tree: Tree) -> int:
        """Return a literal that is true where a tree is true. Raises TooMany."""
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


def linear(tree: Tree) -> bool:
    """Return True if a tree is a sum of variables and numbers."""
    name, *parts = tree
    if name == "mul":
        return all(map(linear, parts)) and sum(part[0] != "number" for part in parts) < 2
    return name in ("var", "number") or (name in ("add", "sub", "neg") and all(map(linear, parts)))


def scaled(sum_: Sum, factor: int) -> Sum:
    """Return a sum times a factor."""
    return {x: factor * a for x, a in sum_[0].items()}, factor * sum_[1]


def total(sums: Iterable[Sum]) -> Sum:
    """Return the sum of sums."""
    terms, whole = Terms(), 0
    for part, constant in sums:
        whole += constant
        for x, a in part.items():
            terms[x] = terms.get(x, 0) + a
    return {x: a for x, a in terms.items() if a}, whole
