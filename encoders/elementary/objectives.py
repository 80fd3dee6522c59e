"""The tree of an objective as a sum of variables that is minimised.

A maximum that is minimised has a variable of its own, which is at least each part: a search makes it no greater than
the greatest. So no table lists the parts, and a bound on the sum reaches them by rows. Likewise a minimum of negative
sign is at most each part. In a solution that is not the best such a variable may cost more than the tree does.
"""

from collections.abc import Sequence

from encoders.elementary.parts import Terms, TooMany
from encoders.elementary.trees import WIDEST, Trees, total
from puzzles.constraints.expression import Tree


def minimised(tree: Tree, e: Trees, factor: int = 1) -> tuple[Terms, int]:
    """Return terms and a constant whose least sum is that of a tree times a factor. Raises TooMany."""
    name, *parts = tree
    if name in ("add", "sub", "neg"):
        signs = {"neg": [-1], "sub": [1, -1]}.get(name, [1] * len(parts))
        return total([minimised(part, e, factor * sign) for part, sign in zip(parts, signs, strict=True)])
    if name == "mul" and len(parts) == 2 and "number" in (parts[0][0], parts[1][0]):
        number, other = parts if parts[0][0] == "number" else parts[::-1]
        return minimised(other, e, factor * number[1]) if number[1] else ({}, 0)
    operator, operands = as_extreme(name, parts)
    if operator == ("max" if factor > 0 else "min") and not e.few(tree):
        return {extreme(operands, e, 1 if factor > 0 else -1): factor}, 0
    return e.sum(tree, factor)


def as_extreme(name: str, parts: Sequence[Tree]) -> tuple[str, Sequence[Tree]]:
    """Return a distance or a size as the maximum of two differences, other operators as they are."""
    if name == "dist":
        return "max", (("sub", *parts), ("sub", parts[1], parts[0]))
    if name == "abs":
        return "max", (parts[0], ("neg", parts[0]))
    return name, parts


def extreme(parts: Sequence[Tree], e: Trees, sign: int) -> int:
    """Return a variable that is at least each part, or at most each part if the sign is negative. Raises TooMany."""
    sums = [minimised(part, e, sign) for part in parts]
    ends = [(constant + low, constant + high) for terms, constant in sums for low, high in [e.ends(terms)]]
    low, high = map(max, zip(*ends, strict=True))
    if high - low >= WIDEST:
        raise TooMany(f"an objective of {high - low + 1:,} numbers")
    numbers = range(low, high + 1) if sign > 0 else range(-high, 1 - low)
    found = e.new(list(numbers))
    for terms, constant in sums:
        e.row(total([(terms, 0), ({found: -sign}, 0)])[0], "<=", -constant)
    return found
