"""Kinds of constraint as expressions, for encoders and solvers that lack a form of their own.

`TO_EXPRESSIONS` has a function for each kind that needs no variables beside its own. The trees are as small as the
domains allow: a variable of one number is written as the number, and what the bounds decide is left out.

    cumulative   at each start, the heights of the running tasks (Schutt et al. 2009); disjunctions where each two tasks
                 exclude each other
    no_overlap   disjunctions
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

from puzzles.constraints import by_kind
from puzzles.constraints.cumulative import Cumulative
from puzzles.constraints.expression import Expression, Tree
from puzzles.constraints.no_overlap import NoOverlap, NoOverlapRow
from puzzles.problem import Constraint

FALSE: Tree = ("number", 0)


class Ends:
    """Least and greatest number of each variable, and trees of variables."""

    def __init__(self, ends: Sequence[tuple[int, int]]) -> None:
        self.ends = ends

    def low(self, x: int) -> int:
        return self.ends[x][0]

    def high(self, x: int) -> int:
        return self.ends[x][1]

    def tree(self, x: int) -> Tree:
        """Return a variable, or its number if the domain has one number."""
        low, high = self.ends[x]
        return ("number", low) if low == high else ("var", x)

    def not_negative(self, xs: Sequence[int]) -> Iterator[Tree]:
        """Yield the trees that exclude negative numbers of variables."""
        for x in dict.fromkeys(xs):
            if self.low(x) < 0:
                yield ("ge", self.tree(x), ("number", 0))

    def after(self, x: int, duration: int) -> Tree:
        """Return the sum of a start and a duration."""
        return ("add", self.tree(x), self.tree(duration))

    def apart(self, x: int, length: int, y: int, other: int) -> list[Tree]:
        """Return the ways in which two intervals do not overlap, those that the bounds allow."""
        ways: list[Tree] = []
        for (a, long), b in (((x, length), y), ((y, other), x)):
            if self.low(a) + max(self.low(long), 0) <= self.high(b):
                ways.append(("le", self.after(a, long), self.tree(b)))
        return ways

    def empty(self, length: int) -> list[Tree]:
        """Return the condition that a length is 0, if the bounds allow that."""
        return [("eq", self.tree(length), ("number", 0))] if self.low(length) <= 0 else []


def any_of(trees: Sequence[Tree]) -> Tree:
    return trees[0] if len(trees) == 1 else ("or", *trees) if trees else FALSE


def express_cumulative(constraint: Cumulative, ends: Ends) -> Iterator[Tree]:
    for row in constraint.rows:
        starts, durations, heights, limit = row
        yield from ends.not_negative((*durations, *heights, limit))
        tasks = [task for task in zip(starts, durations, heights, strict=True) if min(map(ends.high, task[1:])) > 0]
        if len(tasks) > 1 and exclusive(tasks, limit, ends):
            for (x, d, h), (y, e, k) in combinations(tasks, 2):
                yield any_of([*ends.empty(d), *ends.empty(e), *ends.empty(h), *ends.empty(k), *ends.apart(x, d, y, e)])
            for _, d, h in tasks:
                if ends.high(h) > ends.low(limit):
                    yield any_of([*ends.empty(d), ("le", ends.tree(h), ends.tree(limit))])
        else:
            yield from usage(tasks, limit, ends)


Task = tuple[int, int, int]  # start, duration, height


def exclusive(tasks: Sequence[Task], limit: int, ends: Ends) -> bool:
    """Return True if no two tasks of a height above 0 run together."""
    lows = sorted(max(ends.low(h), 1) for _, _, h in tasks)
    return lows[0] + lows[1] > ends.high(limit)


def usage(tasks: Sequence[Task], limit: int, ends: Ends) -> Iterator[Tree]:
    """Yield for each task: the tasks that run at its start take no more than the limit."""
    for i, (start, duration, height) in enumerate(tasks):
        terms = [scaled(ends.tree(height), [("gt", ends.tree(duration), FALSE)] if ends.low(duration) <= 0 else [])]
        for k, (x, d, h) in enumerate(tasks):
            if k != i and ends.low(x) <= ends.high(start) and ends.low(start) < ends.high(x) + ends.high(d):
                running = [("le", ends.tree(x), ends.tree(start)), ("lt", ends.tree(start), ends.after(x, d))]
                terms.append(scaled(ends.tree(h), running))
        yield ("le", ("add", *terms), ends.tree(limit))


def scaled(height: Tree, conditions: Sequence[Tree]) -> Tree:
    """Return a height where all conditions hold, else 0."""
    if not conditions:
        return height
    condition = conditions[0] if len(conditions) == 1 else ("and", *conditions)
    if height[0] == "number":
        return condition if height[1] == 1 else ("mul", height, condition)
    return ("if", condition, height, FALSE)


def express_no_overlap(constraint: NoOverlap, ends: Ends) -> Iterator[Tree]:
    for row in constraint.rows:
        yield from express_boxes(row, ends)


def express_boxes(row: NoOverlapRow, ends: Ends) -> Iterator[Tree]:
    """Yield for each two boxes: they are apart in some dimension, or one of them is ignored."""
    origins, lengths, ignored = row
    yield from ends.not_negative([x for box in lengths for x in box])
    for (a, long_a), (b, long_b) in combinations(zip(origins, lengths, strict=True), 2):
        ways = [empty for x in (*long_a, *long_b) for empty in ends.empty(x)] if ignored else []
        for sides in zip(a, long_a, b, long_b, strict=True):
            ways += ends.apart(*sides)
        yield any_of(ways)


TO_EXPRESSIONS: dict[str, Callable[..., Iterator[Tree]]] = by_kind(globals())


def expressed(constraint: Constraint, ends: Sequence[tuple[int, int]]) -> Expression:
    """Return the expressions that are equivalent to a constraint of a kind in TO_EXPRESSIONS."""
    return Expression(tuple(TO_EXPRESSIONS[constraint.kind](constraint, Ends(ends))))
