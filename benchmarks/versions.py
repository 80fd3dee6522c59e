"""Compare two versions of Crosscheck: cost per puzzle, per outcome and of 10^6 puzzles (Linux).

    python benchmarks/versions.py --old CHECKOUT [--new CHECKOUT] overhead|throughput|million|all [--rounds N]
    python benchmarks/versions.py --old CHECKOUT --same overhead          the old compared with itself

Each run is a process of this interpreter in its checkout, driven only through the command line. The measure is CPU
time of the parent and all its children. On a shared machine this varies twofold from one second to the next, so all
runs of a round share one core at the same time: the scheduler interleaves them in slices of milliseconds. The cost of
a short run is subtracted from that of a long one, which cancels the start; `overhead` also subtracts the solvers' time
in the journal. The ratios are geometric means over rounds, with 95 % intervals by Student's t.
"""

import argparse
import json
import os
import sqlite3
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from random import Random
from time import perf_counter

from figures import Figure, add_option, mean_ratio, ratio, report

DRIVER = """
import json, resource, sys
from pathlib import Path
import harness.cli

code = harness.cli.main(sys.argv[2:])
tops = ("puzzles", "encoders", "backends", "harness")
files = [m.__file__ for name, m in list(sys.modules.items()) if name.partition(".")[0] in tops and m.__file__]
strange = [f for f in files if not Path(f).resolve().is_relative_to(sys.argv[1])]
own, below = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
print(json.dumps([code, strange, own.ru_maxrss, below.ru_maxrss, below.ru_utime + below.ru_stime]), file=sys.stderr)
"""


@dataclass(frozen=True)
class Case:
    """Contenders, board size (side**2), puzzles of a short and a long run (`short` 0: the long one only)."""

    name: str
    side: int
    contenders: tuple[str, ...]
    short: int
    long: int


CASES = {
    "overhead": (
        Case("one contender", 2, ("native:engine",), 1000, 60_000),  # asked one by one
        Case("three contenders", 3, ("native", "native:kernel", "native:batch"), 1000, 40_000),
    ),
    "throughput": (Case("native:batch", 3, ("native:batch",), 1000, 100_000),),
    "million": (Case("10^6 puzzles", 3, ("native:kernel",), 0, 1_000_000),),
}
ROUNDS = {"overhead": 6, "throughput": 12, "million": 4}


@dataclass(frozen=True)
class Run:
    """CPU seconds: total, of the parent, of the solvers (from the journal); peak resident memory in MiB."""

    cpu: float
    parent: float
    solvers: float
    peak: float
    worker_peak: float


