"""Threads of a contender that its options or its command state.

A contender is taken to have several threads if an option such as num_workers=4, -nthreads=4 or `--threads 4` says so; 0
stands for all cores.
"""

import re
from collections.abc import Iterator, Sequence

from backends.contract.options import split_options

NAME = re.compile(
    r"-{0,2}(?:[\w.]+[./])?(?:(?:max|num|nb|n|no|of)[-_]?)*(?:search[-_]?)?(?:threads?|workers?|cores|procs|processes)"
    r"|-{0,2}(?:solve\.)?parallel[-_]mode"
    r"|-XX:ActiveProcessorCount",
    re.IGNORECASE,
)
COUNT = re.compile(r"(\d{1,6})(?:,\w+)?")  # clingo: 4,compete


def stated(backend: str, command: Sequence[str] = ()) -> str:
    """Return the option that gives a backend, or the command of its program, several threads; '' if there is none.

    The last such option counts, and options of the backend follow those of its command.
    """
    found = {}
    for name, value in settings([*command, *split_options(backend)[1]]):
        match = COUNT.fullmatch(value)
        if NAME.fullmatch(name) and match:
            found[name] = (f"{name}={value}", int(match[1]))
    return next((text for text, count in reversed(found.values()) if count != 1), "")


def settings(words: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield names and values of options, written NAME=VALUE or as two words."""
    for word, after in zip(words, [*words, ""][1:], strict=True):
        name, equals, value = word.partition("=")
        yield (name, value) if equals else (name, after if word.startswith("-") else "")
