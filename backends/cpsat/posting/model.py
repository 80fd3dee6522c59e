"""A CP-SAT model under construction: a variable for each variable of the problem, and the Booleans that constraints
share.

Variables that a constraint adds are determined by those of the problem: a Boolean is equivalent to a condition, an
integer equal to an expression. So a solution of the model is enumerated once for each solution of the problem.

    x  an index of a variable   n  a number   literal  a Boolean of CP-SAT, its negation, or True or False
"""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import Any

from backends.cpsat.importing import cp_model
from encoders.formula import Constraints, Unsupported
from puzzles.constraints.numbers import ORDER

LARGEST = 1 << 60  # greatest size of a number: sums of a few stay within 64 bits
NEGATED = {"<": ">=", "<=": ">", "=": "!=", "!=": "=", ">=": "<", ">": "<="}


class PostedModel:
    """Model `cp`; `domains` are the numbers of each variable, ascending, and `masks` the masks of their indices."""

    def __init__(self, formula: Constraints) -> None:
        module = cp_model()

        self.cp = module.CpModel()
        self.make_domain, self.make_intervals = module.Domain.from_values, module.Domain.from_intervals
        self.masks, numbers = formula.choices()
        self.domains = [numbers[mask] for mask in self.masks]
        shapes = {mask: self.shape(domain) for mask, domain in numbers.items()}
        for domain in numbers.values():
            check_size("numbers", *domain[:1], *domain[-1:])
        self.variables = [self.new(shapes[mask], numbers[mask]) for mask in self.masks]
        self.literals: dict[tuple[int, int], Any] = {}

    def shape(self, domain: Sequence[int]) -> Any:
        """Return the domain of CP-SAT with these numbers."""
        if isinstance(domain, range):
            return self.make_intervals([[domain[0], domain[-1]]])
        return self.make_domain(list(domain))

    def new(self, shape: Any, domain: Sequence[int]) -> Any:
        """Return a new variable, a Boolean if it takes 0 and 1."""
        return self.cp.new_bool_var("") if domain == (0, 1) else self.cp.new_int_var_from_domain(shape, "")

    def of(self, variables: Iterable[int]) -> list[Any]:
        return [self.variables[x] for x in variables]

    def may_take(self, x: int, n: int) -> bool:
        domain = self.domains[x]
        at = bisect_left(domain, n)
        return at < len(domain) and domain[at] == n

    def takes(self, x: int, n: int) -> Any:
        """Return the literal that is true where x takes the number n."""
        if not self.may_take(x, n) or len(self.domains[x]) == 1:
            return self.may_take(x, n)
        if self.domains[x] == (0, 1):
            return self.variables[x] if n else ~self.variables[x]
        if (x, n) not in self.literals:
            self.literals[x, n] = self.reified(self.variables[x], "=", n)
        return self.literals[x, n]

    def reified(self, left: Any, comparison: str, right: Any) -> Any:
        """Return a literal that is true exactly where the comparison holds."""
        literal = self.cp.new_bool_var("")
        self.cp.add(ORDER[comparison](left, right)).only_enforce_if(literal)
        self.cp.add(ORDER[NEGATED[comparison]](left, right)).only_enforce_if(~literal)
        return literal

    def compare(self, left: Any, comparison: str, right: Any) -> None:
        """Post a comparison; an empty sum is a number, so both sides may be numbers."""
        posted = ORDER[comparison](left, right)
        if posted is False:
            self.refuse()
        elif posted is not True:
            self.cp.add(posted)

    def all_of(self, literals: Sequence[Any]) -> Any:
        """Return a literal that is true exactly where all of `literals` are."""
        both = self.cp.new_bool_var("")
        self.cp.add_bool_and(literals).only_enforce_if(both)
        self.cp.add_bool_or([*map(negated, literals), both])
        return both

    def refuse(self) -> None:
        """Make the model infeasible."""
        self.cp.add_bool_or([])


def negated(literal: Any) -> Any:
    return not literal if isinstance(literal, bool) else ~literal


def check_size(what: str, *sizes: int) -> None:
    """Raise Unsupported if a number is too large for CP-SAT, whose sums are 64-bit integers."""
    if any(abs(size) >= LARGEST for size in sizes):
        raise Unsupported(f"cpsat does not support {what} of more than 60 bits")
