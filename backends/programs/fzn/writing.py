"""Flat programs (`backends/flat/`) as FlatZinc text: a method for each name in their posts.

    var {0,2,3}: v1;                    variable 0 of the program
    var bool: b2;                       variable 1, where it is used as a literal: bool2int(b2,v2)

What a solver calls its own constraints is its dialect; without one, an all-different constraint becomes pairs, and a
table an element for each column, which the number of the row selects.
"""

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import NamedTuple

from backends.flat.program import FlatProgram, Terms

COMPARED = {
    "<=": ("le", 1, 0),
    "<": ("le", 1, -1),
    ">=": ("le", -1, 0),
    ">": ("le", -1, -1),
    "=": ("eq", 1, 0),
    "!=": ("ne", 1, 0),
}


class Dialect(NamedTuple):
    """Names of constraints that FlatZinc's builtins do not have, '' for none."""

    all_different: str = ""
    table: str = ""


DIALECTS = {
    "gecode": Dialect("gecode_all_different_int", "gecode_table_int"),
    "chuffed": Dialect("fzn_all_different_int", "chuffed_table_int"),
}
XS = "array [int] of var int: xs"
ARGUMENTS = {  # of the constraints of dialects, which a file declares
    **{dialect.all_different: XS for dialect in DIALECTS.values()},
    **{dialect.table: f"{XS}, array [int] of int: t" for dialect in DIALECTS.values()},
}


class FlatZincText:
    """The statements of a program, whose variables have these domains."""

    def __init__(self, domains: Sequence[Sequence[int]], dialect: Dialect) -> None:
        self.dialect = dialect
        self.variables = [f"var {numbers(domain)}: v{x}" for x, domain in enumerate(domains, 1)]
        self.booleans: dict[int, str] = {}
        self.constraints: list[str] = []
        self.domains = domains

    def new(self, low: int, high: int) -> str:
        """Return the name of another integer variable."""
        name = f"w{len(self.variables)}"
        self.variables.append(f"var {low}..{high}: {name}")
        return name

    def boolean(self, x: int) -> str:
        """Return the name of a variable as a Boolean."""
        if x not in self.booleans:
            self.booleans[x] = f"b{x + 1}"
            self.add("bool2int", self.booleans[x], f"v{x + 1}")
        return self.booleans[x]

    def add(self, name: str, *arguments: object) -> None:
        """Add a constraint."""
        self.constraints.append(f"{name}({','.join(map(str, arguments))})")

    def sum(self, terms: Terms, comparison: str, bound: int, *result: str) -> None:
        """Add a comparison of a sum, reified if there is a result."""
        name, sign, closer = COMPARED[comparison]
        coefficients, variables = listed(sign * a for a in terms.values()), listed(f"v{x + 1}" for x in terms)
        self.add(f"int_lin_{name}{'_reif' if result else ''}", coefficients, variables, sign * bound + closer, *result)

    def linear(self, terms: Terms, comparison: str, bound: int) -> None:
        self.sum(terms, comparison, bound)

    def reified(self, x: int, terms: Terms, comparison: str, bound: int) -> None:
        self.sum(terms, comparison, bound, self.boolean(x))

    def clause(self, literals: Sequence[int]) -> None:
        positive = (self.boolean(p - 1) for p in literals if p > 0)
        self.add("bool_clause", listed(positive), listed(self.boolean(-p - 1) for p in literals if p < 0))

    def all_different(self, xs: Sequence[int]) -> None:
        if self.dialect.all_different:
            self.add(self.dialect.all_different, named(xs))
        else:
            for x, y in combinations(xs, 2):
                self.add("int_ne", f"v{x + 1}", f"v{y + 1}")

    def table(self, xs: Sequence[int], rows: Sequence[Sequence[int]]) -> None:
        if self.dialect.table:
            self.add(self.dialect.table, named(xs), listed(n for row in rows for n in row))
            return
        distinct = list(dict.fromkeys(map(tuple, rows)))
        row = self.new(1, len(distinct))
        for x, column in zip(xs, zip(*distinct, strict=True), strict=True):
            self.add("array_int_element", row, listed(column), f"v{x + 1}")

    def element(self, items: Sequence[int], index: int, start: int, value: int) -> None:
        at = f"v{index + 1}"
        if start != 1:
            at = self.new(1, len(items))
            self.add("int_lin_eq", "[1,-1]", f"[v{index + 1},{at}]", start - 1)
        self.add("array_var_int_element", at, named(items), f"v{value + 1}")

    def product(self, x: int, y: int, z: int) -> None:
        self.add("int_times", f"v{x + 1}", f"v{y + 1}", f"v{z + 1}")

    def quotient(self, x: int, y: int, z: int) -> None:
        self.add("int_div", f"v{x + 1}", f"v{y + 1}", f"v{z + 1}")

    def absolute(self, x: int, z: int) -> None:
        self.add("int_abs", f"v{x + 1}", f"v{z + 1}")

    def extreme(self, which: str, xs: Sequence[int], z: int) -> None:
        self.add(f"array_int_{which}", f"v{z + 1}", named(xs))

    def forbid(self, numbers_: Sequence[int]) -> None:
        """Forbid that the first variables take these numbers."""
        differ = []
        for x, number in enumerate(numbers_, 1):
            differ.append(f"d{len(self.constraints)}")
            self.add("int_ne_reif", f"v{x}", number, differ[-1])
        self.variables += [f"var bool: {name}" for name in differ]
        self.add("bool_clause", listed(differ), "[]")

    def text(self, shown: Sequence[str], goal: str) -> bytes:
        """Return the file, whose output is an array `xs` and, with a goal, the variable `cost`."""
        names = {text.partition("(")[0] for text in self.constraints}
        lines = [f"predicate {name}({ARGUMENTS[name]})" for name in sorted(names & ARGUMENTS.keys())]
        lines += [*self.variables, *(f"var bool: {name}" for name in self.booleans.values())]
        lines.append(f"array [1..{len(shown)}] of var int: xs :: output_array([1..{len(shown)}]) = {listed(shown)}")
        lines += [f"constraint {text}" for text in self.constraints]
        lines.append(f"solve minimize {goal}" if goal else "solve satisfy")
        return "".join(f"{line};\n" for line in lines).encode()


