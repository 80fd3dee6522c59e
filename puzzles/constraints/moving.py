"""Variables of constraints of each kind: which ones occur, and the constraint with others in their stead."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from puzzles.constraints.all_different import AllDifferent
from puzzles.constraints.automaton import Automaton
from puzzles.constraints.cardinality import Cardinality
from puzzles.constraints.circuit import Circuit
from puzzles.constraints.clauses import Clauses
from puzzles.constraints.count import Count
from puzzles.constraints.cumulative import Cumulative
from puzzles.constraints.element import Element
from puzzles.constraints.expression import Expression, Tree
from puzzles.constraints.lex import Lex
from puzzles.constraints.linear import Linear
from puzzles.constraints.minmax import MinMax
from puzzles.constraints.no_overlap import NoOverlap
from puzzles.constraints.nvalues import NValues
from puzzles.constraints.table import Table
from puzzles.problem import Constraint

Renaming = Callable[[int], int]


def scope(row: Any, at: Renaming) -> tuple[int, ...]:
    """Return a list of variables with their new indices."""
    return tuple(map(at, row))


MOVE: dict[Any, Callable[[Any, Renaming], Any]] = {
    AllDifferent: scope,
    Clauses: lambda row, at: [at(x - 1) + 1 if x > 0 else -at(-x - 1) - 1 for x in row],
    Linear: lambda row, at: (row[0], scope(row[1], at), row[2], row[3]),
    Element: lambda row, at: (scope(row[0], at), at(row[1]), row[2], at(row[3])),
    MinMax: lambda row, at: (row[0], scope(row[1], at), row[2], at(row[3])),
    Count: lambda row, at: (scope(row[0], at), row[1], row[2], at(row[3])),
    NValues: lambda row, at: (scope(row[0], at), row[1], row[2], at(row[3])),
    Cardinality: lambda row, at: (scope(row[0], at), row[1], scope(row[2], at), row[3]),
    Cumulative: lambda row, at: (*(scope(part, at) for part in row[:3]), at(row[3])),
    NoOverlap: lambda row, at: (*(tuple(scope(box, at) for box in part) for part in row[:2]), row[2]),
    Circuit: lambda row, at: (scope(row[0], at), row[1], row[2], at(row[3])),
    Lex: lambda row, at: (scope(row[0], at), scope(row[1], at), row[2]),
    Expression: lambda row, at: substituted(row, lambda x: ("var", at(x))),
    Table: scope,
    Automaton: scope,
}


def move(kind: Any, row: Any, at: Renaming) -> Any:
    """Return a row of a kind with other variables instead of its own; rows of tables and automata are their scopes."""
    return MOVE[kind](row, at)


def occurring(kind: Any, row: Any) -> set[int]:
    """Return the variables of a row of a kind."""
    found = set[int]()

    def seen(x: int) -> int:
        found.add(x)
        return x

    MOVE[kind](row, seen)
    return found


def substituted(tree: Tree, by: Callable[[int], Tree]) -> Tree:
    """Return a tree with trees instead of its variables."""
    name = tree[0]
    if name == "var":
        return by(tree[1])
    if name == "number":
        return tree
    if name == "in":
        return ("in", substituted(tree[1], by), tree[2])
    return (name, *[substituted(part, by) for part in tree[1:]])


def rows_of(constraint: Any) -> Any:
    """Return the rows of a constraint, as `move` takes them."""
    if isinstance(constraint, AllDifferent):
        return constraint.units
    return constraint.scopes if isinstance(constraint, Table | Automaton) else constraint.rows


def with_rows(constraint: Any, rows: Any) -> Constraint:
    """Return a constraint with other rows."""
    if isinstance(constraint, Clauses | Linear):
        return type(constraint).of(rows)
    if isinstance(constraint, Table | Automaton):
        return replace(constraint, scopes=tuple(rows))
    made: Constraint = type(constraint)(tuple(rows))
    return made


def renumbered(constraint: Constraint, at: Renaming) -> Constraint:
    """Return a constraint with the new indices of its variables."""
    return with_rows(constraint, [move(type(constraint), row, at) for row in rows_of(constraint)])


def variables_of(constraint: Constraint) -> set[int]:
    """Return the variables of a constraint."""
    return set[int]().union(*(occurring(type(constraint), row) for row in rows_of(constraint)))
