"""Files of a shipped folder: how each is made, and what is claimed of it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

SAT, UNSAT, OPTIMAL = "sat", "unsat", "optimal"  # claims of expected.csv


@dataclass(frozen=True)
class File:
    """One instance: `make(*numbers)`, with a Random of the seed and the file's name as last argument if it takes one.

    status  SAT, UNSAT or OPTIMAL
    value   of the best solution, as the file states values, if the status is OPTIMAL
    drawn   the answer was found for the recipe's seed, by solvers that agreed
    """

    name: str
    make: Callable[..., Any]
    numbers: tuple[Any, ...]
    status: str
    drawn: bool = False
    value: int | None = None


@dataclass(frozen=True)
class Folder:
    """A corpus of files. `text` writes an instance with its comments; `comments` are its title and difficulty.

    `optimised`: the instances have objectives.
    """

    comments: tuple[str, ...]
    text: Callable[[Any, list[str]], str]
    files: tuple[File, ...]
    seed: int = 1
    optimised: bool = False


def files(
    ending: str, kind: str, make: Callable[..., Any], satisfiable: bool, *numbers: tuple[Any, ...], drawn: bool = False
) -> tuple[File, ...]:
    """Return a file for each tuple of numbers, named after these."""
    status = SAT if satisfiable else UNSAT
    return tuple(File(name_of(kind, of, ending), make, of, status, drawn) for of in numbers)


def best(
    ending: str, kind: str, make: Callable[..., Any], *numbers: tuple[tuple[Any, ...], int | None], drawn: bool = True
) -> tuple[File, ...]:
    """Return a file for each tuple of numbers with the value of its best solution, None if there is no solution."""
    return tuple(
        File(name_of(kind, of, ending), make, of, UNSAT if value is None else OPTIMAL, drawn, value)
        for of, value in numbers
    )


def name_of(kind: str, numbers: tuple[Any, ...], ending: str) -> str:
    """Return the name of a file, from its kind and its numbers without truth values and None."""
    return f"{'-'.join([kind, *(str(n) for n in numbers if n is not None and not isinstance(n, bool))])}.{ending}"
