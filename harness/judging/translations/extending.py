"""Models that a translation made, and the search for values of their further variables where the first are given.

    domain  the numbers that a variable may take, ascending: a tuple or a range
    rows    constraints of one row each; a sum narrows the bounds of its variables, another row its last open variable

Further variables of our translations follow from the given ones nearly always, so the search hardly ever branches.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from puzzles.constraints.all_different import AllDifferent
from puzzles.constraints.automaton import Automaton
from puzzles.constraints.clauses import Clauses
from puzzles.constraints.expression import Expression, Tree, evaluated, variables_of
from puzzles.constraints.linear import Linear, Row, clause_as_row
from puzzles.constraints.moving import move, occurring, rows_of, with_rows
from puzzles.constraints.numbers import Numbers
from puzzles.constraints.table import STAR, Table
from puzzles.problem import Constraint
from puzzles.problem.arrays import BoolArray

MOST_NODES = 2_000
MOST_ROWS = 200_000
MOST_CELLS = 1 << 22  # numbers that are tried at once

Domain = Sequence[int]
Domains = list[Domain]
Narrow = Callable[[Domains], dict[int, Domain] | None]  # the smaller domains of a row, None if it can't hold


class Model(NamedTuple):
    """Variables and constraints, numbers of the variables that an assignment gives, and a sum to be minimised."""

    domains: Domains
    constraints: Sequence[Constraint]
    given: Mapping[int, int]
    goal: Mapping[int, int] | None = None
    constant: int = 0


class Evaluated(NamedTuple):
    """If a model allows an assignment, None if that is not known, and the least value of the goal."""

    allowed: bool | None
    value: int | None = None


class Watched(NamedTuple):
    """A row and the variables that it reads."""

    scope: tuple[int, ...]
    narrow: Narrow


def extended(model: Model) -> Evaluated:
    """Search for an extension of what is given to all variables; of a goal, that of the least value."""
    rows = list(islice((row for constraint in model.constraints for row in watched(constraint)), MOST_ROWS + 1))
    if len(rows) > MOST_ROWS:
        return Evaluated(None)
    of: dict[int, list[int]] = {}
    for i, row in enumerate(rows):
        for x in row.scope:
            of.setdefault(x, []).append(i)
    domains, goal = list(model.domains), model.goal or {}
    for x, n in model.given.items():
        domains[x] = (n,) if n in domains[x] else ()
    waiting, nodes = [(domains, list(range(len(rows))))], 0
    while waiting:
        if (nodes := nodes + 1) > MOST_NODES:
            return Evaluated(None)
        domains, changed = waiting.pop()
        if not all(domains) or not propagated(rows, of, domains, changed):
            continue
        open_ = [x for x, domain in enumerate(domains) if len(domain) > 1]
        if not open_:
            value = sum(a * domains[x][0] for x, a in goal.items()) + model.constant
            return Evaluated(True, None if model.goal is None else value)
        x = min(open_, key=lambda x: (x not in goal, len(domains[x])))
        parts = (domains[x][:-1], domains[x][-1:]) if goal.get(x, 1) < 0 else (domains[x][1:], domains[x][:1])
        waiting += [([*domains[:x], part, *domains[x + 1 :]], list(of.get(x, ()))) for part in parts]
    return Evaluated(False)


def propagated(rows: Sequence[Watched], of: Mapping[int, list[int]], domains: Domains, changed: list[int]) -> bool:
    """Narrow domains by rows until nothing changes; False if a row can't hold."""
    queued = set(changed)
    while changed:
        i = changed.pop()
        queued.discard(i)
        found = rows[i].narrow(domains)
        if found is None or not all(map(len, found.values())):
            return False
        for x, domain in found.items():
            if len(domain) < len(domains[x]):
                domains[x] = domain
                more = [j for j in of[x] if j not in queued]
                queued.update(more)
                changed += more
    return True


def watched(constraint: Constraint) -> Iterator[Watched]:
    """Yield the rows of a constraint."""
    if isinstance(constraint, Linear | Clauses):
        for row in constraint.rows:
            yield from sums(row if isinstance(constraint, Linear) else clause_as_row(row))  # type: ignore[arg-type]
        return
    for row in rows_of(constraint):
        scope = tuple(sorted(occurring(type(constraint), row)))
        at = {x: i for i, x in enumerate(scope)}
        local = with_rows(constraint, [move(type(constraint), row, at.__getitem__)])
        if isinstance(constraint, Table) and constraint.positive:
            yield Watched(scope, listed(constraint, row))
        else:
            yield Watched(scope, tried(local, scope, row if isinstance(constraint, Expression) else None))


def sums(row: Row) -> Iterator[Watched]:
    """Yield a comparison of a sum as one or two sums that are at most a number, or one that differs from it."""
    coefficients, xs, comparison, bound = row
    terms: dict[int, int] = {}
    for a, x in zip(coefficients, xs, strict=True):
        terms[x] = terms.get(x, 0) + a
    if comparison == "!=":
        yield Watched(tuple(terms), differs(terms, bound))
    if comparison in ("<=", "="):
        yield Watched(tuple(terms), at_most(terms, bound))
    if comparison in (">=", "="):
        yield Watched(tuple(terms), at_most({x: -a for x, a in terms.items()}, -bound))


