"""Parts of constraints that shrinking removes: rows, terms of rows, and variables.

Each kind is reduced by its fields: a field that is a tuple has rows of its own, such as units, scopes or trees. Further
facts about kinds are in the tables here; a kind without an entry keeps whole rows, and all variables.

    at  the new index of each variable that is kept
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
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

At = Mapping[int, int]
Row = tuple[Any, ...]


def moved(variables: Sequence[int], at: At) -> tuple[int, ...]:
    """Return variables by their new indices."""
    return tuple(at[x] for x in variables)


def moved_tree(tree: Tree, at: At) -> Tree:
    """Return a tree with the new indices of its variables."""
    if tree[0] == "var":
        return "var", at[tree[1]]
    return tree if tree[0] in ("number", "set") else (tree[0], *(moved_tree(part, at) for part in tree[1:]))


# The rows of a kind with the new indices of their variables.
MOVED_ROWS: dict[str, Callable[[Row, At], Row]] = {
    Element.kind: lambda r, at: (moved(r[0], at), at[r[1]], r[2], at[r[3]]),
    Count.kind: lambda r, at: (moved(r[0], at), r[1], r[2], at[r[3]]),
    Cardinality.kind: lambda r, at: (moved(r[0], at), r[1], moved(r[2], at), r[3]),
    NValues.kind: lambda r, at: (moved(r[0], at), r[1], r[2], at[r[3]]),
    MinMax.kind: lambda r, at: (r[0], moved(r[1], at), r[2], at[r[3]]),
    Circuit.kind: lambda r, at: (moved(r[0], at), r[1], r[2], at[r[3]]),
    Cumulative.kind: lambda r, at: (*(moved(part, at) for part in r[:3]), at[r[3]]),
    NoOverlap.kind: lambda r, at: (*(tuple(moved(box, at) for box in part) for part in r[:2]), r[2]),
    Lex.kind: lambda r, at: (moved(r[0], at), moved(r[1], at), r[2]),
    Circuit.kind: lambda r, at: (moved(r[0], at), r[1], r[2], at[r[3]]),
    Cumulative.kind: lambda r, at: (moved(r[0], at), moved(r[1], at), moved(r[2], at), at[r[3]]),
    NoOverlap.kind: lambda r, at: (*(tuple(moved(box, at) for box in boxes) for boxes in r[:2]), r[2]),
    Expression.kind: moved_tree,
}
# The position of a row's list from which single variables may be removed.
LISTS = {Count.kind: 0, NValues.kind: 0, MinMax.kind: 1, Cardinality.kind: 0, Element.kind: 0}


def renumbered(constraint: Constraint, at: At) -> Constraint:
    """Return a constraint with the new indices of its variables. Raises KeyError if a variable is not kept."""
    if isinstance(constraint, AllDifferent):
        return AllDifferent(tuple(moved(unit, at) for unit in constraint.units))
    if isinstance(constraint, Clauses):
        return Clauses.of([[(at[abs(x) - 1] + 1) * (1 if x > 0 else -1) for x in row] for row in constraint.rows])
    if isinstance(constraint, Linear):
        return Linear.of([(a, moved(xs, at), sign, bound) for a, xs, sign, bound in constraint.rows])
    if isinstance(constraint, Table | Automaton):
        return replace(constraint, scopes=tuple(moved(scope, at) for scope in constraint.scopes))
    move, rows = MOVED_ROWS[constraint.kind], constraint.rows  # type: ignore[attr-defined]
    return type(constraint)(tuple(move(row, at) for row in rows))  # type: ignore[call-arg]


def is_known(constraint: Constraint) -> bool:
    """Return True if the variables of this kind are known."""
    return isinstance(constraint, AllDifferent | Clauses | Linear | Table | Automaton) or constraint.kind in MOVED_ROWS


class Recorded(dict[int, int]):
    """A mapping that keeps every index and records it."""

    def __missing__(self, x: int) -> int:
        self[x] = x
        return x


def scope(constraint: Constraint) -> set[int]:
    """Return the variables of a constraint, for a kind whose variables are known."""
    used = Recorded()
    renumbered(constraint, used)
    return set(used)


def size(constraint: Constraint) -> int:
    """Return the number of parts of a constraint, which shrinking reduces."""
    return sum(nested(part.tolist() if hasattr(part, "tolist") else part) for part in constraint.data().values())


def nested(part: Any) -> int:
    """Return the number of items in nested sequences."""
    return sum(1 + nested(item) for item in part) if isinstance(part, list | tuple) else 0


def row_names(constraint: Constraint) -> list[str]:
    """Return the names of a constraint's fields with rows that may be left out."""
    if isinstance(constraint, Clauses | Linear):
        return ["rows"]
    names = [field.name for field in fields(constraint)]  # type: ignore[arg-type]
    rows = [name for name in names if isinstance(getattr(constraint, name), tuple)]
    found = [name for name in rows if len(getattr(constraint, name)) > 1]
    return [*found, "tuples"] if isinstance(constraint, Table) else found


