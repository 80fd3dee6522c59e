"""Members of an instance in the words of its source, and the instance with some of them alone.

format              member                                            always there
CNF, OPB, FlatZinc  a clause or constraint, by its line               domains that are declared
XCSP3               a constraint, by its line and its `note` or `id`  domains
MiniZinc            a constraint of the model, by its line and name   domains
board               a given, by its square; a unit                    one value for each square
other               a row of a constraint                             domains
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from harness.explaining.subsets import Subset
from harness.model.errors import BadUsage
from harness.showing.pencil import candidates_text, unit_name
from puzzles.boards.board import Board
from puzzles.boards.layout import Layout
from puzzles.constraints import moving
from puzzles.constraints.clauses import Clauses, clause_text, hard_clauses_of, split_clauses
from puzzles.constraints.expression import Expression, tree_text
from puzzles.constraints.linear import Linear, row_text
from puzzles.constraints.numbers import names_text
from puzzles.problem import Instance, Problem
from puzzles.problem.check import describe_domain
from puzzles.problem.values import bits

Make = Callable[[Subset], Instance[Any]]


@dataclass(frozen=True)
class ClauseGroups:
    """Clauses of each member over `variables` variables, and those that are always there.

    `literal` of each variable and value of the problem, as in a Cnf.
    """

    variables: int
    background: Sequence[Sequence[int]]
    of: Sequence[Sequence[Sequence[int]]]
    literal: Sequence[tuple[int, ...]]


@dataclass(frozen=True)
class Divided:
    """An instance with its members: the words of each, the instance of some of them, and clauses if they are few.

    behind  compiles the instance with each member behind a Boolean variable, and returns the names of these too
    """

    instance: Instance[Any]
    words: Sequence[str]
    make: Make
    groups: ClauseGroups | None = None
    behind: Callable[[], tuple[Instance[Any], Sequence[str]]] | None = None

    @property
    def all(self) -> Subset:
        """Return all members."""
        return frozenset(range(len(self.words)))


def divided(instance: Instance[Any]) -> Divided:
    """Return the members of an instance by its problem alone: clauses, givens with units, or rows of constraints."""
    if isinstance(instance.problem, Layout):
        return of_board(instance)
    if hard_clauses_of(instance.problem) is not None:
        return of_clauses(instance, [])
    return of_rows(instance)


def of_clauses(instance: Instance[Any], lines: Sequence[int]) -> Divided:
    """Return the clauses of a formula, by their lines if these are known."""
    problem = instance.problem
    flat = hard_clauses_of(problem)
    assert flat is not None
    rows = split_clauses(flat)
    names = [f"line {line}: " for line in lines] if len(lines) == len(rows) else [""] * len(rows)
    words = [name + clause_text(row, problem) for name, row in zip(names, rows, strict=True)]
    size = len(problem.variables)

    def make(kept: Subset) -> Instance[Any]:
        some = Clauses.of(rows[i] for i in sorted(kept))
        return Instance(instance.name, replace(problem, constraints=(some,), objective=None), instance.domains)

    literal = [(-x, x) for x in range(1, size + 1)]
    return Divided(instance, words, make, ClauseGroups(size, [], [[row] for row in rows], literal))


def of_board(instance: Instance[Any]) -> Divided:
    """Return the givens and units of a board of units."""
    layout: Layout = instance.problem
    given = [s for s, mask in enumerate(instance.domains) if mask != layout.full]
    words = [f"{layout.squares[s]} is {candidates_text(layout, instance.domains[s])}" for s in given]
    words += [unit_name(layout, u) for u in range(len(layout.units))]
    n = len(layout.values)
    rows = [tuple(range(1 + s * n, 1 + (s + 1) * n)) for s in range(len(layout.squares))]
    one = [clause for row in rows for clause in (row, *((-a, -b) for a, b in combinations(row, 2)))]
    groups: list[list[tuple[int, ...]]] = [[tuple(rows[s][v] for v in bits(instance.domains[s]))] for s in given]
    for unit in layout.units:
        places = [[rows[s][v] for s in unit] for v in range(n)]
        pairs = [(-a, -b) for group in places for a, b in combinations(group, 2)]
        groups.append([*pairs, *(map(tuple, places) if layout.is_permutation(unit) else [])])

    def make(kept: Subset) -> Instance[Any]:
        left = {s for i, s in enumerate(given) if i in kept}
        domains = tuple(mask if s in left else layout.full for s, mask in enumerate(instance.domains))
        units = tuple(unit for u, unit in enumerate(layout.units) if len(given) + u in kept)
        board = Layout("a part", layout.squares, layout.values, units)
        return Instance(instance.name, board, domains)

    return Divided(instance, words, make, ClauseGroups(len(rows) * n, one, groups, rows))


def of_rows(instance: Instance[Any]) -> Divided:
    """Return the rows of all constraints, and the givens of a board. Raises BadUsage if a kind has no rows."""
    problem = instance.problem
    if unknown := [c.kind for c in problem.constraints if type(c) not in moving.MOVE]:
        raise BadUsage(f"{instance.name}: explain does not know the parts of {', '.join(unknown)}")
    rows = [(c, row) for c in problem.constraints for row in moving.rows_of(c)]
    words = [row_words(c, row, problem) for c, row in rows]
    given = [x for x, mask in enumerate(instance.domains) if isinstance(problem, Board) and mask != problem.full]
    words += [f"{problem.variables[x]} {describe_domain(problem, instance.domains[x])}" for x in given]

    def make(kept: Subset) -> Instance[Any]:
        some: dict[int, tuple[Any, list[Any]]] = {}
        for i, (constraint, row) in enumerate(rows):
            if i in kept:
                some.setdefault(id(constraint), (constraint, []))[1].append(row)
        built = tuple(moving.with_rows(constraint, own) for constraint, own in some.values())
        free = {x for i, x in enumerate(given, len(rows)) if i not in kept}
        domains = tuple(problem.full if x in free else mask for x, mask in enumerate(instance.domains))
        part = Problem("a part", problem.variables, problem.values, built)
        return Instance(instance.name, part, domains)

    return Divided(instance, words, make)


def row_words(constraint: Any, row: Any, problem: Problem) -> str:
    """Return a row of a constraint in words."""
    if isinstance(constraint, Linear):
        return row_text(row, problem)
    if isinstance(constraint, Clauses):
        return clause_text(row, problem)
    if isinstance(constraint, Expression):
        return tree_text(row, problem.variables)
    scope = sorted(moving.occurring(type(constraint), row))
    return f"{constraint.kind.replace('_', ' ')} of {names_text(scope, problem)}"
