"""Registry of encodings: to add one, write a function in this package and add a line here, or use an entry point."""

from collections.abc import Iterable, Sequence, Sized
from dataclasses import dataclass
from typing import Protocol

from encoders import at_most_one, cnf, direct
from encoders.axes import DEFAULTS, Axes, joined
from encoders.encoding import Encoding as Encoding
from encoders.encoding import NoEncoding as NoEncoding
from encoders.formula import AllDifferent, Booleans, Channelled, Cnf, Formula, Text, Unsupported
from encoders.kinds.tables import TABLES
from encoders.linear import LINEAR, PINDAKAAS
from encoders.plugged import GROUP, formula_from_process, plugged
from encoders.reduced import reduced
from encoders.variables import VARIABLES
from puzzles.boards.layout import Layout
from puzzles.constraints.clauses import Clauses
from puzzles.constraints.unsupported import unsupported_parts
from puzzles.plugins import PluginFailed, entries
from puzzles.problem import Problem
from puzzles.problem.values import Domains

# The first of each formula type is the default.
ENCODINGS = {
    e.name: e
    for e in (
        Encoding("extended", Cnf, cnf.extended, combines=True),
        Encoding("minimal", Cnf, cnf.minimal, combines=True),
        Encoding("efficient", Cnf, cnf.efficient, combines=True),
        Encoding("reduced", Cnf, reduced, per_puzzle=True, combines=True),
        *(Encoding(name, Cnf, None, combines=True, variables=name) for name in VARIABLES),
        Encoding("alldifferent", AllDifferent, direct.alldifferent),
        Encoding("booleans", Booleans, direct.booleans),
        Encoding("channelled", Channelled, direct.channelled),
        Encoding("text", Text, direct.text),
    )
}
AT_MOST_ONE = at_most_one.AT_MOST_ONE
# The first is the default.
CHOICES: tuple[tuple[str, ...], ...] = (tuple(AT_MOST_ONE), (*LINEAR, *PINDAKAAS), tuple(TABLES))
AXIS_WORDS = {"": "at-most-one", "linear": "linear", "table": "table"}  # words of error messages, by name in a spec


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


def refuse_unread(problem: Problem) -> None:
    """Raise Unsupported if some parts of a problem were not read."""
    if parts := unsupported_parts(problem):
        raise Unsupported(f"the reader does not support {parts}")


class ProblemKind(Protocol):
    """Facts of a problem that decide its formula in an encoding: constraints, values, objective, and if it is shared.

    `objective` is false if there is none.
    """

    @property
    def kinds(self) -> Sequence[str]: ...
    @property
    def values(self) -> Sized: ...
    @property
    def shared(self) -> bool: ...
    @property
    def objective(self) -> object: ...


