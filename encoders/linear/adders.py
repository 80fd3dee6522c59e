"""Binary addition (Warners 1998, Een & Soerensson 2006): full and half adders, and a comparison with the bound.

A group of which at most one literal is true is first written in binary; a chain adds its gaps.
"""

from collections.abc import Sequence

from encoders.integers import Variables
from encoders.linear.groups import LiteralGroup

Clauses = list[list[int]]


def adder(groups: Sequence[LiteralGroup], bound: int, v: Variables) -> None:
    """Add clauses for `sum <= bound`."""
    total: list[int] = []
    buckets = bits_of(groups, v)
    for bit, bucket in enumerate(buckets):
        while len(bucket) > 1:
            parts = [bucket.pop(0) for _ in range(min(3, len(bucket)))]
            sum_, carry = v.new(), v.new()
            for clause in parity(parts, sum_) + majority(parts, carry):
                v.add(clause)
            bucket.append(sum_)
            if bit + 1 == len(buckets):
                buckets.append([])  # seen by the loop
            buckets[bit + 1].append(carry)
        total.append(bucket[0] if bucket else 0)
    for clause in at_most(total, bound):
        v.add(clause)


def bits_of(groups: Sequence[LiteralGroup], v: Variables) -> list[list[int]]:
    """Return the literals to add for each bit, lowest first."""
    buckets: list[list[int]] = []
    for group in groups:
        gaps = [b - a for a, b in zip((0, *group.weights), group.weights, strict=False)]
        weights = gaps if group.chain else group.weights
        for bit in range(max(weights).bit_length()):
            while len(buckets) <= bit:
                buckets.append([])
            literals = [x for w, x in zip(weights, group.literals, strict=True) if w >> bit & 1]
            buckets[bit] += literals if group.chain or len(literals) < 2 else [one_of(literals, v)]
    return buckets


def one_of(literals: Sequence[int], v: Variables) -> int:
    """Return a literal that each of `literals` implies."""
    implied = v.new()
    for x in literals:
        v.add((-x, implied))
    return implied


def parity(parts: Sequence[int], result: int) -> Clauses:
    """Return clauses for: `result` is the parity of two or three literals."""
    rows: Clauses = []
    for mask in range(1 << len(parts)):
        odd = mask.bit_count() & 1
        rows.append([*(-x if mask >> i & 1 else x for i, x in enumerate(parts)), result if odd else -result])
    return rows


def majority(parts: Sequence[int], carry: int) -> Clauses:
    """Return clauses for: carry is true iff at least two of two or three literals are."""
    if len(parts) == 2:
        a, b = parts
        return [[-a, -b, carry], [a, -carry], [b, -carry]]
    a, b, c = parts
    pairs = ((a, b), (a, c), (b, c))
    return [[-x, -y, carry] for x, y in pairs] + [[x, y, -carry] for x, y in pairs]


def at_most(total: Sequence[int], bound: int) -> Clauses:
    """Return clauses for: a number is at most `bound`. Its bits come lowest first; 0 is a bit that is never set."""
    rows: Clauses = []
    higher: list[int] = []  # bits above that are 1 in the bound: one of them false decides
    for bit in range(max(len(total), bound.bit_length()) - 1, -1, -1):
        literal = total[bit] if bit < len(total) else 0
        if bound >> bit & 1:
            if not literal:
                return rows
            higher.append(-literal)
        elif literal:
            rows.append([*higher, -literal])
    return rows
