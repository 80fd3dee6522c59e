"""Judge the outcomes of a round of boards, on solutions shown and counts of exhaustive search.

number    of a board, from 1, as in Batch.puzzles
witness   a solution shown by any contender, or found by search, checked anew for each board
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from harness.fuzzing.counting import Enumeration
from harness.fuzzing.signature import describe_answer, signature
from harness.judging import judge
from harness.model.claims import CorpusClaims
from harness.model.merit import Merit
from harness.model.outcome import Outcomes, Verdict
from puzzles.problem import Problem
from puzzles.problem.arrays import Int32Array, Solutions, UInt64Array
from puzzles.problem.columns import index_type, pack, valid
from puzzles.problem.values import Domains, Solution


@dataclass(frozen=True)
class Failure:
    """One failing outcome, at `position` in `outcomes`; `seen` describes the answer."""

    contender: int
    number: int
    signature: str
    seen: str
    outcomes: Outcomes
    position: int


@dataclass
class RoundJudge:
    """Judge of boards 1 to `boards`, asked for `count` solutions: add all outcomes, then get failures."""

    boards: int
    count: int
    independent: UInt64Array = field(default_factory=judge.ALL_INDEPENDENT.copy)
    judged: list[tuple[Outcomes, Int32Array]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.evidence = judge.Evidence.empty(self.boards, self.independent)
        self.known = CorpusClaims.none(self.boards)

    def judge_batch(self, outcomes: Outcomes, voice: int) -> None:
        """Check outcomes of a contender with that voice and add them to the evidence."""
        rows, batch = outcomes.rows, outcomes.batch
        checked = judge.check(batch.problem, batch.domains, rows["found"], outcomes.solutions)
        self.evidence.add(outcomes, checked, voice)
        self.judged.append((outcomes, checked))

    def checked_solutions(self) -> dict[int, set[Solution]]:
        """Return the right solutions shown, by number of the board."""
        shown: dict[int, dict[bytes, Solutions]] = {}
        for outcomes, checked in self.judged:
            found = outcomes.rows["found"]
            start = np.cumsum(found) - found
            for i in np.flatnonzero(checked > 0):
                rows = shown.setdefault(int(outcomes.batch.puzzles[i]), {})
                for row in outcomes.solutions[start[i] : start[i] + found[i]]:
                    rows[row.tobytes()] = row
        return {number: {tuple(row.tolist()) for row in rows.values()} for number, rows in shown.items()}

    def add_count(self, number: int, counted: Enumeration) -> None:
        """Add the result of exhaustive search on a board."""
        if counted.complete or counted.solutions:
            self.known.stated.put(np.array([number]), Merit.of_counts(np.array([len(counted.solutions)])))
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
        hashes = judge.fingerprints(solutions).tolist()
        for (number, _), h, good in zip(pairs, hashes, right.tolist(), strict=True):
            if good and self.evidence.shown.some[number]:
                self.evidence.add_solution(number, h)
            elif good:
                self.evidence.add_first_solutions(np.array([number]), np.array([h], np.uint64))

    def failures(self) -> list[Failure]:
        """Return every failing outcome, on the evidence added so far."""
        found = []
        for outcomes, checked in self.judged:
            rows, batch = outcomes.rows, outcomes.batch
            verdicts = judge.verdicts(batch.puzzles, rows, checked, self.count, self.known, self.evidence)
            settled = judge.decided(rows, self.count)
            suspect = (checked < 0) | ~settled | np.isin(verdicts, (Verdict.WRONG, Verdict.CORPUS_WRONG))
            for i in np.flatnonzero(suspect).tolist():
                detail = outcomes.details.get(i, "")
                how = signature(rows[i], int(checked[i]), int(verdicts[i]), bool(settled[i]), detail)
                if how is not None:
                    number = int(batch.puzzles[i])
                    found.append(Failure(batch.contender, number, how, describe_answer(rows[i], detail), outcomes, i))
        return found
