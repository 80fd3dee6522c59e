"""Comparisons of a number, or of a set of values, with a variable."""

from collections.abc import Callable

from backends.native.propagation.store import Mask, Scale

MIRRORED = {"<": ">", "<=": ">=", "=": "=", "!=": "!=", ">=": "<=", ">": "<"}


# (scale, k) -> the mask of the numbers n for which k compares so with n; k need not be the number of a value
COMPARED: dict[str, Callable[[Scale, int], Mask]] = {
    "<": lambda scale, k: scale.at_least(k + 1),
    "<=": lambda scale, k: scale.at_least(k),
    "=": lambda scale, k: scale.just(k),
    "!=": lambda scale, k: scale.full & ~scale.just(k),
    ">=": lambda scale, k: scale.at_most(k),
    ">": lambda scale, k: scale.at_most(k - 1),
}


def partners(scale: Scale, d: Mask, comparison: str) -> Mask:
    """Return the mask of the numbers n such that some number of a domain compares with n as stated."""
    if not d:
        return scale.none
    if comparison == "=":
        return d
    if comparison == "!=":
        return scale.full if d.bit_count() > 1 else scale.full & ~d
    return COMPARED[comparison](scale, scale.low(d) if comparison[0] == "<" else scale.high(d))
