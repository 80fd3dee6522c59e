"""Compare native with CP-SAT on killers and kakuros, and with MiniSat and CaDiCaL on formulas; every answer is checked.

    python benchmarks/constraints.py cages          PAR-2 of whole cost: encode, load and solve
    python benchmarks/constraints.py sat            random formulas of 250 variables at the threshold, both answers
    python benchmarks/constraints.py sat --files puzzles/corpora/cnf-structured/*.cnf

The contenders take turns instance by instance, in one process on one core. Times are CPU times, which depend little on
other load. Figures: constraints.md.
"""

import argparse
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from statistics import mean, median
from time import process_time

import numpy as np
from cages import kakuro, killer
from figures import Figure, pair_ratio, part_parser, ratio, run_part

from backends.contract import registry
from backends.contract.answer import Answer, Ask, Status
from encoders.registry import default
from puzzles import formats
from puzzles.boards.kinds import kakuro as kakuros
from puzzles.boards.kinds import killer as killers
from puzzles.constraints.clauses import Clauses
from puzzles.problem import Problem
from puzzles.problem.values import Integers, Numbered

RATIO = 4.26  # clauses per variable
LIMIT, SAT_LIMIT = 20.0, 300.0  # seconds; an instance that is not decided counts twice
Row = dict[str, tuple[float, Answer]]  # CPU seconds and the answer, by backend


def solve(name: str, problem: Problem, count: int, seconds: float) -> tuple[float, Answer]:
    """Return the CPU seconds of everything from the problem to the answer."""
    backend = registry.find(name)
    began = process_time()
    formula = default(backend.accepts).formula(problem)
    session = backend.open(formula)
    answer = session.ask(Ask(problem.open, count, seconds))
    return process_time() - began, answer


def faults(problem: Problem, answers: list[Answer]) -> int:
    """Count answers that break a constraint, and numbers of solutions that differ."""
    wrong = 0
    for answer in answers:
        columns = np.array(answer.solutions, np.uint16).reshape(len(answer.solutions), len(problem.variables))
        wrong += sum(not c.satisfied(columns, problem).all() for c in problem.constraints)
    decided = {len(a.solutions) for a in answers if a.status != Status.UNKNOWN}
    return wrong + (len(decided) > 1)


def measure(problems: list[Problem], names: list[str], count: int, limit: float) -> list[Row]:
    """Return the cost and the answer of each backend for each problem; the backends take turns."""
    for name in names:
        solve(name, problems[0], count, limit)  # imports and compilation
    return [{name: solve(name, problem, count, limit) for name in names} for problem in problems]


def figures(title: str, problems: list[Problem], rows: list[Row], count: int, limit: float) -> Iterator[Figure]:
    """Yield the figures of each backend: cost beside that of the first."""
    costs: dict[str, list[float]] = {name: [] for name in rows[0]}
    undecided = dict.fromkeys(costs, 0)
    for row in rows:
        for name, (seconds, answer) in row.items():
            done = answer.complete or len(answer.solutions) == count
            undecided[name] += not done
            costs[name].append(seconds if done else 2 * limit)
    first = next(iter(costs))
    for name, cost in costs.items():
        for what, value in (("PAR-2", mean(cost)), ("median", median(cost)), ("max", max(cost))):
            yield Figure(title, name, what, value * 1e3, "ms")
        yield Figure(title, name, "undecided", undecided[name])
        yield ratio(title, name, f"vs {first}", pair_ratio([list(zip(cost, costs[first], strict=True))]))
    answers = [[answer for _, answer in row.values()] for row in rows]
    wrong = sum(faults(problem, given) for problem, given in zip(problems, answers, strict=True))
    solvable = sum(any(answer.solutions for answer in given) for given in answers)
    for what, n in (("instances", len(rows)), ("with a solution", solvable), ("faults", wrong)):
        yield Figure(title, "all", what, n)


def random_formula(seed: int, n: int) -> Problem:
    """Return a random 3-SAT formula at the threshold."""
    random = Random(seed)
    rows = [[random.choice((-1, 1)) * x for x in random.sample(range(1, n + 1), 3)] for _ in range(round(RATIO * n))]
    return Problem(f"sat {seed}", Numbered("x", n), Integers(range(2)), (Clauses.of(rows),))


def cages(arguments: argparse.Namespace) -> Iterator[Figure]:
    """Compare on several sizes of cages and grids."""
    makers: dict[str, Callable[[int], Problem]] = {
        "killers, cages of up to 5": lambda seed: killers.board(killer(seed, 5))[0],
        "killers, cages of up to 9": lambda seed: killers.board(killer(seed, 9))[0],
        "kakuros, 10x10": lambda seed: kakuros.board(kakuro(seed, 10))[0],
        "kakuros, 16x16": lambda seed: kakuros.board(kakuro(seed, 16))[0],
    }
    for title, make in makers.items():
        problems = [make(seed) for seed in range(arguments.instances)]
        names = ["native", *(arguments.backend or ["cpsat"])]
        rows = measure(problems, names, arguments.count, LIMIT)
        yield from figures(f"{title}, {arguments.count} wanted", problems, rows, arguments.count, LIMIT)


def sat(arguments: argparse.Namespace) -> Iterator[Figure]:
    """Compare on random formulas, or on files, those with a solution and those without."""
    title, problems = f"random 3-SAT, {arguments.variables} variables", []
    if arguments.files:
        title, problems = "files", [read(path) for path in sorted(arguments.files)]
    else:
        problems = [random_formula(seed, arguments.variables) for seed in range(arguments.instances)]
    names = ["native", *(arguments.backend or ["pysat:minisat22", "pysat:cadical195"])]
    rows = measure(problems, names, 1, SAT_LIMIT)
    for satisfiable, what in ((True, "satisfiable"), (False, "not satisfiable")):
        at = [i for i, row in enumerate(rows) if any(a.solutions for _, a in row.values()) == satisfiable]
        if at:
            yield from figures(f"{title}, {what}", [problems[i] for i in at], [rows[i] for i in at], 1, SAT_LIMIT)


def read(path: Path) -> Problem:
    """Return the formula of a DIMACS file."""
    (instance,) = formats.read(path)
    problem: Problem = instance.problem
    return problem


PARTS = {"cages": cages, "sat": sat}


def main() -> None:
    parser = part_parser(__doc__, PARTS)
    parser.add_argument("-b", "--backend", action="append", metavar="NAME", help="compared with native")
    parser.add_argument("-n", "--instances", type=int, default=100)
    parser.add_argument("--count", type=int, default=1, help="solutions wanted of killers and kakuros")
    parser.add_argument("--files", type=Path, nargs="+", metavar="CNF", help="formulas instead of random ones")
    parser.add_argument("--variables", type=int, default=250)
    run_part(parser, PARTS)


if __name__ == "__main__":
    main()
