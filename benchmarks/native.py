"""Compare the compiled 9x9 kernels with other solvers, on one core, in one run.

    python benchmarks/native.py                                     native:batch, native:kernel, and Norvig's algorithm
    python benchmarks/native.py --library tdoku=PATH.so             also a C function with the signature of tdoku's
    python benchmarks/native.py -b pysat:minisat22 -b cpsat         also any backends of the harness
    python benchmarks/native.py FILE ...                            on your own lists instead of generated ones
    python benchmarks/native.py --million [--others NAME ...]       counts of a million boards, a sample also by others

A library is NAME=PATH or NAME=PATH:FUNCTION; the function is
size_t f(const char *puzzle, size_t limit, uint32_t flags, char *solution, size_t *guesses), and is called in a compiled
loop. Each round asks every solver for two solutions of every board, solver by solver; speeds are medians over the
rounds, of CPU time, which depends little on other load. Every returned grid is checked, and counts of 0, 1 and 2 are
compared with the first solver's. Solvers called through Python are timed on a sample.
"""

import argparse
import ctypes
import os
import statistics
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numba
import numpy as np
from figures import Figure, add_option, in_turn, mean_ratio, ratio, report
from nine import KINDS, NINE, UInt8Array, domains, mixed

from backends.contract import registry
from backends.contract.answer import Ask, Asks, BatchSession
from backends.contract.description import described
from harness.model.contender import default_encoding
from harness.running.workers.inside.opening import open_session
from puzzles.corpora import find
from puzzles.formats import ReaderOptions, read
from puzzles.problem.arrays import Int64Array, UInt16Array

FUNCTION = "TdokuSolverDpllTriadSimd"
FAULTS = ("invalid", "counts differ")
STRIDE = 112  # bytes per puzzle: tdoku reads past the 81st, and a line end there marks a puzzle of givens


@dataclass
class Run:
    """One solver on a list: CPU seconds, counts, total guesses (below 0: unknown), solutions if returned."""

    seconds: float
    counts: Int64Array
    guesses: int
    solutions: UInt16Array | None


Solver = Callable[[UInt8Array], Run]


def compiled(path: str, name: str) -> Solver:
    """Return a solver that calls a C function for each puzzle in a compiled loop."""
    function = getattr(ctypes.CDLL(path), name)
    function.restype = ctypes.c_size_t
    function.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_uint32, ctypes.c_void_p, ctypes.c_void_p]

    @numba.njit  # type: ignore[untyped-decorator]
    def loop(text: int, n: int, counts: Int64Array, solution: int, guesses: int) -> None:
        for p in range(n):
            counts[p] = function(text + STRIDE * p, 2, 0, solution, guesses + 8 * p)

    def run(boards: UInt8Array) -> Run:
        text = np.zeros((len(boards), STRIDE), np.uint8)
        text[:, :81] = np.where(boards > 0, boards + ord("0"), ord("."))
        text[:, 81] = ord("\n")
        counts, guesses = np.zeros((2, len(boards)), np.int64)
        solution = np.zeros(128, np.uint8)
        began = time.process_time()
        loop(text.ctypes.data, len(boards), counts, solution.ctypes.data, guesses.ctypes.data)
        return Run(time.process_time() - began, counts, int(guesses.sum()), None)

    run(np.zeros((1, 81), np.uint8))
    return run


def backend(name: str, sample: int) -> Solver:
    """Return a backend as a solver: in batches if supported, else puzzle by puzzle on a sample."""
    found = registry.find(name)
    encoding = default_encoding(described(found))
    assert encoding is not None
    order = {"encoding": encoding.name, "warm": False, "alone": False}
    session = open_session(found, NINE, order)

    def batch(boards: UInt8Array) -> Run:
        assert isinstance(session, BatchSession)
        asks = Asks(domains(boards), 2)
        began = time.process_time()
        a = session.ask_many(asks)
        return Run(
            time.process_time() - began, a.found.astype(np.int64), int(a.counters["decisions"].sum()), a.solutions
        )

    def single(boards: UInt8Array) -> Run:
        asks = [Ask(tuple(board), 2, 60.0) for board in domains(boards[:sample])[:, :, 0].tolist()]
        began = time.process_time()
        answers = [session.ask(ask) for ask in asks]
        seconds = time.process_time() - began
        solutions = np.array([s for a in answers for s in a.solutions], np.uint16).reshape(-1, 81)
        guesses = sum(a.counters.get("decisions", -1) for a in answers)
        return Run(seconds, np.array([len(a.solutions) for a in answers]), guesses, solutions)

    return batch if isinstance(session, BatchSession) else single


def invalid(boards: UInt8Array, run: Run) -> int:
    """Count the returned grids that break a unit or a given."""
    if run.solutions is None:
        return 0
    board = np.repeat(boards[: len(run.counts)], run.counts, axis=0)
    values = run.solutions.astype(np.int64) + 1
    wrong = ((board > 0) & (board != values)).any(axis=1) | ~((values >= 1) & (values <= 9)).all(axis=1)
    for unit in NINE.units:
        wrong |= np.bitwise_or.reduce(1 << values[:, unit], axis=1) != 0b1111111110
    return int(wrong.sum())


