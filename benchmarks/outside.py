"""Cost outside the solver: CPU time from a file to a judged answer, less the solver's own.

    python benchmarks/outside.py [--cpmpy PYTHON] [--rounds 5] [--megabytes 10]

A random and a structured CNF file (10 MB) and an OPB file (1 MB) are generated, all satisfiable and easy. Each is
solved in turn by `run` with a journal, by a plain script with python-sat (CNF only), and, where --cpmpy names an
interpreter that has it, by CPMpy's reader with the same solver: cadical195 on CNF, OR-Tools on OPB. CPU time is that of
the process and all its children. Every way also solves a file of one constraint: what that takes is its start.

The solver's own time is that of its search, and of python-sat's solvers also that of deleting them, which `run` counts
as solving. A run whose ask is repeated would count the first one as cost outside the solver; these are too long for it.
"""

import argparse
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np
from figures import Figure, add_option, children_cpu, in_turn, report

from harness.storing.journal import open_journal

VARIABLES, RATIO = 200_000, 2.4  # of the random CNF of 10 MB: far below the threshold
BITS = 16  # of the counter
TERMS, COEFFICIENTS = 30, 50  # of a row of the OPB file
Way = Callable[[Path], tuple[float, float]]  # returns the CPU seconds of a file, and those of its solver
BACKENDS = {"cnf": "pysat:cadical195", "opb": "cpsat"}

SCRIPT = """
import sys, time
from pysat.formula import CNF
from pysat.solvers import Solver
solver = Solver(name="cadical195", bootstrap_with=CNF(from_file=sys.argv[1]))
before = time.process_time()
assert solver.solve()
own = time.process_time() - before
solver.get_model()
before = time.process_time()
solver.delete()
print(own + time.process_time() - before)
"""

CPMPY = """
import sys, time
import cpmpy as cp
from cpmpy.tools.io.dimacs import load_dimacs
from cpmpy.tools.io.opb import load_opb
load, name = (load_dimacs, "pysat:cadical195") if sys.argv[1].endswith(".cnf") else (load_opb, "ortools")
solver = cp.SolverLookup.get(name, load(sys.argv[1]))
cpu, wall = time.process_time(), time.perf_counter()
assert solver.solve(**({} if name != "ortools" else {"num_workers": 1}))
share = (time.process_time() - cpu) / (time.perf_counter() - wall)
print(solver.status().runtime * share)
"""


def random_cnf(path: Path, megabytes: float) -> None:
    """Write easy random 3-SAT."""
    random, n = np.random.default_rng(1), int(VARIABLES * megabytes / 10)
    clauses = random.integers(1, n + 1, (int(n * RATIO), 3)) * random.choice([-1, 1], (int(n * RATIO), 3))
    with path.open("w") as file:
        file.write(f"p cnf {n} {len(clauses)}\n")
        np.savetxt(file, np.hstack([clauses, np.zeros((len(clauses), 1), np.int64)]), fmt="%d")


def counter_cnf(path: Path, megabytes: float) -> None:
    """Write a counter of BITS bits that is enabled or not in each step: variables are bits, carries and enabling."""
    steps, width = int(4700 * megabytes / 10), 2 * BITS
    lines = [f"{-1 - b} 0" for b in range(BITS)]
    for step in range(steps):
        at = step * width
        for b in range(BITS):  # carry 0 enables
            bit, carry, after = at + 1 + b, at + 1 + BITS + b, at + 1 + width + b
            lines += [f"{after} {bit} {-carry} 0", f"{after} {-bit} {carry} 0"]
            lines += [f"{-after} {bit} {carry} 0", f"{-after} {-bit} {-carry} 0"]
            if b + 1 < BITS:
                lines += [f"{-carry - 1} {bit} 0", f"{-carry - 1} {carry} 0", f"{carry + 1} {-bit} {-carry} 0"]
    path.write_text("\n".join([f"p cnf {steps * width + BITS} {len(lines)}", *lines, ""]))


