"""Bounds of an expression passed down to its variables (HC4-revise; Benhamou et al., 1999).

    low, high  what the value of a tree has to lie between, perhaps infinite; of an operator, within its range

Each function narrows what it can and leaves the rest: an operator that is not here narrows nothing. False means that
the tree has no such value.
"""

from collections.abc import Callable
from math import inf

from backends.native.propagation.store import Store
from puzzles.constraints.expression import Tree
from puzzles.constraints.ranges import Range, range_of

CONNECTIVES = {"and", "or", "imp", "not"}
OPPOSITE = {"lt": "ge", "le": "gt", "gt": "le", "ge": "lt", "eq": "ne", "ne": "eq"}


def range_in(store: Store, tree: Tree) -> Range:
    """Return the range of a tree in the current domains."""
    return range_of(tree, lambda x: (store.low(x), store.high(x)))


def be_true(store: Store, tree: Tree) -> bool:
    """Narrow the variables of a tree that is not 0."""
    name, *parts = tree
    if range_in(store, tree) == (0, 0):
        return False
    if name == "and":
        return all(be_true(store, part) for part in parts)
    if name == "or":
        able = [part for part in parts if range_in(store, part) != (0, 0)]
        return len(able) > 1 or be_true(store, able[0])
    if name == "imp":
        return be_true(store, ("or", ("not", parts[0]), parts[1]))
    if name == "not":
        return be_false(store, parts[0])
    if name in OPPOSITE and len(parts) == 2:
        return compare(store, name, *parts)
    return True


def be_false(store: Store, tree: Tree) -> bool:
    """Narrow the variables of a tree that is 0."""
    name, *parts = tree
    if name in OPPOSITE and len(parts) == 2:
        return be_true(store, (OPPOSITE[name], *parts))
    if name in ("and", "or"):
        return be_true(store, ("or" if name == "and" else "and", *[("not", part) for part in parts]))
    if name == "imp":
        return be_true(store, ("and", parts[0], ("not", parts[1])))
    return be_true(store, parts[0]) if name == "not" else narrow(store, tree, 0, 0)


def compare(store: Store, name: str, a: Tree, b: Tree) -> bool:
    """Narrow both sides of a comparison that holds."""
    if name in ("gt", "ge"):
        return compare(store, {"gt": "lt", "ge": "le"}[name], b, a)
    if name == "ne":
        return differ(store, a, b) and differ(store, b, a)
    (low, _), (_, high) = range_in(store, a), range_in(store, b)
    strict = int(name == "lt")
    if not narrow(store, a, -inf, high - strict) or not narrow(store, b, low + strict, inf):
        return False
    return name != "eq" or compare(store, "le", b, a)


def differ(store: Store, a: Tree, b: Tree) -> bool:
    """Make a variable differ from a tree: remove the number of the tree once it is decided."""
    low, high = range_in(store, b)
    return a[0] != "var" or low != high or store.keep(a[1], ~store.scale.just(low))


def narrow(store: Store, tree: Tree, low: float, high: float) -> bool:
    """Narrow the variables of a tree whose value lies between bounds."""
    name, *parts = tree
    if name == "var":
        return store.keep(parts[0], store.scale.at_least(low) & store.scale.at_most(high))
    least, most = range_in(store, tree)
    if most < low or least > high:
        return False
    if (low > 0 or high < 1) and (name in CONNECTIVES or (name in OPPOSITE and len(parts) == 2)):
        return be_true(store, tree) if low > 0 else be_false(store, tree)
    return name not in NARROW or NARROW[name](store, max(low, least), min(high, most), *parts)


def add(store: Store, low: int, high: int, *parts: Tree) -> bool:
    """Bound each part by the least and greatest values of the others."""
    ranges = [range_in(store, part) for part in parts]
    least, most = sum(low for low, _ in ranges), sum(high for _, high in ranges)
    return all(
        narrow(store, part, low - (most - b), high - (least - a)) for part, (a, b) in zip(parts, ranges, strict=True)
    )


def mul(store: Store, low: int, high: int, *parts: Tree) -> bool:
    """Narrow the part of a product beside a positive number."""
    factors = [part[1] for part in parts if part[0] == "number"]
    others = [part for part in parts if part[0] != "number"]
    if len(parts) != 2 or len(factors) != 1 or factors[0] <= 0:
        return True
    return narrow(store, others[0], -(-low // factors[0]), high // factors[0])


def absolute(store: Store, low: int, high: int, a: Tree) -> bool:
    return narrow(store, a, -high, high)


NARROW: dict[str, Callable[..., bool]] = {
    "neg": lambda store, low, high, a: narrow(store, a, -high, -low),
    "add": add,
    "sub": lambda store, low, high, a, b: add(store, low, high, a, ("neg", b)),
    "mul": mul,
    "abs": absolute,
    "dist": lambda store, low, high, a, b: absolute(store, low, high, ("sub", a, b)),
    "min": lambda store, low, high, *parts: all(narrow(store, part, low, inf) for part in parts),
    "max": lambda store, low, high, *parts: all(narrow(store, part, -inf, high) for part in parts),
}
