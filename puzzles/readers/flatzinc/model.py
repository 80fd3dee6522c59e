"""The instance under construction: variables with their domains, and rows of each kind of constraint.

operand  a tree of an Expression that is a variable or a number: ("var", x) or ("number", n)

Variables that are equal by a declaration, `bool2int` or an equality are one variable, a *class*; the first of its names
that is an output stands for it. A domain is cut by constraints on one variable, so these have no rows.
"""

from collections.abc import Callable, Iterable

from puzzles.constraints.clauses import Clauses
from puzzles.constraints.expression import Tree
from puzzles.errors import ParseError
from puzzles.readers.building import MAX_NUMBER, GrowingProblem, Ranges, Scope, common, united

Sum = dict[int, int]  # coefficients by variable
EVERYTHING: Ranges = ((-MAX_NUMBER, MAX_NUMBER),)
INTRODUCED = "X_INTRODUCED_"  # begins the names of the variables that MiniZinc's compiler adds
CLOSER = {"<": ("<=", -1), ">": (">=", 1)}  # equivalent comparisons of integers


class FlatModel(GrowingProblem):
    """Variables, constants, and constraints.

    parents  of each variable another of its class, or itself
    sums     linear rows: coefficients by variable, comparison, bound
    rows     rows of every other kind
    """

    def __init__(self) -> None:
        super().__init__()
        self.parents: list[int] = []
        self.sums: list[tuple[Sum, str, int]] = []

    def new(self, name: str, domain: Ranges) -> int:
        """Return another variable."""
        self.parents.append(len(self.parents))
        return super().new(name, domain)

    def find(self, x: int) -> int:
        """Return the variable that stands for the class of a variable."""
        while self.parents[x] != x:
            self.parents[x] = x = self.parents[self.parents[x]]
        return x

    def unite(self, x: int, y: int, rank: Callable[[int], int]) -> None:
        """Join the classes of two variables; the variable of higher rank stands for the class."""
        x, y = self.find(x), self.find(y)
        if x != y:
            keep, drop = (y, x) if rank(y) > rank(x) else (x, y)
            self.parents[drop] = keep
            self.domains[keep] = common(self.domains[keep], self.domains[drop])

    def variable(self, operand: Tree) -> int:
        """Return an operand as a variable, which a number is too."""
        return self.constant(operand[1]) if operand[0] == "number" else operand[1]

    def variables(self, operands: Iterable[Tree]) -> Scope:
        """Return operands as variables."""
        return tuple(map(self.variable, operands))

    def ends(self, operand: Tree) -> tuple[int, int]:
        """Return the least and the greatest number of an operand; (0, 0) if it has none."""
        if operand[0] == "number":
            return operand[1], operand[1]
        domain = self.domains[operand[1]]
        return (domain[0][0], domain[-1][1]) if domain else (0, 0)

    def restrict(self, operand: Tree, allowed: Ranges) -> None:
        """Require that an operand takes one of some numbers."""
        if operand[0] == "var":
            self.domains[operand[1]] = common(self.domains[operand[1]], allowed)
        elif not common(((operand[1], operand[1]),), allowed):
            self.sums.append(({}, "=", 1))

    def require(self, tree: Tree) -> None:
        """Add a tree that is to be true."""
        if tree[0] in ("var", "number"):
            self.clause([tree], [])
        else:
            super().require(tree)

    def compare(self, terms: Iterable[tuple[int, Tree]], sign: str, bound: int) -> None:
        """Add the comparison of a weighted sum with a number; of one variable, it cuts its domain."""
        sign, closer = CLOSER.get(sign, (sign, 0))
        bound += closer
        found: Sum = {}
        for a, operand in terms:
            if operand[0] == "number":
                bound -= a * operand[1]
            else:
                found[operand[1]] = found.get(operand[1], 0) + a
        found = {x: a for x, a in found.items() if a}
        if len(found) == 1:
            ((x, a),) = found.items()
            self.restrict(("var", x), solutions(a, sign, bound))
        elif found or not holds(sign, bound):
            self.sums.append((found, sign, bound))

    def clause(self, positive: Iterable[Tree], negative: Iterable[Tree]) -> None:
        """Require that one of some Booleans is true, or one of others false. Raises ParseError."""
        literals = list[int]()
        for operands, sign in ((positive, 1), (negative, -1)):
            for operand in operands:
                low, high = self.ends(operand)
                if low < 0 or high > 1:
                    raise ParseError("a Boolean is expected: a variable in a clause has other values than 0 and 1")
                if low != high:
                    literals.append(sign * (operand[1] + 1))
                elif low == (sign > 0):
                    return
        kept = dict.fromkeys(literals)
        if not any(-literal in kept for literal in kept):
            self.add(Clauses, list(kept))


def holds(sign: str, bound: int) -> bool:
    """Return True if 0 compares so with a number."""
    return {"=": bound == 0, "!=": bound != 0, "<=": bound >= 0, ">=": bound <= 0}[sign]


def solutions(a: int, sign: str, bound: int) -> Ranges:
    """Return the numbers whose product with a number other than 0 compares so with a bound."""
    if a < 0:
        a, bound, sign = -a, -bound, {"<=": ">=", ">=": "<="}.get(sign, sign)
    if sign == "<=":
        return united([(-MAX_NUMBER, bound // a)])
    if sign == ">=":
        return united([(-(-bound // a), MAX_NUMBER)])
    if bound % a:
        return () if sign == "=" else EVERYTHING
    exact = bound // a
    if sign == "=":
        return ((exact, exact),)
    return united([(-MAX_NUMBER, exact - 1), (exact + 1, MAX_NUMBER)])
