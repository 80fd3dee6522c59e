"""Cost of reading large formula files: CPU time and peak memory of a process that reads one, in two ways, in turn.

    python benchmarks/reading.py [--megabytes 100] [--rounds 5] [--old CHECKOUT] [--json FILE]

Files: random 3-SAT of a million variables; weighted clauses, 70 % of them hard; rows of four terms over 100,000
variables. A process imports the readers and reads one file; its CPU time is that of the reading, its peak the largest
resident set. The ways: with the compiled loops and without (NUMBA_DISABLE_JIT), or this checkout and an older one. The
loops are cached before; `compile` is what compiling those of a format costs once. Ratios by Student's t over rounds.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median

import numpy as np
from figures import Figure, add_option, in_turn, mean_ratio, ratio, report

ROOT = Path(__file__).resolve().parent.parent
READ = """
import json, resource, sys, time
from puzzles.formats import read
began = time.process_time()
(instance,) = read(sys.argv[1])
spent = time.process_time() - began
print(json.dumps([spent, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024]))
"""
CHUNK = 100_000  # lines written at once
Cost = tuple[float, float]  # CPU seconds, MiB


def clause_lines(rng: np.random.Generator, count: int) -> list[str]:
    """Return random clauses of three literals over a million variables."""
    literals = rng.integers(1, 1_000_001, (count, 3)) * rng.choice([-1, 1], (count, 3))
    return [f"{a} {b} {c} 0\n" for a, b, c in literals.tolist()]


def weighted_lines(rng: np.random.Generator, count: int) -> list[str]:
    """Return random clauses, hard ones and soft ones with weights up to 999."""
    weights = np.where(rng.random(count) < 0.7, 0, rng.integers(1, 1000, count)).tolist()
    return [f"{weight or 'h'} {line}" for weight, line in zip(weights, clause_lines(rng, count), strict=True)]


def row_lines(rng: np.random.Generator, count: int) -> list[str]:
    """Return random rows of four terms, the third with a negated variable."""
    coefficients, variables = rng.integers(-50, 50, (count, 4)), rng.integers(1, 100_001, (count, 4))
    rows = zip(coefficients.tolist(), variables.tolist(), strict=True)
    return [f"{a:+d} x{x} {b:+d} x{y} {c:+d} ~x{z} {d:+d} x{w} >= -9 ;\n" for (a, b, c, d), (x, y, z, w) in rows]


FILES: dict[str, tuple[str, Callable[[np.random.Generator, int], list[str]]]] = {
    "cnf": ("p cnf 1000000 {}\n", clause_lines),
    "wcnf": ("h 1 -2 0\n", weighted_lines),
    "opb": ("* #variable= 100000 #constraint= {}\n", row_lines),
}


def write(path: Path, form: str, megabytes: float) -> None:
    """Write a file of about so many megabytes."""
    header, lines = FILES[form]
    rng = np.random.default_rng(1)
    size = len("".join(lines(rng, 1000))) / 1000
    count = int(megabytes * 1e6 / size)
    with path.open("w") as file:
        file.write(header.replace("{}", str(count)))
        for start in range(0, count, CHUNK):
            file.write("".join(lines(rng, min(CHUNK, count - start))))


def cost(path: Path, checkout: Path, loops: bool, cache: Path) -> Cost:
    """Return what reading a file costs a process of a checkout."""
    more = {"PYTHONPATH": str(checkout), "NUMBA_CACHE_DIR": str(cache), "NUMBA_DISABLE_JIT": "0" if loops else "1"}
    command = [sys.executable, "-c", READ, str(path)]
    done = subprocess.run(command, cwd=cache.parent, env=os.environ | more, capture_output=True, text=True, check=True)
    seconds, mebibytes = json.loads(done.stdout)
    return seconds, mebibytes


def figures(folder: Path, old: Path | None, megabytes: float, rounds: int) -> Iterator[Figure]:
    """Yield the costs of each format's file."""
    cache = folder / "cache"
    before = "before" if old else "without loops"
    ways = {
        before: lambda path: cost(path, old or ROOT, loops=old is not None, cache=cache),
        "with loops": lambda path: cost(path, ROOT, loops=True, cache=cache),
    }
    for form in FILES:
        path = folder / f"a.{form}"
        write(path, form, megabytes)
        case = f"{form}, {path.stat().st_size / 1e6:.0f} MB"
        first, _ = ways["with loops"](path)
        found = in_turn(ways, [path] * rounds)
        for way, costs in found.items():
            seconds, peaks = zip(*costs, strict=True)
            yield Figure(case, way, "CPU", median(seconds), "s")
            yield Figure(case, way, "peak", median(peaks), "MiB")
        pairs = zip(found[before], found["with loops"], strict=True)
        yield ratio(case, f"{before} / with loops", "CPU", mean_ratio([one[0] / other[0] for one, other in pairs]))
        yield Figure(case, "with loops", "compile", first - median(c for c, _ in found["with loops"]), "s")
        path.unlink()


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--megabytes", type=float, default=100, help="size of each file (100)")
    parser.add_argument("--rounds", type=int, default=5, help="processes of each way (5)")
    parser.add_argument("--old", type=Path, metavar="CHECKOUT", help="an older version, to compare with")
    add_option(parser)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        report(figures(Path(name), args.old, args.megabytes, args.rounds), args.json)


if __name__ == "__main__":
    main()
