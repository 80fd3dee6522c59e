"""The general model: variables, their values, and constraints. Boards and formulas are both problems.

    x  a variable, as an index into Problem.variables
    v  a value, as an index into Problem.values
    d  a domain, a mask: bit v is set where the variable may take value v; a given has one bit

Backends and encoders use these indices only; names of variables and texts of values are for display.
A problem is identified by the `digest` of its content, which is the same in every process and on every machine. The
dumped form stands beside the classes, since both change together and the digest is of it.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise, takewhile
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Protocol, Self, TypeVar, cast, overload

if TYPE_CHECKING:  # numpy is imported at its first use
    import numpy.typing as npt

    from puzzles.columns import BoolArray, Solutions

    Array = npt.NDArray[Any]

Domains = tuple[int, ...]
Solution = tuple[int, ...]
Values = Sequence[str]
NUMBER = re.compile(r"-?[0-9]+")


@dataclass(frozen=True, init=False)
class Integers(Sequence[str]):
    """Integer values, ascending, possibly negative or with gaps; item i is the text of number i.

    Consecutive numbers are stored as a range, others as a tuple.
    """

    numbers: Sequence[int]

    def __init__(self, numbers: Iterable[int]) -> None:
        if not isinstance(numbers, range) or numbers.step != 1:
            numbers = tuple(numbers)
            if any(a >= b for a, b in pairwise(numbers)):
                raise ValueError("integer values must ascend")
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


@dataclass(frozen=True)
class Numbered(Sequence[str]):
    """Names of variables that are only numbered: PREFIX1, PREFIX2, ... A million of them take no memory."""

    prefix: str
    size: int

    def __len__(self) -> int:
        return self.size

    @overload
    def __getitem__(self, i: int) -> str: ...
    @overload
    def __getitem__(self, i: slice) -> tuple[str, ...]: ...
    def __getitem__(self, i: int | slice) -> str | tuple[str, ...]:
        at = range(1, self.size + 1)[i]
        return f"{self.prefix}{at}" if isinstance(at, int) else tuple(f"{self.prefix}{k}" for k in at)


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


@dataclass(frozen=True, eq=False)
class Problem:
    """The part that all instances share: a board without givens, or a formula. Compared by digest."""

    name: str
    variables: Sequence[str]
    values: Values
    constraints: tuple[Constraint, ...]

    def content(self) -> dict[str, Any]:
        """Return everything but the name, as JSON-compatible data and arrays."""
        return {
            "variables": names_to_json(self.variables),
            "values": values_to_json(self.values),
            "constraints": [{"kind": c.kind, **c.data()} for c in self.constraints],
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

    @property
    def shared(self) -> bool:
        """True if many instances share the problem, so encoding it is no instance's own cost: boards."""
        return False

    @cached_property
    def full(self) -> int:
        """The mask with every value: the domain of an unrestricted variable."""
        return (1 << len(self.values)) - 1

    @cached_property
    def open(self) -> Domains:
        """The domains of an unrestricted instance."""
        return (self.full,) * len(self.variables)


P = TypeVar("P", bound=Problem)


@dataclass(frozen=True)
class SourceFile:
    """A file that holds one instance and nothing that its reader set aside, and its format: cnf, opb or xcsp3."""

    path: Path
    format: str


def domains_of_marks(instance: "Instance[Any]") -> Domains:
    """Return the domains that the marks of an instance stand for."""
    found: Domains = itemgetter(*instance.marks)(instance.masks or {})  # faster than tuple(map(...))
    return found


@dataclass(frozen=True)
class Instance(Generic[P]):
    """A problem, the domains of its variables, and claims about its solutions.

    `name` is FILE:LINE if it was read from a corpus. `count` is the number of solutions that the corpus claims, a lower
    bound if `at_least`; `solution` is one that it claims. Claims are always checked, never trusted. `source` is the
    file that it was read from, if programs can read it too. `marks` and `masks` are those of a `marked` instance.
    """

    name: str
    problem: P
    domains: Domains = field(default=cast(Domains, cached_property(domains_of_marks)))
    count: int | None = None
    at_least: bool = False
    solution: Solution | None = None
    source: SourceFile | None = field(default=None, compare=False)
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
    ) -> None:  # the one that `dataclass` makes takes three times as long, and corpora hold millions
        own = self.__dict__
        own["name"], own["problem"], own["domains"] = name, problem, domains
        own["count"], own["at_least"], own["solution"], own["source"] = count, at_least, solution, source

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
        own["count"], own["at_least"] = count, at_least
        return made


BOOLEAN = Integers(range(2))


def boolean_instance(name: str, variables: int, constraint: Constraint) -> Instance[Problem]:
    """Return the only instance of a file: variables x1, x2, ... with the values 0 and 1, under one constraint."""
    problem = Problem(name, Numbered("x", variables), BOOLEAN, (constraint,))
    return Instance(name, problem, problem.open)


