"""Sequential weight counter (Hoelldobler, Manthey & Steinke 2012) over groups.

After each group but the last there is a literal for each j from 1 to the bound: the groups so far add at least j.
"""

from collections.abc import Sequence

from encoders.integers import TooLarge, Variables
from encoders.linear.groups import LiteralGroup, size

LARGEST = 2_000_000  # clauses of one sum


def swc(groups: Sequence[LiteralGroup], bound: int, v: Variables) -> None:
    """Add clauses for `sum <= bound`. Raises TooLarge."""
    if 2 * size(groups) * bound > LARGEST:
        raise TooLarge(f"a sequential weight counter of {size(groups):,} literals up to {bound:,}")
    before: list[int] = []  # literals of the sum so far: item j - 1 for at least j
    for number, group in enumerate(groups):
        last = number == len(groups) - 1
        after = [] if last else [v.new() for _ in range(min(bound, len(before) + group.weights[-1]))]
        for j, reached in enumerate(after):
            if j < len(before):
                v.add((-before[j], reached))
            if j:
                v.add((-reached, after[j - 1]))
        for w, x in zip(group.weights, group.literals, strict=True):
            if after:
                v.add((-x, after[w - 1]))
            for j, reached in enumerate(before, 1):
                if j + w > bound:
                    v.add((-reached, -x))
                    break
                if after:
                    v.add((-reached, -x, after[j + w - 1]))
        before = after
