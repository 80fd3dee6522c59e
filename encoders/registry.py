"""Registry of encodings. To add one, write a function in this package and add a line here."""

from collections.abc import Callable
from dataclasses import dataclass

from encoders import at_most_one, cnf, direct
from encoders.formula import AllDifferent, Booleans, Channelled, Cnf, Formula, Text, Unsupported
from encoders.linear import LINEAR
from encoders.lowering import to_clauses
from encoders.reduced import reduced
from puzzles.layout import Layout
from puzzles.problem import Domains, Problem


@dataclass(frozen=True)
class Encoding:
    """An encoding of boards by name: encode(layout) -> Formula.

    per_puzzle  takes the domains as second parameter, so its time is counted for each puzzle
    combines    takes an at-most-one encoding as last parameter
    """

    name: str
    formula: type
    encode: Callable[..., Formula]
    per_puzzle: bool = False
    combines: bool = False


# The first of each formula type is the default.
ENCODINGS = {
    e.name: e
    for e in (
        Encoding("extended", Cnf, cnf.extended, combines=True),
        Encoding("minimal", Cnf, cnf.minimal, combines=True),
        Encoding("efficient", Cnf, cnf.efficient, combines=True),
        Encoding("reduced", Cnf, reduced, per_puzzle=True, combines=True),
        Encoding("alldifferent", AllDifferent, direct.alldifferent),
        Encoding("booleans", Booleans, direct.booleans),
        Encoding("channelled", Channelled, direct.channelled),
        Encoding("text", Text, direct.text),
    )
}
AT_MOST_ONE = at_most_one.AT_MOST_ONE


class NoEncoding(LookupError):
    """An unknown encoding, or an invalid combination; the text lists the known ones."""


@dataclass(frozen=True)
class Spec:
    """An encoding as contenders name it: 'extended+product'; `at_most_one` is '' if it takes none."""

    encoding: Encoding
    at_most_one: str = ""

    @property
    def name(self) -> str:
        return f"{self.encoding.name}+{self.at_most_one}" if self.at_most_one else self.encoding.name

    def sees_domains(self, problem: Problem) -> bool:
        """Return True if the formula depends on the domains, which that of clauses never does."""
        return self.encoding.per_puzzle and isinstance(problem, Layout)

    def formula(self, problem: Problem, domains: Domains | None = None) -> Formula:
        """Return the formula of a problem. Raises Unsupported.

        Domains matter only if the encoding uses them; without them, every value is a candidate. Encodings of boards
        differ in how they write all-different units, so other problems have one formula of clauses, one of constraints.
        """
        if not isinstance(problem, Layout):
            return self.formula_of_constraints(problem)
        seen = [problem.open if domains is None else domains] if self.encoding.per_puzzle else []
        pattern = [AT_MOST_ONE[self.at_most_one]] if self.at_most_one else []
        return self.encoding.encode(problem, *seen, *pattern)

    def formula_of_constraints(self, problem: Problem) -> Formula:
        """Return the formula of a problem that is not a board. Raises Unsupported."""
        if self.encoding.formula is Cnf:
            return to_clauses(direct.constraints(problem), next(iter(LINEAR.values())))
        if self.encoding.formula is AllDifferent:
            return direct.constraints(problem)
        kinds = ", ".join(dict.fromkeys(c.kind for c in problem.constraints)) or "a problem without constraints"
        raise Unsupported(f"encoding {self.encoding.name} takes boards, not {kinds}")


def spec(text: str) -> Spec:
    """Parse 'NAME' or 'NAME+AT_MOST_ONE'. Raises NoEncoding."""
    name, _, one = text.partition("+")
    if name not in ENCODINGS:
        raise NoEncoding(f"unknown encoding {name!r}: known are {', '.join(ENCODINGS)}")
    if one and one not in AT_MOST_ONE:
        raise NoEncoding(f"unknown at-most-one encoding {one!r}: known are {', '.join(AT_MOST_ONE)}")
    if one and not ENCODINGS[name].combines:
        raise NoEncoding(f"encoding {name!r} takes no at-most-one encoding")
    return Spec(ENCODINGS[name], one)


def combined(encoding: str, at_most_one: str) -> Spec:
    """Return the spec of both names; `at_most_one` is ignored if the encoding takes none."""
    found = ENCODINGS[encoding]
    return Spec(found, at_most_one if found.combines else "")


def default(accepts: frozenset[type]) -> Spec:
    """Return the first encoding whose formula type a backend accepts. Raises NoEncoding."""
    for encoding in ENCODINGS.values():
        if encoding.formula in accepts:
            return Spec(encoding)
    raise NoEncoding(f"no encoding makes {', '.join(sorted(t.__name__ for t in accepts))}")
