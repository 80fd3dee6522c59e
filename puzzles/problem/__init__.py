"""The general model: variables, their values, and constraints. Boards and formulas are both problems.

    x  a variable, as an index into Problem.variables
    v  a value, as an index into Problem.values
    d  a domain, a mask: bit v is set where the variable may take value v; a given has one bit. If the values are an
       IntegerRange, the bounds of a range (`bounded`); 0 is the empty domain of both

Backends and encoders use these indices only; names of variables and texts of values are for display.
A problem is identified by the `digest` of its content (`content.py`), which is the same in every process and on every
machine. `puzzles.stored` writes and reads it as bytes.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import takewhile
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Protocol, Self, TypeVar, cast

from puzzles.problem.content import digest_of, names_to_json, values_to_json
from puzzles.problem.declared import DeclaredItem, items_to_json
from puzzles.problem.values import Domains, IntegerRange, Integers, Numbered, Solution, Values, bounded

if TYPE_CHECKING:  # numpy is imported at its first use
    import numpy.typing as npt

    from puzzles.problem.arrays import BoolArray, Solutions

    Array = npt.NDArray[Any]

NUMBER = re.compile(r"-?[0-9]+")


class Constraint(Protocol):
    """One constraint, or many of a kind in arrays. Its class is KIND of a module in puzzles/constraints.

    kind       its name in dumped problems
    check      raises ValueError if the constraint of a journal or a finding can't be judged: variables that the problem
               lacks, parts that do not fit together
    satisfied  solutions uint[m, variables], all of them indices of values -> bool[m]
    explain    the violations in one solution, with names, one line each; empty if it is satisfied
    data       its content as JSON-compatible data and NumPy arrays, from which `load` restores it
    """

    @property
    def kind(self) -> str: ...

    def check(self, problem: "Problem") -> None: ...

    def satisfied(self, solutions: "Solutions", problem: "Problem") -> "BoolArray": ...

    def explain(self, solution: Sequence[int], problem: "Problem") -> list[str]: ...

    def data(self) -> dict[str, Any]: ...


class Objective(Protocol):
    """Number that the best solution makes least. Its class is KIND of a module in puzzles/objectives.

    kind      its name in dumped problems       maximise  True if the source maximises: then all signs are negated here
    check     raises ValueError if the objective of a journal or a finding can't be evaluated
    values    solutions uint[m, variables], all of them indices of values -> exact values, int64[m] or Python integers
    bounds    the least and the greatest value that these domains alone allow, perhaps with a margin
    words     the objective as the source states it, with names, for people
    data      its content as JSON-compatible data and NumPy arrays, from which `load` restores it
    """

    @property
    def kind(self) -> str: ...

    @property
    def maximise(self) -> bool: ...

    def check(self, problem: "Problem") -> None: ...

    def values(self, solutions: "Solutions", problem: "Problem") -> "Array": ...

    def bounds(self, domains: Domains, problem: "Problem") -> tuple[int, int]: ...

    def words(self, problem: "Problem") -> str: ...

    def data(self) -> dict[str, Any]: ...


@dataclass(frozen=True, eq=False)
class Problem:
    """Part of an instance that others share: a board without givens, or a formula. Compared by digest.

    With an objective, the best solution is wanted, and a complete answer shows that no solution is better. `free` are
    variables outside the projection: the source does not show them, and they need not follow from others
    (`puzzles/defined.py`). Solutions that differ in them alone are one. `declared` are names of the source that are no
    variables one by one.
    """

    name: str
    variables: Sequence[str]
    values: Values
    constraints: tuple[Constraint, ...]
    objective: Objective | None = field(default=None, kw_only=True)
    free: tuple[int, ...] = field(default=(), kw_only=True)
    declared: tuple[DeclaredItem, ...] = field(default=(), kw_only=True)

    def content(self) -> dict[str, Any]:
        """Return everything but the name, as JSON-compatible data and arrays."""
        goal = self.objective
        return {
            "variables": names_to_json(self.variables),
            "values": values_to_json(self.values),
            "constraints": [{"kind": c.kind, **c.data()} for c in self.constraints],
            **({"objective": {"kind": goal.kind, **goal.data()}} if goal is not None else {}),
            **({"free": list(self.free)} if self.free else {}),
            **({"declared": items_to_json(self.declared)} if self.declared else {}),
        }

    @cached_property
    def digest(self) -> str:
        """Identity of the problem: 16 hexadecimal digits, of its content without the name."""
        return digest_of(self.content())

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return self.digest == other.digest if isinstance(other, Problem) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.digest)

    @cached_property
    def shown(self) -> Sequence[int]:
        """The projection: variables in which two solutions differ."""
        hidden = frozenset(self.free)
        return [x for x in range(len(self.variables)) if x not in hidden] if hidden else range(len(self.variables))

    @property
    def shared(self) -> bool:
        """True if many instances share the problem (boards), so that its encoding is charged to no instance."""
        return False

    @cached_property
    def ranged(self) -> bool:
        """True if domains are ranges, not masks."""
        return isinstance(self.values, IntegerRange)

    @cached_property
    def full(self) -> int:
        """The domain with every value, of an unrestricted variable."""
        return bounded(0, len(self.values) - 1) if self.ranged else (1 << len(self.values)) - 1

    @cached_property
    def open(self) -> Domains:
        """The domains of an unrestricted instance."""
        return (self.full,) * len(self.variables)


P = TypeVar("P", bound=Problem)


@dataclass(frozen=True)
class SourceFile:
    """File of one instance of which its reader set nothing aside, and its format: cnf, wcnf, opb, xcsp3 or flatzinc."""

    path: Path
    format: str


def domains_of_marks(instance: "Instance[Any]") -> Domains:
    """Return the domains for the marks of an instance."""
    found: Domains = itemgetter(*instance.marks)(instance.masks or {})  # faster than tuple(map(...))
    return found


@dataclass(frozen=True)
class Instance(Generic[P]):
    """A problem, the domains of its variables, and claims about its solutions.

    `name` is FILE:LINE if it was read from a corpus. `count` is the number of solutions that the corpus claims, a lower
    bound if `at_least`; `solution` is a claimed solution. `optimum` is the claimed least value of the objective, or the
    value of some solution if `at_least`. Claims are always checked, never trusted. `source` is the instance's file, if
    programs can read it too. `flatten_ns` is the wall time that a compiler took to make it of a model. `marks` and
    `masks` are set by `marked`.
    """

    name: str
    problem: P
    domains: Domains = field(default=cast(Domains, cached_property(domains_of_marks)))
    count: int | None = None
    at_least: bool = False
    solution: Solution | None = None
    source: SourceFile | None = field(default=None, compare=False)
    optimum: int | None = None
    flatten_ns: int | None = field(default=None, compare=False)
    marks: str = field(default="", init=False, repr=False, compare=False)
    masks: Mapping[str, int] | None = field(default=None, init=False, repr=False, compare=False)

    def __init__(
        self,
        name: str,
        problem: P,
        domains: Domains,
        count: int | None = None,
        at_least: bool = False,
        solution: Solution | None = None,
        source: SourceFile | None = None,
        optimum: int | None = None,
        flatten_ns: int | None = None,
    ) -> None:  # the one that `dataclass` makes takes three times as long, and corpora hold millions
        own = self.__dict__
        own["name"], own["problem"], own["domains"] = name, problem, domains
        own["count"], own["at_least"], own["solution"], own["source"] = count, at_least, solution, source
        if optimum is not None:
            own["optimum"] = optimum
        if flatten_ns is not None:
            own["flatten_ns"] = flatten_ns

    def stated(self, **parts: Any) -> Self:
        """Return the instance with other parts; `dataclasses.replace` takes ten times as long."""
        made = self.__class__.__new__(self.__class__)
        made.__dict__.update(self.__dict__)
        made.__dict__.update(parts)
        return made

    @classmethod
    def marked(
        cls, name: str, problem: P, marks: str, masks: Mapping[str, int], count: int | None, at_least: bool
    ) -> Self:
        """Return an instance of several variables whose domains are looked up when they are needed.

        `marks` has a character for each variable, and `masks` the domain that each character stands for.
        """
        made = cls.__new__(cls)
        own = made.__dict__
        own["name"], own["problem"], own["marks"], own["masks"] = name, problem, marks, masks
        if count is not None:
            own["count"], own["at_least"] = count, at_least
        return made


BOOLEAN = Integers(range(2))


def boolean_instance(
    name: str, variables: int | Sequence[str], constraint: Constraint, objective: Objective | None = None
) -> Instance[Problem]:
    """Return the only instance of a file: variables with the values 0 and 1, under one constraint.

    A number of variables stands for x1, x2, ...
    """
    names = Numbered("x", variables) if isinstance(variables, int) else variables
    problem = Problem(name, names, BOOLEAN, (constraint,), objective=objective)
    return Instance(name, problem, problem.open)


def constants(variables: Sequence[str], values: Values) -> int:
    """Return the number of variables that are constants: readers add them last, named by their number."""
    if isinstance(variables, Numbered) or not isinstance(values, Integers):
        return 0
    return sum(1 for _ in takewhile(NUMBER.fullmatch, reversed(variables)))
