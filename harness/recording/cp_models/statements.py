"""Statements of a FlatZinc file of a CP-SAT model under construction: variables, Booleans, sums.

literal     index of a variable of 0 and 1, or -index - 1 for its negation
affine      a term of the proto: a variable with a coefficient and an offset, or a number
enforcers   literals under which alone a constraint has to hold
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

from harness.model.errors import BadUsage

MOST = (1 << 63) - 1  # end of a domain that is open
LISTED = 1_000_000  # numbers of a domain with gaps
Terms = dict[str, int]


class FlatZincModel:
    """The statements of a file under construction."""

    def __init__(self, proto: Any) -> None:
        self.proto = proto
        self.domains = [list(variable.domain) for variable in proto.variables]
        self.variables = [f"var {values(domain)}: v{i}" for i, domain in enumerate(self.domains)]
        self.booleans: dict[int, str] = {}  # declarations, by literal
        self.constraints: list[str] = []
        self.ends = {f"v{i}": (domain[0], domain[-1]) for i, domain in enumerate(self.domains)}

    def add(self, name: str, *arguments: object) -> None:
        self.constraints.append(f"constraint {name}({','.join(map(str, arguments))})")

    def new(self, low: int, high: int, kind: str = "") -> str:
        """Return another variable."""
        name = self.fresh()
        self.variables.append(f"var {kind or f'{low}..{high}'}: {name}")
        self.ends[name] = (low, high)
        return name

    def fresh(self) -> str:
        return f"X_INTRODUCED_{len(self.variables) + len(self.booleans)}_"

    def boolean(self, literal: int) -> str:
        """Return a literal as a Boolean."""
        if literal not in self.booleans:
            opposite = "" if literal >= 0 else self.boolean(-literal - 1)
            name = self.fresh()
            self.booleans[literal] = f"var bool: {name}"
            if opposite:
                self.add("bool_not", opposite, name)
            else:
                self.add("bool2int", name, f"v{literal}")
        return self.booleans[literal].rpartition(" ")[2]

    def clause(self, literals: Iterable[int], others: Iterable[str] = ()) -> None:
        """Require that one of the literals or other Booleans is true."""
        stated = list(literals)
        positive = [self.boolean(k) for k in stated if k >= 0]
        self.add("bool_clause", listed([*positive, *others]), listed(self.boolean(-k - 1) for k in stated if k < 0))

    def all_true(self, literals: Sequence[int]) -> str:
        """Return a Boolean that is true where all literals are."""
        if len(literals) == 1:
            return self.boolean(literals[0])
        made = self.new(0, 1, "bool")
        self.add("array_bool_and", listed(map(self.boolean, literals)), made)
        return made

    def terms(self, affine: Any) -> tuple[Terms, int]:
        """Return an affine term as terms and an offset."""
        found: Terms = {}
        for i, a in zip(affine.vars, affine.coeffs, strict=True):
            name, sign = (f"v{i}", 1) if i >= 0 else (f"v{-i - 1}", -1)  # -x of a proto, not a negation
            found[name] = found.get(name, 0) + sign * a
        return {name: a for name, a in found.items() if a}, affine.offset

    def operand(self, affine: Any) -> str:
        """Return an affine term as a variable or a number."""
        terms, offset = self.terms(affine)
        return self.variable(terms, offset)

    def variable(self, terms: Terms, offset: int) -> str:
        """Return a sum as a variable or a number."""
        if not terms:
            return str(offset)
        if offset == 0 and list(terms.values()) == [1]:
            return next(iter(terms))
        low, high = self.span(terms)
        made = self.new(low + offset, high + offset)
        self.row({**terms, made: -1}, "eq", -offset)
        return made

    def span(self, terms: Terms) -> tuple[int, int]:
        """Return the least and the greatest value of a sum."""
        ends = [(a * self.bounds(x)[0], a * self.bounds(x)[1]) for x, a in terms.items()]
        return sum(map(min, ends)), sum(map(max, ends))

    def bounds(self, operand: str) -> tuple[int, int]:
        """Return the least and the greatest value of a variable or number."""
        return self.ends[operand] if operand in self.ends else (int(operand), int(operand))

    def row(self, terms: Terms, comparison: str, bound: int, suffix: str = "", *result: str) -> None:
        """Add a comparison of a sum, `_reif` or `_imp` with a result."""
        name = f"int_lin_{comparison}{suffix}"
        self.add(name, listed(terms.values()), listed(terms), bound, *result)

    def within(self, terms: Terms, domain: Sequence[int], enforcers: Sequence[int]) -> None:
        """Add that a sum is in a domain, where all enforcers are true."""
        low, high = self.span(terms)
        pairs = [(a, b) for a, b in zip(domain[::2], domain[1::2], strict=True) if a <= high and b >= low]
        if not pairs or not terms:
            if not any(a <= 0 <= b for a, b in pairs) or terms:
                self.clause([-k - 1 for k in enforcers])
            return
        condition = ("_imp", self.all_true(enforcers)) if enforcers else ()
        least, most = pairs[0][0], pairs[-1][1]
        if least == most:
            self.row(terms, "eq", least, *condition)
            return
        if most < high:
            self.row(terms, "le", most, *condition)
        if least > low:
            self.row(negated(terms), "le", -least, *condition)
        for (_, end), (start, _) in pairwise(pairs):
            if start == end + 2:
                self.row(terms, "ne", end + 1, *condition)
            else:
                below, above = self.new(0, 1, "bool"), self.new(0, 1, "bool")
                self.row(terms, "le", end, "_reif", below)
                self.row(negated(terms), "le", -start, "_reif", above)
                self.clause([-k - 1 for k in enforcers], [below, above])


class Affine:
    """A sum in the form of the proto's affine terms."""

    def __init__(self, variables: Iterable[int], coefficients: Iterable[int], offset: int = 0) -> None:
        self.vars, self.coeffs, self.offset = list(variables), list(coefficients), offset


def negated(terms: Terms) -> Terms:
    return {x: -a for x, a in terms.items()}


def listed(items: Iterable[object]) -> str:
    return f"[{','.join(map(str, items))}]"


def values(domain: Sequence[int]) -> str:
    """Return the type of a variable with a domain of the proto. Raises BadUsage."""
    pairs = list(zip(domain[::2], domain[1::2], strict=True))
    if len(pairs) == 1:
        return f"{pairs[0][0]}..{pairs[0][1]}"
    if sum(high - low for low, high in pairs) > LISTED:
        raise BadUsage("a domain of a CpModel with gaps and more than a million values is not taken")
    return values_of(n for low, high in pairs for n in range(low, high + 1))


def values_of(numbers: Iterable[int]) -> str:
    return "{" + ",".join(map(str, sorted(set(numbers)))) + "}"
