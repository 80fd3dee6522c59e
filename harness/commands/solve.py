"""`solve`: solve and draw one puzzle, with an objective its best solution.

Exits as solvers of the competitions do: 10 with a solution, 20 if there is none, 30 with an optimum, 0 if unknown; 1 if
the answer is wrong.
"""

import argparse
import sys
from typing import TYPE_CHECKING, Any

from harness.commands import arguments as shared
from harness.commands.given import given_contender, given_puzzle
from harness.model.invocation import PREFIX

if TYPE_CHECKING:
    from backends.contract.answer import Reason
    from harness.model.contender import Contender
    from harness.model.outcome import Outcomes
    from harness.model.settings import RunSettings
    from puzzles.problem import Instance, Problem

OPTIMUM = 30  # exit code of a proved optimum, as in the MaxSAT competition


def add_arguments(parser: argparse.ArgumentParser) -> None:
    shared.add_puzzle(parser)
    shared.add_contender(parser, "solves it")
    shared.add_limits(parser)


def run(args: argparse.Namespace) -> int:
    from backends.contract.answer import Reason, Status
    from harness.judging import judge
    from harness.judging.objectives import optimised
    from harness.model.errors import BadUsage
    from harness.model.reading import parse_assignments
    from harness.model.selection.fitting import check_count
    from harness.model.settings import RunSettings
    from harness.reporting import tables
    from harness.reporting.printable import printable
    from harness.showing.formulas import solution_text
    from harness.showing.pencil import equal_givens

    puzzle = given_puzzle(args)
    if args.count > 1 and puzzle.problem.objective is not None:
        raise BadUsage(
            f"{puzzle.name} has an objective: the best solution is asked for, so --count does not go with it"
        )
    check_count(args.count, [(puzzle.problem.name, len(puzzle.problem.variables))])
    contender = given_contender(args, args.count, puzzle)
    programs = parse_assignments(args.program)
    settings = RunSettings(args.timeout, args.count, opening=args.open_limit, programs=programs)
    outcomes = ask(puzzle, contender, settings)
    row = outcomes.rows[0]
    valid = judge.check(puzzle.problem, outcomes.batch.domains, outcomes.rows["found"], outcomes.solutions)
    for solution in outcomes.solutions.tolist():
        print(solution_text(puzzle.problem, solution), end="\n\n")
    status = Status(row["status"])
    said = status.name.lower()
    best = optimised(outcomes, valid)
    if status == Status.UNKNOWN:
        said += f" ({Reason(row['reason']).name.lower()})" + (
            f": {outcomes.details[0].partition(chr(10))[0]}" if outcomes.details else ""
        )
    elif best is not None and status == Status.SATISFIABLE:
        said = best_words(puzzle.problem, best.merit.values[0], bool(row["complete"]), Reason(row["reason"]))
    elif status == Status.SATISFIABLE:
        every = "no others" if row["complete"] else "there may be more"
        said += f", {tables.plural(int(row['found']), 'solution')}, {every}"
    ends = [said, *counted(row), tables.format_seconds(float(row["wall"]) / 1e9)]
    print(printable(f"{puzzle.name}: {contender.name}: {', '.join(ends)}"))
    if status == Status.UNSATISFIABLE and (clash := equal_givens(puzzle)):
        print(f"It has no solution: {clash}.")
    if valid[0] < 0 or (status == Status.SATISFIABLE and valid[0] == 0):
        print(f"{PREFIX}: the answer is wrong: a solution breaks the puzzle or is given twice", file=sys.stderr)
        return 1
    if best is not None and best.false[0]:
        print(f"{PREFIX}: the answer is wrong: it states another value than that of its solution", file=sys.stderr)
        return 1
    return OPTIMUM if best is not None and row["complete"] and row["found"] else int(status)


def counted(row: Any) -> list[str]:
    """Return the decisions and conflicts of an outcome in words; those that the backend counts."""
    from harness.reporting.tables import plural

    counters = {"decisions": "decision", "conflicts": "conflict"}
    return [plural(int(row[name]), word) for name, word in counters.items() if row[name] >= 0]


def best_words(problem: "Problem", value: int | None, proved: bool, reason: "Reason") -> str:
    """Return the best solution found, in words, for a problem with an objective."""
    from puzzles.objectives import stated

    assert problem.objective is not None
    number = "?" if value is None else stated(problem.objective, value)
    best = "the greatest" if problem.objective.maximise else "the least"
    why = f" ({reason.name.lower()})" if reason.name != "NONE" else ""
    return f"optimum {number}" if proved else f"a solution of value {number}, perhaps not {best}{why}"


def ask(puzzle: "Instance[Any]", contender: "Contender", settings: "RunSettings") -> "Outcomes":
    """Solve one instance in a worker."""
    import numpy as np

    from harness.model.lease import Block, Lease
    from harness.running.dealer import run_leases
    from harness.running.engines.local import LocalPlaces
    from puzzles.problem.columns import pack

    block = Block(1, puzzle.problem, np.array([1]), pack(puzzle.problem, [puzzle.domains]))
    with LocalPlaces([contender], settings) as places:
        (result,) = run_leases(places, iter([Lease(block, 0, (0,))]))
    (outcomes,) = result.outcomes
    return outcomes
