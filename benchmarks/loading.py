"""Cost of a cold solver: ways to load the same clauses through python-sat, and how much of it is the solver's own.

    python benchmarks/loading.py [SOLVER]... [--puzzles 60]

Formulas: 9x9 `extended` and `minimal` and 16x16 `extended` with the givens of shipped puzzles, and random 3-SAT of 250
variables. CPU time, medians; a fresh solver for each load, ways in random order on each puzzle.

    append_formula  python-sat's own loop, as in `Solver(bootstrap_with=...)`
    bound call      the compiled add_cl for each clause, with the solver bound by functools.partial
    ours            SolverHandle.load
    interface       ours, into a MiniSat that holds a contradiction and drops every clause unread: the cost of Python
                    and python-sat; the rest of `ours` is the solver's own
"""

import argparse
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from random import Random
from statistics import median
from time import perf_counter_ns
from time import thread_time_ns as now

from figures import Figure, add_option, report

from backends.pysat import SOLVERS
from backends.pysat.handle import Clause, SolverHandle, compact_clauses
from backends.shared.literal_map import LiteralMap
from encoders.formula import Cnf
from encoders.registry import spec
from puzzles.corpora import find
from puzzles.formats import read

SOLVERS_MEASURED = ("cadical195", "cadical153", "glucose4", "minisat22", "maplechrono")
RATIO = 3.5  # clauses per variable of random 3-SAT: easy, since loading is measured
Case = tuple[list[Clause], list[list[Clause]]]  # clauses of a formula, unit clauses of each puzzle
Times = dict[str, list[int]]


def boards(encoding: str, count: int, *corpora: str) -> Case:
    given = [puzzle for name in corpora for puzzle in read(find(name))]
    Random(1).shuffle(given)
    formula = spec(encoding).formula(given[0].problem)
    assert isinstance(formula, Cnf)
    literals = LiteralMap(formula.literal)
    return compact_clauses(formula.clauses), [[[x] for x in literals.true(p.domains)] for p in given[:count]]


def random_formula(variables: int, count: int) -> Case:
    random = Random(1)
    chosen = [random.sample(range(1, variables + 1), 3) for _ in range(round(RATIO * variables))]
    return [[x * random.choice((-1, 1)) for x in clause] for clause in chosen], [[] for _ in range(count)]


def handle_of(solver: str, *clauses: Clause) -> SolverHandle:
    handle = SolverHandle(solver, SOLVERS[solver], {})
    handle.load(clauses)
    return handle


def appended(handle: SolverHandle, clauses: Sequence[Clause]) -> None:
    handle.solver.append_formula(clauses)


def bound(handle: SolverHandle, clauses: Sequence[Clause]) -> None:
    deque(map(partial(handle.add_clause, handle.capsule), clauses), maxlen=0)


def search(handle: SolverHandle) -> bool | None:
    return handle.solve(perf_counter_ns() + 60 * 10**9)


LOAD: dict[str, Callable[[SolverHandle, Sequence[Clause]], None]] = {
    "append_formula": appended,
    "bound call": bound,
    "ours": SolverHandle.load,
    "interface": SolverHandle.load,
}
AFTER: dict[str, Callable[[SolverHandle], object]] = {
    "solve": search,
    "model": SolverHandle.model,
    "counters": SolverHandle.counters,
    "delete": SolverHandle.delete,
}


def measure(solver: str, case: Case) -> Times:
    """Return nanoseconds of every step on each puzzle."""
    times: Times = {name: [] for name in ("new", *LOAD, *AFTER)}
    clauses, puzzles = case
    random = Random(2)
    for units in puzzles:
        for way in random.sample(list(LOAD), len(LOAD)):
            clocks = [now()]
            handle = handle_of("minisat22", [1], [-1]) if way == "interface" else handle_of(solver)
            clocks.append(now())
            LOAD[way](handle, units)
            LOAD[way](handle, clauses)
            clocks.append(now())
            steps = ["new", way] if way == "ours" else ["", way]
            if way == "ours":
                for name, step in AFTER.items():
                    step(handle)
                    clocks.append(now())
                    steps.append(name)
            for name, begin, end in zip(steps, clocks, clocks[1:], strict=False):
                if name:
                    times[name].append(end - begin)
            handle.delete()
    return times


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("solver", nargs="*", default=SOLVERS_MEASURED, help="solvers of python-sat")
    parser.add_argument("--puzzles", type=int, default=60, help="puzzles of each formula (default 60)")
    add_option(parser)
    args = parser.parse_args()
    cases = {
        "9x9 extended": boards("extended", args.puzzles, "easy", "minimal", "hardest"),
        "9x9 minimal": boards("minimal", args.puzzles, "easy", "minimal", "hardest"),
        "3-SAT, 250 variables": random_formula(250, args.puzzles),
        "16x16 extended": boards("extended", max(1, args.puzzles // 10), "sudoku-16"),
    }
    report((f for name, case in cases.items() for f in figures(name, case, args.solver)), args.json)


def figures(name: str, case: Case, solvers: Sequence[str]) -> Iterator[Figure]:
    """Yield the medians of all steps, and the shares of the interface and of the solver in loading a clause."""
    clauses = len(case[0])
    for solver in solvers:
        made = partial(Figure, f"{name}, {clauses:,} clauses", solver)
        spent = {step: median(times) for step, times in measure(solver, case).items()}
        yield from (made(step, time / 1e3, "us") for step, time in spent.items())
        yield made("interface, per clause", spent["interface"] / clauses, "ns")
        yield made("solver's own, per clause", (spent["ours"] - spent["interface"]) / clauses, "ns")


if __name__ == "__main__":
    main()
