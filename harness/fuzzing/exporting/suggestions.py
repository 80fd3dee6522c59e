"""Turn a wrong answer or a crash in a journal into a finding, which `run` suggests to shrink.

The finding includes the earlier asks of the same session, scrambled as in the run, since a fault of session state does
not recur without them; shrinking drops needless asks. Its evidence: right solutions that other contenders have shown or
that the corpus states, else one that CP-SAT finds now.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from backends.contract.answer import Reason
from backends.programs.backend import format_of
from harness.fuzzing.files import written
from harness.fuzzing.findings.finding import Case, Finding, write
from harness.fuzzing.findings.naming import command, program_entry, slug
from harness.fuzzing.queries import ScriptCase
from harness.fuzzing.round_judge import best_first, values_of
from harness.fuzzing.sessions import Sessions, batch
from harness.fuzzing.signature import Searched, describe_answer, signature
from harness.fuzzing.trial import expectation, truth
from harness.model.contender import resolve
from harness.model.errors import BadUsage
from harness.model.host import host, versions
from harness.model.invocation import called
from harness.model.outcome import SOURCES, Verdict
from harness.model.settings import RunSettings
from harness.model.trajectory import StepKind
from harness.running.scramble import draw_symmetries, scrambled
from harness.storing.journal import Journal
from harness.storing.outcomes.objectives import UNSTATED
from puzzles.boards.layout import Layout
from puzzles.objectives.queries import QueryScript
from puzzles.problem import Instance
from puzzles.problem.arrays import BoolArray
from puzzles.problem.check import fault_of, violations
from puzzles.problem.columns import unpack
from puzzles.problem.values import Solution

MAX_EARLIER_ASKS = 200  # earlier asks of the same session in a finding
MAX_ASKS = 3  # wrong answers named in a line
WITNESS_S = 10.0  # of the search for a solution that only the corpus claims
CRASH = re.compile(r"died of|exited with code")  # in the message of a crash; another error may be one of settings


@dataclass(frozen=True)
class FirstWrong:
    """First wrong or failed outcome of a contender on a puzzle, and the earlier puzzles of its session.

    detail  message of the error
    """

    number: int
    repeat: int
    row: Any
    valid: int
    before: tuple[int, ...]
    detail: str = ""

    @property
    def is_crash(self) -> bool:
        return int(self.row["verdict"]) != Verdict.WRONG


def crashes(journal: Journal) -> dict[str, int]:
    """Return the first instance on which each contender died, by name; an end by the limit of memory is no crash."""
    found = dict[str, int]()
    for number, contender in enumerate(journal.contenders.all()):
        died = [puzzle for puzzle, why in journal.answers.failures(number) if CRASH.search(why)]
        known = failed_puzzles(journal, number) if died else set()
        if (first := next((puzzle for puzzle in died if puzzle in known), None)) is not None:
            found[contender.name] = first
    return found


def failed_puzzles(journal: Journal, number: int) -> set[int]:
    """Return the puzzles with a wrong or failed outcome of a contender."""
    found = set[int]()
    for repeat in range(journal.outcomes.repeats()):
        columns = journal.outcomes.columns(number, "puzzle", "reason", "verdict", repeat=repeat)
        found.update(columns["puzzle"][failed(columns)].tolist())
    return found


def failed(columns: Mapping[str, Any]) -> BoolArray:
    """Return True for each wrong or failed outcome."""
    found: BoolArray = (columns["verdict"] == Verdict.WRONG) | np.isin(columns["reason"], (Reason.CRASH, Reason.ERROR))
    return found


def find_wrong(journal: Journal, puzzle: int, contender: str) -> FirstWrong:
    """Return the contender's first wrong or failed outcome on a puzzle. Raises LookupError without one."""
    number = next(i for i, c in enumerate(journal.contenders.all()) if c.name == contender)
    columns = ("puzzle", "status", "reason", "complete", "found", "valid", "verdict")
    for repeat in range(journal.outcomes.repeats()):
        c = journal.outcomes.columns(number, *columns, repeat=repeat)
        at = np.flatnonzero((c["puzzle"] == puzzle) & failed(c)).tolist()
        if at:
            row = {name: column[at[0]] for name, column in c.items()}
            layout = journal.instances.get(puzzle).problem
            earlier = c["puzzle"][: at[0]][-MAX_EARLIER_ASKS:].tolist()
            alike = tuple(p for p in earlier if journal.instances.get(p).problem == layout)
            detail = next((why for p, why in journal.answers.failures(number) if p == puzzle), "")
            return FirstWrong(number, repeat, row, int(row["valid"]), alike, detail)
    raise LookupError(f"{contender} is not wrong on puzzle {puzzle}")