def lists(arguments: argparse.Namespace) -> Iterator[tuple[str, UInt8Array]]:
    """Yield the names and boards to solve: the 9x9 boards of files or shipped corpora, or generated ones."""
    for name in arguments.files:
        puzzles = [p.domains for p in read(find(name), ReaderOptions()) if p.problem.units == NINE.units]
        rows = [[d.bit_length() if d.bit_count() == 1 else 0 for d in board] for board in puzzles]
        boards = np.array(rows, np.uint8).reshape(-1, 81)
        yield Path(name).stem, np.tile(boards, (max(1, 2000 // max(1, len(boards))), 1))
    for kind, (make, n) in KINDS.items() if not arguments.files else ():
        yield kind, make(max(1, round(n * arguments.share)), np.random.default_rng(arguments.seed))


def compare(solvers: dict[str, Solver], arguments: argparse.Namespace) -> Iterator[Figure]:
    """Yield speeds, guesses, and numbers of invalid grids and of counts that differ from the first solver's."""
    for kind, boards in lists(arguments):
        runs = in_turn(solvers, [boards] * arguments.rounds)
        first = next(iter(runs.values()))[0]
        for name, done in runs.items():
            n, made = len(done[0].counts), partial(Figure, kind, name)
            yield made("boards", n)
            yield made("speed", n / statistics.median(run.seconds for run in done), "puzzles/s")
            if done[0].guesses >= 0:
                yield made("guesses", done[0].guesses / n)
            if arguments.against in runs and arguments.rounds > 1:
                theirs = [run.seconds / len(run.counts) for run in runs[arguments.against]]
                times = mean_ratio([b * n / a.seconds for a, b in zip(done, theirs, strict=True)])
                yield ratio(kind, name, f"times {arguments.against}", times)
            yield made("invalid", invalid(boards, done[0]))
            yield made("counts differ", int((done[0].counts != first.counts[:n]).sum()))


def million(arguments: argparse.Namespace) -> Iterator[Figure]:
    """Count `--boards` boards with both kernels, a sample with others; yield the counts and the faults."""
    chunks = -(-arguments.boards // 20000)
    sample = max(1, arguments.compared // chunks)
    kernels = {name: backend(name, 0) for name in ("native:batch", "native:kernel")}
    others = {name: backend(name, sample) for name in arguments.others}
    counts, faults, compared = np.zeros(3, np.int64), Counter[tuple[str, str]](), Counter[str]()
    for chunk in range(chunks):
        boards = mixed(20000, np.random.default_rng([arguments.seed, chunk]))
        first = kernels["native:batch"](boards)
        counts += np.bincount(first.counts, minlength=3)
        for name, solve in (kernels | others).items():
            run = solve(boards)
            faults["invalid", name] += invalid(boards, run)
            faults["counts differ", name] += int((run.counts != first.counts[: len(run.counts)]).sum())
            compared[name] += len(run.counts)
        if sys.stderr.isatty():
            print(f"\r{chunk + 1} of {chunks}", end="", file=sys.stderr)
    for title, n in zip(("without a solution", "with one", "with more"), counts.tolist(), strict=True):
        yield Figure("", "boards", title, n)
    for name, n in compared.items():
        yield Figure("", name, "counts compared", n)
        yield from (Figure("", name, what, faults[what, name]) for what in FAULTS)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", metavar="FILE")
    parser.add_argument("--library", action="append", default=[], metavar="NAME=PATH[:FUNCTION]")
    parser.add_argument("--tdoku", metavar="PATH", help="the same as --library tdoku=PATH")
    parser.add_argument("-b", "--backend", action="append", default=[], metavar="NAME")
    parser.add_argument("--against", metavar="NAME", help="solver that ratios refer to (default: the first library)")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--sample", type=int, default=100, help="boards for solvers called through Python")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--core", type=int, default=max(os.sched_getaffinity(0)), help="the core to run on")
    parser.add_argument("--million", action="store_true")
    parser.add_argument("--boards", type=int, default=1_000_000)
    parser.add_argument("--compared", type=int, default=20_000)
    parser.add_argument("--others", nargs="*", default=["pysat:minisat22", "native:python"], metavar="NAME")
    parser.add_argument("--share", type=float, default=1, help="of the generated boards, for a short form (default 1)")
    add_option(parser)
    arguments = parser.parse_args()
    os.sched_setaffinity(0, {arguments.core})
    if arguments.million:
        return finish(million(arguments), arguments)
    libraries = [*arguments.library, *([f"tdoku={arguments.tdoku}"] if arguments.tdoku else [])]
    solvers = {}
    for library in libraries:
        name, _, where = library.partition("=")
        path, _, function = where.partition(":")
        solvers[name] = compiled(path, function or FUNCTION)
    arguments.against = arguments.against or next(iter(solvers), "native:norvig")
    for name in ["native:batch", "native:kernel", "native:norvig", *arguments.backend]:
        solvers[name] = backend(name, arguments.sample)
    return finish(compare(solvers, arguments), arguments)


def finish(figures: Iterator[Figure], arguments: argparse.Namespace) -> int:
    """Report figures; return 1 if they state a fault."""
    every = list(figures)
    report(every, arguments.json)
    return int(any(f.value for f in every if f.name in FAULTS))


if __name__ == "__main__":
    sys.exit(main())
