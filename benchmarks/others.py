"""Compare native with MiniSat and CaDiCaL on formulas that others made, by family; every answer is checked.

    python benchmarks/others.py holes                   hole6 to hole9 of the DIMACS collection, by their definition
    python benchmarks/others.py planted                 3-SAT with a hidden model by size, and the exponent of the cost
    python benchmarks/others.py satlib FOLDER           families of SATLIB, whose folder that is
    python benchmarks/others.py files FOLDER ...        the .cnf files of each folder, a family each

SATLIB has no licence that lets us ship it. Its families are at www.cs.ubc.ca/~hoos/SATLIB/benchm.html, and as .cnf.xz
in the repository github.com/teeaychem/otter_sat, under cnf_lib/SATLIB: DIMACS/PHOLE, quasigroup, beijing, bmc,
uniform_random and others.

The contenders take turns instance by instance, in one process on one core. Times are CPU times from the problem to the
answer, so they have encoding and loading in them.
"""

import argparse
from collections.abc import Iterator
from math import log
from pathlib import Path
from random import Random
from statistics import mean

from constraints import Row, figures, measure, read
from figures import Figure, part_parser, run_part

from puzzles.constraints.clauses import Clauses
from puzzles.generating.cnf_files import Formula, pigeonhole, planted_clauses
from puzzles.problem import Problem
from puzzles.problem.values import Integers, Numbered

NAMES = ["native", "pysat:minisat22", "pysat:cadical195"]
FAMILIES = {
    "hole6 to hole9": "DIMACS/PHOLE/hole[6-9].*",
    "qg": "quasigroup/qg*.cnf*",
    "2bitadd": "beijing/2bitadd_*",
    "bmc-ibm-12": "bmc/bmc-ibm-12.*",
    "bmc": "bmc/bmc*.cnf*",
}
PER_VARIABLE = 3.5  # clauses


def problem(name: str, formula: Formula) -> Problem:
    """Return a formula as a problem."""
    variables, clauses = formula
    return Problem(name, Numbered("x", variables), Integers(range(2)), (Clauses.of(clauses),))


def family(title: str, problems: list[Problem], limit: float) -> Iterator[Figure]:
    """Yield the figures of a family, all contenders beside native."""
    yield from figures(title, problems, measure(problems, NAMES, 1, limit), 1, limit)


def holes(arguments: argparse.Namespace) -> Iterator[Figure]:
    """Compare on pigeonholes."""
    for n in range(6, 10):
        yield from family(f"hole{n}", [problem(f"hole{n}", pigeonhole(n))] * arguments.repeats, arguments.timeout)


def planted(arguments: argparse.Namespace) -> Iterator[Figure]:
    """Compare by size, and yield the exponent of each contender between the smallest and the largest size."""
    sizes, costs = sorted(arguments.sizes), list[Row]()
    for n in sizes:
        formula = planted_clauses(n, round(PER_VARIABLE * n), 3, Random(n))
        problems = [problem(f"planted {n}", formula)] * arguments.repeats
        rows = measure(problems, NAMES[: 1 + arguments.others], 1, arguments.timeout)
        yield from figures(f"planted 3-SAT, {n} variables", problems, rows, 1, arguments.timeout)
        costs.append({name: (mean(row[name][0] for row in rows), rows[0][name][1]) for name in rows[0]})
    for name in costs[0]:
        factor = costs[-1][name][0] / costs[0][name][0]
        yield Figure("planted 3-SAT", name, "exponent", log(factor) / log(sizes[-1] / sizes[0]))


def satlib(arguments: argparse.Namespace) -> Iterator[Figure]:
    """Compare on families of SATLIB."""
    for title, pattern in FAMILIES.items():
        found = sorted(arguments.folders[0].glob(pattern))[: arguments.most]
        yield from family(title, [read(path) for path in found], arguments.timeout)


def files(arguments: argparse.Namespace) -> Iterator[Figure]:
    """Compare on the files of folders."""
    for folder in arguments.folders:
        found = sorted(folder.glob("*.cnf*"))[: arguments.most]
        yield from family(folder.name, [read(path) for path in found], arguments.timeout)


PARTS = {"holes": holes, "planted": planted, "satlib": satlib, "files": files}


def main() -> None:
    parser = part_parser(__doc__, PARTS)
    parser.add_argument("folders", type=Path, nargs="*", metavar="FOLDER")
    parser.add_argument(
        "-t", "--timeout", type=float, default=60.0, help="seconds; MiniSat and CaDiCaL may take longer"
    )
    parser.add_argument("--most", type=int, default=1000, help="files of each folder")
    parser.add_argument("--repeats", type=int, default=3, help="of each formula that is made here")
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 30_000, 100_000], help="variables")
    parser.add_argument(
        "--others", type=int, choices=(0, 1, 2), default=0, help="how many others take planted formulas"
    )
    run_part(parser, PARTS)


if __name__ == "__main__":
    main()
