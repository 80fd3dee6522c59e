"""Registry of encodings: to add one, write a function in this package and add a line here, or use an entry point."""

from collections.abc import Iterable
from dataclasses import dataclass

from encoders import at_most_one, cnf, direct
from encoders.encoding import Encoding as Encoding
from encoders.encoding import NoEncoding as NoEncoding
from encoders.formula import AllDifferent, Booleans, Channelled, Cnf, Formula, Text, Unsupported
from encoders.linear import LINEAR
from encoders.lowering import to_clauses
from encoders.plugged import GROUP, formula_from_process, plugged
from encoders.reduced import reduced
from puzzles.constraints.unsupported import unsupported_parts
from puzzles.layout import Layout
from puzzles.plugins import PluginFailed, entries
from puzzles.problem import Domains, Problem

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


def names() -> list[str]:
    """Return the names of all encodings, plug-ins last; none is loaded."""
    return list(dict.fromkeys((*ENCODINGS, *entries(GROUP))))


def lookup(wanted: Iterable[str]) -> dict[str, Encoding | PluginFailed]:
    """Return the known encodings of these names; a plug-in can't override a built-in name, and may be broken."""
    wanted = list(wanted)
    found = plugged(name for name in wanted if name not in ENCODINGS) | ENCODINGS
    return {name: found[name] for name in wanted if name in found}


def encoding(name: str) -> Encoding:
    """Return the encoding of that name. Raises NoEncoding."""
    found = lookup([name]).get(name)
    if found is None:
        raise NoEncoding(f"unknown encoding {name!r}: known are {', '.join(names())}")
    if isinstance(found, PluginFailed):
        raise NoEncoding(f"encoding {name!r} can't be loaded: {found}")
    return found


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
            return self.formula_of_constraints(problem, domains)
        if self.encoding.encode is None:
            return formula_from_process(self.name, problem, domains)
        seen = [problem.open if domains is None else domains] if self.encoding.per_puzzle else []
        pattern = [AT_MOST_ONE[self.at_most_one]] if self.at_most_one else []
        return self.encoding.encode(problem, *seen, *pattern)

    def formula_of_constraints(self, problem: Problem, domains: Domains | None) -> Formula:
        """Return the formula of a problem that is not a board. Raises Unsupported."""
        if parts := unsupported_parts(problem):
            raise Unsupported(f"the instance was not read: not supported is {parts}")
        if self.encoding.formula is Cnf:
            return to_clauses(direct.constraints(problem), next(iter(LINEAR.values())))
        if self.encoding.formula is AllDifferent:
            return direct.constraints(problem, domains)
        kinds = ", ".join(dict.fromkeys(c.kind for c in problem.constraints)) or "a problem without constraints"
        raise Unsupported(f"encoding {self.encoding.name} takes boards, not {kinds}")


def spec(text: str) -> Spec:
    """Parse 'NAME' or 'NAME+AT_MOST_ONE'. Raises NoEncoding."""
    name, _, one = text.partition("+")
    found = encoding(name)
    if one and one not in AT_MOST_ONE:
        raise NoEncoding(f"unknown at-most-one encoding {one!r}: known are {', '.join(AT_MOST_ONE)}")
    if one and not found.combines:
        raise NoEncoding(f"encoding {name!r} takes no at-most-one encoding")
    return Spec(found, one)


def combined(name: str, at_most_one: str) -> Spec:
    """Return the spec of both names; `at_most_one` is ignored if the encoding takes none. Raises NoEncoding."""
    found = encoding(name)
    return Spec(found, at_most_one if found.combines else "")


def default(accepts: frozenset[type]) -> Spec:
    """Return the first encoding whose formula type a backend accepts. Raises NoEncoding."""
    for candidate in ENCODINGS.values():
        if candidate.formula in accepts:
            return Spec(candidate)
    raise NoEncoding(f"no encoding makes {', '.join(sorted(t.__name__ for t in accepts))}")
