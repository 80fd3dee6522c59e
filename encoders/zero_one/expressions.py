"""Expressions as rows: comparisons of sums are rows; other operators choose among the numbers that they can take.

choice  indicator of each number that a tree can take; exactly one of them is 1

An undefined part breaks the constraint wherever it stands (docs/decisions/0021): the numbers of its operands are
forbidden together.
"""

from collections.abc import Sequence
from functools import reduce
from itertools import product
from math import inf, prod

import numpy as np

from encoders.cnf import BitTable
from encoders.formula import MAX_NUMBERS, Unsupported
from encoders.zero_one.rows import Terms, ZeroOneRows, negated, sum_of, total
from puzzles.constraints.expression import MACHINE_BITS, Expression, Tree, evaluated, largest, variables_of

MAX_OPERANDS = 100_000  # combinations of the numbers of an operator's operands
MAX_PAIRS = 2_000  # combinations of two sums whose comparison is a choice; of more, two rows relaxed by their deficit
COMPARISONS = {"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "ne": "!=", "eq": "="}
OPPOSITE = {"lt": ">=", "le": ">", "gt": "<=", "ge": "<"}
SUMS = {"var", "number", "neg", "add", "sub"}
Choice = dict[int, Terms]


def add_expression(rows: ZeroOneRows, part: Expression) -> None:
    trees = RowTrees(rows)
    for tree in part.trees:
        trees.require(tree)


class RowTrees:
    """Trees of one constraint; equal parts share their Booleans."""

    def __init__(self, rows: ZeroOneRows) -> None:
        self.rows = rows
        self.choices: dict[Tree, Choice] = {}

    def require(self, tree: Tree) -> None:
        """Add rows for: the tree is true. Raises Unsupported."""
        name, *parts = tree
        if name == "and":
            for part in parts:
                self.require(part)
        elif name == "eq" and len(parts) > 2:
            for part in parts[1:]:
                self.require(("eq", parts[0], part))
        elif name in COMPARISONS and all(map(is_sum, parts)):
            left, right = map(self.sum, parts)
            self.rows.require(total((1, left), (-1, right)), COMPARISONS[name], 0)
        elif self.is_of_two(tree):
            self.forbid_pairs(tree)
        elif name in COMPARISONS:
            left, right = map(self.sum, parts)
            self.rows.require(total((1, left), (-1, right)), COMPARISONS[name], 0)
        elif name == "or":
            self.rows.require(sum_of(map(self.truth, parts)), ">=", 1)
        else:
            self.rows.require(self.truth(tree), ">=", 1)

    def is_of_two(self, tree: Tree) -> bool:
        """Return True if the tree has at most two variables, with few combinations."""
        scope = set(variables_of(tree))
        return len(scope) <= 2 and prod(len(self.rows.numbers[x]) for x in scope) <= MAX_OPERANDS

    def forbid_pairs(self, tree: Tree) -> None:
        """Add a row for each number of the first variable: the second takes no number that makes the tree false."""
        scope = sorted(set(variables_of(tree)))
        if not scope:
            self.rows.require({0: values(tree, [()], ())[()] or 0}, "!=", 0)
            return
        domains = [self.rows.numbers[x] for x in scope]
        value = values(tree, list(product(*domains)), scope)
        wrong: dict[int, list[Terms]] = {}
        for at, number in value.items():
            if not number:
                wrong.setdefault(at[0], []).append(self.rows.takes(scope[-1], at[-1]))
        for n, indicators in wrong.items():
            first = {0: 1} if len(scope) == 1 else self.rows.takes(scope[0], n)
            self.rows.require(total((1, first), (1, sum_of(indicators))), "<=", 1)

    def sum(self, tree: Tree) -> Terms:
        """Return the terms of a tree: sums and multiples as they are, of another operator the numbers that it can take.

        Raises Unsupported.
        """
        name, *parts = tree
        if name == "number":
            return {0: parts[0]}
        if name == "var":
            return self.rows.number(parts[0])
        if name in SUMS:
            signs = {"neg": [-1], "sub": [1, -1]}.get(name, [1] * len(parts))
            return total(*[(sign, self.sum(part)) for sign, part in zip(signs, parts, strict=True)])
        factors = [part[1] for part in parts if part[0] == "number"]
        if name == "mul" and len(factors) == len(parts) - 1:
            (other,) = [part for part in parts if part[0] != "number"]
            return total((prod(factors), self.sum(other)))
        return total(*self.choice(tree).items())

    def truth(self, tree: Tree) -> Terms:
        """Return the indicator of: a tree's number is not 0."""
        return sum_of(indicator for n, indicator in self.choice(tree).items() if n)

    def choice(self, tree: Tree) -> Choice:
        """Return the indicators of a tree's numbers, and add the rows that determine them. Raises Unsupported."""
        if tree not in self.choices:
            self.choices[tree] = self.new_choice(tree)
        return self.choices[tree]

    def new_choice(self, tree: Tree) -> Choice:
        name, *parts = tree
        if name == "number":
            return {parts[0]: {0: 1}}
        if name == "var":
            if (size := len(self.rows.numbers[parts[0]])) > MAX_NUMBERS:
                raise Unsupported(f"as sums of Booleans, an operator lists the {size:,} numbers of a variable")
            return {n: self.rows.takes(parts[0], n) for n in self.rows.numbers[parts[0]]}
        if name in ("and", "or"):
            truths = list(map(self.truth, parts))
            result = self.rows.all_of(truths) if name == "and" else self.rows.any_of(truths)
            return {0: negated(result), 1: result}
        if name in ("eq", "iff") and len(parts) > 2:
            pairs = [self.truth((name, parts[0], part)) for part in parts[1:]]
            result = self.rows.all_of(pairs)
            return {0: negated(result), 1: result}
        ranged = isinstance(self.rows.literals, BitTable)
        if name in OPPOSITE and (ranged or all(map(is_sum, parts))) and self.is_wide(parts):
            return self.relaxed(name, parts)
        if name in ("eq", "ne") and ranged and self.is_wide(parts):
            equal = self.rows.all_of([self.truth(("le", *parts)), self.truth(("ge", *parts))])
            return {0: negated(equal), 1: equal} if name == "eq" else {0: equal, 1: negated(equal)}
        if name == "in":
            operand = self.choice(parts[0])
            return self.combined(("in", ("var", 0), parts[1]), [operand])
        operands = list(map(self.choice, parts))
        if len(operands) > 2 and name != "if":
            return reduce(lambda a, b: self.combined((name, ("var", 0), ("var", 1)), [a, b]), operands)
        return self.combined((name, *[("var", i) for i in range(len(operands))]), operands)

    def is_wide(self, parts: Sequence[Tree]) -> bool:
        """Return True if two sums have many combinations of numbers."""
        ways = [prod(len(self.rows.numbers[x]) for x in set(variables_of(part))) for part in parts]
        return prod(ways) > MAX_PAIRS

    def relaxed(self, name: str, parts: Sequence[Tree]) -> Choice:
        """Return the choice of a comparison of sums: a Boolean for which a row holds, else its opposite."""
        left, right = map(self.sum, parts)
        result, difference = self.rows.new(), total((1, left), (-1, right))
        self.rows.require(difference, COMPARISONS[name], 0, result)
        self.rows.require(difference, OPPOSITE[name], 0, negated(result))
        return {0: negated(result), 1: result}

    def combined(self, tree: Tree, operands: Sequence[Choice]) -> Choice:
        """Return the choice of an operator. Operands' numbers imply its own; undefined combinations are forbidden."""
        if prod(map(len, operands)) > MAX_OPERANDS:
            raise Unsupported(f"as sums of Booleans, {tree[0]} takes more than {MAX_OPERANDS:,} pairs of numbers")
        value = values(tree, list(product(*operands)), range(len(operands)))
        results = sorted({number for number in value.values() if number is not None})
        if len(operands) == 1 and len(results) == len(set(value.values())):
            return {r: sum_of(operands[0][at[0]] for at, number in value.items() if number == r) for r in results}
        found = self.indicators(results)
        wrong: dict[tuple[tuple[int, ...], int | None], list[Terms]] = {}
        for at, number in value.items():
            wrong.setdefault((at[:-1], number), []).append(operands[-1][at[-1]])
        for (before, number), indicators in wrong.items():
            taken = [operand[n] for operand, n in zip(operands, before, strict=False)] + indicators
            result = {} if number is None else found[number]
            self.rows.require(total((1, sum_of(taken)), (-1, result)), "<=", len(before))
        return found

    def indicators(self, results: Sequence[int]) -> Choice:
        """Return an indicator for each number; exactly one of them is 1."""
        if len(results) == 1:
            return {results[0]: {0: 1}}
        if len(results) == 2:
            second = self.rows.new()
            return {results[0]: negated(second), results[1]: second}
        found = {number: self.rows.new() for number in results}
        self.rows.require(sum_of(found.values()), "=", 1)
        return found


def is_sum(tree: Tree) -> bool:
    """Return True if a tree is a sum of variables."""
    return tree[0] in ("var", "number") or (tree[0] in SUMS and all(map(is_sum, tree[1:])))


def values(tree: Tree, every: Sequence[tuple[int, ...]], scope: Sequence[int]) -> dict[tuple[int, ...], int | None]:
    """Return the number of a tree for each tuple of numbers of its variables, None where it is undefined."""
    if not every:
        return {}
    size = largest(tree, float(max((abs(n) for row in every for n in row), default=1)))
    if size == inf:
        raise Unsupported(f"as sums of Booleans, the numbers of {tree[0]} are too large")
    numbers = np.zeros((len(every), max(scope, default=0) + 1), np.int64 if size < 2.0**MACHINE_BITS else object)
    numbers[:, list(scope)] = np.array(every, numbers.dtype).reshape(len(every), len(scope))
    value, defined = evaluated(tree, numbers)
    value, defined = np.broadcast_to(value, len(every)), np.broadcast_to(defined, len(every))
    found = zip(every, value.tolist(), defined.tolist(), strict=True)
    return {at: int(number) if ok else None for at, number, ok in found}
