"""Wide variables as digits, for problems over ranges: the compact order encoding (Tanjo, Tamura & Banbara 2012).

    digits   variables of less than BASE numbers each; their weighted sum and a constant are the number of a variable
    wide     of a tree: it has a variable of digits, so it is never listed, and its number is a sum

Order literals of a digit are those of any small variable. One of a wide variable is made where a constraint asks for
it: a Boolean that implies a row over digits.
"""

from collections.abc import Sequence

from encoders.elementary.parts import Domain, Sum, TooMany
from encoders.elementary.trees import COMPARISONS, LOGICAL, WIDEST, Trees, scaled, total
from puzzles.constraints.all_different import AllDifferent
from puzzles.constraints.clauses import Clauses
from puzzles.constraints.expression import Tree
from puzzles.constraints.linear import Linear

BASE = 16  # models of benchmarks/wide and of OR-Tools took fewer conflicts than with 4, 32 or 128


class WideTrees(Trees):
    """Trees whose variables may be wide."""

    def __init__(self, domains: Sequence[Domain], wide: Sequence[int] = ()) -> None:
        super().__init__(domains)
        self.picks: dict[Tree, Sum] = {}
        self.digits = {x: self.made_of_digits(domains[x][0], domains[x][-1]) for x in wide}

    def made_of_digits(self, low: int, high: int) -> Sum:
        """Return a sum of new digits that has all numbers between the bounds, and no others."""
        terms, weight, rest = dict[int, int](), 1, high - low
        while rest:
            terms[self.new(range(min(rest + 1, BASE)))] = weight
            weight, rest = weight * BASE, rest // BASE
        if self.ends(terms)[1] > high - low:
            self.row(terms, "<=", high - low)
        return terms, low

    def integer(self, low: int, high: int) -> Sum:
        """Return a sum of new variables that has all numbers between the bounds, and no others."""
        if high - low < WIDEST:
            return {self.new(range(low, high + 1)): 1}, 0
        return self.made_of_digits(low, high)

    def wide(self, tree: Tree) -> bool:
        return bool(self.digits) and not self.digits.keys().isdisjoint(self.scope(tree))

    def few(self, tree: Tree) -> bool:
        return super().few(tree) and not self.wide(tree)

    def number(self, tree: Tree) -> int:
        if tree[0] == "var" and tree[1] in self.digits:
            raise TooMany(f"a variable of {len(self.domains[tree[1]]):,} numbers")
        return super().number(tree)

    def sum(self, tree: Tree, factor: int = 1) -> Sum:
        name, *parts = tree
        if name == "var" and parts[0] in self.digits:
            return scaled(self.digits[parts[0]], factor)
        if name == "sqr" and self.wide(tree):
            return self.product(parts * 2, factor)
        if name in ("min", "max", "abs", "dist", "if") and self.wide(tree):
            if tree not in self.picks:
                self.picks[tree] = self.picked(tree)
            return scaled(self.picks[tree], factor)
        return super().sum(tree, factor)

    def picked(self, tree: Tree) -> Sum:
        """Return a sum that is the greatest part of a tree, the least one, or the one that a condition picks."""
        name, *parts = tree
        truth = self.truth(parts.pop(0)) if name == "if" else 0
        name, operands = as_extreme(name, parts)
        sums = [self.sum(part) for part in operands]
        ends = [(constant + low, constant + high) for terms, constant in sums for low, high in [self.ends(terms)]]
        lows, highs = zip(*ends, strict=True)
        found = self.integer((max if name == "max" else min)(lows), (min if name == "min" else max)(highs))
        ways = []
        for i, (terms, constant) in enumerate(total([found, scaled(part, -1)]) for part in sums):
            if truth:
                self.compare(terms, -constant, "=", (-truth if i else truth,))
                continue
            ways.append(self.new() + 1)
            self.compare(terms, -constant, ">=" if name == "max" else "<=", ())
            self.compare(terms, -constant, "<=" if name == "max" else ">=", ways[-1:])
        self.clauses += [ways] if ways else []
        return found

    def make_truth(self, tree: Tree) -> int:
        name, *parts = tree
        if name == "in" and self.wide(tree):
            return self.any_of([self.truth(run) for run in runs(parts[0], parts[1][1:])])
        if name not in (*COMPARISONS, *LOGICAL, "xor", "iff") and self.wide(tree):
            return self.truth(("ne", tree, ("number", 0)))
        return super().make_truth(tree)


def runs(tree: Tree, numbers: Sequence[int]) -> list[Tree]:
    """Return for each run of consecutive numbers the condition that a tree is in it."""
    found = list[tuple[int, int]]()
    for n in sorted(set(numbers)):
        found[-1:] = [(found[-1][0], n)] if found and found[-1][1] == n - 1 else [*found[-1:], (n, n)]
    return [
        ("and", ("ge", tree, ("number", low)), ("le", tree, ("number", high)))
        if low < high
        else ("eq", tree, ("number", low))
        for low, high in found
    ]


def as_extreme(name: str, parts: Sequence[Tree]) -> tuple[str, Sequence[Tree]]:
    """Return a distance or a size as the maximum of two differences, other operators as they are."""
    if name == "dist":
        return "max", (("sub", *parts), ("sub", parts[1], parts[0]))
    if name == "abs":
        return "max", (parts[0], ("neg", parts[0]))
    return name, parts


def linear(constraint: Linear, e: WideTrees) -> None:
    for coefficients, xs, comparison, bound in constraint.rows:
        terms, constant = e.weighted(zip(coefficients, xs, strict=True))
        e.row(terms, comparison, bound - constant)


def clauses(constraint: Clauses, e: WideTrees) -> None:
    for row in constraint.rows:
        e.clauses.append([(1 if k > 0 else -1) * e.truth(("eq", ("var", abs(k) - 1), ("number", 1))) for k in row])


def all_different(constraint: AllDifferent, e: WideTrees) -> None:
    for unit in constraint.units:
        if e.digits.keys().isdisjoint(unit):
            e.different.append(unit)
            continue
        for i, x in enumerate(unit):
            for y in unit[:i]:
                terms, constant = e.weighted([(1, x), (-1, y)])
                e.row(terms, "!=", -constant)
