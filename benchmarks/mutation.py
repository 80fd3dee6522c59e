"""Breaks our own code one operator at a time, and sees whether anything notices: `python benchmarks/mutation.py`.

A mutant (mutants.py) is one change to one expression or statement inside a function. A process of its own runs it:
first the probe of its group, boards as `fuzz` draws them, held against trying everything; then, where that saw nothing,
the group's tests, with the same examples each time. Whoever fails either, dies, or outlasts the limit is caught.
The code that Numba compiles is compiled anew for each mutant, neither from its cache nor into it.

    --mutants N   drawn with --seed from all changes that there are in the groups of plain Python; survivors are listed
    --compiled N  the same for the compiled groups, at some 20 s each
"""

import argparse
import os
import resource
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "benchmarks")]

from mutants import arrive, put_in, sites  # noqa: E402

MEMORY = 6 << 30  # bytes, for what a mutant may take
MOST = 4  # solutions asked for
OPTIONS = ["-x", "-q", "-p", "no:cacheprovider", "-o", "timeout=0", "-W", "ignore::pytest.PytestAssertRewriteWarning"]
APART = "(without_numba or compile_once)"  # tests that start another Python, which no mutant reaches


@dataclass(frozen=True)
class Group:
    """Modules of one package, what tests them, and how many seconds of a processor that may take."""

    package: str
    modules: str
    tests: str
    compiled: bool = False
    limit: int = 40
    alone: str = ""  # those that none of the others uses

    def names(self) -> list[str]:
        return [f"{self.package}.{name}" for name in self.modules.split()]


GROUPS = {
    "encoders": Group("encoders", "cnf at_most_one reduced", "tests/encoders"),
    "native": Group(
        "backends.native",
        "board python norvig backtracking subsets splitting bitset",
        "tests/native/test_python.py tests/native/test_classics.py tests/showing/test_trace.py",
        alone="norvig backtracking subsets splitting bitset",
    ),
    "check": Group("puzzles", "check columns", "tests/puzzles/test_layout.py tests/puzzles/test_columns.py"),
    "judge": Group("harness.judging", "judge", "tests/fuzzing/test_judge.py"),
    "kernels": Group(
        "backends.native",
        "kernel9 lockstep board9 lockstep_rules lanes columns kernel_io",
        "tests/native/test_kernels.py",
        compiled=True,
        limit=45,
    ),
    "engine": Group(
        "backends.native.engine",
        "assign batch branch forget intrinsics learn matching overlap search session state",
        "tests/native/test_engine.py",
        compiled=True,
        limit=90,
    ),
}


class Drawn(NamedTuple):
    """A layout, and boards on it with all their solutions, or with MOST of them where there are more."""

    layout: Any
    asks: list[tuple[Any, set[Any]]]


def boards(rounds: int) -> Iterator[Drawn]:
    """Layouts and boards as fuzzing draws them, those whose count trying everything tells."""
    from harness.fuzzing.boards import draw_round
    from harness.fuzzing.counting import count

    for number in range(rounds):
        sheet = draw_round(11, number).sheets[0]
        if len(sheet.problem.squares) <= 40 and len(sheet.problem.values) <= 30:
            counted = [(b.domains, count(sheet.problem, b.domains, MOST, 2000)) for b in sheet.boards[:14]]
            known = [(d, set(c.solutions)) for d, c in counted if c.complete or len(c.solutions) == MOST]
            yield Drawn(sheet.problem, known)


def solves(name: str, formula: Callable[[Any, Any], Any], drawn: Iterable[Drawn], per_puzzle: bool = False) -> bool:
    """Whether a backend finds what trying everything finds, on all of these boards."""
    from backends import registry
    from backends.answer import Ask, Status
    from puzzles.check import violations

    backend = registry.find(name)
    for layout, asks in drawn:
        session = backend.open(formula(layout, None))
        for domains, known in asks:
            session = backend.open(formula(layout, domains)) if per_puzzle else session
            answer = session.ask(Ask(domains, MOST, 5.0))
            if any(violations(layout, domains, s) for s in answer.solutions):
                return False
            if answer.status == Status.UNKNOWN and name == "native:subsets":
                continue  # it does not guess
            if len(set(answer.solutions)) != len(known) or answer.status == Status.UNKNOWN:
                return False
    return True


def probe(group: str, module: str, drawn: list[Drawn]) -> bool:
    """Whether nothing is noticed on random boards."""
    from encoders.registry import AT_MOST_ONE, ENCODINGS, Spec

    different, name = Spec(ENCODINGS["alldifferent"]).formula, module.rpartition(".")[2]
    if group == "native":
        names = ["python", "bitset"] if name == "board" else [name]
        return all(solves(f"native:{n}", different, drawn) for n in names)
    if group == "engine":
        return solves("native:engine", different, drawn)
    for encoding in [e for e in ENCODINGS.values() if e.combines] if group == "encoders" else []:
        for one in AT_MOST_ONE:
            some = drawn if one == "pairwise" else drawn[::3]
            if not solves("pysat:minicard", Spec(encoding, one).formula, some, encoding.per_puzzle):
                return False
    return True


