"""Flat programs: problems as a list of simple constraints over integers, for solvers without nested expressions.

    x  an index of a variable: the problem's first, then auxiliary ones; all have a domain, of ascending numbers
    literal  x + 1 or -(x + 1), of a variable with the domain 0, 1; or True or False where it is known
    terms  coefficient of each variable of a sum

A program is data: a solver posts it once for each ask, with the domains of the ask for the variables of the problem.
Each auxiliary variable is determined by those of the problem, so no solution is found twice.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from typing import Any, NamedTuple

from encoders.formula import Constraints, Unsupported
from puzzles.constraints.numbers import ORDER
from puzzles.problem.values import Domains, Solution

Terms = Mapping[int, int]
Literal = int  # True and False are known literals
NEGATED = {"<": ">=", "<=": ">", "=": "!=", "!=": "=", ">=": "<", ">": "<="}


class NumberLimits(NamedTuple):
    """Name of a solver, and the largest numbers that it takes in domains and in sums."""

    solver: str
    number: int
    total: int

    def check(self, what: str, most: int, *numbers: int) -> None:
        """Raise Unsupported if a number is too large."""
        if (large := max(numbers, key=abs, default=0)) and abs(large) > most:
            raise Unsupported(f"{self.solver} does not support {what} with numbers above {most}, such as {large}")


class FlatProgram:
    """A flat program under construction.

    posts    (name, arguments) of what the solver posts; names are methods of `ChocoPosting` in `backends/choco.py`
    lower    name of a post that the solver lacks -> function that expresses it by others
    refused  True if a constraint is always false
    goal     terms whose sum is to be minimised, with `constant_cost` added; None if there is no objective
    """

    goal: Terms | None = None
    constant_cost = 0
    value_of: Callable[[Solution], int]  # where there is an objective: its exact value

    def __init__(self, formula: Constraints, limits: NumberLimits, lower: Mapping[str, Callable[..., None]]) -> None:
        self.limits, self.numbers, self.lower = limits, formula.numbers, lower
        self.members, self.index = formula.members, formula.index()
        masks, numbers = formula.choices()
        for domain in numbers.values():
            limits.check("domains", limits.number, *domain[:1], *domain[-1:])
        self.domains: list[Sequence[int]] = [numbers[mask] for mask in masks]
        self.posts: list[tuple[str, tuple[Any, ...]]] = []
        self.refused = False
        self.constants: dict[int, int] = {}
        self.literals: dict[tuple[tuple[tuple[int, int], ...], str, int], int] = {}

    def lowered(self, lower: Mapping[str, Callable[..., None]]) -> "FlatProgram":
        """Return the program with further posts expressed by others."""
        found = copy(self)
        found.lower, found.posts, found.domains = lower, [], list(self.domains)
        found.constants, found.literals = dict(self.constants), dict(self.literals)
        for name, arguments in self.posts:
            found.post(name, *arguments)
        return found

    def asked(self, domains: Domains) -> list[Sequence[int]]:
        """Return the domains of all variables, where the variables of the problem have these domains."""
        own = [self.members(mask) for mask in domains]
        return [*own, *self.domains[len(own) :]]

    def post(self, name: str, *arguments: Any) -> None:
        if name in self.lower:
            self.lower[name](self, *arguments)
        else:
            self.posts.append((name, arguments))

    def refuse(self) -> None:
        """Make the program infeasible."""
        self.refused = True

    def new(self, low: int, high: int) -> int:
        """Return a new variable."""
        self.limits.check("expressions", self.limits.number, low, high)
        self.domains.append(range(low, high + 1))
        return len(self.domains) - 1

    def constant(self, n: int) -> int:
        """Return the variable that takes only the number n."""
        if n not in self.constants:
            self.constants[n] = self.new(n, n)
        return self.constants[n]

    def each_once(self, xs: Sequence[int]) -> list[int]:
        """Return variables without repetition: a copy stands for a repeated one, as some solvers need."""
        found = list[int]()
        for x in xs:
            if x in found:
                copy = self.new(self.domains[x][0], self.domains[x][-1])
                self.compare([(x, 1), (copy, -1)], "=", 0)
                x = copy
            found.append(x)
        return found

    def goal_variable(self) -> int | None:
        """Return a variable for the sum that is to be minimised; None if that sum has no terms."""
        if not self.goal:
            return None
        made = self.new(*self.span(self.goal))
        self.compare([*self.goal.items(), (made, -1)], "=", 0)
        return made

    def fixed(self, x: int) -> bool:
        return len(self.domains[x]) == 1

    def span(self, terms: Terms) -> tuple[int, int]:
        """Return the least and the largest value of a sum."""
        low = high = 0
        for x, a in terms.items():
            ends = a * self.domains[x][0], a * self.domains[x][-1]
            low, high = low + min(ends), high + max(ends)
        return low, high

    def simplified(self, terms: Iterable[tuple[int, int]], bound: int) -> tuple[dict[int, int], int]:
        """Return a sum with each open variable once, and the bound less the constant part."""
        found: dict[int, int] = {}
        for x, a in terms:
            if self.fixed(x):
                bound -= a * self.domains[x][0]
            else:
                found[x] = found.get(x, 0) + a
        return {x: a for x, a in found.items() if a}, bound

    def known(self, terms: Terms, comparison: str, bound: int) -> bool | None:
        """Return the truth of a comparison if bounds decide it, or the domain of a single variable; else None.

        Raises Unsupported.
        """
        low, high = self.span(terms)
        ends = (abs(a) * max(-self.domains[x][0], self.domains[x][-1]) for x, a in terms.items())
        self.limits.check("sums", self.limits.total, sum(ends), bound)
        for sign, result in ((comparison, True), (NEGATED[comparison], False)):
            if always(low, high, sign, bound):
                return result
        if len(terms) == 1 and comparison in ("=", "!="):
            (x, a), *_ = terms.items()
            if bound % a or bound // a not in self.domains[x]:
                return comparison == "!="
        return None

    def compare(self, terms: Iterable[tuple[int, int]], comparison: str, bound: int) -> None:
        """Post that a sum compares with a number."""
        total, bound = self.simplified(terms, bound)
        known = self.known(total, comparison, bound)
        if known is False:
            self.refuse()
        elif known is None:
            self.post("linear", total, comparison, bound)

    def reified(self, terms: Iterable[tuple[int, int]], comparison: str, bound: int) -> Literal:
        """Return the literal that is true exactly where a sum compares with a number."""
        total, bound = self.simplified(terms, bound)
        known = self.known(total, comparison, bound)
        if known is not None:
            return known
        if len(total) == 1:
            (x, a), *_ = total.items()
            if self.domains[x] in ((0, 1), range(2)):
                return x + 1 if ORDER[comparison](a, bound) else -(x + 1)
        key = tuple(sorted(total.items())), comparison, bound
        if key not in self.literals:
            self.literals[key] = self.new(0, 1)
            self.post("reified", self.literals[key], total, comparison, bound)
        return self.literals[key] + 1

    def takes(self, x: int, n: int) -> Literal:
        """Return the literal that is true where x takes the number n."""
        return self.reified([(x, 1)], "=", n)

    def total(self, literals: Iterable[Literal]) -> tuple[list[tuple[int, int]], int]:
        """Return the number of true literals, as the terms of a sum and a constant."""
        terms, constant = [], 0
        for literal in literals:
            if isinstance(literal, bool):
                constant += literal
            else:
                terms.append((abs(literal) - 1, 1 if literal > 0 else -1))
                constant += literal < 0
        return terms, constant

    def table(self, xs: Sequence[int], rows: Sequence[Sequence[int]]) -> None:
        """Post that variables, each stated once, take the numbers of one of the rows."""
        if rows:
            self.post("table", list(xs), rows)
        else:
            self.refuse()

    def clause(self, literals: Iterable[Literal]) -> None:
        """Post that one of the literals is true."""
        stated = list(literals)
        open_ = list(dict.fromkeys(p for p in stated if not isinstance(p, bool)))  # True == 1
        if any(p is True for p in stated) or any(-p in open_ for p in open_):
            return
        if open_:
            self.post("clause", open_)
        else:
            self.refuse()


def always(low: int, high: int, comparison: str, bound: int) -> bool:
    """Return True if all numbers from `low` to `high` satisfy a comparison with a bound."""
    match comparison:
        case "=":
            return low == high == bound
        case "!=":
            return bound < low or bound > high
        case _:
            return bool(ORDER[comparison](low, bound) and ORDER[comparison](high, bound))


def negated(literal: Literal) -> Literal:
    return not literal if isinstance(literal, bool) else -literal
