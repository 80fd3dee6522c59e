"""Size of the page of `report --html`, and the CPU time and memory that writing it takes.

The journal is made through the storing layer, without solving: boards of 9x9 squares, contenders whose times are spread
over five orders of magnitude, some of them undecided, failed or wrong.

    python benchmarks/page.py --instances 100000 --contenders 5
    python benchmarks/page.py --make big.sqlite --instances 100000    the journal alone
"""

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np
from figures import Figure, add_option, report

from backends.contract.answer import Reason, Status
from harness.judging.referee import Referee
from harness.model.contender import Contender
from harness.model.host import host, versions
from harness.model.lease import Block, Lease, LeaseResult, Place
from harness.model.outcome import ROW, Batch, Outcomes, Rows
from harness.model.settings import RunSettings
from harness.storing.journal import Journal
from puzzles.boards.families import layout
from puzzles.boards.layout import Puzzle
from puzzles.problem.arrays import Int64Array

BOARD = layout("sudoku 3x3")
LIMIT = 10.0
STEP = 2000  # instances of a lease
GIVENS = 26
CRASHES = ("worker died: signal 11", "ValueError: no such literal\nTraceback: line 1", "exit code 3: out of range")


def solutions(rng: np.random.Generator, n: int) -> Int64Array:
    """Return n solutions, int64[n, 81]: one pattern with rows, columns and values permuted within their bands."""
    rows, columns = (
        (np.argsort(rng.random((n, 3)))[:, :, None] * 3 + np.argsort(rng.random((n, 3, 3)), axis=2)).reshape(n, 9)
        for _ in range(2)
    )
    values = np.argsort(rng.random((n, 9)))
    cells = (rows[:, :, None] * 3 + rows[:, :, None] // 3 + columns[:, None, :]) % 9
    found: Int64Array = np.take_along_axis(values, cells.reshape(n, 81), axis=1)
    return found


def boards(rng: np.random.Generator, filled: Int64Array) -> Iterator[Puzzle]:
    """Yield a puzzle for each solution, with GIVENS of its squares."""
    for i, solution in enumerate(filled.tolist(), 1):
        given = set(rng.choice(81, GIVENS, replace=False).tolist())
        yield Puzzle(
            f"made.txt:{i}", BOARD, tuple(1 << v if s in given else BOARD.full for s, v in enumerate(solution))
        )


def contender(number: int) -> Contender:
    """Return a contender with a name of its own."""
    name = "native" if number == 0 else f"cpsat[num_workers={number}]"
    return Contender(name, name, "alldifferent", "pairwise", False, "", "1")


def rows(rng: np.random.Generator, number: int, n: int) -> tuple[Rows, dict[int, str]]:
    """Return outcomes of a contender: log-normal times around its own median, 3 % undecided or failed."""
    found = np.zeros(n, ROW)
    wall = 4e3 * 10 ** (number % 5) * np.exp(rng.normal(0, 0.8, n))
    found["wall"] = np.minimum(wall, LIMIT * 1e9)
    found["solve"] = found["wall"]
    found["cpu"] = (found["wall"] * (1 + np.abs(rng.normal(0, 0.01, n))) + rng.integers(200, 900, n)).astype(np.int64)
    found["status"], found["found"] = Status.SATISFIABLE, 1
    kind = rng.random(n)
    late, failed = (wall >= LIMIT * 1e9) | (kind < 0.02), kind > 0.99
    for flags, reason in ((late, Reason.TIMEOUT), (failed, Reason.CRASH)):
        found["status"][flags], found["found"][flags], found["reason"][flags] = Status.UNKNOWN, 0, reason
    return found, {i: CRASHES[i % len(CRASHES)] for i in np.flatnonzero(failed).tolist()}


def outcomes(rng: np.random.Generator, block: Block, number: int, filled: Int64Array) -> Outcomes:
    """Return the outcomes of a block; the last contender gives a wrong answer now and then."""
    measured, details = rows(rng, number, len(filled))
    given = filled[measured["found"] > 0].astype(np.uint16)
    if number == 4:
        given[::500, 0] = (given[::500, 0] + 1) % 9
    batch = Batch(number, 0, block.problem, block.puzzles, block.domains, len(filled))
    return Outcomes(batch, measured, given, details)


def make(path: Path, instances: int, contenders: int) -> None:
    """Write a journal."""
    rng = np.random.default_rng(1)
    filled = solutions(rng, instances)
    with Journal.create(path) as journal:
        journal.corpora.add("made.txt", boards(rng, filled), str(path.with_name("made.txt").resolve()))
        journal.contenders.add([contender(i) for i in range(contenders)])
        settings = RunSettings(limit=LIMIT).as_dict()
        journal.facts.put(
            settings=settings, state="complete", host=host(), versions=versions(), command=["run", "made.txt"]
        )
        journal.places.add([Place(host(), None, versions())])
        journal.places.add_samples([(1_000_000, 1_000_000)] * 20)
        referee = Referee(journal)
        for number, first in enumerate(range(0, instances, STEP), 1):
            block = journal.instances.block(number, first + 1, min(first + STEP, instances))
            part = filled[first : first + STEP]
            results = tuple(outcomes(rng, block, i, part) for i in range(contenders))
            result = LeaseResult(Lease(block, 0, tuple(range(contenders))), 1, 0, 1, results)
            journal.leases.add(result, referee.judge_batches(results))
        referee.finalise_verdicts(journal)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--instances", type=int, default=100_000)
    parser.add_argument("--contenders", type=int, default=5)
    parser.add_argument("--make", type=Path, metavar="PATH", help="write the journal and stop")
    add_option(parser)
    args = parser.parse_args()
    if args.make:
        make(args.make, args.instances, args.contenders)
        return
    figures = list[Figure]()
    with tempfile.TemporaryDirectory() as folder:
        journal, page = Path(folder, "made.sqlite"), Path(folder, "page.html")
        make(journal, args.instances, args.contenders)
        for verb in (["report", str(journal)], ["report", "--html", str(page), str(journal)]):
            seconds, peak = cost(verb)
            made = partial(Figure, f"{args.instances:,} x {args.contenders}", " ".join(verb[:-1][:2]))
            figures += [made("CPU time", seconds, "s"), made("peak", peak, "MiB")]
        figures.append(made("size", page.stat().st_size / 1e6, "MB"))
    report(figures, args.json)


def cost(verb: list[str]) -> tuple[float, float]:
    """Run a command of the harness; return its CPU seconds and peak memory in MiB."""
    script = (
        "import resource, runpy, sys\nsys.argv[0] = 'harness'\ntry:\n"
        "    runpy.run_module('harness', run_name='__main__')\n"
        "finally:\n    use = resource.getrusage(resource.RUSAGE_SELF)\n"
        "    print(use.ru_utime + use.ru_stime, use.ru_maxrss / 1024, file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", script, *verb], capture_output=True, text=True, check=False)
    seconds, peak = map(float, done.stderr.strip().splitlines()[-1].split())
    return seconds, peak


if __name__ == "__main__":
    main()
