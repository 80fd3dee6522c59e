"""Compare native with MiniSat and CaDiCaL on formulas that others made, by family; every answer is checked.

    python benchmarks/others.py table FOLDER            families of SATLIB, whose folder that is, and planted formulas
    python benchmarks/others.py satlib FOLDER           the families alone
    python benchmarks/others.py planted                 3-SAT with a hidden model by size, and the exponent of the cost
    python benchmarks/others.py holes                   hole6 to hole9 of the DIMACS collection, by their definition
    python benchmarks/others.py files FOLDER ...        the .cnf files of each folder, a family each

SATLIB has no licence that lets us ship it. Its families are at www.cs.ubc.ca/~hoos/SATLIB/benchm.html, and as .cnf.xz
in the repository github.com/teeaychem/otter_sat, under cnf_lib/SATLIB: DIMACS/PHOLE, quasigroup, beijing, bmc,
uniform_random and others. The first files of each family by name are taken, 173 in all (REPEATED, ONCE).

The contenders take turns instance by instance on one core, each in a process of its own, which the system ends at the
limit. Times are CPU times from the problem to the answer, so they have encoding and loading in them; an instance that
is not decided counts as twice the limit.
"""

import argparse
import resource
from collections.abc import Iterator, Sequence
from functools import cache
from math import ceil, log
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median_low

import numpy as np
from constraints import Row, figures, read, solve
from figures import Figure, part_parser, run_part

from backends.contract.answer import Answer, Reason, Status
from puzzles.constraints.clauses import Clauses
from puzzles.generating.cnf_files import pigeonhole
from puzzles.problem import Problem
from puzzles.problem.values import Integers, Numbered

NAMES = ["pysat:minisat22", "native", "pysat:cadical195"]
REPEATED = {  # the median of `--repeats` runs counts, of at most LONG seconds
    "hole6 to hole9": ("DIMACS/PHOLE/hole[6-9].*", 4),
    "qg": ("quasigroup/qg*", 22),
    "2bitadd": ("beijing/2bitadd_*", 3),
    "bmc-ibm-12": ("bmc/bmc-ibm-12.*", 1),
}
ONCE = {
    "hole10": ("DIMACS/PHOLE/hole10.*", 1),
    "beijing": ("beijing/*.cnf*", 13),
    "bmc": ("bmc/*.cnf*", 12),
    "planning": ("planning/*/*.cnf*", 11),
    "par8, par16, par32": ("DIMACS/PARITY/par*.cnf*", 15),
    "dubois": ("DIMACS/DUBOIS/*.cnf*", 13),
    "ssa, bf": ("DIMACS/CFA/*/*.cnf*", 12),
    "ii": ("DIMACS/II/*.cnf*", 10),
    "aim": ("DIMACS/AIM/*.cnf*", 10),
    "pret": ("DIMACS/PRET/*.cnf*", 8),
    "jnh": ("DIMACS/JNH/*.cnf*", 5),
    "g": ("DIMACS/GCP/*.cnf*", 4),
    "f": ("DIMACS/LRAN/*.cnf*", 3),
    "hanoi": ("DIMACS/HANOI/*.cnf*", 2),
    "ais": ("ais/*.cnf*", 4),
    "flat200": ("graph_colouring/flat/flat200*/*.cnf*", 5),
    "sw100": ("graph_colouring/morphed/SW100-8-0/*.cnf*", 5),
    "uf250": ("uniform_random/UF250*/sat/*.cnf*", 5),
    "uuf250": ("uniform_random/UF250*/unsat/*.cnf*", 5),
}
LONG = 60.0  # seconds
PER_VARIABLE = 3.5  # clauses
Cost = tuple[float, Answer]  # CPU seconds, and the answer
UNDECIDED = Answer(Status.UNKNOWN, (), False, Reason.TIMEOUT)


@cache
def warm(name: str) -> None:
    """Import and compile what a contender needs, so that its processes do not."""
    solve(name, problem("warm-up", 1, Clauses.of([[1]])), 1, LONG)


def alone(name: str, problem: Problem, seconds: float) -> Cost:
    """Solve in a process that the system ends at the limit, since MiniSat and CaDiCaL have none."""

    def child(result: Connection) -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (ceil(seconds), ceil(seconds)))
        result.send(solve(name, problem, 1, 10 * seconds))  # of wall time

    warm(name)
    here, there = get_context("fork").Pipe(duplex=False)
    process = get_context("fork").Process(target=child, args=(there,))
    process.start()
    there.close()
    try:
        found: Cost = here.recv()
    except EOFError:
        found = seconds, UNDECIDED
    process.join()
    return found if found[0] <= seconds else (seconds, UNDECIDED)


def problem(name: str, variables: int, clauses: Clauses) -> Problem:
    """Return a formula as a problem."""
    return Problem(name, Numbered("x", variables), Integers(range(2)), (clauses,))


