"""Threads of a contender that its options or its command state.

A contender is taken to have several threads if an option such as num_workers=4, -nthreads=4 or `--threads 4` says so; 0
stands for all cores.
"""

import re
from collections.abc import Iterator, Sequence

from backends.contract.cores import THREADS, cores_of
from backends.contract.options import CORES, split_options

COUNT = re.compile(r"(\d{1,6})(?:,\w+)?")  # clingo: 4,compete


def stated(backend: str, command: Sequence[str] = ()) -> str:
    """Return the option that gives a backend, or the command of its program, more threads than cores; '' without one.

    The last such option counts, and options of the backend follow those of its command.
    """
    found = {}
    for name, value in settings([*command, *split_options(backend)[1]]):
        match = COUNT.fullmatch(value)
        if THREADS.fullmatch(name) and name != CORES.name and match:
            found[name] = (f"{name}={value}", int(match[1]))
    most = cores_of(backend)
    return next((text for text, count in reversed(found.values()) if count > most or not count), "")


def settings(words: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield names and values of options, written NAME=VALUE or as two words."""
    for word, after in zip(words, [*words, ""][1:], strict=True):
        name, equals, value = word.partition("=")
        yield (name, value) if equals else (name, after if word.startswith("-") else "")
