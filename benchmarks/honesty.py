"""Error rate of `compare`: a solver compared with itself and with slowed copies, over many runs.

Each run has a solver twice and, in the first runs, slowed by 10 % and 30 % (slowed.py), interleaved as in a CI gate:
100 puzzles, 5 repeats. Contenders are compared within a run, with the next run, and with the run half the series later.
`--load N` keeps N other processes busy in bursts meanwhile. Figures and their interpretation: honesty.md.

    python benchmarks/honesty.py --runs 200 --load 2
    python benchmarks/honesty.py --first-asks

The second prints how much longer the first ask of a worker takes than the others, without and with a warm-up.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from statistics import mean, pstdev

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from harness.model.contender import resolve
from harness.model.host import host, versions
from harness.model.settings import RunSettings
from harness.reporting.frame.pairing import sides
from harness.reporting.frame.results import aggregate
from harness.reporting.statistics.calls import Call
from harness.reporting.statistics.times import Times
from harness.reporting.views.comparing.compare import compare
from harness.reporting.writing.table import table_of
from harness.reporting.writing.writers import written
from harness.runs.runner import Run
from harness.storing.journal import Journal
from puzzles.boards.families import layout
from puzzles.boards.layout import Puzzle

SOLVERS = (
    *("native", "native:norvig", "cpsat", "pysat:cadical195/extended", "pysat:cadical195/reduced"),
    *("pysat:glucose4/extended", "pysat:glucose4/extended+warm", "pysat:cadical153/extended+warm"),
)
EASY = ".......969...487..1.39.7..239...42....2..3.4..1....93...6.....9.8...9..4....7.6.5"
A, B, TEN, THIRTY = (f"slowed:{share}/extended" for share in ("0", "0b", "10", "30"))
BURST = """import os, random, time
while os.getppid() == {}:
    until = time.monotonic() + random.uniform(0.005, 0.5)
    while time.monotonic() < until:
        sum(range(2000))
    time.sleep(random.uniform(0.005, 0.5))
