"""Tests that no numbers of some domains satisfy a post of a flat program, a function for each name of a post.

True is always right; False says only that the test does not see it. An inference follows from a post if the test sees
that the post can't hold where the premises do and the conclusion does not. `backends/flat/program.py` has the posts.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence

from backends.flat.program import NEGATED, Terms
from harness.judging.checkers.flat.domains import Domains

MOST = 10_000  # numbers of a variable that are tried one by one


def linear(d: Domains, terms: Terms, comparison: str, bound: int) -> bool:
    """Compare the ends of a sum with its bound; an equation of two open variables is tried number by number."""
    ends = [sorted(a * n for n in d.ends(x)) for x, a in terms.items()]
    low, high = sum(end[0] for end in ends), sum(end[1] for end in ends)
    match comparison:
        case "<=":
            return low > bound
        case "<":
            return low >= bound
        case ">=":
            return high < bound
        case ">":
            return high <= bound
        case "!=":
            return low == high == bound
    return low > bound or high < bound or without_pair(d, terms, bound)


def without_pair(d: Domains, terms: Terms, bound: int) -> bool:
    """Return True if no numbers of at most two open variables make a sum equal to a bound."""
    known = {x: d.ends(x)[0] for x in terms if len(d.numbers(x)) == 1}
    rest = bound - sum(terms[x] * n for x, n in known.items())
    open_ = sorted(terms.keys() - known.keys(), key=lambda x: -len(d.numbers(x)))
    if len(open_) not in (1, 2) or (len(open_) == 2 and len(d.numbers(open_[1])) > MOST):
        return False
    x, *others = open_
    needed = [rest - terms[y] * n for y in others for n in d.values(y)] if others else [rest]
    return not any(n % terms[x] == 0 and d.has(x, n // terms[x]) for n in needed)


def reified(d: Domains, x: int, terms: Terms, comparison: str, bound: int) -> bool:
    truths = {1: comparison, 0: NEGATED[comparison]}
    return all(linear(d, terms, truths[n], bound) for n in d.values(x))


def clause(d: Domains, literals: Sequence[int]) -> bool:
    return all(not d.has(abs(p) - 1, int(p > 0)) for p in literals)


def all_different(d: Domains, xs: Sequence[int]) -> bool:
    known = [d.ends(x)[0] for x in xs if len(d.numbers(x)) == 1]
    return len(set(known)) < len(known)


def apart(d: Domains, z: int, results: Iterable[int]) -> bool:
    """Return True if a variable takes no number from the least to the greatest of some."""
    low, high, ends = *d.ends(z), list(results)
    return high < min(ends) or low > max(ends)


def product(d: Domains, x: int, y: int, z: int) -> bool:
    return apart(d, z, (m * n for m in d.ends(x) for n in d.ends(y)))


def quotient(d: Domains, x: int, y: int, z: int) -> bool:
    """Compare the ends of quotients, rounded towards 0, by positive and by negative divisors."""
    low, high = d.ends(y)
    signs = [ends for ends in ((low, min(high, -1)), (max(low, 1), high)) if ends[0] <= ends[1]]
    return all(apart(d, z, (truncated(m, n) for m in d.ends(x) for n in ends)) for ends in signs)


def truncated(m: int, n: int) -> int:
    return abs(m) // abs(n) * (1 if (m < 0) == (n < 0) else -1)


def absolute(d: Domains, x: int, z: int) -> bool:
    low, high = d.ends(x)
    return apart(d, z, (abs(low), abs(high), *([0] if low <= 0 <= high else [])))


def extreme(d: Domains, which: str, xs: Sequence[int], z: int) -> bool:
    pick = min if which == "minimum" else max
    return apart(d, z, (pick(d.ends(x)[0] for x in xs), pick(d.ends(x)[1] for x in xs)))


def element(d: Domains, items: Sequence[int], index: int, start: int, value: int) -> bool:
    return not any(0 <= n - start < len(items) and meet(d, items[n - start], value) for n in d.values(index))


def meet(d: Domains, x: int, y: int) -> bool:
    """Return True if two variables may be equal, as far as their ends, and what is known of one, tell."""
    (low, high), (least, most) = d.ends(x), d.ends(y)
    if low == high:
        return d.has(y, low)
    return d.has(x, least) if least == most else max(low, least) <= min(high, most)


TESTS: Mapping[str, Callable[..., bool]] = {
    f.__name__: f for f in (linear, reified, clause, all_different, product, quotient, absolute, extreme, element)
}
