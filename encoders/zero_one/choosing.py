"""Elements, extremes and lists in order as rows."""

from itertools import pairwise

from encoders.zero_one.rows import Terms, ZeroOneRows, sum_of, total
from puzzles.constraints.element import Element
from puzzles.constraints.lex import Lex
from puzzles.constraints.minmax import MinMax


def add_element(rows: ZeroOneRows, part: Element) -> None:
    """Add an element constraint: where an index is taken, the value takes each number that the item takes."""
    for items, index, start, value in part.rows:
        for n in rows.numbers[index]:
            chosen = rows.takes(index, n)
            if not 0 <= n - start < len(items):
                rows.require(chosen, "<=", 0)
                continue
            item = items[n - start]
            for number in rows.numbers[item]:
                both = total((1, rows.takes(value, number)), (-1, rows.takes(item, number)), (-1, chosen))
                rows.require(both, ">=", -1)


def add_minmax(rows: ZeroOneRows, part: MinMax) -> None:
    for which, xs, comparison, bound in part.rows:
        extreme = extreme_of(rows, which, tuple(dict.fromkeys(xs)))
        rows.require(total((1, extreme), (-1, rows.number(bound))), comparison, 0)


def extreme_of(rows: ZeroOneRows, which: str, xs: tuple[int, ...]) -> Terms:
    """Return the least or greatest number as a sum of steps: a step counts if the extreme is at least its number."""
    numbers = sorted({n for x in xs for n in rows.numbers[x]})
    extreme: Terms = {0: numbers[0]} if numbers else {}
    for below, n in pairwise(numbers):
        reached = [sum_of(rows.takes(x, m) for m in rows.numbers[x] if m >= n) for x in xs]
        step = rows.any_of(reached) if which == "maximum" else rows.all_of(reached)
        extreme = total((1, extreme), (n - below, step))
    return extreme


def add_lex(rows: ZeroOneRows, part: Lex) -> None:
    """Add a lexicographic order: a suffix's indicator implies x < y, or x = y and the indicator of the next suffix."""
    for left, right, comparison in part.rows:
        if comparison in (">", ">="):
            left, right = right, left
        rest: Terms = {0: int(comparison in ("<=", ">="))}
        pairs = list(zip(left, right, strict=True))
        for i, (x, y) in reversed(list(enumerate(pairs))):
            in_order = rows.new() if i else {0: 1}
            difference = total((1, rows.number(y)), (-1, rows.number(x)), (1, rest))
            rows.require(difference, ">=", 1, in_order)
            rest = in_order
        rows.require(rest, ">=", 1)
