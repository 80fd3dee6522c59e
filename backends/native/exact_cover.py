"""Exact covers: boards and rows of 0/1 sums as items and options.

item    has to be covered exactly once, or, if it is optional, at most once
option  a value of a variable, which covers items; a set of options that covers the items is a solution

board   an item for each square, and for each unit and value; it is optional where the unit is shorter than the
        values, since a value may be absent. An option for each square and value.
rows    an item for each row: a sum of Booleans that is 1, or at most 1, which is optional. An option for each
        variable, which is true. A variable in no row with sum 1 has an item of its own, and an option for each of
        its values: otherwise no item would decide it.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from encoders.formula import AllDifferent, Constraints, Formula, Unsupported
from puzzles.constraints.linear import Linear
from puzzles.problem.values import Domains, Solution


@dataclass(frozen=True, eq=False)
class Cover:
    """Items are 0 to items - 1, the first `exact` of them are not optional.

    options  the items of each option
    candidates  the variable and the value index that each option stands for
    absent   the value of a variable for which no option is chosen: None, or the index of 0
    single   the options of variables that have no option for 0
    """

    variables: int
    exact: int
    items: int
    options: tuple[tuple[int, ...], ...]
    candidates: tuple[tuple[int, int], ...]
    absent: int | None = None
    single: tuple[int, ...] = ()

    def allowed(self, domains: Domains) -> list[int] | None:
        """Return the options that the domains leave; None if a domain is empty.

        A variable that may not be 0 removes all options that share an item with its own.
        """
        if 0 in domains:
            return None
        left = [o for o, (x, v) in enumerate(self.candidates) if domains[x] >> v & 1]
        if self.absent is None:
            return left
        forced = [o for o in self.single if not domains[self.candidates[o][0]] >> self.absent & 1]
        owner = dict[int, int]()
        for o in forced:
            for item in self.options[o]:
                if owner.setdefault(item, o) != o:
                    return None
        return [o for o in left if all(owner.get(item, o) == o for item in self.options[o])]

    def solution(self, chosen: list[int]) -> Solution:
        """Return the values of all variables."""
        values = [self.absent or 0] * self.variables
        for o in chosen:
            x, v = self.candidates[o]
            values[x] = v
        return tuple(values)


def exact_cover(formula: Formula) -> Cover:
    """Return a board, or rows of 0/1 sums, as an exact cover. Raises Unsupported."""
    if isinstance(formula, AllDifferent):
        return board_cover(formula)
    if isinstance(formula, Constraints):
        return rows_cover(formula)
    raise Unsupported(f"native:dlx takes boards and sums, not {type(formula).__name__}")


def board_cover(formula: AllDifferent) -> Cover:
    """Return a board as an exact cover; a unit longer than the values is an item that no option covers."""
    units = tuple(dict.fromkeys(formula.units))
    n = formula.values
    whole = [u for u in units if len(u) == n]
    shorter = [u for u in units if len(u) < n]
    first = formula.squares + sum(len(u) > n for u in units)
    exact = first + n * len(whole)
    covered: list[list[int]] = [[s] for s in range(formula.squares)]  # items by square, those of value 0
    for u, unit in enumerate((*whole, *shorter)):
        for s in unit:
            covered[s].append(first + u * n)
    candidates = tuple((s, v) for s in range(formula.squares) for v in range(n))
    options = tuple((s, *(item + v for item in covered[s][1:])) for s, v in candidates)
    return Cover(formula.squares, exact, first + n * (len(whole) + len(shorter)), options, candidates)


def rows_cover(formula: Constraints) -> Cover:
    """Return sums that are 1 or at most 1 as an exact cover. Raises Unsupported."""
    if formula.ranged or not set(formula.numbers) <= {0, 1}:
        raise Unsupported("native:dlx takes boards and Boolean variables alone")
    equal, most = list[list[int]](), list[list[int]]()
    for variables, once in unit_rows(formula):
        (equal if once else most).append(variables)
    decided = {x for row in equal for x in row}
    free = [x for x in range(formula.variables) if x not in decided]
    covered: list[list[int]] = [[] for _ in range(formula.variables)]
    for item, row in enumerate((*equal, *([x] for x in free), *most)):
        for x in row:
            covered[x].append(item)
    exact = len(equal) + len(free)
    index = {number: v for v, number in enumerate(formula.numbers)}
    no = index.get(0, len(formula.numbers))  # without 0, a value that no domain has
    options, candidates, single = list[tuple[int, ...]](), list[tuple[int, int]](), list[int]()
    if 1 in index:
        options += map(tuple, covered)
        candidates += [(x, index[1]) for x in range(formula.variables)]
        single += decided
    if 0 in index:
        options += [(len(equal) + i,) for i in range(len(free))]
        candidates += [(x, no) for x in free]
    return Cover(formula.variables, exact, exact + len(most), tuple(options), tuple(candidates), no, tuple(single))


def unit_rows(formula: Constraints) -> Iterator[tuple[list[int], bool]]:
    """Yield the variables of each row, and True if their sum is 1, False if at most 1. Raises Unsupported."""
    for constraint in formula.constraints:
        if not isinstance(constraint, Linear):
            raise Unsupported(f"native:dlx takes sums that are 1 or at most 1, not {constraint.kind}")
        for coefficients, variables, comparison, bound in constraint.rows:
            signs = set(coefficients)
            turned = {"<=": ">=", ">=": "<="}.get(comparison, comparison) if signs == {-1} else comparison
            size = -bound if signs == {-1} else bound
            if signs not in (set(), {1}, {-1}) or size != 1 or turned not in ("=", "<="):
                raise Unsupported("native:dlx takes sums that are 1 or at most 1, without coefficients")
            if len(set(variables)) < len(variables):
                raise Unsupported("native:dlx takes sums of different variables")
            yield list(variables), turned == "="
