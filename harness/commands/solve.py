"""`solve`: solve and draw one puzzle, with an objective its best solution.

Exits as solvers of the competitions do: 10 with a solution, 20 if there is none, 30 with an optimum, 0 if unknown; 1 if
the answer is wrong.
"""

import argparse
import shlex
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from harness.commands import arguments as shared
from harness.commands.given import given_contender, given_puzzle, print_note
from harness.model.invocation import PREFIX, PROGRAM

if TYPE_CHECKING:
    from backends.contract.answer import Reason
    from harness.model.contender import Contender
    from harness.model.outcome import Outcomes, Verdict
    from harness.model.quality import Optimised
    from harness.model.settings import RunSettings
    from puzzles.problem import Instance, Problem

EPILOG = "exit codes: 10 sat, 20 unsat, 30 optimum, 0 unknown, 1 wrong, 2 bad usage"
OPTIMUM = 30  # exit code of a proved optimum, as in the MaxSAT competition


def add_arguments(parser: argparse.ArgumentParser) -> None:
    shared.add_puzzle(parser)
    shared.add_contender(parser, "solves it")
    shared.add_limits(parser)


def run(args: argparse.Namespace) -> int:
    from backends.contract.answer import Status
    from harness.model.outcome import counted_status
    from harness.reporting.writing.printable import printable, wrapped
    from harness.showing.formulas import solution_text, stated_layout
    from harness.showing.pencil import equal_givens
    from puzzles.readers.source import HEADER_STATES

    notes = list[str]()

    def note(text: str) -> None:
        notes.append(text)
        print_note(text)

    puzzle = given_puzzle(args, note)
    asked = solved(args, puzzle)
    solutions = asked.outcomes.solutions.tolist()
    print(stated_layout(puzzle.problem) if solutions else "", end="")
    for solution in solutions:
        print(solution_text(puzzle.problem, solution), end="\n\n")
    differing = "".join(f"; {said.rpartition(': ')[2]}" for said in notes if HEADER_STATES in said)
    print(wrapped(printable(f"{puzzle.name}: {asked.contender.name}: {asked.sentence()}{differing}")))
    status = counted_status(asked.row)
    if status == Status.UNSATISFIABLE and (clash := equal_givens(puzzle)):
        print(f"It has no solution: {clash}.")
    if asked.unconfirmed and (command := confirming(asked, args.puzzle)):
        print_note(f"nothing has confirmed it: `{command}` asks an independent solver too")
    if fault := asked.fault():
        print(f"{PREFIX}: the answer is wrong: {fault}", file=sys.stderr)
        return 1
    return OPTIMUM if asked.best is not None and asked.row["complete"] and asked.row["found"] else int(status)


def confirming(asked: "SolvedOnce", place: str) -> str:
    """Return a command that asks another contender, which may confirm an answer; '' if there is none."""
    from harness.model.lineage import suggested

    own, problem = asked.contender, asked.puzzle.problem
    others = suggested([(own.backend, own.encoding)], problem.objective is not None)
    return f"{PROGRAM} run {shlex.quote(place)} -b {own.name},{others[0]}" if others and not problem.shared else ""


def solved(args: argparse.Namespace, puzzle: "Instance[Any]") -> "SolvedOnce":
    """Ask the contender of the arguments for solutions of an instance, and judge them. Raises BadUsage."""
    from harness.runs.single import ask

    contender, settings = request_of(args, puzzle)
    return judged(puzzle, contender, settings, ask(puzzle, contender, settings, print_note))


def request_of(args: argparse.Namespace, puzzle: "Instance[Any]") -> "tuple[Contender, RunSettings]":
    """Return the contender and the settings with which an instance is asked. Raises BadUsage."""
    from harness.model.errors import BadUsage
    from harness.model.reading import parse_assignments
    from harness.model.selection.fitting import check_count
    from harness.model.settings import RunSettings

    if args.count > 1 and puzzle.problem.objective is not None:
        raise BadUsage(
            f"{puzzle.name} has an objective: the best solution is asked for, so --count does not go with it"
        )
    check_count(args.count, [(puzzle.problem.name, len(puzzle.problem.variables))])
    programs = parse_assignments(args.program)
    settings = RunSettings(args.timeout, args.count, opening=args.open_limit, programs=programs)
    return given_contender(args, args.count, puzzle), settings


