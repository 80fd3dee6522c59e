"""Luby's sequence, for the lengths of restarts."""

from backends.native.compiling import internal


@internal
def luby(i: int) -> int:
    """Return the i-th number, from 0, of the sequence 1 1 2 1 1 2 4 1 1 2 1 1 2 4 8 ... (Luby et al. 1993)."""
    size, power = 1, 0
    while size < i + 1:
        size, power = 2 * size + 1, power + 1
    while size - 1 != i:
        size, power = (size - 1) >> 1, power - 1
        i %= size
    return 1 << power
