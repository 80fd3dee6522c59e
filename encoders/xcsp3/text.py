"""XCSP3 text under construction, with workarounds for differences between solvers.

A constraint that is always false is written as one on v1 that no value satisfies. Where solvers differ, the text is
explicit: a division by zero is excluded by a constraint of its own, an operator on truth values gets truth values, and
a list has no variable twice.

operand  a variable's name, or its number if it has only one
"""

from collections.abc import Callable, Sequence
from itertools import pairwise

from encoders.formula import Constraints
from encoders.rewriting import definitions, simplified, truth
from puzzles.constraints.expression import OPERATOR_OF, Tree, tree_text
from puzzles.problem.values import Domains, Numbered

NEEDED: dict[str, Callable[[int], bool]] = {"ne": lambda number: number != 0, "ge": lambda number: number >= 0}
LARGEST = (1 << 63) - 1


def domain_text(numbers: Sequence[int]) -> str:
    """Return ascending numbers with ranges, as in 1 3..6. The text is never empty, since XCSP3 has no empty domain."""
    if isinstance(numbers, range):
        return f"{numbers[0]}..{numbers[-1]}"
    ends = [a for a, b in pairwise(numbers) if b - a > 1] + list(numbers[-1:])
    starts = list(numbers[:1]) + [b for a, b in pairwise(numbers) if b - a > 1]
    return " ".join(str(a) if a == b else f"{a}..{b}" for a, b in zip(starts, ends, strict=True)) or "0"


class Xcsp3Text:
    """The constraints and auxiliary variables of a file under construction."""

    def __init__(self, form: Constraints, domains: Domains) -> None:
        self.form, self.lines = form, list[str]()
        numbers = {mask: form.members(mask) for mask in set(domains)}
        self.domains = [numbers[mask] for mask in domains]
        self.names = Numbered("v", max(form.variables, 1))
        self.auxiliary: list[Sequence[int]] = []  # the domains of a1, a2, ...

    def numbers(self, x: int) -> Sequence[int]:
        """Return the numbers that a variable may take."""
        return self.domains[x] if x < len(self.domains) else ()

    def restrict(self, x: int, keep: Callable[[int], bool], tree: Tree) -> None:
        """Remove from the domain of a variable all numbers but `keep`, or add the tree that does so to a wide range."""
        if isinstance(numbers := self.numbers(x), range):
            self.add_text(tree_text(tree, self.names))
        else:
            self.domains[x] = [n for n in numbers if keep(n)]

    def operand(self, x: int) -> str:
        numbers = self.numbers(x)
        return str(numbers[0]) if len(numbers) == 1 else self.names[x]

    def new(self, numbers: Sequence[int]) -> str:
        """Return the name of an auxiliary variable with this domain."""
        self.auxiliary.append(numbers)
        return f"a{len(self.auxiliary)}"

    def each_once(self, variables: Sequence[int]) -> list[str]:
        """Return names of variables. A copy stands for a repeated variable, since some solvers take each only once."""
        found = dict[str, int]()
        for x in variables:
            name = self.names[x]
            if name in found:
                name = self.new(self.numbers(x))
                self.add_text(f"eq({name},{self.names[x]})")
            found[name] = x
        return list(found)

    def list_of(self, variables: Sequence[int]) -> str:
        return " ".join(self.each_once(variables))

    def all_operands(self, variables: Sequence[int]) -> str:
        """Return numbers if all variables have only one, else names: solvers read no mixture."""
        if all(len(self.numbers(x)) == 1 for x in variables):
            return " ".join(map(self.operand, variables))
        return self.list_of(variables)

    def restrict_to(self, x: int, low: int, high: int) -> None:
        """Remove from the domain of a variable all numbers but low..high."""
        tree = "and", ("ge", ("var", x), ("number", low)), ("le", ("var", x), ("number", high))
        self.restrict(x, range(low, high + 1).__contains__, tree)

    def not_negative(self, x: int) -> None:
        """Remove negative numbers from the domain of a variable."""
        self.restrict(x, NEEDED["ge"], ("ge", ("var", x), ("number", 0)))

    def add_text(self, expression: str) -> None:
        """Add an expression that is already text."""
        self.lines.append(f"  <intension> {expression} </intension>")

    def add(self, kind: str, **parts: object) -> None:
        """Add a constraint with these child elements; an element's name ends before `_`, so that it may be repeated."""
        inner = "".join(
            f" <{name.partition('_')[0]}> {part} </{name.partition('_')[0]}>" for name, part in parts.items()
        )
        self.lines.append(f"  <{kind}>{inner} </{kind}>")

    def add_false(self) -> None:
        """Add a constraint that nothing satisfies."""
        numbers = self.numbers(0) or [0]
        self.add_text(f"eq(v1,{numbers[-1] + 1})")

    def add_truth(self, truth: bool) -> None:
        """Add a constraint that is always true, or always false."""
        if not truth:
            self.add_false()

    def add_condition(
        self, kind: str, variables: Sequence[int], comparison: str, operand: str, **parts: object
    ) -> None:
        """Add a constraint whose result for a list of variables compares with an operand."""
        condition = f"({OPERATOR_OF[comparison]},{operand})"
        self.add(kind, list=self.list_of(variables), **parts, condition=condition)

    def define(self, tree: Tree) -> None:
        """Add the conditions under which the divisions and powers of an expression are defined."""
        for needed in definitions(tree):
            if needed[1][0] == "var":
                self.restrict(needed[1][1], NEEDED[needed[0]], needed)
            else:
                self.add_tree(needed)

    def add_tree(self, tree: Tree) -> None:
        """Add an expression, and the conditions under which it is defined."""
        self.define(tree)
        shown = simplified(truth(tree))
        if shown[0] == "number":
            self.add_truth(shown[1] != 0)
        else:
            self.add_text(tree_text(shown, self.names))
