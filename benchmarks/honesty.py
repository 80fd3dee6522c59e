"""How often `compare` is right: the same solver against itself, and against itself slowed, over many real runs.

Each run has four contenders, interleaved as the gate runs them: a solver twice, and the same made 10 % and 30 % slower.
Within a run, A/A and the 10 % slowdown are compared; between run i and run i+1 (and a run half the series away), A/A and
the 30 % slowdown. `--load N` keeps N other processes computing in bursts all the while.

    python benchmarks/honesty.py --runs 200 --load 2
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from harness.compare import THRESHOLD, call, compare, sides
from harness.contender import resolve
from harness.host import host, versions
from harness.journal import Journal
from harness.pipeline import Court, Settings, solve
from harness.slot import Limits
from puzzles.families import layout
from puzzles.layout import Puzzle

A, B, TEN, THIRTY = (f"slowed:{share}/extended" for share in ("0", "0b", "10", "30"))
BURST = "import os,random,time\nwhile os.getppid() == {}:\n t = time.monotonic() + random.uniform(0.005, 0.5)\n while time.monotonic() < t: sum(range(2000))\n time.sleep(random.uniform(0.005, 0.5))"


def puzzles(n: int, seed: int = 1) -> Iterator[Puzzle]:
    """Boards of 6x6 with half of their squares given."""
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
        here = str(Path(__file__).resolve().parent)
        before = os.environ.get("PYTHONPATH", "")
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (folder, here, before)))
        sys.path[:0] = [folder, here]
        yield


@contextmanager
def load(processes: int) -> Iterator[None]:
    """Keep so many processes busy in bursts of 5 to 500 ms."""
    running = [subprocess.Popen([sys.executable, "-c", BURST.format(os.getpid())]) for _ in range(processes)]
    try:
        yield
    finally:
        for process in running:
            process.kill()
            process.wait()


def one_run(path: Path, n: int, repeats: int, seed: int) -> None:
    """One journal, as `run` would write it."""
    contenders, _ = resolve([A, B, TEN, THIRTY])
    with Journal.create(path) as journal:
        journal.put(command=[], seed=seed, count=1, limit=10.0, runs=repeats, host=host(), versions=versions())
        journal.add_contenders(contenders)
        journal.add_puzzles("made", puzzles(n))
        court = Court(journal, 1)
        for _ in solve(journal, contenders, court, Limits(10.0), Settings(repeats, seed)):
            pass
        court.settle(journal)
        journal.put(state="complete")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--puzzles", type=int, default=100)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--load", type=int, default=0, help="processes that compute beside the runs")
    parser.add_argument("--keep", type=Path, help="folder for the journals; those that are there are not made again")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch, plugged_in():
        folder = args.keep or Path(scratch)
        paths = [folder / f"{i}.sqlite" for i in range(args.runs)]
        began, loads = time.monotonic(), []
        with load(args.load):
            for i, path in enumerate(paths):
                if not path.exists():
                    one_run(path, args.puzzles, args.repeats, i)
                    loads.append(os.getloadavg()[0])
        print(
            f"{len(loads)} runs in {time.monotonic() - began:.0f} s, load average {min(loads, default=0):.1f} to {max(loads, default=0):.1f}"
        )
        report(paths)


def report(paths: list[Path]) -> None:
    """The calls of each kind of comparison."""
    far = len(paths) // 2
    kinds = [
        ("A/A in one run", A, B, 0),
        ("10 % slower in one run", A, TEN, 0),
        ("30 % slower in one run", A, THIRTY, 0),
    ]
    kinds += [("A/A, next run", A, A, 1), ("10 % slower, next run", A, TEN, 1), ("30 % slower, next run", A, THIRTY, 1)]
    kinds += [("A/A, far run", A, A, far), ("30 % slower, far run", A, THIRTY, far)]
    for title, x, y, step in kinds:
        said: Counter[str] = Counter()
        logs = {"cpu": [], "wall": []}
        for i in range(len(paths)):
            with Journal.open(paths[i]) as a, Journal.open(paths[(i + step) % len(paths)]) as b:
                found = compare(*sides(a, b if step else a, [(x, y)])[0])
            said[found.call] += 1
            for clock, ratio in found.ratios.items():
                said[f"{clock} {call(ratio, THRESHOLD)}"] += 1
                logs[clock].append(ratio)
        print(f"{title:24}", dict(said))
        import numpy as np

        for clock, rs in logs.items():
            v = np.array([r.log for r in rs])
            w = np.array([r.high - r.low for r in rs]) / 2
            print(
                f"     {clock}: mean {v.mean():+.4f} sd {v.std():.4f} half {np.median(w):.4f} max {np.abs(v).max():.3f}"
            )


if __name__ == "__main__":
    main()
