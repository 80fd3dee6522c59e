"""Propagators of expressions: sums become linear rows; others are narrowed, then tried out once that is cheap."""

from collections.abc import Iterator
from itertools import product
from math import prod

from backends.native.propagation.linear import Terms, linear_row
from backends.native.propagation.narrowing import be_true
from backends.native.propagation.store import Propagator, Scale, Store, watching
from backends.native.propagation.trees import value
from puzzles.constraints.expression import Expression, Tree, variables_of

MAX_COMBINATIONS = 100  # combinations of numbers of several open variables that one run tries out
MAX_NUMBERS = 10_000  # numbers of the last open variable
# comparison of two operands -> that of their difference with a bound
COMPARISONS = {"lt": ("<=", -1), "le": ("<=", 0), "gt": (">=", 1), "ge": (">=", 0), "eq": ("=", 0), "ne": ("!=", 0)}
Sum = tuple[Terms, int]  # and a constant; a variable may have several terms


def expression(constraint: Expression, scale: Scale) -> Iterator[Propagator]:
    for tree in constraint.trees:
        yield from propagators_of(tree)


def propagators_of(tree: Tree) -> Iterator[Propagator]:
    name, *parts = tree
    if name == "and":
        for part in parts:
            yield from propagators_of(part)
    elif name in COMPARISONS and len(parts) == 2 and (difference := linear_form(("sub", *parts))):
        terms, constant = difference
        comparison, bound = COMPARISONS[name]
        yield from linear_row(terms, comparison, bound - constant)
    else:
        scope = tuple(dict.fromkeys(variables_of(tree)))
        yield watching(propagate_tree, (tree, scope), scope)


def linear_form(tree: Tree) -> Sum | None:
    """Return a tree as a weighted sum of variables, None if it is no such sum."""
    name, *parts = tree
    if name == "var":
        return [(1, parts[0])], 0
    if name == "number":
        return [], parts[0]
    if name not in ("neg", "add", "sub", "mul"):
        return None
    sums = [s for part in parts if (s := linear_form(part))]
    if len(sums) < len(parts):
        return None
    if name == "mul":
        if sum(bool(terms) for terms, _ in sums) > 1:
            return None
        factor = prod(constant for terms, constant in sums if not terms)
        rest = next((s for s in sums if s[0]), ([], 1))
        return weighted([rest], [factor])
    return weighted(sums, {"neg": [-1], "sub": [1, -1]}.get(name, [1] * len(sums)))


def weighted(sums: list[Sum], weights: list[int]) -> Sum:
    """Return the sum of sums, each with a weight."""
    pairs = list(zip(sums, weights, strict=True))
    terms = [(weight * a, x) for (terms, _), weight in pairs for a, x in terms]
    return terms, sum(weight * constant for (_, constant), weight in pairs)


def propagate_tree(store: Store, row: tuple[Tree, tuple[int, ...]]) -> bool:
    """Keep the numbers of combinations that make the tree true; if there are too many, narrow their bounds."""
    tree, scope = row
    open_variables = [x for x in scope if not store.decided(x)]
    combinations = prod(store.domains[x].bit_count() for x in open_variables)
    if combinations > (MAX_COMBINATIONS if len(open_variables) > 1 else MAX_NUMBERS):
        return be_true(store, tree)
    supported = dict.fromkeys(scope, store.scale.none)
    every = [store.numbers(x) for x in scope]
    for numbers in product(*every):
        if holds(tree, dict(zip(scope, numbers, strict=True))):
            for x, n in zip(scope, numbers, strict=True):
                supported[x] |= store.scale.just(n)
    return all(store.keep(x, mask) for x, mask in supported.items()) and bool(scope or holds(tree, {}))


def holds(tree: Tree, numbers: dict[int, int]) -> bool:
    try:
        return bool(value(tree, numbers))
    except ZeroDivisionError:
        return False