def boards(side: int, number: int) -> Iterator[str]:
    """Yield lines of a corpus: a pattern grid of side**2, relabelled, with a quarter of its squares open."""
    random, n = Random(1), side * side
    grid = [(side * (r % side) + r // side + c) % n for r in range(n) for c in range(n)]
    yield f"#: sudoku {side}x{side}\n"
    for _ in range(number):
        labels = random.sample("123456789"[:n], n)
        line = [labels[v] for v in grid]
        for square in random.sample(range(n * n), n * n // 4):
            line[square] = "."
        yield "".join(line) + "\n"


def corpus(folder: Path, side: int, number: int) -> Path:
    """Return a file of `number` boards, written at its first use."""
    path = folder / f"{side}-{number}.txt"
    if not path.exists():
        with path.open("w") as file:
            file.writelines(boards(side, number))
    return path


def start(checkout: Path, case: Case, number: int, journal: Path) -> "subprocess.Popen[bytes]":
    """Start a run from the command line, with a new journal and a file of errors beside it."""
    for suffix in ("", "-wal", "-shm"):
        journal.with_name(journal.name + suffix).unlink(missing_ok=True)
    command = ["run", str(corpus(journal.parent, case.side, number)), "-o", str(journal)]
    command += [word for contender in case.contenders for word in ("-b", contender)]
    environment = os.environ | {"PYTHONPATH": str(checkout)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # compiling modules must not count as start-up
    with journal.with_suffix(".err").open("w") as errors:
        return subprocess.Popen(
            [sys.executable, "-c", DRIVER, str(checkout), *command],
            cwd=checkout,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=errors,
        )


def finish(process: "subprocess.Popen[bytes]", expected: int, journal: Path) -> Run:
    """Wait for a run. Exits if it failed, gave wrong answers, or loaded modules from another checkout."""
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    text = journal.with_suffix(".err").read_text()
    if process.returncode:
        sys.exit(text)
    code, strange, peak, worker_peak, below = json.loads(text.splitlines()[-1])
    with closing(sqlite3.connect(journal)) as db:
        right, solvers = db.execute("select sum(valid = 1), sum(cpu) from outcomes").fetchone()
    if code or strange or right != expected:
        sys.exit(f"exit {code}, {right} of {expected} answers right, loaded from elsewhere: {strange}")
    cpu = usage.ru_utime + usage.ru_stime
    return Run(cpu, cpu - below, solvers / 1e9, peak / 1024, worker_peak / 1024)


def run_together(plan: Sequence[tuple[str, Path, int]], case: Case, folder: Path) -> dict[tuple[str, int], Run]:
    """Run all of `plan` at the same time: tuples of side, checkout and number of puzzles."""
    journals = {(side, number): folder / f"{side}-{number}.sqlite" for side, _, number in plan}
    for _, _, number in plan:
        corpus(folder, case.side, number)  # before anything runs
    started = {}
    try:
        for side, checkout, number in plan:
            started[side, number] = start(checkout, case, number, journals[side, number])
        contenders = len(case.contenders)
        return {key: finish(process, key[1] * contenders, journals[key]) for key, process in started.items()}
    finally:
        for process in started.values():
            if process.returncode is None:
                process.kill()
                process.wait()


def costs(what: str, case: Case, short: Run | None, long: Run) -> dict[str, float]:
    """Return the costs of one side in one round, by name; without `short`, those of the whole run."""
    if short is None:
        times = {"CPU time, s": long.cpu, "CPU time of the parent, s": long.parent}
        return times | {"peak of the parent, MiB": long.peak, "peak of a worker, MiB": long.worker_peak}
    puzzles = (case.long - case.short) / 1e6
    cpu, parent = (long.cpu - short.cpu) / puzzles, (long.parent - short.parent) / puzzles
    whole = {"CPU time per outcome, us": cpu / len(case.contenders)}
    if what == "overhead":
        whole = {"harness per puzzle, us": cpu - (long.solvers - short.solvers) / puzzles}
    return whole | {"parent per puzzle, us": parent, "start, s": short.cpu - cpu * case.short / 1e6}


def measure(what: str, sides: dict[str, Path], rounds: int) -> Iterator[Figure]:
    """Yield the figures of each case and cost. The cases take turns, after one warm-up run of each."""
    found: dict[Case, list[dict[str, dict[str, float]]]] = {case: [] for case in CASES[what]}
    cores = sorted(os.sched_getaffinity(0))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for case in found:
            for side, checkout in sides.items():
                run_together([(side, checkout, 1000)], case, folder)
        for i in range(rounds):
            os.sched_setaffinity(0, {cores[i // 2 % len(cores)]})
            for case, pairs in found.items():
                sizes = filter(None, (case.short, case.long))
                plan = [(side, checkout, number) for number in sizes for side, checkout in sides.items()]
                runs = run_together(plan[:: -1 if i % 2 else 1], case, folder)
                pairs.append({s: costs(what, case, runs.get((s, case.short)), runs[s, case.long]) for s in sides})
            print(f"{what}: round {i + 1} of {rounds}", file=sys.stderr)
        os.sched_setaffinity(0, cores)
    for case, pairs in found.items():
        for cost in pairs[0]["old"]:
            old, new = ([pair[side][cost] for pair in pairs] for side in ("old", "new"))
            yield Figure(case.name, cost, "old", statistics.median(old))
            yield Figure(case.name, cost, "new", statistics.median(new))
            yield ratio(case.name, cost, "new / old", mean_ratio([b / a for a, b in zip(old, new, strict=True)]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=(*CASES, "all"))
    parser.add_argument("--old", type=Path, required=True, metavar="CHECKOUT")
    parser.add_argument("--new", type=Path, metavar="CHECKOUT", help="default: the checkout of this script")
    parser.add_argument("--same", action="store_true", help="compare the old with itself")
    parser.add_argument("--rounds", type=int, metavar="N", help=f"2 or more (default: {ROUNDS})")
    add_option(parser)
    args = parser.parse_args()
    if args.rounds is not None and args.rounds < 2:
        parser.error("--rounds must be at least 2, for an interval")
    new = args.old if args.same else args.new or Path(__file__).parent.parent
    sides = {"old": args.old.resolve(), "new": new.resolve()}
    figures: list[Figure] = []
    for what in CASES if args.what == "all" else (args.what,):
        rounds, began = args.rounds or ROUNDS[what], perf_counter()
        figures += measure(what, sides, rounds)
        print(f"{what}: {rounds} rounds in {perf_counter() - began:.0f} s", flush=True)
    report(figures, args.json)


if __name__ == "__main__":
    main()
