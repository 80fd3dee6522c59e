"""Expressions in flat programs: each value is a sum of variables; other operators get a variable for their value.

An undefined part breaks the whole constraint (decision 21), wherever it stands: a divisor is not 0, an exponent is not
negative.
"""

from collections.abc import Callable
from functools import reduce
from itertools import chain, product
from typing import NamedTuple

from backends.flat.program import FlatProgram, Literal, Terms, negated
from encoders.formula import Unsupported
from puzzles.constraints import ranges
from puzzles.constraints.expression import Tree

COMPARISONS = {"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "=", "ne": "!="}
MAX_POWERS = 100_000  # pairs of base and exponent, where the exponent is no number


class BoundedSum(NamedTuple):
    """Value of a tree: a sum of terms and a constant, with its bounds."""

    terms: Terms
    constant: int
    low: int
    high: int


def number(n: int) -> BoundedSum:
    return BoundedSum({}, n, n, n)


def node(program: FlatProgram, terms: Terms, constant: int) -> BoundedSum:
    low, high = program.span(terms)
    program.limits.check("expressions", program.limits.total, low + constant, high + constant)
    return BoundedSum(terms, constant, low + constant, high + constant)


def variable(program: FlatProgram, x: int) -> BoundedSum:
    return number(program.domains[x][0]) if program.fixed(x) else node(program, {x: 1}, 0)


def logical(program: FlatProgram, literal: Literal) -> BoundedSum:
    """Return a literal as a node."""
    if isinstance(literal, bool):
        return number(int(literal))
    return node(program, {literal - 1: 1}, 0) if literal > 0 else node(program, {-literal - 1: -1}, 1)


def flat(program: FlatProgram, a: BoundedSum) -> int:
    """Return a node as one variable."""
    if a.low == a.high:
        return program.constant(a.low)
    if a.constant == 0 and list(a.terms.values()) == [1]:
        return next(iter(a.terms))
    made = program.new(a.low, a.high)
    program.compare([*a.terms.items(), (made, -1)], "=", -a.constant)
    return made


def require(program: FlatProgram, tree: Tree) -> None:
    """Post that a tree is true; comparisons, conjunctions and disjunctions need no literal of their own."""
    name, *parts = tree
    if name == "and":
        for part in parts:
            require(program, part)
    elif name in COMPARISONS and len(parts) == 2:
        left, right = (node_of(program, part) for part in parts)
        program.compare(difference(left, right), COMPARISONS[name], right.constant - left.constant)
    elif name == "or":
        program.clause([truth(program, node_of(program, part)) for part in parts])
    else:
        program.clause([truth(program, node_of(program, tree))])


def node_of(program: FlatProgram, tree: Tree) -> BoundedSum:
    """Return the value of a tree; post the constraints that determine it. Raises Unsupported if it may be too large."""
    name, *parts = tree
    if name == "var":
        return variable(program, parts[0])
    if name == "number":
        return number(parts[0])
    if name == "in":
        return member(program, node_of(program, parts[0]), sorted(set(parts[1][1:])))
    return OPERATORS[name](program, *[node_of(program, part) for part in parts])


def difference(left: BoundedSum, right: BoundedSum) -> list[tuple[int, int]]:
    """Return the terms of left - right."""
    return [*left.terms.items(), *((x, -a) for x, a in right.terms.items())]


def add(program: FlatProgram, *parts: BoundedSum) -> BoundedSum:
    terms, _ = program.simplified(chain.from_iterable(p.terms.items() for p in parts), 0)
    return node(program, terms, sum(p.constant for p in parts))


def scaled(program: FlatProgram, k: int, a: BoundedSum) -> BoundedSum:
    return node(program, {x: k * c for x, c in a.terms.items()} if k else {}, k * a.constant)


def sub(program: FlatProgram, a: BoundedSum, b: BoundedSum) -> BoundedSum:
    return add(program, a, scaled(program, -1, b))


def multiplied(program: FlatProgram, a: BoundedSum, b: BoundedSum) -> BoundedSum:
    for one, other in ((a, b), (b, a)):
        if one.low == one.high:
            return scaled(program, one.low, other)
    corners = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
    made = program.new(min(corners), max(corners))
    program.post("product", flat(program, a), flat(program, b), made)
    return variable(program, made)


def absolute(program: FlatProgram, a: BoundedSum) -> BoundedSum:
    if a.low >= 0:
        return a
    if a.high <= 0:
        return scaled(program, -1, a)
    made = program.new(0, max(-a.low, a.high))
    program.post("absolute", flat(program, a), made)
    return variable(program, made)


def division(name: str) -> Callable[[FlatProgram, BoundedSum, BoundedSum], BoundedSum]:
    """Return the function of `quotient` or `remainder`, both truncated towards zero."""

    def post(program: FlatProgram, a: BoundedSum, b: BoundedSum) -> BoundedSum:
        program.compare(b.terms.items(), "!=", -b.constant)
        if b.low == b.high == 0:
            return number(0)
        pick = ranges.quotient if name == "quotient" else ranges.remainder
        low, high = pick((a.low, a.high), (b.low, b.high))
        largest = max(-b.low, b.high)
        if name == "quotient":
            program.limits.check("quotients", program.limits.total, largest * (max(-low, high) + 1))
        else:
            low, high = max(low, 1 - largest), min(high, largest - 1)
        made = program.new(low, high)
        program.post(name, flat(program, a), flat(program, b), made)
        return variable(program, made)

    return post


def power(program: FlatProgram, a: BoundedSum, b: BoundedSum) -> BoundedSum:
    if b.high < 0:
        program.refuse()
        return number(1)
    if b.low == b.high and a.low >= -1 and a.high <= 1:
        b = number(min(b.low, 2 - b.low % 2))
    program.limits.check("expressions", program.limits.number, max(abs(a.low), abs(a.high), 1) ** min(b.high, 64))
    if b.low == b.high:
        return reduce(lambda x, y: multiplied(program, x, y), [number(1), *[a] * b.low])
    pairs = range(a.low, a.high + 1), range(max(b.low, 0), b.high + 1)
    if len(pairs[0]) * len(pairs[1]) > MAX_POWERS:
        solver = program.limits.solver
        raise Unsupported(f"{solver} does not support powers of more than {MAX_POWERS} pairs of base and exponent")
    tuples = [(x, y, x**y) for x, y in product(*pairs)]
    made = program.new(min(z for _, _, z in tuples), max(z for _, _, z in tuples))
    program.post("table", program.each_once([flat(program, a), flat(program, b), made]), tuples)
    return variable(program, made)


def extreme(pick: Callable[..., int], name: str) -> Callable[..., BoundedSum]:
    def post(program: FlatProgram, *parts: BoundedSum) -> BoundedSum:
        low, high = pick(p.low for p in parts), pick(p.high for p in parts)
        if low == high:
            return number(low)
        made = program.new(low, high)
        program.post("extreme", name, [flat(program, p) for p in parts], made)
        return variable(program, made)

    return post


def truth(program: FlatProgram, a: BoundedSum) -> Literal:
    """Return the literal for: a value is not 0."""
    return program.reified(a.terms.items(), "!=", -a.constant)


def compared(comparison: str) -> Callable[[FlatProgram, BoundedSum, BoundedSum], BoundedSum]:
    def post(program: FlatProgram, a: BoundedSum, b: BoundedSum) -> BoundedSum:
        return logical(program, program.reified(difference(a, b), comparison, b.constant - a.constant))

    return post


def at_least(program: FlatProgram, least: int, *literals: BoundedSum) -> BoundedSum:
    """Return a function of literal nodes that is 1 where at least `least` of them are true."""
    total = add(program, *literals)
    return logical(program, program.reified(total.terms.items(), ">=", least - total.constant))


def truths(program: FlatProgram, *parts: BoundedSum) -> list[BoundedSum]:
    return [logical(program, truth(program, part)) for part in parts]


def conjunction(program: FlatProgram, *parts: BoundedSum) -> BoundedSum:
    return at_least(program, len(parts), *truths(program, *parts))


def disjunction(program: FlatProgram, *parts: BoundedSum) -> BoundedSum:
    return at_least(program, 1, *truths(program, *parts))


def opposite(program: FlatProgram, a: BoundedSum) -> BoundedSum:
    return logical(program, negated(truth(program, a)))


def equal(program: FlatProgram, *parts: BoundedSum) -> BoundedSum:
    return conjunction(program, *(compared("=")(program, parts[0], part) for part in parts[1:]))


def member(program: FlatProgram, a: BoundedSum, numbers: list[int]) -> BoundedSum:
    return disjunction(program, number(0), *(compared("=")(program, a, number(n)) for n in numbers))


def parity(program: FlatProgram, *parts: BoundedSum) -> BoundedSum:
    return reduce(lambda a, b: compared("!=")(program, a, b), truths(program, *parts))


def same_truth(program: FlatProgram, *parts: BoundedSum) -> BoundedSum:
    return equal(program, *truths(program, *parts))


def choice(program: FlatProgram, a: BoundedSum, b: BoundedSum, c: BoundedSum) -> BoundedSum:
    literal = truth(program, a)
    if isinstance(literal, bool):
        return b if literal else c
    made = variable(program, program.new(min(b.low, c.low), max(b.high, c.high)))
    for condition, chosen in ((literal, b), (-literal, c)):
        program.clause([-condition, truth(program, compared("=")(program, made, chosen))])
    return made


OPERATORS: dict[str, Callable[..., BoundedSum]] = {
    "neg": lambda program, a: scaled(program, -1, a),
    "abs": absolute,
    "sqr": lambda program, a: multiplied(program, a, a),
    "add": add,
    "sub": sub,
    "mul": lambda program, *parts: reduce(lambda a, b: multiplied(program, a, b), parts),
    "div": division("quotient"),
    "mod": division("remainder"),
    "pow": power,
    "dist": lambda program, a, b: absolute(program, sub(program, a, b)),
    "min": extreme(min, "minimum"),
    "max": extreme(max, "maximum"),
    **{name: compared(sign) for name, sign in COMPARISONS.items()},
    "eq": equal,
    "not": opposite,
    "and": conjunction,
    "or": disjunction,
    "xor": parity,
    "iff": same_truth,
    "imp": lambda program, a, b: disjunction(program, opposite(program, a), b),
    "if": choice,
}