def rows_of(constraint: Constraint, name: str) -> Sequence[Any]:
    """Return the rows in a field of a constraint."""
    if isinstance(constraint, Table) and name == "tuples":
        found: Sequence[Any] = constraint.rows.tolist()
        return found
    rows: Sequence[Any] = getattr(constraint, name)
    return rows


def with_rows(constraint: Constraint, name: str, kept: Sequence[Any]) -> Constraint:
    """Return a constraint with some of the rows in one field."""
    if isinstance(constraint, Clauses | Linear):
        return type(constraint).of(kept)
    if isinstance(constraint, Table) and name == "tuples":
        return Table.of(constraint.scopes, kept, constraint.positive)
    return replace(constraint, **{name: tuple(kept)})  # type: ignore[type-var]


def simpler_rows(constraint: Constraint) -> Iterator[Constraint]:
    """Yield constraints with one row simplified: a term, literal or variable removed, a tree replaced by a part."""
    if isinstance(constraint, Clauses):
        yield from (Clauses.of(rows) for rows in one_simpler(constraint.rows, without_one))
    elif isinstance(constraint, Linear):
        yield from (Linear.of(rows) for rows in one_simpler(constraint.rows, simpler_sums))
    elif isinstance(constraint, AllDifferent):
        yield from (AllDifferent(tuple(rows)) for rows in one_simpler(constraint.units, without_one))
    elif isinstance(constraint, Expression):
        yield from (Expression(tuple(rows)) for rows in one_simpler(constraint.rows, simpler_trees))
    elif constraint.kind in LISTS:
        position = LISTS[constraint.kind]
        for rows in one_simpler(constraint.rows, lambda row: shorter_lists(row, position)):  # type: ignore[attr-defined]
            yield replace(constraint, rows=tuple(rows))  # type: ignore[type-var]


def one_simpler(rows: Sequence[Any], simpler: Callable[[Any], Iterator[Any]]) -> Iterator[list[Any]]:
    """Yield the rows with one row replaced by a simpler one."""
    for i, row in enumerate(rows):
        for other in simpler(row):
            yield [*rows[:i], other, *rows[i + 1 :]]


def without_one(row: Row) -> Iterator[Row]:
    for i in range(len(row)):
        yield (*row[:i], *row[i + 1 :])


def simpler_sums(row: Row) -> Iterator[Row]:
    """Yield a sum without one term, or with a coefficient of 1 or -1 instead of a larger one."""
    coefficients, variables, sign, bound = row
    for i, a in enumerate(coefficients):
        yield [*coefficients[:i], *coefficients[i + 1 :]], [*variables[:i], *variables[i + 1 :]], sign, bound
        if abs(a) > 1:
            yield [*coefficients[:i], 1 if a > 0 else -1, *coefficients[i + 1 :]], variables, sign, bound


def shorter_lists(row: Row, position: int) -> Iterator[Row]:
    """Yield a row without one variable of a list; the last variable stays."""
    if len(row[position]) > 1:
        for shorter in without_one(row[position]):
            yield (*row[:position], shorter, *row[position + 1 :])


def simpler_trees(tree: Tree) -> Iterator[Tree]:
    """Yield the parts of a tree, and the tree with one part simpler or removed."""
    if tree[0] in ("var", "number", "set"):
        return
    parts = [part for part in tree[1:] if part[0] != "set"]
    yield from parts
    if tree[0] in ("add", "mul", "min", "max", "and", "or", "xor") and len(parts) > 1:
        yield from ((tree[0], *rest) for rest in without_one(tree[1:]))
    for i, part in enumerate(tree[1:], 1):
        yield from ((*tree[:i], simple, *tree[i + 1 :]) for simple in simpler_trees(part))
