"""The instance under construction: variables, constants, and rows of each kind of constraint.

value  as in child.py; an operand is a variable, an integer, or a tree of XCSP3's operators
tree   an Expression's, with indices of variables
"""

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any

import numpy as np

from puzzles.constraints.all_different import AllDifferent
from puzzles.constraints.automaton import Automaton, Transition
from puzzles.constraints.clauses import Clauses
from puzzles.constraints.expression import MAX_BITS, Expression, Tree
from puzzles.constraints.linear import Linear, clause_as_row
from puzzles.constraints.table import Table
from puzzles.errors import ParseError
from puzzles.objectives.expression import ExpressionObjective
from puzzles.objectives.linear import LinearObjective
from puzzles.problem import Constraint, Instance, Problem
from puzzles.problem.values import Integers
from puzzles.readers.refusal import Refusal
from puzzles.readers.xcsp3.bounding import Domain, bounded, mask_of, numbers_of
from puzzles.readers.xcsp3.parts import Value, integer, shown
from puzzles.readers.xcsp3.tokens import OPERANDS

Scope = tuple[int, ...]
BUILD: dict[Any, Callable[[Sequence[Any]], Constraint]] = {
    AllDifferent: lambda rows: AllDifferent(tuple(rows)),
    Linear: Linear.of,
    Clauses: Clauses.of,
}


class Xcsp3Model:
    """Variables with their domains, constraints, and the objective, if there is one.

    domains   ascending numbers of each variable; equal ones share one tuple, wide ones are ranges
    rows      rows of each kind that has rows
    scopes    scopes of each table and automaton, which `bodies` builds from them
    """

    def __init__(self, names: Sequence[str], domains: Sequence[Domain]) -> None:
        self.names, self.domains = list(names), list(domains)
        self.index = {name: x for x, name in enumerate(names)}
        self.constants: dict[int, int] = {}
        self.rows: dict[Any, list[Any]] = {}
        self.scopes: dict[Hashable, list[Scope]] = {}
        self.bodies: dict[Hashable, Callable[[tuple[Scope, ...]], Constraint]] = {}
        self.objective: LinearObjective | ExpressionObjective | None = None

    def constant(self, number: int) -> int:
        """Return the variable that is a number."""
        if number not in self.constants:
            self.constants[number] = len(self.names)
            self.names.append(str(number))
            self.domains.append((number,))
        return self.constants[number]

    def variable(self, value: Value) -> int:
        """Return a variable, which a number is too. Raises ParseError."""
        if isinstance(value, list) and value[0] == "var" and value[1] in self.index:
            return self.index[value[1]]
        return self.constant(integer(value))

    def variables(self, values: Iterable[Value]) -> Scope:
        """Return variables. Raises ParseError."""
        return tuple(map(self.variable, values))

    def tree(self, value: Value) -> Tree:
        """Return the tree of an operand. Raises ParseError."""
        if not isinstance(value, list):
            return ("number", integer(value))
        name, *parts = value
        if name == "var":
            return ("var", self.variable(value))
        if name not in OPERANDS or name == "set":
            raise ParseError(f"unexpected {shown(value)}: expected a variable, a number or an expression")
        if name in ("in", "notin"):
            found = self.membership(self.tree(parts[0]), parts[1])
            return ("not", found) if name == "notin" else found
        return (name, *map(self.tree, parts))

    def membership(self, tree: Tree, members: Value) -> Tree:
        """Return the tree that is true if `tree` takes a member of a set. Raises ParseError."""
        if not isinstance(members, list) or members[0] != "set":
            raise ParseError(f"unexpected {shown(members)}: expected set(...)")
        if all(isinstance(member, int) for member in members[1:]):
            return ("in", tree, ("set", *map(integer, members[1:])))
        return ("or", *(("eq", tree, self.tree(member)) for member in members[1:]))

    def add(self, kind: Any, row: Any) -> None:
        """Add a row to the constraints of a kind."""
        self.rows.setdefault(kind, []).append(row)

    def require(self, tree: Tree) -> None:
        """Add a tree that is to be true."""
        self.add(Expression, tree)

    def add_table(
        self, key: Hashable, scope: Scope, tuples: Callable[[], Sequence[int]], positive: bool = True
    ) -> None:
        """Add a scope to the table of a key, whose flat tuples are made once."""
        key = "table", key, len(scope), positive
        if key not in self.scopes:
            flat = np.array(tuples(), np.int64)
            self.bodies[key] = lambda scopes: Table(scopes, flat, positive)
        self.scopes.setdefault(key, []).append(scope)

    def add_automaton(
        self, key: Hashable, scope: Scope, automaton: Callable[[], tuple[Sequence[Transition], int, Sequence[int]]]
    ) -> None:
        """Add a scope to the automaton of a key, whose transitions, start and final states are made once."""
        key = "automaton", key
        if key not in self.scopes:
            transitions, start, finals = automaton()
            self.bodies[key] = lambda scopes: Automaton(scopes, tuple(transitions), start, tuple(finals))
        self.scopes.setdefault(key, []).append(scope)

    def set_apart(self, add: Callable[[], None]) -> list[Constraint]:
        """Return the constraints that a function adds, which are not kept."""
        kept = self.rows, self.scopes, self.bodies
        self.rows, self.scopes, self.bodies = {}, {}, {}
        add()
        found = self.constraints()
        self.rows, self.scopes, self.bodies = kept
        return found

    def constraints(self) -> list[Constraint]:
        """Return the constraints, one of each kind that has rows, and each table and automaton."""
        found = [BUILD[kind](rows) if kind in BUILD else kind(tuple(rows)) for kind, rows in self.rows.items() if rows]
        return found + [self.bodies[key](tuple(scopes)) for key, scopes in self.scopes.items()]

    def instance(self, name: str) -> Instance[Problem]:
        """Return the instance."""
        self.domains = bounded(self.domains, self.rows)
        numbers = numbers_of(self.domains, len(self.names))
        if numbers != [0, 1]:
            self.rows.setdefault(Linear, []).extend(map(clause_as_row, self.rows.pop(Clauses, [])))
        found = self.constraints()
        at = {number: i for i, number in enumerate(numbers)}
        masks = {domain: mask_of(domain, at) for domain in set(self.domains)}
        problem = Problem(name, tuple(self.names), Integers(numbers), tuple(found), objective=self.objective)
        parts = (*found, self.objective)
        if any(isinstance(part, Expression | ExpressionObjective) and part.too_long(problem) for part in parts):
            raise Refusal([f"expressions of more than {MAX_BITS:,.0f} bits"])
        return Instance(name, problem, tuple(masks[domain] for domain in self.domains))
