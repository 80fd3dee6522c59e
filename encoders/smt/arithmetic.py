"""Operators with integer values.

Solvers of linear arithmetic take products, quotients and powers of variables badly or not at all, so one operand is
split into its numbers if it has few: what is left is linear. Bit vectors have these operators.
"""

from collections.abc import Callable, Sequence

from encoders.formula import Unsupported
from encoders.smt.script import Script, Term, negation

MAX_SPLIT = 256  # numbers of an operand
MAX_EXPONENT = 64  # exponent of a base that is not split


def scaled(script: Script, factor: int, a: Term) -> Term:
    ends = factor * a.low, factor * a.high
    if factor == 1 or a.low == a.high:
        return a if factor == 1 else script.number(ends[0])
    if a.formula:
        return script.choice(a.formula, script.number(factor), script.number(0))
    return script.term(script.apply("*", script.number(factor).text, a.text), min(ends), max(ends))


def total(script: Script, parts: Sequence[Term]) -> Term:
    low, high = sum(part.low for part in parts), sum(part.high for part in parts)
    fixed = sum(part.low for part in parts if part.low == part.high)
    terms = [part.text for part in parts if part.low < part.high]
    texts = [*terms, script.number(fixed).text] if fixed or not terms else terms
    return script.term(script.apply("+", *texts) if len(texts) > 1 else texts[0], low, high)


def minus(script: Script, a: Term) -> Term:
    return scaled(script, -1, a)


def absolute(script: Script, a: Term) -> Term:
    if a.low >= 0 or a.high <= 0:
        return a if a.low >= 0 else minus(script, a)
    a = script.named(a)
    negative = script.compare(a, "<", script.number(0))
    return script.choice(negative, minus(script, a), a)._replace(low=0)


def extreme(script: Script, comparison: str, parts: Sequence[Term]) -> Term:
    """Return the least part if `comparison` is <=, the greatest if it is >=."""
    pick = min if comparison == "<=" else max
    best, *others = [script.named(part) for part in parts]
    for other in others:
        found = script.choice(script.compare(best, comparison, other), best, other)
        low, high = pick(best.low, other.low), pick(best.high, other.high)
        best = script.named(script.term(found.text, low, high))
    return best


def split(script: Script, a: Term, value: Callable[[int], Term]) -> Term:
    """Return a term equal to value(n) where a equals n, for each number n between the bounds of a."""
    a = script.named(a)
    found = value(a.low)
    for n in range(a.low + 1, a.high + 1):
        found = script.choice(script.compare(a, "=", script.number(n)), value(n), found)
    return found


def width(a: Term) -> int:
    """Return an upper bound on the number of numbers that a term takes."""
    return a.high - a.low + 1


def product(script: Script, a: Term, b: Term) -> Term:
    if width(a) > width(b):
        a, b = b, a
    if width(a) == 1:
        return scaled(script, a.low, b)
    if width(a) <= MAX_SPLIT and not script.vectors:
        b = script.named(b)
        return split(script, a, lambda n: scaled(script, n, b))
    script.nonlinear = True
    corners = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
    return script.term(script.apply("*", a.text, b.text), min(corners), max(corners))


def quotient(script: Script, a: Term, b: Term) -> Term:
    """Return a / b truncated towards zero, and require that b is not 0."""
    script.require(negation(script.compare(b, "=", script.number(0))))
    most = max(-a.low, a.high, 0)
    if script.vectors:
        return script.term(f"(bvsdiv {a.text} {b.text})", -most, most)
    a, b = script.named(a), script.named(b)
    if width(b) <= MAX_SPLIT:
        return split(script, b, lambda n: divided(script, a, n) if n else script.number(0))
    script.nonlinear = True
    whole = script.named(script.term(f"(div {absolute(script, a).text} {absolute(script, b).text})", 0, most))
    zero = script.number(0)
    same = f"(= {script.compare(a, '<', zero)} {script.compare(b, '<', zero)})"
    return script.choice(same, whole, minus(script, whole))


def divided(script: Script, a: Term, n: int) -> Term:
    """Return a / n truncated towards zero."""
    size = absolute(script, a)
    whole = script.named(script.term(f"(div {size.text} {abs(n)})", size.low // abs(n), size.high // abs(n)))
    down = minus(script, whole)
    first, second = (whole, down) if n > 0 else (down, whole)
    return script.choice(script.compare(a, ">=", script.number(0)), first, second)


def remainder(script: Script, a: Term, b: Term) -> Term:
    """Return the remainder of the quotient truncated towards zero; it has the sign of a."""
    most = max(abs(b.low), abs(b.high)) - 1
    low, high = max(min(a.low, 0), -max(most, 0)), min(max(a.high, 0), max(most, 0))
    if script.vectors:
        script.require(negation(script.compare(b, "=", script.number(0))))
        return script.term(f"(bvsrem {a.text} {b.text})", low, high)
    a, b = script.named(a), script.named(b)
    rest = total(script, [a, minus(script, product(script, b, quotient(script, a, b)))])
    return script.term(rest.text, low, high)


def power(script: Script, a: Term, b: Term) -> Term:
    """Return a to the power of b, and require that b is not negative."""
    script.require(script.compare(b, ">=", script.number(0)))
    if b.high < 0:
        return script.number(0)
    b = b._replace(low=max(b.low, 0))
    if width(b) > MAX_SPLIT:
        raise Unsupported(f"powers of more than {MAX_SPLIT} exponents are not supported")
    a = script.named(a)
    return split(script, b, lambda n: raised(script, a, n))


def raised(script: Script, a: Term, exponent: int) -> Term:
    if width(a) <= MAX_SPLIT:
        return split(script, a, lambda n: script.number(n**exponent))
    if exponent > MAX_EXPONENT:
        raise Unsupported(f"exponents above {MAX_EXPONENT} are not supported")
    found = script.number(1)
    for _ in range(exponent):
        found = script.named(product(script, found, a))
    return found
