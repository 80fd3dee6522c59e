"""Literals for simple functions of others, and equality of two integer variables."""

from collections.abc import Iterable, Sequence

from encoders.integers import Variables
from encoders.variables import Order


def any_of(v: Variables, literals: Iterable[int]) -> int:
    """Return a literal that is true iff any of `literals` is."""
    kept = [x for x in dict.fromkeys(literals) if x != -v.constant]
    if v.constant in kept and v.constant:
        return v.true
    if len(kept) < 2:
        return kept[0] if kept else -v.true
    found = v.new()
    for x in kept:
        v.add((-x, found))
    v.add((-found, *kept))
    return found


def all_of(v: Variables, literals: Iterable[int]) -> int:
    """Return a literal that is true iff all of `literals` are."""
    return -any_of(v, [-x for x in literals])


def differ(v: Variables, a: int, b: int) -> int:
    """Return a literal that is true iff exactly one of two literals is."""
    if v.constant and v.constant in (abs(a), abs(b)):
        if abs(b) == v.constant:
            a, b = b, a
        return -b if a == v.constant else b
    found = v.new()
    for clause in ((-found, a, b), (-found, -a, -b), (found, -a, b), (found, a, -b)):
        v.add(clause)
    return found


def among(v: Variables, x: int, numbers: Iterable[int]) -> int:
    """Return a literal that is true iff variable x takes one of the numbers."""
    domain, wanted = v.domains[x], set(numbers)
    taken = sorted(n for n in wanted if n in domain) if v.wide(x) else [n for n in domain if n in wanted]
    if len(taken) == len(domain):
        return v.true
    if 2 * len(taken) > len(domain):
        return -any_of(v, [v.eq(x, n) for n in domain if n not in wanted])
    return any_of(v, [v.eq(x, n) for n in taken])


def equal_if(v: Variables, x: int, y: int, unless: Sequence[int]) -> None:
    """Add clauses for: two variables take the same number, or one of `unless` is true."""
    literal = v.ge if isinstance(v, Order) else v.eq
    for n in sorted({*v.domains[x], *v.domains[y]}):
        a, b = literal(x, n), literal(y, n)
        v.add((-a, b, *unless))
        v.add((a, -b, *unless))
