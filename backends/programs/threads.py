"""Threads of a contender: those that its options or its command state, and those that run while it solves (Linux).

A contender is taken to have several threads if an option such as num_workers=4, -nthreads=4 or `--threads 4` says so;
0 stands for all cores. A solver that starts threads without such an option is noticed while it solves: by looks at the
states of its threads, of which several can run. Two things are no evidence, however often a look finds them on a busy
machine: a worker that is awake beside its program, to start it or to read what it prints, and a process that has hardly
begun, such as the commands of a shell script.
"""

import contextlib
import os
import re
from collections.abc import Iterable, Iterator, Sequence

from backends.contract.options import split_options
from puzzles.processes.descendants import scheduled_ns

NAME = re.compile(
    r"-{0,2}(?:[\w.]+[./])?(?:(?:max|num|nb|n|no|of)[-_]?)*(?:search[-_]?)?(?:threads?|workers?|cores|procs|processes)"
    r"|-{0,2}(?:solve\.)?parallel[-_]mode"
    r"|-XX:ActiveProcessorCount",
    re.IGNORECASE,
)
COUNT = re.compile(r"(\d{1,6})(?:,\w+)?")  # clingo: 4,compete
MIN_RUN_NS = 5_000_000  # that a thread has run for, if it counts as one that solves


def stated(backend: str, command: Sequence[str] = ()) -> str:
    """Return the option by which a backend, or the command of its program, has several threads; '' without one.

    The last one counts, and options of the backend come after those of its command.
    """
    found = {}
    for name, value in settings([*command, *split_options(backend)[1]]):
        match = COUNT.fullmatch(value)
        if NAME.fullmatch(name) and match:
            found[name] = (f"{name}={value}", int(match[1]))
    return next((text for text, count in reversed(found.values()) if count != 1), "")


def settings(words: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield names and values of options: of NAME=VALUE, and of a NAME that a word with its VALUE follows."""
    for word, after in zip(words, [*words, ""][1:], strict=True):
        name, equals, value = word.partition("=")
        yield (name, value) if equals else (name, after if word.startswith("-") else "")


def parallel(worker: int, group: Iterable[int]) -> bool:
    """Return True if several threads of the worker, or of the processes below it, run or wait for a core."""
    return running([worker]) > 1 or running(pid for pid in group if pid != worker) > 1


def running(pids: Iterable[int]) -> int:
    """Return the number of threads of these processes that run or wait for a core, and have run for a while."""
    found = 0
    for pid in pids:
        with contextlib.suppress(OSError):
            for thread in os.listdir(f"/proc/{pid}/task"):
                with contextlib.suppress(OSError), open(f"/proc/{pid}/task/{thread}/stat") as file:
                    ready = file.read().rpartition(")")[2].split()[0] == "R"
                    found += ready and scheduled_ns(thread)[0] >= MIN_RUN_NS
    return found
