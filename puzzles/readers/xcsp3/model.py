"""The instance under construction: variables, constants, and rows of each kind of constraint.

value  as in child.py; an operand is a variable, an integer, or a tree of XCSP3's operators
tree   an Expression's, with indices of variables
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from puzzles.constraints.clauses import Clauses
from puzzles.constraints.expression import Tree
from puzzles.constraints.linear import Linear, clause_as_row
from puzzles.constraints.moving import variables_of
from puzzles.defined import free
from puzzles.errors import ParseError
from puzzles.problem import Constraint, Instance, Problem
from puzzles.problem.values import size_of
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
        self.stated = len(names)
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
        return self.projected(self.instance(name, self.objective, most=MAX_NUMBERS))

    def projected(self, instance: Instance[Problem]) -> Instance[Problem]:
        """Return an instance whose projection is the variables of the source that some constraint mentions."""
        problem = instance.problem
        if problem.objective is not None:
            return instance
        mentioned = set[int]().union(*map(variables_of, problem.constraints))
        hidden = free(problem, instance.domains, range(self.stated, len(problem.variables)))
        unmentioned = (
            x for x in range(self.stated) if x not in mentioned and size_of(instance.domains[x], problem.values) > 1
        )
        found = (*unmentioned, *hidden)
        return instance.stated(problem=replace(problem, free=found)) if found else instance
