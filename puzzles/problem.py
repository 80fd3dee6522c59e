"""The general model: variables, what values they may take, and constraints; boards and formulas are both problems.

    x  a variable, as an index into Problem.variables
    v  a value, as an index into Problem.values
    d  a domain, a mask: bit v is set where the variable may take value v; a given has one bit

Backends and encoders see these indices alone. Names of variables and texts of values are for people.
A problem is identified by its `digest`, which is of its content: it is the same in every process and on every machine.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar, overload

if TYPE_CHECKING:  # numpy loads where it is first used
    from puzzles.columns import BoolArray, Solutions

Domains = tuple[int, ...]
Solution = tuple[int, ...]
Values = Sequence[str]


@dataclass(frozen=True, init=False)
class Integers(Sequence[str]):
    """Values that are integers, ascending, negative ones and gaps among them; item i is the text of number i.

    Consecutive numbers are kept as a range, others as a tuple.
    """

    numbers: Sequence[int]

    def __init__(self, numbers: Iterable[int]) -> None:
        if not isinstance(numbers, range) or numbers.step != 1:
            numbers = tuple(numbers)
            if any(a >= b for a, b in pairwise(numbers)):
                raise ValueError("the integers that are values must ascend")
            if not numbers or numbers[-1] - numbers[0] == len(numbers) - 1:
                numbers = range(numbers[0], numbers[-1] + 1) if numbers else range(0)
        object.__setattr__(self, "numbers", numbers)

    def __len__(self) -> int:
        return len(self.numbers)

    @overload
    def __getitem__(self, i: int) -> str: ...
    @overload
    def __getitem__(self, i: slice) -> "Integers": ...
    def __getitem__(self, i: int | slice) -> "str | Integers":
        return str(self.numbers[i]) if isinstance(i, int) else Integers(self.numbers[i])


class Constraint(Protocol):
    """One constraint, or many of one kind in columns. Its class is the KIND of a file in puzzles/constraints.

    kind       the name under which it is dumped
    satisfied  solutions uint[m, variables], all of them indices of values -> bool[m]
    explain    what one solution breaks, by name, a line each; empty where it is satisfied
    data       everything about it as what JSON holds, from which `load` makes it again
    """

    @property
    def kind(self) -> str: ...

    def satisfied(self, solutions: "Solutions", problem: "Problem") -> "BoolArray": ...

    def explain(self, solution: Sequence[int], problem: "Problem") -> list[str]: ...

    def data(self) -> dict[str, Any]: ...


@dataclass(frozen=True, eq=False)
class Problem:
    """What all its instances share: a board without givens, or a whole formula. Problems are equal by their digest."""

    name: str
    variables: tuple[str, ...]
    values: Values
    constraints: tuple[Constraint, ...]

    def content(self) -> dict[str, Any]:
        """All but the name, as what JSON holds."""
        return {
            "variables": self.variables,
            "values": dumped_values(self.values),
            "constraints": [{"kind": c.kind, **c.data()} for c in self.constraints],
        }

    @cached_property
    def digest(self) -> str:
        """What identifies the problem: 16 hexadecimal digits, of its content; the name does not count."""
        return digest_of(self.content())

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return self.digest == other.digest if isinstance(other, Problem) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.digest)

    @cached_property
    def full(self) -> int:
        """The mask with every value: the domain of a variable of which nothing is known."""
        return (1 << len(self.values)) - 1

    @cached_property
    def open(self) -> Domains:
        """The domains of an instance of which nothing is known."""
        return (self.full,) * len(self.variables)


P = TypeVar("P", bound=Problem)


@dataclass(frozen=True)
class Instance(Generic[P]):
    """A problem, what each variable may still take, and what is known of its solutions.

    `name` is FILE:LINE where it was read from a corpus. `count` is the number of solutions that the corpus claims,
    a lower bound where `at_least`; `solution` is one that it claims. Claims are checked, never believed.
    """

    name: str
    problem: P
    domains: Domains
    count: int | None = None
    at_least: bool = False
    solution: Solution | None = None


def bits(mask: int) -> Iterable[int]:
    """The values in a domain, smallest first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def digest_of(content: object) -> str:
    """The digest of what JSON holds."""
    return hashlib.blake2b(json.dumps(content).encode(), digest_size=8).hexdigest()


def dumped_values(values: Values) -> object:
    """Values as what JSON holds."""
    if not isinstance(values, Integers):
        return list(values)
    numbers = values.numbers
    return {"range": [numbers.start, numbers.stop]} if isinstance(numbers, range) else {"integers": numbers}


def loaded_values(data: Any) -> Values:
    """Values from what `dumped_values` wrote."""
    if not isinstance(data, Mapping):
        return tuple(data)
    return Integers(range(*data["range"]) if "range" in data else data["integers"])


def dump(problem: Problem) -> str:
    """A problem as JSON, one text for one name and content: what journals store and workers are sent."""
    return json.dumps({"name": problem.name, **problem.content()}, separators=(",", ":"))


def load(text: str | bytes) -> Problem:
    """The problem that `dump` wrote: a Layout where it was one."""
    from puzzles.constraints import kinds
    from puzzles.layout import Layout

    data = json.loads(text)
    name, values = data["name"], loaded_values(data["values"])
    if "squares" in data:
        return Layout(name, tuple(data["squares"]), tuple(values), tuple(map(tuple, data["units"])))
    constraints = []
    for parts in data["constraints"]:
        kind = kinds()[parts.pop("kind")]
        constraints.append(kind.from_data(parts))
    return Problem(name, tuple(data["variables"]), values, tuple(constraints))