def sums_opb(path: Path, megabytes: float) -> None:
    """Write sums of a planted solution, each at most a tenth above its bound."""
    random, rows = np.random.default_rng(2), int(3200 * megabytes / 10)
    planted = random.integers(0, 2, rows)
    lines = [f"* #variable= {rows} #constraint= {rows}"]
    for _ in range(rows):
        chosen, weights = random.choice(rows, TERMS, replace=False), random.integers(1, COEFFICIENTS, TERMS)
        bound = int(0.9 * (weights * planted[chosen]).sum())
        lines.append(" ".join(f"+{a} x{x + 1}" for a, x in zip(weights, chosen, strict=True)) + f" >= {bound} ;")
    path.write_text("\n".join([*lines, ""]))


def files(folder: Path, megabytes: float) -> Iterator[tuple[Path, Path]]:
    """Yield each file with one of its format that has one constraint."""
    tiny = {"cnf": "p cnf 1 1\n1 0\n", "opb": "* #variable= 2 #constraint= 1\n+1 x1 +1 x2 >= 1 ;\n"}
    makers: dict[str, Callable[[Path, float], None]] = {
        "random.cnf": random_cnf,
        "counter.cnf": counter_cnf,
        "sums.opb": sums_opb,
    }
    for name, make in makers.items():
        make(folder / name, megabytes)
        small = folder / f"tiny-{name}"
        small.write_text(tiny[small.suffix[1:]])
        yield folder / name, small


def measured(command: list[str]) -> tuple[float, str]:
    """Return the CPU seconds of a command and its children, and what it prints. Raises CalledProcessError."""
    before = children_cpu()
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return children_cpu() - before, output


def crosscheck(path: Path) -> tuple[float, float]:
    """Return the CPU seconds of a run, and those of its solver."""
    with tempfile.TemporaryDirectory() as folder:
        journal = Path(folder, "journal.sqlite")
        command = [sys.executable, "-m", "harness", "run", str(path), "-b", BACKENDS[path.suffix[1:]]]
        total, _ = measured([*command, "-t", "60", "-o", str(journal)])
        with open_journal(journal) as opened:
            c = opened.outcomes.columns(0, "wall", "cpu", "solve", "status")
    assert c["status"].tolist() == [10], "it is not solved"
    return total, float(c["cpu"][0] * c["solve"][0] / c["wall"][0]) / 1e9


def with_start(way: Way, tiny: Path, path: Path) -> tuple[float, float, float]:
    """Return the CPU seconds of a file, those of its solver, and those of the small file."""
    return (*way(path), way(tiny)[0])


def by_script(python: str, script: str) -> Way:
    """Return a function that measures a script."""

    def measure(path: Path) -> tuple[float, float]:
        total, printed = measured([python, "-c", script, str(path)])
        return total, float(printed)

    return measure


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--cpmpy", help="interpreter that has CPMpy, OR-Tools and python-sat")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--megabytes", type=float, default=10)
    add_option(parser)
    args = parser.parse_args()
    ways = {"crosscheck run": crosscheck, "python-sat script": by_script(sys.executable, SCRIPT)}
    if args.cpmpy:
        ways["CPMpy"] = by_script(args.cpmpy, CPMPY)
    report(figures(ways, args.rounds, args.megabytes), args.json)


def figures(ways: dict[str, Way], rounds: int, megabytes: float) -> Iterator[Figure]:
    """Yield the medians of all costs on all files; the ways take turns."""
    with tempfile.TemporaryDirectory() as folder:
        for path, tiny in files(Path(folder), megabytes):
            some = {n: way for n, way in ways.items() if path.suffix == ".cnf" or n != "python-sat script"}
            found = in_turn({n: partial(with_start, way, tiny) for n, way in some.items()}, [path] * rounds)
            for name, rows in found.items():
                total, own, start = (statistics.median(column) for column in zip(*rows, strict=True))
                costs = {"CPU time": total, "start": start, "solver": own}
                costs["outside"] = statistics.median(row[0] - row[1] for row in rows)
                costs["without start"] = statistics.median(row[0] - row[1] - row[2] for row in rows)
                yield Figure(path.name, name, "size", path.stat().st_size / 1e6, "MB")
                yield from (Figure(path.name, name, cost, seconds, "s") for cost, seconds in costs.items())


if __name__ == "__main__":
    main()
