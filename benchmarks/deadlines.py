"""Cost of a deadline with python-sat's solvers: CPU time of a search that has one, beside `solve()` without.

    python benchmarks/deadlines.py [--rounds N] [-b SOLVER ...]

Formulas of long searches: random 3-SAT at the threshold, pigeonholes, parity, total orders. Searches of one formula
take turns. An answer that differs ends the script.
"""

import argparse
import sys
from collections.abc import Iterator
from random import Random
from time import perf_counter_ns, process_time

from figures import Figure, add_option, pair_ratio, ratio, report

from backends.pysat import SOLVERS
from backends.pysat.handle import SolverHandle
from puzzles.generating.cnf_files import Formula, ordering, parity, pigeonhole, random_clauses

FAR = 1800 * 10**9  # ns


def formulas() -> dict[str, list[Formula]]:
    """Return formulas by kind."""
    return {
        "random 3-SAT": [random_clauses(225, 958, 3, Random(seed)) for seed in range(4)],
        "structured": [pigeonhole(8), ordering(14), *(parity(26, Random(seed)) for seed in range(2))],
    }


def search(name: str, formula: Formula, limited: bool) -> tuple[float, bool | None]:
    """Return the CPU seconds of a search, without loading, and its answer."""
    handle = SolverHandle(name, SOLVERS[name], {})
    handle.load(formula[1])
    began = process_time()
    found = handle.solve(perf_counter_ns() + FAR) if limited else handle.solver.solve()
    took = process_time() - began
    handle.delete()
    return took, found


def figures(names: list[str], rounds: int) -> Iterator[Figure]:
    """Yield each solver's seconds in both ways, and their ratio."""
    for name in names:
        for kind, some in formulas().items():
            pairs: list[list[tuple[float, float]]] = []
            for _ in range(rounds):
                pairs.append([])
                for formula in some:
                    (limited, found), (plain, expected) = search(name, formula, True), search(name, formula, False)
                    if found != expected:
                        sys.exit(f"{name}: {found} with a deadline, {expected} without")
                    pairs[-1].append((limited, plain))
            yield Figure(kind, name, "without, s", sum(p for row in pairs for _, p in row) / rounds)
            yield ratio(kind, name, "with / without", pair_ratio(pairs))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    limited = [name for name, features in SOLVERS.items() if features.budget]
    parser.add_argument("-b", "--backend", nargs="+", choices=limited, default=limited, metavar="SOLVER")
    add_option(parser)
    args = parser.parse_args()
    report(figures(args.backend, args.rounds), args.json)


if __name__ == "__main__":
    main()