def planted_problem(variables: int) -> Problem:
    """Return random 3-SAT that a hidden assignment satisfies."""
    rng, clauses = np.random.default_rng(variables), round(PER_VARIABLE * variables)
    hidden = rng.random(variables) < 0.5
    chosen = rng.integers(0, variables, (2 * clauses, 3))
    negative = rng.random(chosen.shape) < 0.5
    distinct = (chosen != np.roll(chosen, 1, axis=1)).all(axis=1)
    good = distinct & (hidden[chosen] != negative).any(axis=1)
    rows = np.where(negative, -1 - chosen, 1 + chosen)[good][:clauses]
    return problem(f"planted {variables}", variables, Clauses(np.pad(rows, ((0, 0), (0, 1))).ravel().astype(np.int32)))


def measure(problems: list[Problem], names: Sequence[str], limit: float, repeats: int = 1) -> list[Row]:
    """Return the cost and the answer of each contender for each problem: the run with the median of the costs."""
    rows = list[Row]()
    for problem in problems:
        rounds = [{name: alone(name, problem, limit) for name in names} for _ in range(repeats)]
        medians = {name: median_low(row[name][0] for row in rounds) for name in names}
        rows.append({name: next(row[name] for row in rounds if row[name][0] == medians[name]) for name in names})
    return rows


def holes(arguments: argparse.Namespace) -> Iterator[Figure]:
    """Compare on pigeonholes."""
    problems = []
    for n in range(6, 10):
        variables, clauses = pigeonhole(n)
        problems.append(problem(f"hole{n}", variables, Clauses.of(clauses)))
    rows = measure(problems, NAMES, LONG, arguments.repeats)
    yield from figures("hole6 to hole9", problems, rows, 1, LONG)


def planted(arguments: argparse.Namespace) -> Iterator[Figure]:
    """Compare by size, and yield the exponent of each contender between the smallest and the largest size."""
    sizes, costs = sorted(arguments.sizes), list[Row]()
    for n in sizes:
        problems = [planted_problem(n)]
        rows = measure(problems, arguments.planted, LONG, arguments.repeats)
        yield from figures(f"planted 3-SAT, {n} variables", problems, rows, 1, LONG)
        costs += rows
    for name in costs[0]:
        factor = costs[-1][name][0] / costs[0][name][0]
        yield Figure("planted 3-SAT", name, "exponent", log(factor) / log(sizes[-1] / sizes[0]))


def satlib(arguments: argparse.Namespace) -> Iterator[Figure]:
    """Compare on families of SATLIB, and yield the sums of all."""
    sums, undecided, taken = dict.fromkeys(NAMES, 0.0), dict.fromkeys(NAMES, 0), list[Path]()
    for title, (pattern, most) in (REPEATED | ONCE).items():
        limit, repeats = (LONG, arguments.repeats) if title in REPEATED else (arguments.timeout, 1)
        chosen = [path for path in sorted(arguments.folders[0].glob(pattern)) if path not in taken]
        chosen = chosen[: min(most, arguments.most)]
        taken += chosen
        problems = [read(path) for path in chosen]
        rows = measure(problems, NAMES, limit, repeats)
        for figure in figures(title, problems, rows, 1, limit):
            yield figure
            if figure.name == "PAR-2":
                sums[figure.way] += figure.value * len(chosen) / 1e3
            elif figure.name == "undecided":
                undecided[figure.way] += int(figure.value)
    for name in NAMES:
        yield Figure(f"SATLIB, {len(taken)} files", name, "sum of PAR-2", sums[name], "s")
        yield Figure(f"SATLIB, {len(taken)} files", name, "undecided", undecided[name])


def every(arguments: argparse.Namespace) -> Iterator[Figure]:
    """Compare on the families and on planted formulas."""
    yield from satlib(arguments)
    yield from planted(arguments)


def files(arguments: argparse.Namespace) -> Iterator[Figure]:
    """Compare on the files of folders."""
    for folder in arguments.folders:
        problems = [read(path) for path in sorted(folder.glob("*.cnf*"))[: arguments.most]]
        yield from figures(folder.name, problems, measure(problems, NAMES, arguments.timeout), 1, arguments.timeout)


PARTS = {"table": every, "satlib": satlib, "planted": planted, "holes": holes, "files": files}


def main() -> None:
    parser = part_parser(__doc__, PARTS)
    parser.add_argument("folders", type=Path, nargs="*", metavar="FOLDER")
    parser.add_argument("-t", "--timeout", type=float, default=10.0, help="CPU seconds where runs are not repeated")
    parser.add_argument("--most", type=int, default=1000, help="files of each folder")
    parser.add_argument("--repeats", type=int, default=3, help="runs of which the median counts")
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 30_000, 100_000, 1_000_000], help="variables")
    parser.add_argument("--planted", nargs="+", default=["native"], metavar="NAME", help="who takes planted formulas")
    run_part(parser, PARTS)


if __name__ == "__main__":
    main()