"""


def puzzles(n: int, seed: int = 1) -> Iterator[Puzzle]:
    """Yield 6x6 boards with half of their squares given."""
    board, random = layout("sudoku 2x3"), Random(seed)
    base = [(3 * (r % 2) + r // 2 + c) % 6 for r in range(6) for c in range(6)]
    for i in range(n):
        relabel = random.sample(range(6), 6)
        domains = [1 << relabel[v] for v in base]
        for s in random.sample(range(36), 18):
            domains[s] = board.full
        yield Puzzle(f"made:{i + 1}", board, tuple(domains))


@contextmanager
def plugged_in() -> Iterator[None]:
    """Make benchmarks/slowed.py an installed plug-in, here and in the workers."""
    with tempfile.TemporaryDirectory() as folder:
        info = Path(folder) / "slowed-1.dist-info"
        info.mkdir()
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: slowed\nVersion: 1\n")
        (info / "entry_points.txt").write_text("[crosscheck.backends]\nslowed = slowed:backends\n")
        plugin = Path(__file__).resolve().with_name("slowed.py")
        (Path(folder) / plugin.name).symlink_to(plugin)  # alone: encodings.py beside it would hide Python's own
        before = os.environ.get("PYTHONPATH", "")
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (folder, before)))
        sys.path.insert(0, folder)
        yield


@contextmanager
def load(processes: int) -> Iterator[None]:
    """Keep `processes` processes busy in bursts of 5 to 500 ms."""
    running = [subprocess.Popen([sys.executable, "-c", BURST.format(os.getpid())]) for _ in range(processes)]
    try:
        yield
    finally:
        for process in running:
            process.kill()
            process.wait()


def images(n: int, seed: int = 1) -> Iterator[Puzzle]:
    """Yield a 9x9 board with its symbols in random orders: all images are as hard."""
    board, random = layout("sudoku 3x3"), Random(seed)
    for i in range(n):
        order = random.sample(range(9), 9)
        domains = tuple(board.full if c == "." else 1 << order[int(c) - 1] for c in EASY)
        yield Puzzle(f"image:{i + 1}", board, domains)


def one_run(path: Path, names: Sequence[str], corpus: Iterator[Puzzle], settings: RunSettings) -> None:
    """Write one journal, as `run` would."""
    contenders, _ = resolve(names)
    with Journal.create(path) as journal:
        journal.facts.put(command=[], settings=settings.as_dict(), host=host(), versions=versions())
        journal.contenders.add(contenders)
        journal.corpora.add("made", corpus)
        made = Run(journal)
        for _ in made.solve():
            pass
        made.finish("complete")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--slowed", type=int, default=100, help="number of first runs with slowed contenders")
    parser.add_argument("--puzzles", type=int, default=100)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("-j", "--jobs", type=int, default=1, help="parallel workers")
    parser.add_argument("--load", type=int, default=0, help="busy processes beside the runs")
    parser.add_argument("--keep", type=Path, help="folder for the journals; existing ones are reused")
    parser.add_argument("--first-asks", action="store_true", help="measure the first asks of workers instead")
    args = parser.parse_args()
    if args.first_asks:
        print(first_asks(32, args.repeats))
        return
    with tempfile.TemporaryDirectory() as scratch, plugged_in():
        folder = args.keep or Path(scratch)
        paths = [folder / f"{i}.sqlite" for i in range(args.runs)]
        began, loads = time.monotonic(), []
        with load(args.load):
            for i, path in enumerate(paths):
                if not path.exists():
                    names = [A, B, TEN, THIRTY] if i < args.slowed else [A, B]
                    settings = RunSettings(repeats=args.repeats, seed=i, jobs=args.jobs, warmup=1)
                    one_run(path, names, puzzles(args.puzzles), settings)
                    loads.append(os.getloadavg()[0])
        took, busy = time.monotonic() - began, f"{min(loads, default=0):.1f} to {max(loads, default=0):.1f}"
        print(f"{len(loads)} runs in {took:.0f} s, load average {busy}")
        report(paths)


def report(paths: list[Path]) -> None:
    """Print the verdicts of each kind of comparison, and the scatter of the CPU and wall ratios."""
    far = len(paths) // 2
    kinds = [("in one run", 0), ("with the next run", 1), (f"with the run {far} later", far)]
    slower = (("A/A", A), ("10 % slower", TEN), ("30 % slower", THIRTY))
    rows = [
        [title, where, *counts_of(paths, B if (step, new) == (0, A) else new, step)]
        for where, step in kinds
        for title, new in slower
    ]
    words = ("comparisons", *Call, "CPU ratio", "scatter", "wall ratio", "scatter")
    print(written(table_of(("comparison", "", *words), rows), "markdown"))


def first_asks(n: int, repeats: int) -> str:
    """Return the time of the first ask relative to the median of the others, without and with a warm-up."""
    columns = []
    with tempfile.TemporaryDirectory() as folder:
        for warmup in (0, 1):
            path = Path(folder) / f"{warmup}.sqlite"
            one_run(path, SOLVERS, images(n), RunSettings(repeats=repeats, warmup=warmup))
            with Journal.open(path) as journal:
                results = aggregate(journal)
                columns += [[first_ask(c.times[clock]) for c in results.contenders] for clock in ("wall", "cpu")]
    names = [c.contender.name for c in results.contenders]
    rows = [[name, *(f"{ratio:.2f}" for ratio in ratios)] for name, *ratios in zip(names, *columns, strict=True)]
    heads = ("contender", "wall, -w 0", "CPU, -w 0", "wall, -w 1", "CPU, -w 1")
    return written(table_of(heads, rows), "markdown")


def first_ask(times: Times) -> float:
    """Return the median over repeats of first ask / median of the others."""
    asks = times.asks[:, 1:]
    return float(np.median(asks[:, 0] / np.median(asks[:, 1:], axis=1)))


def counts_of(paths: list[Path], new: str, step: int) -> list[str]:
    """Count verdicts comparing A of each run with `new` of the run `step` later; average the ratios."""
    said: Counter[Call] = Counter()
    logs: dict[str, list[float]] = {"cpu": [], "wall": []}
    for i, path in enumerate(paths):
        with Journal.open(path) as a, Journal.open(paths[(i + step) % len(paths)]) as b:
            if new not in [c.name for c in b.contenders.all()]:
                continue
            before = aggregate(a)
            found = compare(*sides(before, aggregate(b) if step else before, [(A, new)])[0])
        said[found.call] += 1
        for clock, ratio in found.ratios.items():
            logs[clock].append(ratio.log)
    figures = [text for x in logs.values() for text in ((f"{mean(x):+.2%}", f"{pstdev(x):.2%}") if x else ("-", "-"))]
    return [str(sum(said.values())), *(str(said[word]) for word in Call), *figures]


if __name__ == "__main__":
    main()
