"""Parts of constraints that shrinking removes: rows, terms of rows, and variables.

Each kind is reduced by its fields: a field that is a tuple has rows of its own, such as units, scopes or trees. Further
facts about kinds are in the tables here; a kind without an entry keeps whole rows, and all variables.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

from puzzles.constraints import moving
from puzzles.constraints.all_different import AllDifferent
from puzzles.constraints.cardinality import Cardinality
from puzzles.constraints.clauses import Clauses
from puzzles.constraints.count import Count
from puzzles.constraints.element import Element
from puzzles.constraints.expression import Expression, Tree
from puzzles.constraints.linear import Linear
from puzzles.constraints.minmax import MinMax
from puzzles.constraints.nvalues import NValues
from puzzles.constraints.table import Table
from puzzles.problem import Constraint

Row = tuple[Any, ...]


# The position of a row's list from which single variables may be removed.
LISTS = {Count.kind: 0, NValues.kind: 0, MinMax.kind: 1, Cardinality.kind: 0, Element.kind: 0}


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


def without_fixed(constraint: Constraint, fixed: Mapping[int, int]) -> Iterator[Constraint]:
    """Yield a constraint with the numbers of fixed variables in place of these: of one row, all at once or one."""
    if isinstance(constraint, Linear):
        yield from (Linear.of(rows) for rows in one_simpler(constraint.rows, lambda row: smaller_sums(row, fixed)))
    elif isinstance(constraint, Expression):
        for rows in one_simpler(constraint.rows, lambda tree: closed_trees(tree, fixed)):
            yield Expression(tuple(rows))


def smaller_sums(row: Row, fixed: Mapping[int, int]) -> Iterator[Row]:
    """Yield a sum without the terms of fixed variables, whose numbers the bound loses; or without one of them."""
    coefficients, variables, sign, bound = row
    terms = list(zip(coefficients, variables, strict=True))
    there = [x for x in variables if x in fixed]
    for gone in dict.fromkeys((tuple(there), *((x,) for x in there))):
        left = [(a, x) for a, x in terms if x not in gone]
        less = bound - sum(a * fixed[x] for a, x in terms if x in gone)
        if gone and left:
            yield [a for a, _ in left], [x for _, x in left], sign, less


def closed_trees(tree: Tree, fixed: Mapping[int, int]) -> Iterator[Tree]:
    """Yield a tree with numbers in place of all its fixed variables."""
    if fixed.keys() & moving.occurring(Expression, tree):
        yield moving.substituted(tree, lambda x: ("number", fixed[x]) if x in fixed else ("var", x))
