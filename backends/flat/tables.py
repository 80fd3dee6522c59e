"""Constraints of flat programs as tables, clauses and sums, for solvers that have little else.

`TO_TABLES` has a function for each name of a post that can be expressed so. A comparison of a large sum is reified by
two sums, each relaxed by its greatest possible deficit where a Boolean says so.
"""

from collections.abc import Callable, Sequence
from itertools import product
from math import prod
from operator import mul

from backends.flat.lowering import circuit, count, cumulative, distinct, lex, rectangles, regular
from backends.flat.program import NEGATED, FlatProgram, Terms, negated
from encoders.formula import Unsupported
from puzzles.constraints.numbers import ORDER

MAX_ROWS = 100_000  # rows of a table
SMALL = 1_000  # combinations of variables for which a comparison is a table


def combinations(program: FlatProgram, xs: Sequence[int]) -> int:
    return prod(len(program.domains[x]) for x in xs)


def function_of(value: Callable[..., int | None]) -> Callable[..., None]:
    """Return a function that posts: the last variable is `value` of the others, and `value` is never None."""

    def post(program: FlatProgram, *xs: int) -> None:
        *arguments, result = program.each_once(xs)
        if (size := combinations(program, arguments)) > MAX_ROWS:
            raise Unsupported(f"{program.limits.solver} does not support tables of more than {MAX_ROWS} rows: {size}")
        taken = frozenset(program.domains[result])
        found = ((numbers, value(*numbers)) for numbers in product(*(program.domains[x] for x in arguments)))
        program.table([*arguments, result], [(*numbers, n) for numbers, n in found if n is not None and n in taken])

    return post


def quotient(a: int, b: int) -> int | None:
    """Return a / b, truncated towards zero."""
    return (abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)) if b else None


def remainder(a: int, b: int) -> int | None:
    return (abs(a) % abs(b) * (-1 if a < 0 else 1)) if b else None


def extreme(program: FlatProgram, which: str, xs: Sequence[int], z: int) -> None:
    """Post the extreme of two variables, then of this extreme and the third variable, and so on."""
    pick = min if which == "minimum" else max
    so_far, *others = dict.fromkeys(xs)
    for x in others[:-1]:
        made = program.new(*(pick(program.domains[y][end] for y in (so_far, x)) for end in (0, -1)))
        function_of(pick)(program, so_far, x, made)
        so_far = made
    if others:
        function_of(pick)(program, so_far, others[-1], z)
    else:
        program.compare([(so_far, 1), (z, -1)], "=", 0)


def element(program: FlatProgram, items: Sequence[int], index: int, start: int, value: int) -> None:
    """Post an implication for each position: where the index takes it, the value is that of its item."""
    for position, item in enumerate(items, start):
        same = program.reified([(item, 1), (value, -1)], "=", 0)
        program.clause([negated(program.takes(index, position)), same])


def linear(program: FlatProgram, terms: Terms, comparison: str, bound: int) -> None:
    """Post a sum as a table if it has one or two variables with few numbers, else as sums with a least value."""
    if is_small(program, terms):
        program.table(list(terms), compared(program, terms, comparison, bound))
    elif comparison == "!=":
        at_least, above = (program.reified(terms.items(), ">=", bound + more) for more in (0, 1))
        program.clause([negated(at_least), above])
    else:
        for least, limit in as_at_least(terms, comparison, bound):
            program.post("at_least", least, limit)


def reified(program: FlatProgram, x: int, terms: Terms, comparison: str, bound: int) -> None:
    """Post that a Boolean is the truth of a comparison, as a table or by sums."""
    if is_small(program, terms):
        holding = compared(program, terms, comparison, bound)
        failed = compared(program, terms, NEGATED[comparison], bound)
        program.table([*terms, x], [*((*row, 1) for row in holding), *((*row, 0) for row in failed)])
    elif comparison in ("=", "!="):
        at_least, above = (program.reified(terms.items(), ">=", bound + more) for more in (0, 1))
        total, constant = program.total([at_least, negated(above)])  # 2 where they are equal, else 1
        program.compare([*total, (x, -1 if comparison == "=" else 1)], "=", (1 if comparison == "=" else 2) - constant)
    else:
        ((least, limit),) = as_at_least(terms, comparison, bound)
        low, high = program.span(least)
        program.compare([*least.items(), (x, low - limit)], ">=", low)
        program.compare([*least.items(), (x, limit - 1 - high)], "<=", limit - 1)


def is_small(program: FlatProgram, terms: Terms) -> bool:
    return len(terms) <= 2 and combinations(program, list(terms)) <= SMALL


def compared(program: FlatProgram, terms: Terms, comparison: str, bound: int) -> list[tuple[int, ...]]:
    """Return the tuples of numbers for which a comparison of a sum holds."""
    holds, coefficients = ORDER[comparison], list(terms.values())
    rows = product(*(program.domains[x] for x in terms))
    return [row for row in rows if holds(sum(map(mul, coefficients, row)), bound)]


def as_at_least(terms: Terms, comparison: str, bound: int) -> list[tuple[Terms, int]]:
    """Return the sums with least values that are equivalent to `<`, `<=`, `=`, `>=` or `>`."""
    opposite: Terms = {x: -a for x, a in terms.items()}
    least, most = (terms, bound + (comparison == ">")), (opposite, (comparison == "<") - bound)
    return [least, most] if comparison == "=" else [least] if comparison in (">", ">=") else [most]


TO_TABLES: dict[str, Callable[..., None]] = {
    "absolute": function_of(abs),
    "circuit": circuit,
    "count": count,
    "cumulative": cumulative,
    "distinct": distinct,
    "element": element,
    "extreme": extreme,
    "lex": lex,
    "linear": linear,
    "product": function_of(mul),
    "quotient": function_of(quotient),
    "rectangles": rectangles,
    "regular": regular,
    "reified": reified,
    "remainder": function_of(remainder),
}
