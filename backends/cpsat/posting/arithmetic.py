"""Operators with integer values: linear ones are expressions of CP-SAT, others get an auxiliary variable."""

from collections.abc import Callable
from functools import reduce
from itertools import product

from backends.cpsat.posting.model import PostedModel, check_size
from backends.cpsat.posting.nodes import ONE, TreeValue, flat, fresh, number
from encoders.formula import Unsupported

MAX_POWERS = 100_000  # pairs of base and exponent, where the exponent is no number


def add(model: PostedModel, *parts: TreeValue) -> TreeValue:
    return TreeValue(sum(p.value for p in parts), sum(p.low for p in parts), sum(p.high for p in parts))


def neg(model: PostedModel, a: TreeValue) -> TreeValue:
    return TreeValue(-1 * a.value, -a.high, -a.low)


def sub(model: PostedModel, a: TreeValue, b: TreeValue) -> TreeValue:
    return add(model, a, neg(model, b))


def mul(model: PostedModel, *parts: TreeValue) -> TreeValue:
    return reduce(lambda a, b: multiplied(model, a, b), parts)


def multiplied(model: PostedModel, a: TreeValue, b: TreeValue) -> TreeValue:
    corners = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
    low, high = min(corners), max(corners)
    if low == high:
        return number(low)
    if isinstance(a.value, int) or isinstance(b.value, int):
        return TreeValue(a.value * b.value, low, high)
    made = fresh(model, low, high)
    model.cp.add_multiplication_equality(made.value, [flat(model, a), flat(model, b)])
    return made


def absolute(model: PostedModel, a: TreeValue) -> TreeValue:
    if a.low >= 0:
        return a
    if a.high <= 0:
        return neg(model, a)
    made = fresh(model, 0, max(-a.low, a.high))
    model.cp.add_abs_equality(made.value, flat(model, a))
    return made


def nonzero(model: PostedModel, a: TreeValue) -> TreeValue:
    """Return a node, and require that it is not 0."""
    if a.low > 0 or a.high < 0:
        return a
    if a.low == a.high:
        model.refuse()
        return ONE
    signs = [(low, high) for low, high in ((a.low, -1), (1, a.high)) if low <= high]
    shape = model.make_intervals([list(sign) for sign in signs])
    made = model.cp.new_int_var_from_domain(shape, "")
    model.cp.add(made == a.value)
    return TreeValue(made, signs[0][0], signs[-1][1])


def div(model: PostedModel, a: TreeValue, b: TreeValue) -> TreeValue:
    b, most = nonzero(model, b), max(-a.low, a.high, 0)
    made = fresh(model, -most, most)
    model.cp.add_division_equality(made.value, flat(model, a), flat(model, b))
    return made


def mod(model: PostedModel, a: TreeValue, b: TreeValue) -> TreeValue:
    """Return the remainder. It does not depend on the sign of b; CP-SAT wants a positive divisor."""
    divisor = absolute(model, nonzero(model, b))
    if divisor.low < 1:
        made = fresh(model, 1, divisor.high)
        model.cp.add(made.value == divisor.value)
        divisor = made
    most = divisor.high - 1
    made = fresh(model, -min(most, max(-a.low, 0)), min(most, max(a.high, 0)))
    model.cp.add_modulo_equality(made.value, flat(model, a), flat(model, divisor))
    return made


def power(model: PostedModel, a: TreeValue, b: TreeValue) -> TreeValue:
    if b.high < 0:
        model.refuse()
        return ONE
    if b.low < b.high:
        return power_table(model, a, b)
    exponent = b.low
    if a.low >= -1 and a.high <= 1:
        exponent = min(exponent, 2 - exponent % 2)
    check_size("expressions", max(abs(a.low), abs(a.high)) ** min(exponent, 64))
    return mul(model, ONE, *[a] * exponent)


def power_table(model: PostedModel, a: TreeValue, b: TreeValue) -> TreeValue:
    """Return a power whose exponent is no constant, by a table of its values for all pairs."""
    bases, exponents = range(a.low, a.high + 1), range(max(b.low, 0), b.high + 1)
    if len(bases) * len(exponents) > MAX_POWERS:
        raise Unsupported(f"cpsat does not support powers of more than {MAX_POWERS} pairs of base and exponent")
    check_size("expressions", max(abs(a.low), abs(a.high), 1) ** min(b.high, 64))
    tuples = [(x, y, x**y) for x, y in product(bases, exponents)]
    made = fresh(model, min(z for _, _, z in tuples), max(z for _, _, z in tuples))
    model.cp.add_allowed_assignments([flat(model, a), flat(model, b), made.value], tuples)
    return made


def extreme(name: str, pick: Callable[..., int]) -> Callable[..., TreeValue]:
    def post(model: PostedModel, *parts: TreeValue) -> TreeValue:
        made = fresh(model, pick(p.low for p in parts), pick(p.high for p in parts))
        getattr(model.cp, name)(made.value, [flat(model, p) for p in parts])
        return made

    return post
