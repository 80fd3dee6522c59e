"""Error rates of rankings: copies of one solver told apart, planted differences found, and the coverage of intervals.

Each series is a run of four copies of `native:bitset` on 500 boards (images of the shipped corpus `easy`), 5 repeats,
interleaved in one journal. A false difference is an interval of ranks other than "1 to 4" or a second letter. A
difference is planted by multiplying the measured times of one copy, whose workers stay what they were; it is found if
that copy alone ranks last. Coverage is that of PAR-2's intervals for samples of populations whose mean is known.
40 series take about 15 minutes on two quiet cores; existing journals in `--keep` are used again.

    python benchmarks/ranking.py --keep FOLDER
    python benchmarks/ranking.py --series 0 --trials 2000     # coverage alone
"""

import argparse
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from harness.reporting.frame.results import CLOCKS, aggregate
from harness.reporting.statistics.bootstrap import intervals
from harness.reporting.statistics.estimates import Floats
from harness.reporting.views.ranking.ranks import RankedColumns, columns, ranked
from harness.reporting.views.ranking.scores import SCORE
from harness.reporting.writing.table import table_of
from harness.reporting.writing.writers import written
from harness.storing.journal import Journal

ROOT = Path(__file__).resolve().parent.parent
COPIES = ("native:bitset", "native:bitset@a", "native:bitset@b", "native:bitset@c")
BOARDS = 500
PLANTED = (0.05, 0.2)
SIZES = (5, 11, 50, 500)
LIMIT = 1.0
POPULATIONS = {  # share undecided, and mean and standard deviation of the logarithms of the other times
    "no failures": (0.0, -4.0, 1.0),
    "rare failures": (0.005, -4.0, 1.0),
    "rare failures, heavy tail": (0.005, -4.0, 3.0),
    "one in ten, heavy tail": (0.1, -4.0, 3.0),
    "as in SAT competitions": (0.3, -2.0, 2.0),
    "most undecided": (0.7, -1.0, 1.0),
}


def boards(path: Path) -> None:
    """Write BOARDS images of the boards of a shipped corpus, their symbols in random orders."""
    lines = [
        words[0]
        for line in (ROOT / "puzzles" / "corpora" / "easy.txt").read_text().splitlines()
        if (words := line.split())
    ]
    shipped, random, images = [line for line in lines if len(line) == 81], Random(1), list[str]()
    while len(images) < BOARDS:
        for line in shipped:
            order = random.sample("123456789", 9)
            images.append("".join(order[int(c) - 1] if c in "123456789" else "." for c in line))
    path.write_text("\n".join(images[:BOARDS]) + "\n")


def run(corpus: Path, path: Path, seed: int) -> None:
    """Write one journal of all copies."""
    names = [word for name in COPIES for word in ("-b", name)]
    same = [word for copy in "abc" for word in ("--env", f"{copy}={sys.executable}")]
    part = path.with_suffix(".part")
    words = [str(corpus), *names, *same, "-r", "5", "--seed", str(seed), "-o", str(part)]
    subprocess.run([sys.executable, "-m", "harness", "run", *words], cwd=ROOT, check=True, capture_output=True)
    part.rename(path)


def measured(path: Path, clock: str) -> RankedColumns:
    """Return the contenders of a journal."""
    with Journal.open(path) as journal:
        return columns(aggregate(journal), clock, timed=True)


def falsely_apart(found: RankedColumns, by: str) -> bool:
    """Return True if copies are told apart, by ranks or letters."""
    entries, groups = ranked(found, SCORE[by], LIMIT)
    return len(groups or ()) != 1 or any((c.rank_low, c.rank_high) != (1, len(entries)) for c in entries)


def is_found(found: RankedColumns, one: int, size: float) -> bool:
    """Return True if a copy that is slower by `size` is behind all others."""
    seconds, steady = found.seconds.copy(), list(found.steady)
    seconds[one] *= 1 + size
    steady[one] = replace(steady[one], seconds=steady[one].seconds * (1 + size))
    last = ranked(replace(found, seconds=seconds, steady=tuple(steady)), SCORE["par2"], LIMIT)[0][-1]
    return last.name == found.names[one] and last.rank_low == len(found.names)


def series_table(paths: list[Path]) -> str:
    """Return false differences by score, and the differences found, by clock."""
    rows = []
    for clock in CLOCKS:
        said: Counter[str] = Counter()
        for number, path in enumerate(paths):
            found = measured(path, clock)
            said.update(by for by in SCORE if falsely_apart(found, by))
            said.update(f"{size:.0%}" for size in PLANTED if is_found(found, number % len(COPIES), size))
        cells = [*(str(said[by]) for by in SCORE), *(f"{said[f'{size:.0%}'] / len(paths):.0%}" for size in PLANTED)]
        rows.append([clock, str(len(paths)), *cells])
    heads = ("clock", "series", *(f"false by {by}" for by in SCORE), *(f"{size:.0%} found" for size in PLANTED))
    return written(table_of(heads, rows), "markdown")


def drawn(population: tuple[float, float, float], shape: tuple[int, ...], rng: np.random.Generator) -> Floats:
    """Return times with twice the limit where undecided."""
    failing, mean, deviation = population
    times = np.minimum(np.exp(rng.normal(mean, deviation, shape)), LIMIT)
    found: Floats = np.where(rng.random(shape) < failing, 2 * LIMIT, times)
    return found


def coverage_table(trials: int, seed: int) -> str:
    """Return the share of the intervals of PAR-2 that hold the mean of their population."""
    rng, rows = np.random.default_rng(seed), []
    for name, population in POPULATIONS.items():
        mean, row = drawn(population, (4_000_000,), rng).mean(), [name]
        for n in SIZES:
            samples = drawn(population, (trials, n), rng)
            low, high = intervals(samples, np.ones(samples.shape, np.bool_), 2 * LIMIT)
            row.append(f"{((low <= mean) & (mean <= high)).mean():.1%}")
        rows.append(row)
    return written(table_of(("population", *(f"{n} instances" for n in SIZES)), rows), "markdown")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--series", type=int, default=40)
    parser.add_argument("--trials", type=int, default=1000, help="samples of each population and size")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="folder for the journals; existing ones are used again")
    args = parser.parse_args()
    print(coverage_table(args.trials, args.seed), end="\n\n", flush=True)
    with tempfile.TemporaryDirectory() as scratch:
        folder = args.keep or Path(scratch)
        folder.mkdir(exist_ok=True)
        paths = [folder / f"{i}.sqlite" for i in range(1, args.series + 1)]
        corpus = folder / "boards.txt"
        boards(corpus)
        for seed, path in enumerate(paths, args.seed):
            if not path.exists():
                run(corpus, path, seed)
        if paths:
            print(series_table(paths))


if __name__ == "__main__":
    main()