def numbers(domain: Sequence[int]) -> str:
    """Return the type of a variable with this domain, of ascending numbers."""
    if domain[-1] - domain[0] == len(domain) - 1:
        return f"{domain[0]}..{domain[-1]}"
    return "{" + ",".join(map(str, domain)) + "}"


def named(xs: Sequence[int]) -> str:
    """Return a list of variables."""
    return listed(f"v{x + 1}" for x in xs)


def listed(items: Iterable[object]) -> str:
    """Return a list."""
    return f"[{','.join(map(str, items))}]"


class FlatZincAsk(NamedTuple):
    """Question to a program: the domains of all its variables, and solutions that are forbidden, as numbers.

    The first `shown` variables are printed.
    """

    domains: Sequence[Sequence[int]]
    shown: int
    forbidden: Sequence[Sequence[int]]


def flatzinc(program: FlatProgram, asked: FlatZincAsk, dialect: Dialect, goal: int | None) -> bytes:
    """Return the file of a program, whose sum to be minimised is the variable `goal`, None if that sum has no terms.

    An empty domain, and a program that is refused, have no solution.
    """
    written = FlatZincText([domain or (0,) for domain in asked.domains], dialect)
    if program.refused or not all(asked.domains):
        written.add("int_lin_le", "[1]", f"[{written.new(0, 0)}]", -1)
    else:
        for name, arguments in program.posts:
            getattr(written, name)(*arguments)
    for found in asked.forbidden:
        written.forbid(found)
    shown = [f"v{x}" for x in range(1, asked.shown + 1)] or [written.new(0, 0)]
    cost = ""
    if program.goal is not None:
        cost = written.new(0, 0) if goal is None else f"v{goal + 1}"
        at = next(i for i, line in enumerate(written.variables) if line.endswith(f": {cost}"))
        written.variables[at] += " :: output_var"
    return written.text(shown, cost)