def known_solutions(journal: Journal, puzzle: int) -> list[Solution]:
    """Return the right solutions of a puzzle shown by any contender or stated by the corpus."""
    board = journal.instances.get(puzzle)
    found: dict[Solution, None] = {}
    for outcomes in journal.outcomes.stored(puzzle=puzzle):
        found |= dict.fromkeys(map(tuple, outcomes.solutions.tolist()))
    stated = [] if board.solution is None else [board.solution]
    return [s for s in dict.fromkeys((*found, *stated)) if not violations(board.problem, board.domains, s)]


def solved_now(instance: Instance[Any]) -> list[Solution]:
    """Return a checked solution that CP-SAT finds within WITNESS_S, none without one."""
    limits = RunSettings(WITNESS_S)
    with Sessions(resolve(["cpsat"])[0], limits) as sessions:
        answered = sessions.solve([batch(0, instance.problem, (instance.domains,))], limits)
    found = [tuple(row) for outcomes in answered for row in outcomes.solutions.tolist()]
    return [s for s in found if not violations(instance.problem, instance.domains, s)]


def finding_of(journal: Journal, wrong: FirstWrong, puzzle: int, contender: str) -> Finding:
    """Return the finding of a contender's wrong answer or crash."""
    settings, board = journal.facts.settings(), journal.instances.get(puzzle)
    witnesses = known_solutions(journal, puzzle) or ([] if wrong.is_crash or wrong.valid < 0 else solved_now(board))
    asked = [*wrong.before, puzzle]
    boards = tuple(journal.instances.get(p).domains for p in asked)
    if settings.scramble and isinstance(board.problem, Layout):
        boards, witnesses = as_asked(journal, asked, wrong.repeat, witnesses)
    bare = re.sub(r"@[^/+@]+$", "", contender)
    goal = board.problem.objective
    search = None if goal is None else searched(journal, puzzle, wrong, witnesses)
    count = settings.count if goal is None else 1
    limits = count, settings.limit, settings.memory_limit
    case = Case(bare, board.problem, boards, *limits, tuple(best_first(board.problem, witnesses)[: count + 1]))
    verdict = Verdict.ERROR if wrong.is_crash else Verdict.WRONG
    how = signature(wrong.row, wrong.valid, verdict, True, wrong.detail, search) or "undecided"
    provenance = {"puzzle": board.name, "versions": versions(), "host": host()} | program_entry(bare, settings.programs)
    if bare != contender:
        provenance["python"] = settings.pythons[contender.rpartition("@")[2]]
    seen = describe_answer(wrong.row, wrong.detail if wrong.is_crash else "", search, goal)
    source = journal.facts.get(SOURCES, {}).get(str(puzzle), {})
    if source.get("format") == format_of(bare):
        provenance["original"] = source["path"]
    if wrong.valid < 0:
        shown = journal.answers.first_wrong(wrong.number, puzzle).solutions
        seen += f": {fault_of(board.problem, board.domains, shown)}"
    return Finding(case, how, expectation(case, how), seen, provenance=provenance)


def searched(journal: Journal, puzzle: int, wrong: FirstWrong, known: Sequence[Solution]) -> Searched:
    """Return the search of a wrong answer to an instance with an objective, and the best value of known solutions."""
    own = journal.objectives.statements(wrong.number, wrong.repeat, puzzle, puzzle).get(puzzle, UNSTATED)
    steps = journal.objectives.steps(wrong.number, wrong.repeat, puzzle)
    reported = [s.value for s in steps if s.kind == StepKind.IMPROVED and not s.false and s.value is not None]
    values = [value for value in values_of(journal.instances.get(puzzle).problem, known) if value is not None]
    return Searched(
        own.value,
        own.stated,
        sum(s.kind == StepKind.IMPROVED and s.false for s in steps),
        min(reported, default=None),
        own.bound,
        min(values, default=None),
    )


