"""What came of many boards, judged: by the judge, on all evidence there is, and on what trying everything found.

number    of a board, from 1, as Batch.puzzles has it
witness   a solution that anybody has shown, checked anew for each board that it is held against
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from backends.answer import Int32Array, UInt64Array
from harness.fuzzing.counting import Enumeration
from harness.fuzzing.signature import describe_answer, signature
from harness.judging import judge
from harness.model.claims import CorpusClaims
from harness.model.outcome import Outcomes, Verdict
from puzzles.columns import Solutions, index_type, pack, valid
from puzzles.problem import Domains, Problem, Solution


@dataclass(frozen=True)
class Failure:
    """One outcome that fails. `seen` is what it says, `solutions` what it shows."""

    contender: int
    number: int
    signature: str
    seen: str
    outcomes: Outcomes
    position: int


@dataclass
class RoundJudge:
    """Outcomes of boards 1 to `boards`, each asked for `count` solutions. Hear everything, then ask for failures."""

    boards: int
    count: int
    independent: UInt64Array = field(default_factory=judge.STRANGERS.copy)
    heard: list[tuple[Outcomes, Int32Array]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.evidence = judge.Evidence.none(self.boards, self.independent)
        stated = np.full(self.boards + 1, -1, np.int32)
        self.known = CorpusClaims(stated, np.zeros(self.boards + 1, np.bool_))

    def judge_batch(self, outcomes: Outcomes, voice: int) -> None:
        """Take in outcomes of a contender of that voice."""
        rows, batch = outcomes.rows, outcomes.batch
        checked = judge.check(batch.problem, batch.domains, rows["found"], outcomes.solutions)
        self.evidence.add(outcomes, checked, voice)
        self.heard.append((outcomes, checked))

    def shown(self) -> dict[int, set[Solution]]:
        """The right solutions that were shown, by number of the board."""
        shown: dict[int, dict[bytes, Solutions]] = {}
        for outcomes, checked in self.heard:
            found = outcomes.rows["found"]
            start = np.cumsum(found) - found
            for i in np.flatnonzero(checked > 0):
                rows = shown.setdefault(int(outcomes.batch.puzzles[i]), {})
                for row in outcomes.solutions[start[i] : start[i] + found[i]]:
                    rows[row.tobytes()] = row
        return {number: {tuple(row.tolist()) for row in rows.values()} for number, rows in shown.items()}

    def believe(self, number: int, counted: Enumeration) -> None:
        """What trying everything found of a board."""
        if counted.complete or counted.solutions:
            self.known.count[number] = len(counted.solutions)
            self.known.at_least[number] = not counted.complete

    def witness(
        self, problem: Problem, boards: Mapping[int, Domains], witnesses: Mapping[int, Sequence[Solution]]
    ) -> None:
        """Solutions that may be right for instances of one problem; those that are become evidence."""
        pairs = [(number, w) for number, ws in witnesses.items() for w in ws]
        if not pairs or not problem.variables:
            return
        solutions = np.array([w for _, w in pairs], index_type(problem))
        right = valid(problem, pack(problem, [boards[number] for number, _ in pairs]), solutions)
        hashes = judge.fingerprints(solutions).tolist()
        for (number, _), h, good in zip(pairs, hashes, right.tolist(), strict=True):
            if good and self.evidence.shown[number]:
                self.evidence.see_another(number, h)
            elif good:
                self.evidence.see(np.array([number]), np.array([h], np.uint64))

    def failures(self) -> list[Failure]:
        """Every outcome that fails, given all that was heard."""
        found = []
        for outcomes, checked in self.heard:
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
