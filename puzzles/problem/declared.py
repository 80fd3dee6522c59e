"""Names that a source declares: its numbers, options and sets, which may be sums of variables or have texts as values.

    item  ("s", "set", ("1", "2", "3"), ((1,), (0, 1, 7), (0,)))    1 is in s, 3 is not, 2 is if variable 7 is 1
    part  a sum: a number, and coefficients with variables, (n, a, x, b, y)

number  one part; with texts, texts[n - 1] stands for the number n
option  two parts: it is there unless the first is 0, and the second is its value
set     a part for each text, a member of the set unless the part is 0
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, Protocol

INTRODUCED = re.compile(r"X_INTRODUCED_[0-9]+_")  # names that MiniZinc's compiler gives
NUMBER = re.compile(r"-?[0-9]{1,18}")
NUMBERS, OPTION, SET = KINDS = ("number", "option", "set")
Part = tuple[int, ...]


class DeclaredItem(NamedTuple):
    """Name of the source, its kind, the texts of values or members, and its parts."""

    name: str
    kind: str
    texts: tuple[str, ...]
    parts: tuple[Part, ...]


class Declaring(Protocol):
    """A problem: variables, the texts of values, and the items that its source declares."""

    @property
    def variables(self) -> Sequence[str]: ...

    @property
    def values(self) -> Sequence[str]: ...

    @property
    def declared(self) -> tuple[DeclaredItem, ...]: ...


class Members(frozenset[Any]):
    """A set that is written as MiniZinc writes it, {1,3}, in the order of its source."""

    order: tuple[Any, ...]

    def __new__(cls, members: Sequence[Any]) -> "Members":
        found = super().__new__(cls, members)
        found.order = tuple(members)
        return found

    def __reduce__(self) -> tuple[Any, ...]:
        return Members, (self.order,)

    def __str__(self) -> str:
        return f"{{{','.join(map(str, self.order))}}}"

    def __repr__(self) -> str:
        return f"{{{', '.join(map(repr, self.order))}}}"


def assignment(problem: Declaring, solution: Sequence[int]) -> Iterator[tuple[str, Any]]:
    """Yield each name with its value: an integer or a text; Members of a set; None of an option that is absent.

    First come the items of the problem, then its variables that are no part of any. Constants, which readers add as
    last variables, named by their number, and variables that MiniZinc's compiler introduced are left out; the solution
    may lack the constants. Every index is that of a value.
    """
    taken = {x for item in problem.declared for part in item.parts for x in part[2::2]}
    names = {item.name for item in problem.declared}
    for item in problem.declared:
        yield item.name, value_of(item, [total(part, problem, solution) for part in item.parts])
    for x, (name, v) in enumerate(zip(problem.variables, solution, strict=False)):
        if x not in taken and name not in names and name != problem.values[v] and not INTRODUCED.fullmatch(name):
            yield name, number_or_text(problem.values[v])


def equation(name: str, value: Any) -> str:
    """Return a name with its value as text; <> is an option that is absent, as MiniZinc writes it."""
    return f"{name}={'<>' if value is None else value}"


def total(part: Part, problem: Declaring, solution: Sequence[int]) -> int:
    """Return the value of a part."""
    terms = zip(part[1::2], part[2::2], strict=True)
    return part[0] + sum(a * int(problem.values[solution[x]]) for a, x in terms)


def value_of(item: DeclaredItem, numbers: Sequence[int]) -> Any:
    """Return the value of an item whose parts have these values."""
    if item.kind == SET:
        return Members([number_or_text(text) for text, n in zip(item.texts, numbers, strict=True) if n])
    if item.kind == OPTION and not numbers[0]:
        return None
    return item.texts[numbers[-1] - 1] if 1 <= numbers[-1] <= len(item.texts) else numbers[-1]


def number_or_text(text: str) -> int | str:
    """Return a text as an integer if it is one."""
    return int(text) if NUMBER.fullmatch(text) else text


def items_to_json(items: Sequence[DeclaredItem]) -> dict[str, Any]:
    """Return items as JSON-compatible data; texts that several have are stated once."""
    texts = dict[tuple[str, ...], int]()
    stated = [
        [item.name, item.kind, texts.setdefault(item.texts, len(texts)), *map(list, item.parts)] for item in items
    ]
    return {"texts": list(map(list, texts)), "items": stated}


def items_from_json(data: Any, variables: int) -> tuple[DeclaredItem, ...]:
    """Return the items of data. Raises ValueError unless they are those of a problem with so many variables."""
    if not data:
        return ()
    texts = [tuple(map(str, known)) for known in data["texts"]]
    items = [
        DeclaredItem(str(name), kind, texts[at], tuple(map(tuple, parts))) for name, kind, at, *parts in data["items"]
    ]
    for item in items:
        wanted = {NUMBERS: 1, OPTION: 2, SET: len(item.texts)}.get(item.kind)
        if len(item.parts) != wanted or not all(is_part(part, variables) for part in item.parts):
            raise ValueError("a name that a source declares has other parts than its kind")
    return tuple(items)


def is_part(part: Part, variables: int) -> bool:
    """Return True for the sum of variables of a problem that has so many."""
    return len(part) % 2 == 1 and all(type(n) is int for n in part) and all(0 <= x < variables for x in part[2::2])
