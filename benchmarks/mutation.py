"""Mutation testing of Crosscheck: change one operator at a time, check that tests detect it.

    python benchmarks/mutation.py [--mutants N] [--compiled N] [--seed N] [--group NAME]

A mutant (mutants.py) is one change to one expression or statement inside a function. A separate process runs it: first
the probe of its group, random boards of `fuzz` compared with exhaustive search; then, if that finds nothing, the
group's tests, with the same examples each time. A mutant that fails either, crashes or exceeds the limit is caught.
Numba code is recompiled for each mutant, without reading or writing its cache.

    --mutants N   sample size, by --seed, of all changes in the groups of plain Python; survivors are listed
    --compiled N  the same for the compiled groups, at about 20 s each
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

from mutants import count_sites, patch_import, patch_loaded  # noqa: E402

MAX_MEMORY = 6 << 30  # bytes, per mutant
MAX_SOLUTIONS = 4  # asked for
OPTIONS = ["-xqm", "", "-p", "no:cacheprovider", "-o", "timeout=0", "-W", "ignore::pytest.PytestAssertRewriteWarning"]
SUBPROCESS_TESTS = "(without_numba or compile_once)"  # these start another Python, where no mutant runs


@dataclass(frozen=True)
class Group:
    """Modules of one package, their tests, and the limit of CPU seconds per mutant."""

    package: str
    modules: str
    tests: str
    compiled: bool = False
    limit: int = 40
    alone: str = ""  # modules not used by the others

    def names(self) -> list[str]:
        return [f"{self.package}.{name}" for name in self.modules.split()]


CLASSICS = "python norvig backtracking subsets splitting bitset"
CONFORMS = "tests/backends/test_conformance.py::test_backend_conforms"
GROUPS = {
    "encoders": Group("encoders", "cnf at_most_one reduced", "tests/encoders"),
    "native": Group(
        "backends.native",
        f"board {CLASSICS}",
        "tests/native/test_python.py tests/native/test_classics.py tests/showing/test_trace.py"
        f" {' '.join(f'{CONFORMS}[native:{name}-full]' for name in CLASSICS.split())}",
        alone=CLASSICS.removeprefix("python "),
    ),
    "check": Group("puzzles.problem", "check columns", "tests/puzzles/test_layout.py tests/puzzles/test_columns.py"),
    "judge": Group("harness.judging", "judge", "tests/fuzzing/test_judge.py"),
    "kernels": Group(
        "backends.native",
        "sudoku.kernel9 sudoku.search9 sudoku.board9 sudoku.board9_io sudoku.lanes intrinsics columns",
        "tests/native/test_kernels.py",
        compiled=True,
        limit=45,
    ),
    "engine": Group(
        "backends.native.engine",
        "assign batch branch forget learn matching search session state symmetry walk",
        "tests/native/test_engine.py tests/native/test_engine_walk.py tests/native/test_symmetry.py",
        compiled=True,
        limit=90,
    ),
}


class Drawn(NamedTuple):
    """A layout and boards on it, each with all its solutions or, if it has more, MAX_SOLUTIONS of them."""

    layout: Any
    asks: list[tuple[Any, set[Any]]]


def boards(rounds: int) -> Iterator[Drawn]:
    """Yield layouts and boards as drawn for fuzzing, those that exhaustive search can count."""
    from harness.fuzzing.assignments import solutions_of
    from harness.fuzzing.rounds.boards import draw_boards
    from puzzles.boards.layout import Layout

    for number in range(rounds):
        block = draw_boards(11, number).blocks[0]
        assert isinstance(block.problem, Layout)
        if len(block.problem.squares) <= 40 and len(block.problem.values) <= 30:
            boards = [board.domains for board in block.boards[:14]]
            counted = [(d, solutions_of(block.problem, d, MAX_SOLUTIONS, 2000)) for d in boards]
            known = [(d, set(c.solutions)) for d, c in counted if c.complete or len(c.solutions) == MAX_SOLUTIONS]
            yield Drawn(block.problem, known)


def solves_all(name: str, formula: Callable[[Any, Any], Any], drawn: Iterable[Drawn], per_puzzle: bool = False) -> bool:
    """Return True if a backend agrees with exhaustive search on all of these boards."""
    from backends.contract import registry
    from backends.contract.answer import Ask, Status
    from puzzles.problem.check import violations

    backend = registry.find(name)
    for layout, asks in drawn:
        session = backend.open(formula(layout, None))
        for domains, known in asks:
            session = backend.open(formula(layout, domains)) if per_puzzle else session
            answer = session.ask(Ask(domains, MAX_SOLUTIONS, 5.0))
            if any(violations(layout, domains, s) for s in answer.solutions):
                return False
            if answer.status == Status.UNKNOWN and name == "native:subsets":
                continue  # it does not guess
            if len(set(answer.solutions)) != len(known) or answer.status == Status.UNKNOWN:
                return False
    return True


def probe(group: str, module: str, drawn: list[Drawn]) -> bool:
    """Return True if the module passes on random boards."""
    from encoders.registry import AT_MOST_ONE, ENCODINGS, Spec

    different, name = Spec(ENCODINGS["alldifferent"]).formula, module.rpartition(".")[2]
    if group == "native":
        names = ["python", "bitset"] if name == "board" else [name]
        return all(solves_all(f"native:{n}", different, drawn) for n in names)
    if group == "engine":
        return solves_all("native:engine", different, drawn)
    for encoding in [e for e in ENCODINGS.values() if e.combines] if group == "encoders" else []:
        for one in AT_MOST_ONE:
            some = drawn if one == "pairwise" else drawn[::3]
            if not solves_all("pysat:minicard", Spec(encoding, one).formula, some, encoding.per_puzzle):
                return False
    return True


def tests_pass(group: Group, module: str) -> bool:
    """Return True if the group's tests pass, on the same examples each time (tests/conftest.py)."""
    import pytest

    return pytest.main([*OPTIONS, "-k", test_selection(group, module), *group.tests.split()]) == pytest.ExitCode.OK


