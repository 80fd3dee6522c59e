"""The instance under construction: variables, constants, and rows of each kind of constraint.

value  as in child.py; an operand is a variable, an integer, or a tree of XCSP3's operators
tree   an Expression's, with indices of variables
"""

from collections.abc import Callable, Iterable, Sequence

from puzzles.constraints.clauses import Clauses
from puzzles.constraints.expression import Tree
from puzzles.constraints.linear import Linear, clause_as_row
from puzzles.errors import ParseError
from puzzles.problem import Constraint, Instance, Problem
from puzzles.readers.bounding import MAX_NUMBERS, bounded
from puzzles.readers.building import Goal, GrowingProblem, Ranges, Scope, values_of
from puzzles.readers.xcsp3.parts import Value, integer, shown
from puzzles.readers.xcsp3.tokens import OPERANDS


class Xcsp3Model(GrowingProblem):
    """Variables with their domains, constraints, and the objective, if there is one."""

    def __init__(self, names: Sequence[str], domains: Sequence[Ranges]) -> None:
        super().__init__()
        self.names, self.domains = list(names), list(domains)
        self.index = {name: x for x, name in enumerate(names)}
        self.objective: Goal = None

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

    def set_apart(self, add: Callable[[], None]) -> list[Constraint]:
        """Return the constraints that a function adds, which are not kept."""
        kept = self.rows, self.scopes, self.bodies
        self.rows, self.scopes, self.bodies = {}, {}, {}
        add()
        found = self.constraints()
        self.rows, self.scopes, self.bodies = kept
        return found

    def whole(self, name: str) -> Instance[Problem]:
        """Return the instance. Raises Refusal."""
        self.domains = bounded(self.domains, self.rows)
        if values_of(self.domains) != ((0, 1),):
            self.rows.setdefault(Linear, []).extend(map(clause_as_row, self.rows.pop(Clauses, [])))
        return self.instance(name, self.objective, most=MAX_NUMBERS)
