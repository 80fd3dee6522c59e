"""Cost of reporting on a large journal again: CPU time and peak memory of `report`, in turn.

    python benchmarks/reports.py [--boards 49158] [--repeats 10] [--rounds 5] [--old CHECKOUT] [--json FILE]

The journal is of native:kernel and native:batch on 9x9 boards, shipped ones with other digits, so that a row costs
little: 49,158 boards and 10 repeats give 983,160 outcomes; --journal PATH reports on another. The ways: with an empty
cache of verdicts, with that of an earlier report, and the `report` of an older checkout. Each is a process of its own.
Ratios by Student's t over rounds.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random
from statistics import median

from figures import Figure, add_option, in_turn, mean_ratio, ratio, report

from puzzles.corpora import find

ROOT = Path(__file__).resolve().parent.parent
CORPORA = ("minimal", "hardest")
DIGITS = "123456789"
SQUARES = 81
CONTENDERS = ("-b", "native:kernel", "-b", "native:batch")
Cost = tuple[float, float]  # CPU seconds, MiB


def boards(count: int) -> Iterator[str]:
    """Yield distinct boards: shipped ones whose digits are permuted."""
    lines = [line[:SQUARES] for name in CORPORA for line in find(name).read_text().splitlines() if len(line) >= SQUARES]
    known, random = set[str](), Random(1)
    given = [line for line in lines if set(line) <= set(DIGITS + ".0")]
    while len(known) < count:
        table = str.maketrans(DIGITS, "".join(random.sample(DIGITS, len(DIGITS))))
        board = random.choice(given).translate(table)
        if board not in known:
            known.add(board)
            yield board


def harness(checkout: Path, cache: Path, *words: str) -> Cost:
    """Run a command of a checkout; return its CPU time with children, and its peak memory."""
    script = (
        "import resource, sys, harness.cli\n"
        "harness.cli.main(sys.argv[1:])\n"
        "own, below = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))\n"
        "spent = sum(u.ru_utime + u.ru_stime for u in (own, below))\n"
        "print(spent, own.ru_maxrss / 1024, file=sys.stderr)"
    )
    more = {"PYTHONPATH": str(checkout), "XDG_CACHE_HOME": str(cache)}
    command = [sys.executable, "-c", script, *words]
    done = subprocess.run(command, cwd=cache.parent, env=os.environ | more, capture_output=True, text=True, check=True)
    seconds, mebibytes = map(float, done.stderr.splitlines()[-1].split())
    return seconds, mebibytes


def figures(folder: Path, old: Path | None, args: argparse.Namespace) -> Iterator[Figure]:
    """Yield the costs of each way and their ratios."""
    corpus, journal = folder / "boards.txt", folder / "j.sqlite"
    corpus.write_text("\n".join(boards(args.boards)) + "\n")
    harness(
        ROOT,
        folder / "kernels",
        "run",
        str(corpus),
        *CONTENDERS,
        "-r",
        str(args.repeats),
        "-w",
        "0",
        "-o",
        str(journal),
    )
    full, empty = folder / "full", folder / "empty"
    harness(ROOT, full, "report", str(journal))

    def without(path: Path) -> Cost:
        shutil.rmtree(empty, ignore_errors=True)
        return harness(ROOT, empty, "report", str(path))

    ways = {"empty cache": without, "remembered": lambda path: harness(ROOT, full, "report", str(path))}
    if old:
        ways = {"before": lambda path: harness(old, empty, "report", str(path)), **ways}
    case = args.journal.name if args.journal else f"{2 * args.boards * args.repeats:,} outcomes"
    found = in_turn(ways, [journal] * args.rounds)
    for way, costs in found.items():
        seconds, peaks = zip(*costs, strict=True)
        yield Figure(case, way, "CPU", median(seconds), "s")
        yield Figure(case, way, "peak", median(peaks), "MiB")
        if way != "remembered":
            pairs = zip(costs, found["remembered"], strict=True)
            yield ratio(case, way, "CPU / remembered", mean_ratio([one[0] / other[0] for one, other in pairs]))


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--boards", type=int, default=49_158, help="boards of the journal (49,158)")
    parser.add_argument("--repeats", type=int, default=10, help="repeats of the run (10)")
    parser.add_argument("--rounds", type=int, default=5, help="reports of each way (5)")
    parser.add_argument("--journal", type=Path, metavar="PATH", help="a journal, in place of a new one")
    parser.add_argument("--old", type=Path, metavar="CHECKOUT", help="an older version, to compare with")
    add_option(parser)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        report(figures(Path(name), args.old, args), args.json)


if __name__ == "__main__":
    main()
