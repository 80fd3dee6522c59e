"""Element constraints, extremes and lexicographic order: comparisons of chosen variables."""

from collections.abc import Sequence

from encoders.gates import any_of, equal_if
from encoders.integers import Variables
from encoders.linear.rows import compare
from puzzles.constraints.element import Element
from puzzles.constraints.lex import Lex
from puzzles.constraints.minmax import MinMax


def lower_element(element: Element, v: Variables) -> None:
    """Make the item at each index equal to the value. A number of the value needs an index whose item has it."""
    for variables, index, start, value in element.rows:
        having: dict[int, list[int]] = {}
        for n in v.domains[index]:
            chosen = v.eq(index, n)
            if not 0 <= n - start < len(variables):
                v.add((-chosen,))
                continue
            item = variables[n - start]
            equal_if(v, item, value, (-chosen,))
            for number in v.domains[item]:
                having.setdefault(number, []).append(chosen)
        for number in v.domains[value]:
            v.add([-v.eq(value, number), *having.get(number, ())])


def lower_minmax(minmax: MinMax, v: Variables) -> None:
    for which, variables, comparison, bound in minmax.rows:
        lower_extreme(v, which, variables, comparison, bound)


def lower_extreme(v: Variables, which: str, variables: Sequence[int], comparison: str, bound: int) -> None:
    """Compare a minimum or maximum with a variable: the extreme is at least n iff all or one of the variables are."""
    if comparison == "!=":
        extreme = v.integer(sorted({n for x in variables for n in v.domains[x]}))
        lower_extreme(v, which, variables, "=", extreme)
        compare(v, [(1, extreme), (-1, bound)], "!=", 0)
        return
    sign = 1 if which == "maximum" else -1
    strict = {"<": 1, ">": -1}.get(comparison, 0)  # extreme < bound iff extreme + 1 <= bound
    for n in sorted({n - s for x in (*variables, bound) for n in v.domains[x] for s in (0, strict)}):
        least = sign * any_of(v, [sign * v.ge(x, n) for x in variables])
        other = v.ge(bound, n + strict)
        if comparison in ("<", "<=", "="):
            v.add((-least, other))
        if comparison in (">", ">=", "="):
            v.add((least, -other))


def lower_lex(lex: Lex, v: Variables) -> None:
    for left, right, comparison in lex.rows:
        if comparison in (">", ">="):
            left, right = right, left
        lower_order(v, left, right, strict=comparison in ("<", ">"))


def lower_order(v: Variables, left: Sequence[int], right: Sequence[int], strict: bool) -> None:
    """Order two lists: after equal pairs the next pair is in order, and after an unequal pair the rest is free."""
    equal = v.true
    for k, (x, y) in enumerate(zip(left, right, strict=True)):
        compare(v, [(1, x), (-1, y)], "<=", 0, equal)
        last = k == len(left) - 1
        if last and not strict:
            return
        below = v.new()
        after = -v.true if last else v.new()
        compare(v, [(1, x), (-1, y)], "<", 0, below)
        v.add((-equal, below, after))
        equal = after
    if strict and not left:
        v.add(())
