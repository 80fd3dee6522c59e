"""Translations of ours to blame for wrong answers of a journal, and the solutions that show it.

Nothing of it is stored: the journal has instances, answers and solutions, and all else follows from these.
"""

from collections.abc import Iterator
from time import process_time

from backends.contract.answer import Status
from backends.programs.backend import format_of
from harness.judging.exhaustive import right_assignments
from harness.judging.referee import Referee
from harness.judging.refuted_optima import Refutation
from harness.judging.translations import Answered, Translation, culprit
from harness.model.outcome import SOURCES
from harness.storing.journal import Journal
from harness.storing.outcomes.objectives import Statement
from puzzles.problem.check import violations
from puzzles.problem.values import Solution

SECONDS = 5.0  # of CPU time for all wrong answers of a journal
MOST_TRIED = 30_000  # assignments of an instance of which no right solution is known


class Culprits:
    """Evaluates translations until the CPU time is spent."""

    def __init__(self, journal: Journal, referee: Referee) -> None:
        self.journal, self.referee, self.spent = journal, referee, 0.0
        self.sources = {} if journal.facts.imported else journal.facts.get(SOURCES, {})

    def named(self, reason: Refutation, contender: int, puzzle: int) -> Refutation:
        """Return a reason against an answer with the translation to blame, if there is one."""
        began = process_time()
        found = self.culprit(contender, puzzle)
        self.spent += process_time() - began
        if found is None:
            return reason
        return reason._replace(why=f"{reason.why}; at fault: {found}", facts=(*reason.facts, ("blame", str(found))))

    def culprit(self, number: int, puzzle: int) -> Translation | None:
        """Return the translation to blame for a wrong answer; None if the program got the file of the instance."""
        contender = self.referee.contenders[number]
        original = self.sources.get(str(puzzle), {}).get("format")
        if self.journal.facts.imported or self.spent > SECONDS or original == format_of(contender.backend):
            return None
        instance, wrong = self.journal.instances.get(puzzle), self.journal.answers.first_wrong(number, puzzle)
        own = self.journal.objectives.statements(number, wrong.repeat, puzzle, puzzle).get(puzzle, Statement())
        complete = wrong.complete or wrong.status == Status.UNSATISFIABLE
        answer = Answered([*map(tuple, wrong.solutions)], complete, own.stated, own.bound)
        return culprit(contender, instance.problem, instance.domains, answer, self.known(puzzle))

    def known(self, puzzle: int) -> Iterator[Solution]:
        """Yield right solutions of an instance: of the corpus, of answers, of provers, else of all assignments."""
        instance = self.journal.instances.get(puzzle)
        problem, domains = instance.problem, instance.domains
        shown = [] if instance.solution is None else [instance.solution]
        shown += [s for row in self.journal.proofs.all(puzzle) for s in map(tuple, row.solutions.tolist())]
        shown += [s for o in self.journal.outcomes.stored(puzzle) for s in map(tuple, o.solutions.tolist())]
        right = [s for s in dict.fromkeys(shown) if not violations(problem, domains, s)]
        if not right and (tried := right_assignments(problem, domains, MOST_TRIED)) is not None:
            right = [*map(tuple, tried.tolist())]
        yield from right