def bits(mask: int) -> Iterable[int]:
    """Iterate over the values in a domain, smallest first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def digest_of(content: object) -> str:
    """Return the digest of JSON-compatible data that may contain arrays."""
    arrays: list[Array] = []
    header = json.dumps(detach(content, arrays))
    digest = hashlib.blake2b(header.encode(), digest_size=8)
    for array in arrays:
        digest.update(little_endian(array))
    return digest.hexdigest()


def detach(content: Any, arrays: list["Array"]) -> Any:
    """Return data with each array replaced by its type and shape; the arrays are appended to `arrays`."""
    if isinstance(content, Mapping):
        return {key: detach(part, arrays) for key, part in content.items()}
    if hasattr(content, "tobytes"):
        arrays.append(content)
        return {"array": content.dtype.newbyteorder("<").str, "shape": content.shape}
    if isinstance(content, list):
        return [detach(part, arrays) for part in content]
    return content


def attach(content: Any, data: memoryview) -> Any:
    """Return what `detach` was given, from its result and the bytes of all arrays, which the arrays share.

    Raises ValueError unless these are arrays of integers in one dimension that need exactly these bytes.
    """
    left = [data]
    whole = attached(content, left)
    if len(left[0]):
        raise ValueError(f"{len(left[0])} bytes after the last array")
    return whole


def attached(part: Any, left: list[memoryview]) -> Any:
    """Return a part with its arrays, whose bytes are cut from the beginning of `left[0]`."""
    if isinstance(part, dict) and "array" in part:
        import numpy as np  # only problems with arrays need it

        kind, (count,) = np.dtype(part["array"]), part["shape"]
        if kind.kind not in "iu" or type(count) is not int or not 0 <= count * kind.itemsize <= len(left[0]):
            raise ValueError(f"an array of {count} of type {kind} in {len(left[0])} bytes")
        found = np.frombuffer(left[0], kind, count).astype(kind.newbyteorder("="), copy=False)
        left[0] = left[0][count * kind.itemsize :]
        return found
    if isinstance(part, dict):
        return {key: attached(value, left) for key, value in part.items()}
    return [attached(value, left) for value in part] if isinstance(part, list) else part


def little_endian(array: "Array") -> memoryview:
    """Return the bytes of an array as every machine writes them, without a copy where possible."""
    return array.astype(array.dtype.newbyteorder("<"), order="C", copy=False).data


def constants(variables: Sequence[str], values: Values) -> int:
    """Return the number of constants: readers add them as the last variables, named by their number."""
    if isinstance(variables, Numbered) or not isinstance(values, Integers):
        return 0
    return sum(1 for _ in takewhile(NUMBER.fullmatch, reversed(variables)))


def names_to_json(names: Sequence[str]) -> object:
    """Return the names of variables as JSON-compatible data."""
    return {"numbered": [names.prefix, names.size]} if isinstance(names, Numbered) else tuple(names)


def names_from_json(data: Any) -> Sequence[str]:
    """Return the names that `names_to_json` wrote."""
    return Numbered(*data["numbered"]) if isinstance(data, Mapping) else tuple(data)


def values_to_json(values: Values) -> object:
    """Return values as JSON-compatible data."""
    if not isinstance(values, Integers):
        return list(values)
    numbers = values.numbers
    return {"range": [numbers.start, numbers.stop]} if isinstance(numbers, range) else {"integers": list(numbers)}


def values_from_json(data: Any) -> Values:
    """Return the values that `values_to_json` wrote."""
    if not isinstance(data, Mapping):
        return tuple(data)
    return Integers(range(*data["range"]) if "range" in data else data["integers"])


def dump(problem: Problem) -> bytes:
    """Return a problem for journals and workers; equal name and content give equal bytes.

    One line of JSON, and if the problem has arrays a line feed and the bytes of all arrays.
    """
    arrays: list[Array] = []
    header = detach({"name": problem.name, **problem.content()}, arrays)
    text = json.dumps(header, separators=(",", ":")).encode()
    return b"".join([text, b"\n", *map(little_endian, arrays)]) if arrays else text


def decoded(content: str | bytes) -> Any:
    """Return the data of a dumped problem, with its arrays. Raises ValueError if that is not possible."""
    raw = content.encode() if isinstance(content, str) else content
    text, arrays, rest = raw.partition(b"\n")
    data = json.loads(text)
    return attach(data, memoryview(rest)) if arrays else data


def load(content: str | bytes) -> Problem:
    """Return the problem that `dump` wrote; a Layout is restored as a Layout, a Board as a Board."""
    from puzzles.board import Board
    from puzzles.constraints import kinds
    from puzzles.drawing import Grid
    from puzzles.layout import Layout

    data = decoded(content)
    name, values = data["name"], values_from_json(data["values"])
    if "squares" in data:
        return Layout(name, tuple(data["squares"]), tuple(values), tuple(map(tuple, data["units"])))
    constraints = []
    for stated in data["constraints"]:
        kind = kinds()[stated.pop("kind")]
        constraints.append(kind.from_data(stated))
    parts = name, names_from_json(data["variables"]), values, tuple(constraints)
    return Board(*parts, Grid.from_data(data["grid"])) if "grid" in data else Problem(*parts)
