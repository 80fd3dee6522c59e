"""What contenders agree on: counts over instances, and every answer or claim that is refuted, with the evidence."""

from dataclasses import dataclass

import numpy as np

from backends.answer import Int32Array, Status
from harness.judging.judge import corpus_wrong
from harness.judging.referee import Referee
from harness.storing.journal import Journal
from puzzles.check import violations


@dataclass(frozen=True)
class Disagreement:
    """A refuted answer or claim: the instance, who is blamed (nobody: its corpus), and why."""

    id: int
    puzzle: str
    contenders: tuple[str, ...]
    why: str


@dataclass(frozen=True)
class Agreement:
    """Counts of instances, but for `certified` proofs.

    agreed    two contenders or more decided, nobody refuted     unjudged  fewer than two decided
    unique, several, none      where there is evidence           uncounted  where there is not
    unconfirmed  of the uncounted: counted completely, by contenders that are not independent of each other
    """

    puzzles: int
    agreed: int
    unjudged: int
    certified: int
    unique: int
    several: int
    none: int
    uncounted: int
    unconfirmed: int
    disagreements: tuple[Disagreement, ...]


def agreement(journal: Journal, referee: Referee, votes: Int32Array) -> Agreement:
    """The agreement on a journal's instances; `votes` int32[n] says how many contenders decided each."""
    evidence, claims, puzzles = referee.evidence, referee.claims, journal.size()
    conflict = np.zeros(puzzles + 1, np.bool_)
    conflict[journal.disputed()] = True
    heard = votes >= 2
    sure = (claims.count == evidence.complete_count) & ~claims.at_least
    counted = evidence.complete_count == evidence.shown
    closed = (counted & sure) | evidence.agreed()
    several = int((evidence.shown[1:] >= 2).sum())
    unique = int((closed & (evidence.shown == 1))[1:].sum())
    none = int((closed & (evidence.shown == 0))[1:].sum())
    return Agreement(
        puzzles=puzzles,
        agreed=int((heard & ~conflict)[1:].sum()),
        unjudged=int((~heard & ~conflict)[1:].sum()),
        certified=int((evidence.certified >= 0).sum()),
        unique=unique,
        several=several,
        none=none,
        uncounted=puzzles - unique - several - none,
        unconfirmed=int((evidence.unconfirmed() & ~closed & (evidence.shown < 2))[1:].sum()),
        disagreements=(*refuted_answers(journal, referee), *refuted_claims(journal, referee)),
    )


def refuted_answers(journal: Journal, referee: Referee) -> list[Disagreement]:
    """Every instance with a wrong answer; contenders that are wrong in the same way are blamed together."""
    found: list[Disagreement] = []
    for puzzle, number in journal.wrong_answers():
        why, name = why_wrong(journal, referee, number, puzzle), referee.contenders[number].name
        last = found[-1] if found else None
        if last is not None and (last.id, last.why) == (puzzle, why):
            found[-1] = Disagreement(puzzle, last.puzzle, (*last.contenders, name), why)
        else:
            found.append(Disagreement(puzzle, journal.name(puzzle), (name,), why))
    return found


def why_wrong(journal: Journal, referee: Referee, contender: int, puzzle_id: int) -> str:
    """In words, why an outcome is wrong."""
    puzzle, wrong = journal.puzzle(puzzle_id), journal.first_wrong(contender, puzzle_id)
    if wrong.valid < 0:
        for solution in wrong.solutions:
            if broken := violations(puzzle.problem, puzzle.domains, solution):
                more = f" and {len(broken) - 1} more" if len(broken) > 1 else ""
                return f"its solution breaks the puzzle: {broken[0]}{more}"
        return "it shows one solution twice"
    if wrong.status == Status.SATISFIABLE and not wrong.found:
        return "says satisfiable but shows no solution"
    if wrong.status == Status.UNSATISFIABLE and wrong.found:
        return "says unsatisfiable and shows a solution"
    some = f"says complete with {wrong.found} solution{'s' * (wrong.found > 1)}"
    says = some if wrong.found else "says there is no solution"
    shown = int(referee.evidence.shown[puzzle_id])
    if shown > wrong.found:
        return f"{says}, but {shown} {'was' if shown == 1 else 'were'} shown and checked"
    if puzzle.count is None:
        return f"{says}, but the corpus states a solution"
    return f"{says}, but the corpus claims {puzzle.count}{'+' if puzzle.at_least else ''}"


def refuted_claims(journal: Journal, referee: Referee) -> list[Disagreement]:
    """Every claim of a corpus that is refuted."""
    found, claims = [], referee.claims
    for puzzle in np.flatnonzero(corpus_wrong(claims, referee.evidence)).tolist():
        shown = int(referee.evidence.shown[puzzle])
        claim = f"{claims.count[puzzle]}{'+' if claims.at_least[puzzle] else ''}"
        checked = shown > claims.count[puzzle]
        proof = "shown and checked" if checked else "all there are, as independent contenders agree"
        why = f"the corpus claims {claim} solutions, {shown} {proof}"
        found.append(Disagreement(puzzle, journal.name(puzzle), (), why))
    return found
