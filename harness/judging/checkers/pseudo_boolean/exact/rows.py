"""Rules of cutting planes for rows with integers of any size, and what one row says of another.

All rules keep the solutions of a row: see `stack.py`, with which nothing is shared.
"""

from collections.abc import Mapping

from harness.judging.checkers.pseudo_boolean.programme import SumRow, row

Witness = Mapping[int, int | bool]  # literal or value by variable


def added(a: SumRow, b: SumRow) -> SumRow:
    """Return the sum of two rows, in which a literal and its negation add up to 1."""
    terms, degree = dict(a.terms), a.degree + b.degree
    for x, c in b.terms.items():
        both = min(c, terms.get(-x, 0))
        degree -= both
        if both:
            terms[-x] -= both
        if c > both:
            terms[x] = terms.get(x, 0) + c - both
    return SumRow({x: c for x, c in terms.items() if c}, degree)


def multiplied(a: SumRow, k: int) -> SumRow:
    return SumRow({x: c * k for x, c in a.terms.items() if k}, a.degree * k)


def divided(a: SumRow, k: int) -> SumRow:
    return SumRow({x: -(-c // k) for x, c in a.terms.items()}, -(-a.degree // k))


def rounded(a: SumRow, k: int) -> SumRow:
    """Round as mixed integers are: with r = degree mod k, each a becomes r floor(a / k) + min(a mod k, r)."""
    r = a.degree % k or k
    return SumRow({x: min(c % k, r) + r * (c // k) for x, c in a.terms.items()}, -(-a.degree // k) * r)


def in_variables(a: SumRow) -> SumRow:
    """Return a row with variables in place of literals, so with coefficients of any sign."""
    negative = sum(c for x, c in a.terms.items() if x < 0)
    return SumRow({abs(x): c if x > 0 else -c for x, c in a.terms.items()}, a.degree - negative)


def in_literals(a: SumRow) -> SumRow:
    return row([(c, x) for x, c in a.terms.items()], a.degree)


def divided_in_variables(a: SumRow, k: int) -> SumRow:
    return in_literals(divided(in_variables(a), k))


def rounded_in_variables(a: SumRow, k: int) -> SumRow:
    return in_literals(rounded(in_variables(a), k))


def lowered(a: SumRow, k: int) -> SumRow:
    return SumRow(a.terms, a.degree - k)


def saturated(a: SumRow) -> SumRow:
    return SumRow({x: min(c, a.degree) for x, c in a.terms.items()} if a.degree > 0 else {}, a.degree)


def weakened(a: SumRow, x: int) -> SumRow:
    lost = a.terms.get(x, 0) + a.terms.get(-x, 0)
    return SumRow({y: c for y, c in a.terms.items() if abs(y) != abs(x)}, a.degree - lost)


def negated(a: SumRow) -> SumRow:
    return SumRow({-x: c for x, c in a.terms.items()}, sum(a.terms.values()) - a.degree + 1)


def under(a: SumRow, witness: Witness) -> SumRow:
    """Return a row with values or literals in place of some variables."""
    terms, degree = [], a.degree
    for x, c in a.terms.items():
        to = witness.get(abs(x), abs(x))
        if to is True or to is False:
            degree -= c if to == (x > 0) else 0
        else:
            terms.append((c, to if x > 0 else -to))
    return row(terms, degree)


def implies(a: SumRow, b: SumRow) -> bool:
    """Return True if b follows from a by literal axioms, one saturation, and literal axioms again."""
    lost = sum(max(c - b.terms.get(x, 0), 0) for x, c in a.terms.items() if b.terms.get(x, 0) < b.degree)
    return b.degree <= 0 or a.degree - lost >= b.degree


def contradicts(a: SumRow) -> bool:
    """Return True if no assignment satisfies a row."""
    return sum(a.terms.values()) < a.degree