@dataclass(frozen=True)
class Spec:
    """An encoding as contenders name it: 'order+product+linear=mdd+table=support'; '' on an axis is its default."""

    encoding: Encoding
    at_most_one: str = ""
    linear: str = ""
    table: str = ""

    @property
    def name(self) -> str:
        return joined(self.encoding.name, self.at_most_one, self.linear, self.table)

    @property
    def axes(self) -> Axes:
        """Choices for a problem that is not a board: encodings of boards are `direct` there."""
        return Axes(
            self.encoding.variables or DEFAULTS.variables,
            self.at_most_one or DEFAULTS.at_most_one,
            self.linear or DEFAULTS.linear,
            self.table or DEFAULTS.table,
        )

    def sees_domains(self, problem: Problem) -> bool:
        """Return True if the formula depends on the domains. Clauses over variables of two values never do."""
        if isinstance(problem, Layout):
            return self.encoding.per_puzzle
        return self.encoding.formula is not Cnf or len(problem.values) != 2 or problem.ranged

    def choices_on(self, problem: ProblemKind, bounds: bool = True) -> tuple[str, ...]:
        """Return the choices that affect the formula of a problem: specs with equal choices make the same formula.

        Clauses over Boolean variables stay as they are, and Boolean variables have one encoding; with `bounds`, a
        solver adds bounds of the objective as sums. A layout is encoded by the encoding's own code.
        """
        if problem.shared or self.encoding.formula is not Cnf:
            return (self.name,)
        boolean = len(problem.values) == 2
        axes = self.axes
        if boolean and set(problem.kinds) <= {Clauses.kind}:
            return (axes.linear,) if problem.objective and bounds else ()
        return ("" if boolean else axes.variables, axes.at_most_one, axes.linear, axes.table)

    def formula(self, problem: Problem, domains: Domains | None = None) -> Formula:
        """Return the formula of a problem. Raises Unsupported.

        Domains matter only if `sees_domains`; without them, every value is a candidate. Encodings of boards
        differ in how they write all-different units, so other problems have one formula of clauses for each choice on
        the axes, and one of constraints.
        """
        if self.encoding.variables or not isinstance(problem, Layout):
            return self.formula_of_constraints(problem, domains if self.sees_domains(problem) else None)
        if self.encoding.encode is None:
            return formula_from_process(self.name, problem, domains)
        seen = [problem.open if domains is None else domains] if self.encoding.per_puzzle else []
        pattern = [AT_MOST_ONE[self.axes.at_most_one]] if self.encoding.combines else []
        return self.encoding.encode(problem, *seen, *pattern)

    def formula_of_constraints(self, problem: Problem, domains: Domains | None) -> Formula:
        """Return the formula of a problem by the constraints of its kinds. Raises Unsupported."""
        refuse_unread(problem)
        if self.encoding.formula is Cnf:
            from encoders.soft_clauses import to_weighted_clauses  # each kind of constraint is a module

            return to_weighted_clauses(direct.constraints(problem, domains), self.axes)
        if self.encoding.formula is AllDifferent:
            return direct.constraints(problem, domains)
        kinds = ", ".join(dict.fromkeys(c.kind for c in problem.constraints)) or "a problem without constraints"
        raise Unsupported(f"encoding {self.encoding.name} takes boards, not {kinds}")


def split_axes(parts: Iterable[str]) -> tuple[str, str, str]:
    """Return the choices in the parts of a name after its encoding: at-most-one, linear and table, '' for none.

    Raises NoEncoding if two parts choose on one axis.
    """
    chosen = {"": "", "linear": "", "table": ""}
    for part in parts:
        axis, equals, name = part.rpartition("=")
        if axis not in chosen or (equals and not axis):
            raise NoEncoding(f"unknown axis {axis!r}: known are linear, table")
        if chosen[axis]:
            raise NoEncoding(f"two {AXIS_WORDS[axis]} encodings are named: {chosen[axis]} and {name}")
        chosen[axis] = name
    return chosen[""], chosen["linear"], chosen["table"]


def spec(text: str) -> Spec:
    """Parse 'NAME[+AT_MOST_ONE][+linear=NAME][+table=NAME]'. Raises NoEncoding."""
    name, *parts = text.split("+")
    found = encoding(name)
    chosen = split_axes(parts)
    for axis, choice, known in zip(AXIS_WORDS, chosen, CHOICES, strict=True):
        if choice and choice not in known:
            raise NoEncoding(f"unknown {AXIS_WORDS[axis]} encoding {choice!r}: known are {', '.join(known)}")
        if choice and not takes(found, axis):
            raise NoEncoding(f"encoding {name!r} takes no {AXIS_WORDS[axis]} encoding")
    return Spec(found, *chosen)


def takes(encoding: Encoding, axis: str) -> bool:
    """Return True if an encoding offers a choice on an axis: '' (at-most-one), linear or table."""
    return encoding.formula is Cnf if axis else encoding.combines


def default(accepts: frozenset[type]) -> Spec:
    """Return the first encoding whose formula type a backend accepts. Raises NoEncoding."""
    for candidate in ENCODINGS.values():
        if candidate.formula in accepts:
            return Spec(candidate)
    raise NoEncoding(f"no encoding makes {', '.join(sorted(t.__name__ for t in accepts))}")