def tests_pass(group: Group, module: str) -> bool:
    """Whether the group's tests pass, on the same examples each time (tests/conftest.py)."""
    import pytest

    return pytest.main([*OPTIONS, "-k", wanted(group, module), *group.tests.split()]) == pytest.ExitCode.OK


def wanted(group: Group, module: str) -> str:
    """Which tests, as pytest's -k takes it: not those of a variant that the module is no part of."""
    name = module.rpartition(".")[2]
    if name not in group.alone.split():
        return f"not {APART}"
    return f"not {APART} and ({name} or not ({' or '.join(group.alone.split())}))"


def uncached() -> None:
    """Numba's cache off, before anything of ours is compiled."""
    from backends.native import compiling

    compiling.KEPT = None


def noticed(group: str, module: str, n: int, drawn: list[Drawn], say: Callable[[str], None]) -> None:
    """Put in the n-th change of a module, and say what it is and what notices it: probe, tests, nothing."""
    if GROUPS[group].compiled:
        uncached()
        say(arrive(module, n))
    else:
        say(put_in(module, n))
    try:
        seen = "" if probe(group, module, drawn) else "probe"
    except Exception:
        seen = "probe"
    say(seen or ("nothing" if tests_pass(GROUPS[group], module) else "tests"))


def apart(work: Callable[[Callable[[str], None]], None], limit: int) -> list[str]:
    """What `work` says in a process of its own; then, unless it came to its end, 'time' or 'death'.

    The limit is of processor time, so that a busy machine catches no mutant; one that sleeps gets four times that.
    """
    read, write = os.pipe()

    def say(line: str) -> None:
        os.write(write, f"{' '.join(line.split())}\n".encode())

    child = os.fork()
    if child == 0:
        os.setsid()
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
        for stream in (1, 2):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
        with suppress(BaseException):
            work(say)
            say("end")
        os._exit(0)
    os.close(write)
    until = time.monotonic() + 4 * limit
    ended, status = 0, 0
    while not ended and time.monotonic() < until:
        ended, status = os.waitpid(child, os.WNOHANG)
        time.sleep(0.01)
    with suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    if not ended:
        _, status = os.waitpid(child, 0)
    with os.fdopen(read) as pipe:
        said = pipe.read().splitlines()
    if said[-1:] == ["end"]:
        return said[:-1]
    late = os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGKILL, signal.SIGXCPU)
    return [*said, "time" if late else "death"]


def caught(group: str, module: str, n: int, drawn: list[Drawn]) -> tuple[str, str]:
    """What the n-th change of a module is, and what notices it."""
    said = apart(lambda say: noticed(group, module, n, drawn, say), GROUPS[group].limit)
    if len(said) != 2:
        raise RuntimeError(f"change {n} of {module} could not be put in")
    return said[0], said[1]


def warm() -> None:
    """Import what every process needs, and nothing that is compiled."""
    for group in GROUPS.values():
        for name in group.names() if not group.compiled else ():
            __import__(name)
    import hypothesis  # noqa: F401
    import numba  # noqa: F401
    import pysat.solvers  # noqa: F401
    import pytest  # noqa: F401


def chosen(groups: list[str], compiled: bool, most: int, random: Random) -> list[tuple[str, str, int]]:
    """Changes drawn from all that there are in these groups, group by group."""
    some = [g for g in groups if GROUPS[g].compiled == compiled]
    every = [(g, m, n) for g in some for m in GROUPS[g].names() for n in range(sites(m))]
    return sorted(random.sample(every, min(len(every), most)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mutants", type=int, default=300)
    parser.add_argument("--compiled", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--group", choices=GROUPS, action="append")
    args = parser.parse_args()
    os.chdir(ROOT)
    random, groups = Random(args.seed), args.group or list(GROUPS)
    warm()
    drawn = list(boards(60))
    some = [*chosen(groups, False, args.mutants, random), *chosen(groups, True, args.compiled, random)]
    first = {(g, m if m.rpartition(".")[2] in GROUPS[g].alone.split() else GROUPS[g].names()[0]) for g, m, _ in some}
    for group, module in sorted(first):  # one for each choice of tests
        if (found := caught(group, module, -1, drawn)[1]) != "nothing":
            sys.exit(f"{module}: caught by {found} without any change")
    by: Counter[tuple[str, str]] = Counter()
    survivors = []
    for group, module, n in some:
        what, how = caught(group, module, n, drawn)
        by[group, how] += 1
        survivors += [what] * (how == "nothing")
        print(f"{how:<8} {what}", flush=True)
    print("\nsurvivors", *survivors, sep="\n  ")
    print(f"\n{'group':<9} {'there are':>9} {'made':>5} {'caught':>7}  by probe, tests, death, time")
    for group in groups:
        made = sum(count for (g, _), count in by.items() if g == group)
        ways = [by[group, how] for how in ("probe", "tests", "death", "time")]
        print(f"{group:<9} {sum(map(sites, GROUPS[group].names())):>9} {made:>5} {sum(ways):>7}  {ways}")


if __name__ == "__main__":
    main()
