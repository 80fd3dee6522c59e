"""Reified constraints: what a constraint adds to an instance becomes one tree, of which a variable of 0 and 1 tells.

    reifiedBy     the variable is 1 exactly where the constraint holds
    hreifiedFrom  where the variable is 1, the constraint holds
    hreifiedTo    where the constraint holds, the variable is 1

An undefined part, such as a division by 0, is none of both: it breaks the instance (docs/decisions/0021).
"""

from collections.abc import Callable
from itertools import combinations
from typing import Any

from puzzles.constraints import by_kind
from puzzles.constraints.all_different import AllDifferent
from puzzles.constraints.cardinality import Cardinality
from puzzles.constraints.count import Count
from puzzles.constraints.element import Element
from puzzles.constraints.expression import Expression, Tree
from puzzles.constraints.lex import Lex
from puzzles.constraints.linear import Linear
from puzzles.constraints.minmax import MinMax
from puzzles.constraints.nvalues import NValues
from puzzles.constraints.table import STAR, Table
from puzzles.errors import ParseError
from puzzles.readers.building import is_boolean
from puzzles.readers.refusal import Refusal
from puzzles.readers.xcsp3.conditions import SIGNS
from puzzles.readers.xcsp3.counting import distinct_values
from puzzles.readers.xcsp3.model import Xcsp3Model
from puzzles.readers.xcsp3.ordering import lexicographic
from puzzles.readers.xcsp3.parts import Parts, check_size

OPERATORS = {sign: operator for operator, sign in SIGNS.items()}
CONNECT: dict[str, Callable[[Tree, Tree], Tree]] = {
    "reifiedBy": lambda told, condition: ("iff", told, condition),
    "hreifiedFrom": lambda told, condition: ("imp", told, condition),
    "hreifiedTo": lambda told, condition: ("imp", condition, told),
}


def variable(x: int) -> Tree:
    return ("var", x)


def compared(tree: Tree, sign: str, bound: int) -> Tree:
    return (OPERATORS[sign], tree, variable(bound))


def counted(trees: list[Tree]) -> Tree:
    return ("add", *trees) if trees else ("number", 0)


def all_of(trees: list[Tree]) -> Tree:
    return ("and", *trees) if trees else ("number", 1)


def any_of(trees: list[Tree]) -> Tree:
    return ("or", *trees) if trees else ("number", 0)


def linear(c: Linear) -> list[Tree]:
    found = []
    for coefficients, xs, sign, bound in c.rows:
        terms: list[Tree] = [("mul", ("number", a), variable(x)) for a, x in zip(coefficients, xs, strict=True)]
        found.append((OPERATORS[sign], counted(terms), ("number", bound)))
    return found


def all_different(c: AllDifferent) -> list[Tree]:
    check_size(sum(len(unit) ** 2 for unit in c.units))
    return [("ne", variable(x), variable(y)) for unit in c.units for x, y in combinations(unit, 2)]


def expression(c: Expression) -> list[Tree]:
    return list(c.trees)


def among(x: int, numbers: tuple[int, ...]) -> Tree:
    return ("in", variable(x), ("set", *numbers))


def count(c: Count) -> list[Tree]:
    return [compared(counted([among(x, ns) for x in xs]), sign, bound) for xs, ns, sign, bound in c.rows]


def cardinality(c: Cardinality) -> list[Tree]:
    found = []
    for xs, numbers, occurrences, closed in c.rows:
        for n, bound in zip(numbers, occurrences, strict=True):
            found.append(compared(counted([among(x, (n,)) for x in xs]), "=", bound))
        found += [among(x, numbers) for x in xs if closed]
    return found


def nvalues(c: NValues) -> list[Tree]:
    return [compared(distinct_values(list(map(variable, xs)), out), sign, bound) for xs, out, sign, bound in c.rows]


def minmax(c: MinMax) -> list[Tree]:
    return [compared((which[:3], *map(variable, xs)), sign, bound) for which, xs, sign, bound in c.rows]


def element(c: Element) -> list[Tree]:
    found = []
    for items, index, start, value in c.rows:
        at = [("eq", variable(index), ("number", i)) for i in range(start, start + len(items))]
        equal = [("eq", variable(x), variable(value)) for x in items]
        found.append(any_of([("and", *both) for both in zip(at, equal, strict=True)]))
    return found


def lex(c: Lex) -> list[Tree]:
    return [
        lexicographic(list(map(variable, left)), OPERATORS[sign], list(map(variable, right)))
        for left, right, sign in c.rows
    ]


def table(c: Table) -> list[Tree]:
    rows = c.rows.tolist()
    check_size(len(rows) * len(c.scopes[0]))
    found = []
    for scope in c.scopes:
        listed = [
            all_of([("eq", variable(x), ("number", n)) for x, n in zip(scope, row, strict=True) if n != STAR])
            for row in rows
        ]
        found.append(any_of(listed) if c.positive else ("not", any_of(listed)))
    return found


TREES: dict[str, Callable[[Any], list[Tree]]] = by_kind(globals())


def add_reified(model: Xcsp3Model, parts: Parts, add: Callable[[Xcsp3Model, Parts], None]) -> None:
    """Add the tree that connects a constraint with the variables that tell of it. Raises ParseError, Refusal."""
    added = model.set_apart(lambda: add(model, parts))
    if others := [c.kind for c in added if c.kind not in TREES]:
        raise Refusal([f"reified {kind} constraints" for kind in others])
    condition = all_of([tree for c in added for tree in TREES[c.kind](c)])
    for name, connect in CONNECT.items():
        if name in parts.own:
            x = model.variable(["var", parts.own[name]])
            if not is_boolean(model.domains[x]):
                raise ParseError(f"{name}: {model.names[x]} has other values than 0 and 1")
            model.require(connect(variable(x), condition))
