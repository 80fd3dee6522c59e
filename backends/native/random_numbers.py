"""Random numbers of compiled local search: a linear congruential generator (Park & Miller 1993)."""

from backends.native.compiling import inlined
from puzzles.problem.arrays import Int64Array

MODULUS, FACTOR = 2**31 - 1, 48271


@inlined
def random(state: Int64Array, i: int) -> int:
    """Return a random number from 1 to MODULUS - 1, and keep it at index i as the next seed."""
    state[i] = state[i] * FACTOR % MODULUS
    return state[i]  # type: ignore[no-any-return]
