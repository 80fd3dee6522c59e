"""Values of expressions, as decision 21 defines the operators."""

from collections.abc import Callable, Mapping
from functools import reduce
from math import prod
from operator import ge, gt, le, lt, ne, neg, sub, xor

from puzzles.constraints.expression import Tree
from puzzles.constraints.ranges import truncated


def power(a: int, b: int) -> int:
    if b < 0:
        raise ZeroDivisionError("negative exponent")
    return int(a**b)


OPERATORS: dict[str, Callable[..., int]] = {
    "neg": neg,
    "abs": abs,
    "sqr": lambda a: a * a,
    "add": lambda *parts: sum(parts),
    "sub": sub,
    "mul": lambda *parts: prod(parts),
    "div": truncated,
    "mod": lambda a, b: a - b * truncated(a, b),
    "pow": power,
    "dist": lambda a, b: abs(a - b),
    "min": lambda *parts: min(parts),
    "max": lambda *parts: max(parts),
    "lt": lt,
    "le": le,
    "gt": gt,
    "ge": ge,
    "ne": ne,
    "eq": lambda *parts: len(set(parts)) == 1,
    "not": lambda a: not a,
    "and": lambda *parts: all(parts),
    "or": lambda *parts: any(parts),
    "xor": lambda *parts: reduce(xor, map(bool, parts)),
    "iff": lambda *parts: len(set(map(bool, parts))) == 1,
    "imp": lambda a, b: not a or bool(b),
    "if": lambda a, b, c: b if a else c,
}


def value(tree: Tree, numbers: Mapping[int, int]) -> int:
    """Return the value of a tree for the numbers of its variables. Raises ZeroDivisionError if a part is undefined."""
    name, *parts = tree
    if name == "var":
        return numbers[parts[0]]
    if name == "number":
        return int(parts[0])
    if name == "in":
        return value(parts[0], numbers) in parts[1][1:]
    return OPERATORS[name](*[value(part, numbers) for part in parts])
