"""Expressions: trees of operators over variables, named as in XCSP3; each tree is to be true.

    ("eq", ("add", ("var", 0), ("number", 2)), ("var", 1))        x1 + 2 = x2

Comparisons and logical operators give 1 or 0, and a number other than 0 is true. div and mod truncate towards zero. A
division by zero, or a power of a negative exponent, is undefined; a tree with an undefined part anywhere is not true.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from math import exp2, inf, log2
from typing import Any, ClassVar, Self

import numpy as np

from puzzles.constraints.checks import check_index, check_number, check_numbers, check_row, check_tuple
from puzzles.constraints.numbers import Numbers, Rows, tuples
from puzzles.problem import Problem
from puzzles.problem.arrays import BoolArray
from puzzles.problem.values import Integers

Tree = tuple[Any, ...]  # ("var", x), ("number", n), ("set", number, ...) below "in", or (operator, tree, ...)
Column = Any  # numbers of m solutions: int64[m], or Python integers if one may be longer
MAX_DEPTH = 200  # nesting of operators
MACHINE_BITS = 62.0  # bits of a number that 64 bits surely hold
MAX_BITS = 10_000.0  # bits of any part of a tree, for any values of its variables
OPERATOR_OF = {"<": "lt", "<=": "le", ">": "gt", ">=": "ge", "=": "eq", "!=": "ne"}  # by the sign of a comparison


def truncated(a: Column, b: Column) -> Column:
    """Return a / b truncated towards zero, 0 where b is 0."""
    quotient = abs(a) // np.where(b == 0, 1, abs(b))
    return np.where(b == 0, 0, np.where((a < 0) == (b < 0), quotient, -quotient))


def power(a: Column, b: Column) -> Column:
    """Return a to the power of b, 0 where b is negative."""
    return np.where(b < 0, 0, a ** np.where(b < 0, 0, b))


def truth(a: Column) -> Column:
    """Return 1 where a number is true."""
    return (a != 0) * 1


def equal(*parts: Column) -> Column:
    """Return 1 where all parts are equal."""
    return reduce(np.logical_and, [part == parts[0] for part in parts[1:]]) * 1


# Operators, by the number of their parts: (fewest, most, function); None is any number of parts.
OPERATORS: dict[str, tuple[int, int | None, Callable[..., Column]]] = {
    "neg": (1, 1, lambda a: -a),
    "abs": (1, 1, abs),
    "sqr": (1, 1, lambda a: a * a),
    "add": (1, None, lambda *parts: reduce(lambda a, b: a + b, parts)),
    "sub": (2, 2, lambda a, b: a - b),
    "mul": (1, None, lambda *parts: reduce(lambda a, b: a * b, parts)),
    "div": (2, 2, truncated),
    "mod": (2, 2, lambda a, b: np.where(b == 0, 0, a - truncated(a, b) * b)),
    "pow": (2, 2, power),
    "dist": (2, 2, lambda a, b: abs(a - b)),
    "min": (1, None, lambda *parts: reduce(np.minimum, parts)),
    "max": (1, None, lambda *parts: reduce(np.maximum, parts)),
    "lt": (2, 2, lambda a, b: (a < b) * 1),
    "le": (2, 2, lambda a, b: (a <= b) * 1),
    "gt": (2, 2, lambda a, b: (a > b) * 1),
    "ge": (2, 2, lambda a, b: (a >= b) * 1),
    "ne": (2, 2, lambda a, b: (a != b) * 1),
    "eq": (2, None, equal),
    "not": (1, 1, lambda a: (a == 0) * 1),
    "and": (1, None, lambda *parts: reduce(lambda a, b: a * b, map(truth, parts))),
    "or": (1, None, lambda *parts: reduce(np.maximum, map(truth, parts))),
    "xor": (1, None, lambda *parts: reduce(lambda a, b: a ^ b, map(truth, parts))),
    "iff": (2, None, lambda *parts: equal(*map(truth, parts))),
    "imp": (2, 2, lambda a, b: np.maximum((a == 0) * 1, truth(b))),
    "if": (3, 3, lambda a, b, c: np.where(a != 0, b, c)),
}


def variables_of(tree: Tree) -> Iterator[int]:
    """Iterate over the variables of a tree, as often as they occur."""
    if tree[0] == "var":
        yield tree[1]
    elif tree[0] not in ("number", "set"):
        for part in tree[1:]:
            yield from variables_of(part)


def renamed(tree: Tree, names: Mapping[int, int]) -> Tree:
    """Return a tree with other indices of variables."""
    name, *parts = tree
    if name == "var":
        return ("var", names[parts[0]])
    return tree if name in ("number", "set") else (name, *(renamed(part, names) for part in parts))


def bits_of(tree: Tree, bits: float) -> float:
    """Return a number of bits that no part of a tree exceeds, if variables have at most `bits` bits."""
    name, *parts = tree
    if name == "var":
        return bits
    if name == "number":
        return log2(max(abs(parts[0]), 1))
    if name == "in":
        return bits_of(parts[0], bits)
    sizes = [bits_of(part, bits) for part in parts]
    most = max(sizes)
    if name in ("mul", "sqr"):
        return sum(sizes) * (2 if name == "sqr" else 1)
    if name == "pow":
        return max(most, sizes[0] * exp2(min(sizes[1], 1000.0)))
    return most + log2(sum(exp2(size - most) for size in sizes)) if most < inf else inf


def largest(tree: Tree, limit: float) -> float:
    """Return a size that no part of a tree exceeds, if variables have at most the size `limit`; it may be infinite."""
    bits = bits_of(tree, log2(max(limit, 1.0)))
    return exp2(bits) if bits < 1000 else inf


def check_tree(tree: Any, variables: int, depth: int = 0) -> None:
    """Raise ValueError unless a tree is not too deep, and its operators are known and have as many parts as needed."""
    check_tuple(tree)
    name, *parts = tree or ("",)
    if name in ("var", "number"):
        check_row(tree[1:], [check_index if name == "var" else check_number], variables)
        return
    if name == "in":
        check_tuple(tree, 3)
        check_tree(tree[1], variables, depth + 1)
        check_numbers(tree[2][1:])
        return
    fewest, most, _ = OPERATORS.get(name, (1, 0, None)) if isinstance(name, str) else (1, 0, None)
    if depth > MAX_DEPTH or len(parts) < fewest or (most is not None and len(parts) > most):
        raise ValueError(f"a tree of {str(name)[:40]!r} with {len(parts)} parts, at depth {depth}")
    for part in parts:
        check_tree(part, variables, depth + 1)


def evaluated(tree: Tree, numbers: Numbers) -> tuple[Column, BoolArray]:
    """Return the values of a tree for m solutions, and bool[m]: True where every part is defined."""
    name, *parts = tree
    count = len(numbers)
    if name == "var":
        return numbers[:, parts[0]], np.ones(count, np.bool_)
    if name == "number":
        return np.full(count, parts[0], numbers.dtype), np.ones(count, np.bool_)
    if name == "in":
        value, defined = evaluated(parts[0], numbers)
        return np.isin(value, parts[1][1:]) * 1, defined
    columns = [evaluated(part, numbers) for part in parts]
    values = [column for column, _ in columns]
    defined = np.all([known for _, known in columns], axis=0)
    if name in ("div", "mod"):
        defined &= (values[1] != 0).astype(np.bool_)
    if name == "pow":
        defined &= (values[1] >= 0).astype(np.bool_)
    return OPERATORS[name][2](*values), defined


def tree_text(tree: Tree, names: Sequence[str]) -> str:
    """Return a tree as XCSP3 writes it."""
    name, *parts = tree
    if name == "var":
        return names[parts[0]]
    if name == "number":
        return str(parts[0])
    inner = map(str, parts) if name == "set" else (tree_text(part, names) for part in parts)
    return f"{name}({','.join(inner)})"


@dataclass(frozen=True)
class Expression(Rows):
    """Each tree is true: defined, and not 0."""

    rows: tuple[Tree, ...]
    kind: ClassVar[str] = "expression"

    @property
    def trees(self) -> tuple[Tree, ...]:
        return self.rows

    def check(self, problem: Problem) -> None:
        check_tuple(self.rows)
        for tree in self.rows:
            check_tree(tree, len(problem.variables))
        if self.too_long(problem):
            raise ValueError(f"expressions of more than {MAX_BITS:,.0f} bits")

    def too_long(self, problem: Problem) -> bool:
        """Return True if a part of a tree may have more than MAX_BITS, which takes too long to evaluate."""
        values = problem.values
        ends = (
            (values.numbers[0], values.numbers[-1]) if isinstance(values, Integers) and len(values) else (len(values),)
        )
        bits = log2(max(1, *map(abs, ends)))
        return any(bits_of(tree, bits) > MAX_BITS for tree in self.rows)

    def holds(self, numbers: Numbers, row: Tree) -> BoolArray:
        scope = sorted(set(variables_of(row)))
        limit = float(np.abs(numbers[:, scope].astype(np.float64)).max(initial=1))
        wide = numbers.dtype == object or bits_of(row, log2(limit)) >= MACHINE_BITS
        value, defined = evaluated(row, numbers.astype(object) if wide else numbers)
        satisfied: BoolArray = defined & np.asarray(value != 0, np.bool_)
        return satisfied

    def words(self, numbers: Sequence[int], row: Tree, problem: Problem) -> str:
        scope = list(dict.fromkeys(variables_of(row)))
        text, where = (
            tree_text(row, problem.variables),
            ", ".join(f"{problem.variables[x]} = {numbers[x]}" for x in scope[:8]),
        )
        return f"{text} is not true{' for ' if where else ''}{where}{' ...' if len(scope) > 8 else ''}"

    def data(self) -> dict[str, Any]:
        return {"trees": self.rows}

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Self:
        return cls(tuples(data["trees"]))


KIND = Expression