def as_asked(
    journal: Journal, puzzles: list[int], repeat: int, witnesses: list[Solution]
) -> tuple[tuple[tuple[int, ...], ...], list[Solution]]:
    """Return the boards as a scrambled run asked them, and the witnesses mapped to the last one."""
    boards = [journal.instances.get(p) for p in puzzles]
    seed = journal.facts.settings().seed
    asked = replace(
        batch(0, boards[0].problem, [b.domains for b in boards]), repeat=repeat, puzzles=np.array(puzzles, np.int64)
    )
    symmetries = draw_symmetries(boards[0].problem, asked, seed)
    image, label = symmetries.image[-1].tolist(), symmetries.label[-1].tolist()
    moved = []
    for witness in witnesses:
        placed = dict(zip(image, (label[v] for v in witness), strict=True))
        moved.append(tuple(placed[s] for s in range(len(witness))))
    return tuple(unpack(scrambled(asked, seed).domains)), moved


def only_claimed(journal: Journal, puzzle: int, wrong: FirstWrong, case: Case) -> bool:
    """Return True if nothing but the claim of the corpus contradicts an answer to an instance with an objective."""
    own = searched(journal, puzzle, wrong, (*case.witnesses, *truth(case, case.asks[-1]).solutions))
    contradicts_itself = own.stated is not None or own.faults or wrong.valid < 0
    if contradicts_itself or own.known is None:
        return not contradicts_itself
    worse = own.value is None or own.known < own.value
    return not (worse and bool(wrong.row["complete"])) and not (own.bound is not None and own.known < own.bound)


class NoFinding(Exception):
    """A wrong answer can't be shrunk; the text is the reason."""


def suggestions(journal: Journal, wrong: Mapping[str, int], folder: Path) -> list[str]:
    """Write findings of wrong answers, by contender and puzzle.

    Returns a line with the command for each finding, and a line for each reason why answers can't be shrunk.
    """
    lines, reasons = [], dict[str, list[str]]()
    for contender, puzzle in wrong.items():
        try:
            lines.append(f"to shrink: {save_finding(journal, puzzle, contender, folder)}")
        except NoFinding as e:
            reasons.setdefault(str(e), []).append(f"{contender} on {journal.instances.name(puzzle)}")
    for reason, where in reasons.items():
        more = f" and {len(where) - MAX_ASKS} more" if len(where) > MAX_ASKS else ""
        lines.append(f"not to shrink: {', '.join(where[:MAX_ASKS])}{more}: {reason}")
    return lines


def save_finding(journal: Journal, puzzle: int, contender: str, folder: Path) -> str:
    """Write the finding of a wrong answer; return the command to shrink it. Raises NoFinding."""
    instance = journal.instances.get(puzzle)
    if isinstance(script := instance.problem.objective, QueryScript):
        if script.model is not None:
            raise NoFinding("a query script over a model is not shrunk")
        rows = ScriptCase.of(script)
        path = folder / f"{slug(instance.name)}--{slug(contender)}.{rows.ending}"
        written(path, f"{contender} on {instance.name}", rows)
        return called("shrink", str(path), "-b", contender.partition("/")[0])
    wrong = find_wrong(journal, puzzle, contender)
    finding = finding_of(journal, wrong, puzzle, contender)
    path = folder / f"{slug(instance.name)}--{slug(contender)}.finding"
    case = finding.case
    known = max(len(truth(case, case.asks[-1]).solutions), len(case.witnesses))
    if finding.signature in ("unsatisfiable", "too few") and known <= wrong.row["found"]:
        more = "are more" if wrong.row["found"] else "is a solution, and CP-SAT finds none"
        raise NoFinding(f"only the corpus claims that there {more}")
    if instance.problem.objective is not None and not wrong.is_crash and only_claimed(journal, puzzle, wrong, case):
        raise NoFinding("only the corpus claims a better one")
    try:
        write(finding, path)
    except BadUsage as e:
        raise NoFinding(str(e)) from None
    return command("shrink", path, finding)
