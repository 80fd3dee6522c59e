"""Reified sums through each translation of ours, by one of its solvers: are all solutions those of brute force?

    python benchmarks/translations.py [--problems 20000] [--of-programs 500] [--only NAME ...] [--seed 1] [--json FILE]

Problems are those of `reified_problem`: comparisons of sums that Booleans state or imply, with coefficients of any size
on 0/1 and small domains. Each is asked for all solutions; solvers that start a process for each solution get fewer
problems, and are asked for two solutions. Solvers that are not installed are named and left out.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

from figures import Figure, add_option, report

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))  # other packages have a `tests` too

from backends.contract import registry
from backends.contract.answer import Ask, Status
from backends.programs.process import ProgramFailed
from encoders.formula import Unsupported
from encoders.registry import default, spec
from puzzles.generating.problems import reified_problem
from puzzles.problem import Instance, Problem
from tests.definitions import solutions

SECONDS = 600.0  # of an ask
IN_PROCESS = (
    *("choco", "pumpkin", "toulbar2"),  # flat programs
    *("highs", "scip", "naps"),  # rows over Booleans
    *("z3:int", "z3:bv", "cvc5:int"),  # SMT-LIB
    *("cpmpy:ortools", "cpmpy:choco", "cpmpy:pumpkin", "cpmpy:z3"),
    *("native:lazy", "native:python", "native:engine", "native:cdcl", "cpsat", "clingo"),
    *(f"pysat:cadical195/{name}" for name in ("extended", "direct", "order", "log")),
)
PROGRAMS = ("fzn:gecode", "minizinc:gecode", "xcsp3:ace", "opb:clasp", "dimacs:cadical")


def fault(name: str, instance: Instance[Problem]) -> str:
    """Return how the solutions of a contender differ from those of brute force; '' if they do not.

    Raises ProgramFailed if there is no answer.
    """
    right = solutions(instance.problem, instance.domains)
    wanted = min(2, len(right) + 1) if name in PROGRAMS else len(right) + 1
    backend_name, _, encoding = name.partition("/")
    backend = registry.find(backend_name)
    formula = (spec(encoding) if encoding else default(backend.accepts)).formula(instance.problem, instance.domains)
    session = backend.open(formula)
    try:
        answer = session.ask(Ask(instance.domains, wanted, SECONDS))
    finally:
        session.close()
    if answer.status == Status.UNKNOWN:
        raise ProgramFailed(f"{answer.reason.name}: {answer.note}")
    found = set(answer.solutions)
    whole = answer.complete and found == right if wanted > len(right) else found <= right
    if whole and len(found) == len(answer.solutions) == min(wanted, len(right)):
        return ""
    return f"{len(answer.solutions)} solutions, not {len(right)}: {answer.status.name} {answer.reason.name}"


def measured(name: str, problems: int, seed: int) -> Iterator[Figure]:
    """Yield the numbers of problems that a contender answered rightly, wrongly, with an error, or refused."""
    found = Counter[str]()
    for number in range(seed, seed + problems):
        instance = reified_problem(Random(number))
        try:
            wrong = fault(name, instance)
        except Unsupported:
            found["refused"] += 1
            continue
        except ProgramFailed as why:
            found["error"] += 1
            print(f"{name}, seed {number}: {why}")
            continue
        found["wrong" if wrong else "right"] += 1
        if wrong:
            print(f"{name}, seed {number}: {wrong}: {instance.problem.constraints}, domains {instance.domains}")
    for outcome in ("right", "wrong", "error", "refused"):
        yield Figure("reified sums", name, outcome, found[outcome])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--problems", type=int, default=20_000, metavar="N")
    parser.add_argument("--of-programs", type=int, default=500, metavar="N")
    parser.add_argument("--only", nargs="*", metavar="NAME")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    add_option(parser)
    args = parser.parse_args()
    figures = list[Figure]()
    for name in args.only or (*IN_PROCESS, *PROGRAMS):
        try:
            registry.find(name.partition("/")[0])
        except registry.NoBackend as why:
            print(f"left out: {why}")
            continue
        figures += measured(name, args.of_programs if name in PROGRAMS else args.problems, args.seed)
    report(figures, args.json)
    return int(any(figure.name == "wrong" and figure.value for figure in figures))


if __name__ == "__main__":
    sys.exit(main())
