"""Trees where one direction is enough, by fewer rows than their numbers and truths (Feydy, Somogyi & Stuckey 2011).

    implying  a literal that may be true only where a tree is: of disjunctions that hold, and under these
    least     a sum that is at least the number of a tree, and can equal it: of a bound, or of an objective

So a maximum that is minimised has a variable of its own, which is at least each part: a search makes it no greater than
the greatest. No table lists the parts, and a bound on the sum reaches them by rows. Likewise a minimum of negative sign
is at most each part. In a solution that is not the best such a variable may cost more than the tree does.
"""

from collections.abc import Sequence

from encoders.elementary.digits import WideTrees, as_extreme
from encoders.elementary.parts import Domain, Sum, Terms
from encoders.elementary.trees import COMPARISONS, LOGICAL, scaled, total
from puzzles.constraints.expression import Tree

OPPOSITE = {"lt": "ge", "ge": "lt", "gt": "le", "le": "gt", "eq": "ne", "ne": "eq", "and": "or", "or": "and"}
TINY = 100  # assignments of a tree of comparisons that is listed


class BoundedTrees(WideTrees):
    """Trees that hold, and those that bound them."""

    def __init__(self, domains: Sequence[Domain], wide: Sequence[int] = ()) -> None:
        super().__init__(domains, wide)
        self.halves: dict[Tree, int] = {}
        self.conditional: dict[tuple[object, ...], int] = {}

    def require(self, tree: Tree) -> None:
        """Add: the tree is true. Raises TooMany."""
        name, *parts = tree
        if name == "and":
            for part in parts:
                self.require(part)
        elif name == "or" and not self.tiny(tree):
            self.clauses.append([self.implying(part) for part in parts])
        elif self.bounds(tree):
            self.compare(*self.row_of(tree), ())
        elif self.few(tree):
            self.listed_as_true(tree)
        else:
            self.clauses.append([self.implying(tree)])

    def implying(self, tree: Tree) -> int:
        """Return a literal that implies a tree. Raises TooMany."""
        name, *parts = tree
        if name == "not" and parts[0][0] in ("not", "imp", *OPPOSITE):
            return self.implying(negated(parts[0]))
        if tree in self.truths or self.tiny(tree) or not (name in ("imp", "and", "or") or self.bounds(tree)):
            return self.truth(tree)
        if tree not in self.halves:
            self.halves[tree] = self.make_half(tree)
        return self.halves[tree]

    def make_half(self, tree: Tree) -> int:
        name, *parts = tree
        if name in LOGICAL:
            literals = [self.implying(("not", part) if name == "imp" and part is parts[0] else part) for part in parts]
            found = self.new() + 1
            self.clauses += [(-found, literal) for literal in literals] if name == "and" else [(-found, *literals)]
            return found
        terms, bound, comparison = self.row_of(tree)
        key = (*sorted(terms.items()), bound, comparison)
        if key not in self.conditional:
            self.conditional[key] = self.new() + 1
            self.compare(terms, bound, comparison, (self.conditional[key],))
        return self.conditional[key]

    def tiny(self, tree: Tree) -> bool:
        """Return True if a table suits a tree better than rows: few assignments, or parts that would be listed too."""
        return self.few(tree) and (self.count(tree) <= TINY or not self.by_rows(tree))

    def by_rows(self, tree: Tree) -> bool:
        """Return True if all parts of a tree are comparisons of sums."""
        return self.bounds(tree) or (tree[0] in LOGICAL and all(map(self.by_rows, tree[1:])))

    def bounds(self, tree: Tree) -> bool:
        """Return True for a comparison of two sums as rows."""
        return tree[0] in COMPARISONS and len(tree) == 3 and not self.listable(tree)

    def row_of(self, tree: Tree) -> tuple[Terms, int, str]:
        """Return a comparison of two sums as terms, their bound, and how they compare with it. Raises TooMany."""
        comparison, step = COMPARISONS[tree[0]]
        if comparison not in ("<=", ">="):
            return *self.difference(tree), comparison
        sign = 1 if comparison == "<=" else -1
        terms, constant = total([self.least(tree[1], sign), self.least(tree[2], -sign)])
        return terms, sign * step - constant, "<="

    def least(self, tree: Tree, factor: int = 1) -> Sum:
        """Return terms and a constant whose sum is at least, or equal to, a tree times a factor. Raises TooMany."""
        name, *parts = tree
        if name in ("add", "sub", "neg"):
            signs = {"neg": [-1], "sub": [1, -1]}.get(name, [1] * len(parts))
            return total([self.least(part, factor * sign) for part, sign in zip(parts, signs, strict=True)])
        if name == "mul" and len(parts) == 2 and "number" in (parts[0][0], parts[1][0]):
            number, other = parts if parts[0][0] == "number" else parts[::-1]
            return self.least(other, factor * number[1]) if number[1] else self.sum(tree)
        if name in LOGICAL or name in COMPARISONS:
            literal = -self.implying(("not", tree)) if factor > 0 else self.implying(tree)
            return ({literal - 1: factor}, 0) if literal > 0 else ({-literal - 1: -factor}, factor)
        operator, operands = as_extreme(name, parts)
        if operator == ("max" if factor > 0 else "min") and not self.few(tree):
            return scaled(self.extreme(operands, 1 if factor > 0 else -1), factor)
        return self.sum(tree, factor)

    def extreme(self, parts: Sequence[Tree], sign: int) -> Sum:
        """Return a sum that is at least each part; at most each part if the sign is negative. Raises TooMany."""
        sums = [self.least(part, sign) for part in parts]
        ends = [(constant + low, constant + high) for terms, constant in sums for low, high in [self.ends(terms)]]
        low, high = map(max, zip(*ends, strict=True))
        found = self.integer(low, high) if sign > 0 else self.integer(-high, -low)
        for part in sums:
            terms, constant = total([part, scaled(found, -sign)])
            self.row(terms, "<=", -constant)
        return found


def negated(tree: Tree) -> Tree:
    """Return the negation of a tree whose operator has an opposite, or is a negation or an implication."""
    name, *parts = tree
    if name == "not":
        found: Tree = parts[0]
        return found
    if name == "imp":
        return ("and", parts[0], ("not", parts[1]))
    return (OPPOSITE[name], *((("not", part) for part in parts) if name in LOGICAL else parts))
