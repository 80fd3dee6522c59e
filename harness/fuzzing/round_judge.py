"""Judge the outcomes of a round of boards, on solutions shown and the results of exhaustive search.

number    of a board, from 1, as in Batch.puzzles
witness   a solution shown by any contender, or found by search, checked anew for each board
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from harness.fuzzing.counting import Enumeration
from harness.fuzzing.signature import WRONG_SOLUTION, Searched, describe_answer, signature
from harness.judging import judge
from harness.judging.objectives import optimised
from harness.model.outcome import Outcomes, Verdict
from harness.model.quality import CorpusClaims, Optimised, Quality
from harness.model.trajectory import NOTHING, StepKind
from puzzles.problem import Problem
from puzzles.problem.arrays import Int32Array, Solutions, UInt64Array
from puzzles.problem.check import fault_of
from puzzles.problem.columns import index_type, pack, projected, unpack, valid
from puzzles.problem.values import Domains, Solution

SHOWN = "shown"


@dataclass(frozen=True)
class Failure:
    """One failing outcome, at `position` in `outcomes`; `seen` describes the answer."""

    contender: int
    number: int
    signature: str
    seen: str
    outcomes: Outcomes
    position: int

    def solutions(self) -> list[list[int]]:
        """Return the solutions of the answer."""
        found = self.outcomes.rows["found"]
        first = int(found[: self.position].sum())
        return self.outcomes.solutions[first : first + int(found[self.position])].tolist()  # type: ignore[no-any-return]

    def explained(self) -> "Failure":
        """Return the failure with the reason why a solution is wrong among what was seen."""
        batch = self.outcomes.batch
        domains = unpack(batch.domains[self.position : self.position + 1])[0]
        return replace(self, seen=f"{self.seen}: {fault_of(batch.problem, domains, self.solutions())}")


@dataclass
class RoundJudge:
    """Judge of boards 1 to `boards`, asked for `count` solutions: add all outcomes, then get failures."""

    boards: int
    count: int
    independent: UInt64Array = field(default_factory=judge.ALL_INDEPENDENT.copy)
    judged: list[tuple[Outcomes, Int32Array, Optimised | None]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.evidence = judge.Evidence.empty(self.boards, self.independent)
        self.known = CorpusClaims.none(self.boards)

    def judge_batch(self, outcomes: Outcomes, group: int) -> None:
        """Check outcomes of a contender of that lineage group and add them to the evidence."""
        rows, batch = outcomes.rows, outcomes.batch
        checked = judge.check(batch.problem, batch.domains, rows["found"], outcomes.solutions)
        best = optimised(outcomes, checked)
        self.evidence.add(outcomes, checked, group, best)
        self.judged.append((outcomes, checked, best))

    def checked_solutions(self) -> dict[int, set[Solution]]:
        """Return the right solutions shown, by number of the board."""
        verified: dict[int, dict[bytes, Solutions]] = {}
        for outcomes, checked, _ in self.judged:
            found = outcomes.rows["found"]
            start = np.cumsum(found) - found
            for i in np.flatnonzero(checked > 0):
                rows = verified.setdefault(int(outcomes.batch.puzzles[i]), {})
                for row in outcomes.solutions[start[i] : start[i] + found[i]]:
                    rows[row.tobytes()] = row
        return {number: {tuple(row.tolist()) for row in rows.values()} for number, rows in verified.items()}

    def add_count(self, number: int, problem: Problem, counted: Enumeration) -> None:
        """Add the result of exhaustive search on a board: its number of solutions, or the value of its best one."""
        if problem.objective is not None:
            if counted.complete:
                self.known.stated.put(
                    np.array([number]), Quality.of_values(values_of(problem, counted.solutions) or [None])
                )
        elif counted.complete or counted.solutions:
            self.known.stated.put(np.array([number]), Quality.of_counts(np.array([len(counted.solutions)])))
            self.known.at_least[number] = not counted.complete

    def add_witnesses(
        self, problem: Problem, boards: Mapping[int, Domains], witnesses: Mapping[int, Sequence[Solution]]
    ) -> None:
        """Check candidate solutions for boards of one problem; the right ones become evidence."""
        pairs = [(number, w) for number, ws in witnesses.items() for w in ws]
        if not pairs or not problem.variables:
            return
        solutions = np.array([w for _, w in pairs], index_type(problem))
        right = valid(problem, pack(problem, [boards[number] for number, _ in pairs]), solutions)
        if problem.objective is not None:
            good = [pair for pair, is_right in zip(pairs, right.tolist(), strict=True) if is_right]
            for (number, _), value in zip(good, values_of(problem, [w for _, w in good]), strict=True):
                self.evidence.add_values(np.array([number]), Quality.of_values([value]))
            return
        hashes = judge.fingerprints(projected(problem, solutions)).tolist()
        for (number, _), h, good in zip(pairs, hashes, right.tolist(), strict=True):
            if good and self.evidence.verified.some[number]:
                self.evidence.add_solution(number, h)
            elif good:
                self.evidence.add_first_solutions(np.array([number]), np.array([h], np.uint64))

    def failures(self) -> list[Failure]:
        """Return every failing outcome, on the evidence added so far."""
        found = []
        for outcomes, checked, best in self.judged:
            rows, batch, goal = outcomes.rows, outcomes.batch, outcomes.batch.problem.objective
            verdicts = judge.verdicts(batch.puzzles, rows, checked, self.count, self.known, self.evidence, best)
            settled = judge.decided(rows, self.count, best)
            suspect = (checked < 0) | ~settled | np.isin(verdicts, (Verdict.WRONG, Verdict.CORPUS_WRONG))
            for i in np.flatnonzero(suspect).tolist():
                detail, search = outcomes.details.get(i, ""), None if best is None else self.search(outcomes, best, i)
                how = signature(rows[i], int(checked[i]), int(verdicts[i]), bool(settled[i]), detail, search)
                if how is not None:
                    seen = describe_answer(rows[i], detail, search, goal)
                    failure = Failure(batch.contender, int(batch.puzzles[i]), how, seen, outcomes, i)
                    found.append(failure.explained() if how == WRONG_SOLUTION else failure)
        return found

    def search(self, outcomes: Outcomes, best: Optimised, at: int) -> Searched:
        """Return the search of one outcome, with the best value that is known."""
        trajectory, number = outcomes.trajectories.get(at, NOTHING), int(outcomes.batch.puzzles[at])
        reported = [step.value for step in trajectory.of(StepKind.IMPROVED) if step.value is not None]
        return Searched(
            value=best.quality.values[at],
            stated=trajectory.stated,
            faults=trajectory.faults,
            reported=min(reported, default=None),
            bound=trajectory.bound,
            known=self.evidence.verified[[number]].values[0],
        )


def values_of(problem: Problem, solutions: Sequence[Solution]) -> list[int | None]:
    """Return the exact values of solutions of a problem with an objective."""
    assert problem.objective is not None
    if not solutions:
        return []
    found: list[int | None] = problem.objective.values(np.array(solutions, index_type(problem)), problem).tolist()
    return found


def best_first(problem: Problem, solutions: Sequence[Solution]) -> list[Solution]:
    """Return solutions in the order of their values, if these have any."""
    if problem.objective is None:
        return list(solutions)
    values = values_of(problem, solutions)
    return [s for _, s in sorted(zip(values, solutions, strict=True))]
