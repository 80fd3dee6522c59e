"""CP-SAT models of any problem: each kind of constraint is posted by one function.

An instance of such a problem is alone, so a model takes the domains of one instance, before it is solved.

    x  an index of a variable   number  the integer that a value means   cp  the CpModel under construction
"""

from collections.abc import Callable, Sequence
from typing import Any

from encoders.formula import Constraints, Unsupported
from puzzles.constraints.all_different import AllDifferent
from puzzles.constraints.clauses import Clauses
from puzzles.constraints.linear import COMPARISONS, Linear
from puzzles.problem import Domains, Solution, bits

MAX_NUMBER = 1 << 62  # CP-SAT's sums are 64-bit integers


class Posted:
    """The model of a problem; its variables have all values until `set_domains`."""

    def __init__(self, formula: Constraints) -> None:
        from ortools.sat.python import cp_model

        if unknown := [kind for kind in formula.kinds() if kind not in POST]:
            raise Unsupported(f"cpsat does not support {', '.join(unknown)}")
        self.cp = cp_model.CpModel()
        self.make_domain = cp_model.Domain.from_values
        self.numbers = formula.numbers
        self.index = {number: v for v, number in enumerate(formula.numbers)}
        self.variables = self.new_variables(formula)
        for constraint in formula.constraints:
            POST[constraint.kind](self.cp, self.variables, constraint)

    def new_variables(self, formula: Constraints) -> list[Any]:
        """Return a Boolean for each variable with the values 0 and 1, else an integer."""
        count = range(formula.variables)
        if tuple(self.numbers) == (0, 1):
            return [self.cp.new_bool_var("") for _ in count]
        domain = self.make_domain(list(self.numbers))
        return [self.cp.new_int_var_from_domain(domain, "") for _ in count]

    def set_domains(self, domains: Domains) -> None:
        """Restrict the variables; none may be empty."""
        full = (1 << len(self.numbers)) - 1
        for variable, mask in zip(self.variables, domains, strict=True):
            if mask != full:
                self.cp.add_linear_expression_in_domain(
                    variable, self.make_domain([self.numbers[v] for v in bits(mask)])
                )

    def decode(self, values: tuple[int, ...]) -> Solution:
        """Return the solution from the values of all variables."""
        return tuple([self.index[number] for number in values[: len(self.variables)]])


def post_all_different(cp: Any, variables: Sequence[Any], constraint: AllDifferent) -> None:
    for unit in constraint.units:
        cp.add_all_different([variables[x] for x in unit])


def post_clauses(cp: Any, variables: Sequence[Any], constraint: Clauses) -> None:
    literals = [None, *variables, *(~x for x in reversed(variables))]  # literals[-k] is the negation of literals[k]
    for row in constraint.rows:
        cp.add_bool_or([literals[x] for x in row])


def post_linear(cp: Any, variables: Sequence[Any], constraint: Linear) -> None:
    if constraint.coefficients.dtype == object or constraint.bounds.dtype == object:
        raise Unsupported("cpsat does not support linear constraints with numbers above 64 bits")
    for coefficients, xs, comparison, bound in constraint.rows:
        total = sum(a * variables[x] for a, x in zip(coefficients, xs, strict=True))
        held = COMPARISONS[comparison](total, bound)
        cp.add_bool_or([]) if held is False else held is True or cp.add(held)


POST: dict[str, Callable[[Any, Sequence[Any], Any], None]] = {
    AllDifferent.kind: post_all_different,
    Clauses.kind: post_clauses,
    Linear.kind: post_linear,
}