def at_most(terms: Mapping[int, int], bound: int) -> Narrow:
    def narrow(domains: Domains) -> dict[int, Domain] | None:
        ends = [(x, a, domains[x][0 if a > 0 else -1]) for x, a in terms.items() if a]
        spare, found = bound - sum(a * n for _, a, n in ends), dict[int, Domain]()
        if spare < 0:
            return None
        for x, a, n in ends:
            most, domain = (a * n + spare) // abs(a), domains[x]
            if a > 0 and domain[-1] > most:
                found[x] = domain[: bisect_right(domain, most)]
            elif a < 0 and domain[0] < -most:
                found[x] = domain[bisect_left(domain, -most) :]
        return found

    return narrow


def differs(terms: Mapping[int, int], bound: int) -> Narrow:
    def narrow(domains: Domains) -> dict[int, Domain] | None:
        open_ = [x for x, a in terms.items() if a and len(domains[x]) > 1]
        rest = bound - sum(a * domains[x][0] for x, a in terms.items() if x not in open_)
        if not open_:
            return {} if rest else None
        x, a = open_[0], terms[open_[0]]
        if len(open_) > 1 or rest % a or rest // a not in domains[x] or len(domains[x]) > MOST_CELLS:
            return {}
        return {x: tuple(n for n in domains[x] if a * n != rest)}

    return narrow


def listed(table: Table, scope: Sequence[int]) -> Narrow:
    """Return the narrowing of a list of tuples: each variable keeps the numbers of tuples that are possible."""

    def narrow(domains: Domains) -> dict[int, Domain] | None:
        rows = table.rows
        possible = np.ones(len(rows), np.bool_)
        for k, x in enumerate(scope):
            column, domain = rows[:, k], domains[x]
            inside = (column >= domain[0]) & (column <= domain[-1])
            if len(domain) <= domain[-1] - domain[0]:
                inside &= np.isin(column, domain)
            possible &= inside | (column == STAR)
        if not possible.any():
            return None
        left = {x: np.unique(rows[possible, k]) for k, x in enumerate(scope)}
        return {x: tuple(column.tolist()) for x, column in left.items() if STAR not in column}

    return narrow


def tried(local: Constraint, scope: Sequence[int], tree: Tree | None) -> Narrow:
    """Return the narrowing of any row: numbers of its last open variable are tried; `local` is over its scope alone."""

    def narrow(domains: Domains) -> dict[int, Domain] | None:
        open_ = [k for k, x in enumerate(scope) if len(domains[x]) > 1]
        if len(open_) > 1:
            return {}
        candidates: Domain = domains[scope[open_[0]]] if open_ else (0,)
        if tree and open_ and (value := stated(tree, scope[open_[0]], scope, domains)) is not None:
            candidates = (value,) if value in candidates else ()
        if len(candidates) * len(scope) > MOST_CELLS:
            return {}
        numbers = np.array([[domains[x][0] for x in scope]] * len(candidates), object)
        numbers = numbers.reshape(len(candidates), len(scope))
        if open_:
            numbers[:, open_[0]] = list(candidates)
        if np.abs(numbers).max(initial=0) < 1 << 62:
            numbers = numbers.astype(np.int64)
        kept = np.flatnonzero(holds(local, numbers)).tolist()
        if not kept:
            return None
        return {scope[open_[0]]: tuple(candidates[i] for i in kept)} if open_ else {}

    return narrow


def stated(tree: Tree, x: int, scope: Sequence[int], domains: Domains) -> int | None:
    """Return the number of a variable that a tree equates with a part without it; None if the tree does not."""
    for one, other in (tree[1:], tree[:0:-1]) if tree[0] == "eq" and len(tree) == 3 else ():
        if one == ("var", x) and x not in variables_of(other):
            numbers = np.zeros((1, max(scope) + 1), object)
            numbers[0, list(scope)] = [domains[y][0] for y in scope]
            value, defined = evaluated(other, numbers)
            return int(np.ravel(value)[0]) if np.all(defined) else None
    return None


def holds(local: Any, numbers: Numbers) -> BoolArray:
    """Return bool[m]: True where a constraint of one row holds for the numbers of its variables."""
    row = rows_of(local)[0]
    if isinstance(local, AllDifferent):
        ordered = np.sort(numbers[:, list(row)], axis=1)
        differ: BoolArray = (ordered[:, 1:] != ordered[:, :-1]).all(axis=1)
        return differ
    if isinstance(local, Table):
        listed_: BoolArray = local.listed(numbers, row) == local.positive
        return listed_
    found: BoolArray = local.accepted(numbers, row) if isinstance(local, Automaton) else local.holds(numbers, row)
    return found