def judged(
    puzzle: "Instance[Any]", contender: "Contender", settings: "RunSettings", outcomes: "Outcomes"
) -> "SolvedOnce":
    """Check the solutions of the outcome of an instance."""
    from harness.judging import judge
    from harness.judging.objectives import optimised
    from harness.judging.single import verdict_on

    valid = judge.check(puzzle.problem, outcomes.batch.domains, outcomes.rows["found"], outcomes.solutions)
    best = optimised(outcomes, valid)
    verdict = verdict_on(puzzle, outcomes, valid, settings.count, best)
    return SolvedOnce(puzzle, contender, outcomes, int(valid[0]), best, verdict)


@dataclass(frozen=True)
class SolvedOnce:
    """One answer to one instance, judged: `valid` is the number of its right solutions, -1 if one is wrong."""

    puzzle: "Instance[Any]"
    contender: "Contender"
    outcomes: "Outcomes"
    valid: int
    best: "Optimised | None"
    verdict: "Verdict"

    @property
    def row(self) -> Any:
        """Return the outcome's row (harness.model.outcome.ROW)."""
        return self.outcomes.rows[0]

    def fault(self) -> str:
        """Return the reason why the answer is wrong, '' if no reason is known."""
        from backends.contract.answer import Status
        from puzzles.problem.check import fault_of

        if self.valid < 0:
            return fault_of(self.puzzle.problem, self.puzzle.domains, self.outcomes.solutions.tolist())
        if self.row["status"] == Status.SATISFIABLE and self.valid == 0:
            return "says satisfiable but gives no solution"
        if self.best is not None and self.best.false[0]:
            return "it states another value than that of its solution"
        return f"the source of the instance claims {claim_of(self.puzzle)}" if self.verdict.name == "WRONG" else ""

    @property
    def unconfirmed(self) -> bool:
        """True if the contender states that there is no solution, no other or no better one, unconfirmed."""
        return self.verdict.name == "UNCERTIFIED"

    def sentence(self) -> str:
        """Return the answer in words: status, number of solutions or value, decisions, conflicts and time."""
        from backends.contract.answer import Reason, Status
        from harness.model.outcome import counted_status
        from harness.reporting.writing.numbers import format_seconds
        from puzzles.errors import plural

        row = self.row
        status, reason = counted_status(row), Reason(row["reason"])
        said = status.name.lower()
        detail = self.outcomes.details[0].partition("\n")[0] if self.outcomes.details else ""
        if status == Status.UNKNOWN:
            said += f" ({reason.name.lower()})" + (f": {detail}" if detail else "")
        elif self.best is not None and status == Status.SATISFIABLE:
            said = best_words(self.puzzle.problem, self.best.quality.values[0], bool(row["complete"]), reason)
        elif status == Status.SATISFIABLE:
            every = "no others" if row["complete"] else "there may be more"
            said += f", {plural(int(row['found']), 'solution')}, {every}"
        said += ", unconfirmed" * self.unconfirmed
        noted = f"; {detail}" if detail and status != Status.UNKNOWN else ""  # of an exit code that contradicts
        return ", ".join([said, *counted(row), format_seconds(float(row["wall"]) / 1e9)]) + noted


def claim_of(puzzle: "Instance[Any]") -> str:
    """Return the claim of the source of an instance in words."""
    from puzzles.errors import plural
    from puzzles.objectives import stated

    if puzzle.optimum is not None and puzzle.problem.objective is not None:
        return f"the optimum {stated(puzzle.problem.objective, puzzle.optimum)}"
    if puzzle.count is None:
        return "a solution"
    return f"{'at least ' * puzzle.at_least}{plural(puzzle.count, 'solution')}"


def counted(row: Any) -> list[str]:
    """Return the decisions and conflicts of an outcome in words; counters that the backend lacks are left out."""
    from puzzles.errors import plural

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
