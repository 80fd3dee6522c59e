"""Agreement between contenders: counts of instances, and refuted answers and claims with evidence."""

from dataclasses import dataclass
from itertools import groupby

import numpy as np

from backends.answer import BoolArray, Int32Array, Status
from harness.judging.judge import Evidence, corpus_wrong
from harness.judging.referee import Referee
from harness.model.claims import CorpusClaims
from harness.model.lease import instances_of
from harness.storing.journal import Journal
from puzzles.check import violations


@dataclass(frozen=True)
class Disagreement:
    """Refuted answer or claim: the instance, the contenders to blame (none: its corpus), and the reason.

    conflict  the contenders contradict each other, and nothing shows which of them are wrong
    """

    id: int
    puzzle: str
    contenders: tuple[str, ...]
    why: str
    conflict: bool = False


@dataclass(frozen=True)
class Agreement:
    """Numbers of instances.

    agreed    two or more contenders decided, none refuted    outvoted  the same, but other answers or claims refuted
    unjudged  fewer than two contenders decided: a single opinion, or none
    unique, several, none    number of solutions known from evidence    uncounted  not known
    certified  with a checked proof    certified_formula  of the others, with a checked proof of a formula alone
    unconfirmed  of the uncounted: complete counts, but only from contenders that are not independent of each other
    """

    puzzles: int
    agreed: int
    outvoted: int
    unjudged: int
    certified: int
    certified_formula: int
    unique: int
    several: int
    none: int
    uncounted: int
    unconfirmed: int
    disagreements: tuple[Disagreement, ...]


def agreement(journal: Journal, referee: Referee, votes: Int32Array) -> Agreement:
    """Return the agreement; `votes` int32[n] counts the contenders that decided each instance."""
    evidence, claims, parts = referee.evidence, referee.claims, journal.parts()
    puzzles = instances_of(parts)
    inside = np.zeros(journal.size() + 1, np.bool_)
    for first, last in parts:
        inside[first : last + 1] = True
    conflict = np.zeros(len(inside), np.bool_)
    conflict[journal.disputed()] = True
    split = split_answers(journal, referee) if journal.imported else []
    undisputed = ~np.isin(np.arange(len(inside)), [d.id for d in split])
    decided = votes >= 2
    closed = settled(evidence, claims)
    several = int((evidence.shown[1:] >= 2).sum())
    unique = int((closed & (evidence.shown == 1))[1:].sum())
    none = int((closed & (evidence.shown == 0))[1:].sum())
    return Agreement(
        puzzles=puzzles,
        agreed=int((decided & ~conflict & undisputed)[1:].sum()),
        outvoted=int((decided & conflict & undisputed)[1:].sum()),
        unjudged=int((~decided & ~conflict & inside).sum()),
        certified=int((evidence.certified >= 0).sum()),
        certified_formula=int((evidence.formula & (evidence.certified < 0)).sum()),
        unique=unique,
        several=several,
        none=none,
        uncounted=puzzles - unique - several - none,
        unconfirmed=int((evidence.unconfirmed() & ~closed & (evidence.shown < 2))[1:].sum()),
        disagreements=(*refuted_answers(journal, referee), *split, *refuted_claims(journal, referee)),
    )


def settled(evidence: Evidence, claims: CorpusClaims) -> BoolArray:
    """Return True where the shown solutions are all: a complete answer and agreement, a proof or the corpus say so."""
    exact_claim = (claims.count == evidence.complete_count) & ~claims.at_least
    closed: BoolArray = ((evidence.complete_count == evidence.shown) & exact_claim) | evidence.agreed()
    return closed


def refuted_answers(journal: Journal, referee: Referee) -> list[Disagreement]:
    """Return all wrong answers, one entry per instance and reason."""
    found: list[Disagreement] = []
    for puzzle, number in journal.wrong_answers():
        why, name = explain_wrong(journal, referee, number, puzzle), referee.contenders[number].name
        last = found[-1] if found else None
        if last is not None and (last.id, last.why) == (puzzle, why):
            found[-1] = Disagreement(puzzle, last.puzzle, (*last.contenders, name), why)
        else:
            found.append(Disagreement(puzzle, journal.name(puzzle), (name,), why))
    return found


def split_answers(journal: Journal, referee: Referee) -> list[Disagreement]:
    """Return the instances of which some contenders say that they are satisfiable, and some that they are not."""
    found = []
    for puzzle, group in groupby(journal.split_answers(), key=lambda row: row[0]):
        names: dict[Status, list[str]] = {Status.SATISFIABLE: [], Status.UNSATISFIABLE: []}
        for _, number, status in group:
            names[Status(status)].append(referee.contenders[number].name)
        yes, no = names.values()
        why = f"satisfiable says {', '.join(yes)}; unsatisfiable says {', '.join(no)}"
        found.append(Disagreement(puzzle, journal.name(puzzle), tuple(dict.fromkeys([*yes, *no])), why, conflict=True))
    return found


def explain_wrong(journal: Journal, referee: Referee, contender: int, puzzle_id: int) -> str:
    """Return the reason why an outcome is wrong, as text."""
    puzzle, wrong = journal.puzzle(puzzle_id), journal.first_wrong(contender, puzzle_id)
    if wrong.valid < 0:
        for solution in wrong.solutions:
            if broken := violations(puzzle.problem, puzzle.domains, solution):
                more = f" (and {len(broken) - 1} more)" if len(broken) > 1 else ""
                return f"its solution breaks the puzzle: {broken[0]}{more}"
        return "it gives the same solution twice"
    if journal.imported and (wrong.status == Status.SATISFIABLE) != (wrong.found > 0):
        return "the imported results call its answer wrong"
    if wrong.status == Status.SATISFIABLE and wrong.found > wrong.valid:
        return "says satisfiable, but the corpus claims no solution"
    if wrong.status == Status.SATISFIABLE and not wrong.found:
        return "says satisfiable but gives no solution"
    if wrong.status == Status.UNSATISFIABLE and wrong.found:
        return "says unsatisfiable but gives a solution"
    some = f"says that {wrong.found} solution{'s are' if wrong.found > 1 else ' is'} all"
    says = some if wrong.found else "says that no solution exists"
    shown = int(referee.evidence.shown[puzzle_id])
    if shown > wrong.found:
        return f"{says}, but {shown} {'was' if shown == 1 else 'were'} found and checked"
    if puzzle.count is None:
        return f"{says}, but the corpus states a solution"
    return f"{says}, but the corpus claims {puzzle.count}{'+' if puzzle.at_least else ''}"


def refuted_claims(journal: Journal, referee: Referee) -> list[Disagreement]:
    """Return every refuted claim of a corpus."""
    found, claims = [], referee.claims
    for puzzle in np.flatnonzero(corpus_wrong(claims, referee.evidence)).tolist():
        shown = int(referee.evidence.shown[puzzle])
        claim = f"{claims.count[puzzle]}{'+' if claims.at_least[puzzle] else ''}"
        checked = shown > claims.count[puzzle]
        proof = "found and checked" if checked else "in total, as independent contenders agree"
        why = f"the corpus claims {claim} solutions, {shown} {proof}"
        found.append(Disagreement(puzzle, journal.name(puzzle), (), why))
    return found
