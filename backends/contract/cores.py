"""Cores of a contender: BACKEND[cores=4], an option of every backend that the harness takes itself.

The worker is pinned to so many cores, and the solver is told by its own option for threads, if it has one that the name
does not state: num_workers of cpsat, threads of highs, {cores} in the command of a program.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Protocol, Self, runtime_checkable

from backends.contract.options import CORES, Option, Value, split_options

THREADS = re.compile(
    r"-{0,2}(?:[\w.]+[./])?(?:(?:max|num|nb|n|no|of)[-_]?)*(?:search[-_]?)?(?:threads?|workers?|cores|procs|processes)"
    r"|-{0,2}(?:solve\.)?parallel[-_]mode"
    r"|-XX:ActiveProcessorCount",
    re.IGNORECASE,
)  # names of options for the number of threads
STATED = re.compile(rf"{CORES.name}=(\d{{1,4}})")


@runtime_checkable
class ScalableBackend(Protocol):
    """Backend that is told its number of cores in another way than by an option."""

    def on_cores(self, cores: int) -> Self: ...


def cores_of(backend: str) -> int:
    """Return the number of cores that a backend's name states, else 1."""
    found = [match for word in split_options(backend)[1] if (match := STATED.fullmatch(word))]
    return int(found[0][1]) if found else 1


def with_cores(words: Sequence[str], cores: int) -> tuple[str, ...]:
    """Add `cores` to the options of a pattern that has no `cores` yet; one core is left out."""
    stated = any(word.partition("=")[0] == CORES.name for word in words)
    return (*words, *([] if stated or cores == 1 else [f"{CORES.name}={cores}"]))


def with_threads(known: Sequence[Option], options: Mapping[str, Value]) -> dict[str, Value]:
    """Replace `cores` by as many threads, if a known option sets threads and is not stated."""
    cores = options.get(CORES.name, 1)
    left = {name: value for name, value in options.items() if name != CORES.name}
    names = [option.name for option in known if option.type == "int" and THREADS.fullmatch(option.name)]
    if cores == 1 or not names or any(name in left for name in names):
        return left
    return dict(sorted((left | {names[0]: cores}).items()))
