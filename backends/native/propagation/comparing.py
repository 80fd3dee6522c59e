"""Comparisons of a number, or of a set of values, with a variable."""

from backends.native.propagation.store import Scale

MIRRORED = {"<": ">", "<=": ">=", "=": "=", "!=": "!=", ">=": "<=", ">": "<"}


def compared(scale: Scale, k: int, comparison: str) -> int:
    """Return the mask of the numbers n for which k compares so with n; k need not be the number of a value."""
    match comparison:
        case "<":
            return scale.at_least(k + 1)
        case "<=":
            return scale.at_least(k)
        case "=":
            return scale.just(k)
        case "!=":
            return scale.full ^ scale.just(k)
        case ">=":
            return scale.at_most(k)
        case ">":
            return scale.at_most(k - 1)
    raise ValueError(f"no comparison: {comparison}")


def partners(scale: Scale, d: int, comparison: str) -> int:
    """Return the mask of the numbers n for which some number of a domain compares so with n."""
    if not d:
        return 0
    if comparison == "=":
        return d
    if comparison == "!=":
        return scale.full if d & (d - 1) else scale.full ^ d
    return compared(scale, scale.low(d) if comparison[0] == "<" else scale.high(d), comparison)
