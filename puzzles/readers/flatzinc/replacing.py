"""Variables that a sum defines are replaced by that sum.

v = 3 x + 2 y, v <= 9 z, v in 0..900000        3 x + 2 y <= 9 z, 3 x + 2 y <= 900000
"""

from copy import copy
from typing import NamedTuple

from puzzles.constraints.expression import Expression, Tree
from puzzles.constraints.moving import occurring, substituted
from puzzles.readers.building import MAX_NUMBER, Ranges
from puzzles.readers.flatzinc.model import FlatModel, Sum

MAX_TERMS = 1 << 20  # terms that replacing a variable may add


class GoalSum(NamedTuple):
    """A sum that is minimised or maximised."""

    terms: Sum
    offset: int
    maximise: bool


class Replacing:
    """A model in which sums replace variables.

    defined  rows of `sums` in which each variable occurs
    trees    trees in which each variable occurs
    fixed    variables that occur in other rows
    gone     definitions of the variables that were replaced: a sum and a number
    """

    def __init__(self, model: FlatModel, goal: GoalSum | None) -> None:
        self.model, self.goal = model, goal
        self.defined: dict[int, set[int]] = {}
        for i, (terms, _, _) in enumerate(model.sums):
            for x in terms:
                self.defined.setdefault(x, set()).add(i)
        self.trees: dict[int, set[int]] = {}
        for i, tree in enumerate(model.rows.get(Expression, ())):
            for x in occurring(Expression, tree):
                self.trees.setdefault(x, set()).add(i)
        self.fixed = {
            x
            for kind, rows in model.rows.items()
            if kind is not Expression
            for row in rows
            for x in occurring(kind, row)
        }
        self.fixed.update(x for scopes in model.scopes.values() for scope in scopes for x in scope)
        self.gone: dict[int, tuple[Sum, int]] = {}

    def copied(self) -> "Replacing":
        """Return a copy, in which variables can be replaced without effect on this one."""
        model = copy(self.model)
        model.sums = [(dict(terms), sign, bound) for terms, sign, bound in model.sums]
        model.rows = {kind: list(rows) for kind, rows in model.rows.items()}
        model.domains = list(model.domains)
        made = Replacing(model, self.goal)
        made.gone = dict(self.gone)
        return made

    def definition(self, v: int) -> int | None:
        """Return the shortest equation in which a variable has the coefficient 1 or -1."""
        sums = self.model.sums
        rows = [i for i in self.defined.get(v, ()) if sums[i][1] == "=" and abs(sums[i][0][v]) == 1]
        return min(rows, key=lambda i: (len(sums[i][0]), i), default=None)

    def replace(self, v: int) -> bool:
        """Replace a variable by its definition; return False if that can't be done."""
        row = None if v in self.fixed or v in self.gone else self.definition(v)
        if row is None:
            return False
        terms, _, bound = self.model.sums[row]
        others, trees = self.defined[v] - {row}, self.trees.get(v, set())
        if len(terms) * (len(others) + len(trees)) > MAX_TERMS:
            return False
        sign = terms[v]
        own: Sum = {x: -sign * a for x, a in terms.items() if x != v}
        constant = sign * bound
        for x in terms:
            self.defined[x].discard(row)
        self.model.sums[row] = {}, "=", 0
        for i in others:
            self.put_into(i, v, own, constant)
        for i in trees:
            self.put_into_tree(i, v, own, constant)
        if self.goal and v in self.goal.terms:
            factor = self.goal.terms[v]
            self.goal = GoalSum(
                added(self.goal.terms, v, own), self.goal.offset + factor * constant, self.goal.maximise
            )
        self.bound(self.model.domains[v], own, constant)
        self.gone[v] = own, constant
        return True

    def sum_of(self, v: int) -> tuple[Sum, int]:
        """Return the sum of variables that were not replaced, and the number, that a variable equals."""
        terms, constant = {v: 1}, 0
        while (replaced := next(filter(self.gone.__contains__, terms), None)) is not None:
            own, more = self.gone[replaced]
            constant += terms[replaced] * more
            terms = added(terms, replaced, own)
        return terms, constant

    def put_into(self, i: int, v: int, own: Sum, constant: int) -> None:
        """Put a definition into a row."""
        terms, sign, bound = self.model.sums[i]
        found = added(terms, v, own)
        self.model.sums[i] = found, sign, bound - terms[v] * constant
        for x in terms.keys() - found.keys():
            self.defined[x].discard(i)
        for x in found:
            self.defined.setdefault(x, set()).add(i)

    def put_into_tree(self, i: int, v: int, own: Sum, constant: int) -> None:
        """Put a definition into a tree."""
        parts: list[Tree] = [("var", x) if a == 1 else ("mul", ("number", a), ("var", x)) for x, a in own.items()]
        parts += [("number", constant)] if constant or not parts else []
        value = ("add", *parts) if len(parts) > 1 else parts[0]
        trees = self.model.rows[Expression]
        trees[i] = substituted(trees[i], lambda x: value if x == v else ("var", x))
        for x in own:
            self.trees.setdefault(x, set()).add(i)

    def bound(self, domain: Ranges, own: Sum, constant: int) -> None:
        """Require that a sum stays in the domain of the variable that it replaces."""
        low, high = self.range_of(own, constant)
        for first, last in zip(
            [-MAX_NUMBER, *(b for _, b in domain)], [*(a for a, _ in domain), MAX_NUMBER], strict=True
        ):
            if max(first, low - 1) + 1 > min(last, high + 1) - 1:
                continue  # no number between two parts of the domain can be taken
            if first <= -MAX_NUMBER:
                self.add_row(own, ">=", last - constant)
            elif last >= MAX_NUMBER:
                self.add_row(own, "<=", first - constant)
            else:
                parts: list[Tree] = [("mul", ("number", a), ("var", x)) for x, a in own.items()]
                value = ("add", ("number", constant), *parts)
                outside = ("or", ("le", value, ("number", first)), ("ge", value, ("number", last)))
                self.model.add(Expression, outside)
                for x in own:
                    self.trees.setdefault(x, set()).add(len(self.model.rows[Expression]) - 1)

    def add_row(self, terms: Sum, sign: str, bound: int) -> None:
        """Add a row."""
        for x in terms:
            self.defined.setdefault(x, set()).add(len(self.model.sums))
        self.model.sums.append((dict(terms), sign, bound))

    def range_of(self, terms: Sum, constant: int) -> tuple[int, int]:
        """Return the least and the greatest number that a sum can be."""
        low = high = constant
        for x, a in terms.items():
            first, last = self.model.ends(("var", x))
            low += min(a * first, a * last)
            high += max(a * first, a * last)
        return low, high


def added(terms: Sum, v: int, own: Sum) -> Sum:
    """Return a sum in which another replaces a variable."""
    factor = terms[v]
    found = {x: a for x, a in terms.items() if x != v}
    for x, a in own.items():
        found[x] = found.get(x, 0) + factor * a
    return {x: a for x, a in found.items() if a}