def test_selection(group: Group, module: str) -> str:
    """Return the expression for pytest's -k: without tests of variants that do not use the module."""
    name = module.rpartition(".")[2]
    if name not in group.alone.split():
        return f"not {SUBPROCESS_TESTS}"
    return f"not {SUBPROCESS_TESTS} and ({name} or not ({' or '.join(group.alone.split())}))"


def disable_cache() -> None:
    """Turn Numba's cache off, before any of our code is compiled."""
    from backends.native import compiling

    compiling.CACHE_DIRECTORY = None


def run_mutant(group: str, module: str, n: int, drawn: list[Drawn], report: Callable[[str], None]) -> None:
    """Make the n-th change of a module; report it and its detection: probe, tests or nothing."""
    if GROUPS[group].compiled:
        disable_cache()
        report(patch_import(module, n))
    else:
        report(patch_loaded(module, n))
    try:
        seen = "" if probe(group, module, drawn) else "probe"
    except Exception:
        seen = "probe"
    report(seen or ("nothing" if tests_pass(GROUPS[group], module) else "tests"))


def run_isolated(work: Callable[[Callable[[str], None]], None], limit: int) -> list[str]:
    """Run `work` in a child process and return its messages, then 'time' or 'death' unless it completed.

    The limit is CPU time, so that a busy machine kills no mutant; one that sleeps gets four times that of wall time.
    """
    read, write = os.pipe()

    def report(line: str) -> None:
        os.write(write, f"{' '.join(line.split())}\n".encode())

    child = os.fork()
    if child == 0:
        os.setsid()
        resource.setrlimit(resource.RLIMIT_DATA, (MAX_MEMORY, MAX_MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
        for stream in (1, 2):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
        with suppress(BaseException):
            work(report)
            report("end")
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
        messages = pipe.read().splitlines()
    if messages[-1:] == ["end"]:
        return messages[:-1]
    late = os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGKILL, signal.SIGXCPU)
    return [*messages, "time" if late else "death"]


def find_killer(group: str, module: str, n: int, drawn: list[Drawn]) -> tuple[str, str]:
    """Return the description of the n-th change of a module and what detects it."""
    messages = run_isolated(lambda report: run_mutant(group, module, n, drawn, report), GROUPS[group].limit)
    if len(messages) != 2:
        raise RuntimeError(f"change {n} of {module} could not be made")
    return messages[0], messages[1]


def preload() -> None:
    """Import the modules that every child process needs, none of them compiled."""
    for group in GROUPS.values():
        for name in group.names() if not group.compiled else ():
            __import__(name)
    import hypothesis  # noqa: F401
    import numba  # noqa: F401
    import pysat.solvers  # noqa: F401
    import pytest  # noqa: F401


def sample_mutants(groups: list[str], compiled: bool, most: int, random: Random) -> list[tuple[str, str, int]]:
    """Draw a random sample of all changes in these groups, sorted by group."""
    some = [g for g in groups if GROUPS[g].compiled == compiled]
    every = [(g, m, n) for g in some for m in GROUPS[g].names() for n in range(count_sites(m))]
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
    preload()
    drawn = list(boards(60))
    some = [*sample_mutants(groups, False, args.mutants, random), *sample_mutants(groups, True, args.compiled, random)]
    first = {(g, m if m.rpartition(".")[2] in GROUPS[g].alone.split() else GROUPS[g].names()[0]) for g, m, _ in some}
    for group, module in sorted(first):  # one per selection of tests
        if (found := find_killer(group, module, -1, drawn)[1]) != "nothing":
            sys.exit(f"{module}: {found} fails on the unchanged code")
    by: Counter[tuple[str, str]] = Counter()
    survivors = []
    for group, module, n in some:
        what, how = find_killer(group, module, n, drawn)
        by[group, how] += 1
        survivors += [what] * (how == "nothing")
        print(f"{how:<8} {what}", flush=True)
    print("\nsurvivors", *survivors, sep="\n  ")
    print(f"\n{'group':<9} {'changes':>9} {'made':>5} {'caught':>7}  by probe, tests, death, time")
    for group in groups:
        made = sum(count for (g, _), count in by.items() if g == group)
        ways = [by[group, how] for how in ("probe", "tests", "death", "time")]
        print(f"{group:<9} {sum(map(count_sites, GROUPS[group].names())):>9} {made:>5} {sum(ways):>7}  {ways}")


if __name__ == "__main__":
    main()
