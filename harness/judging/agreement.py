"""Agreement between contenders: counts of instances, and refuted answers and claims, with evidence."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np

from backends.contract.answer import Reason, Status
from harness.judging import counts, queries
from harness.judging.alarms import Alarm, Disagreement, false_certificates
from harness.judging.culprits import Culprits
from harness.judging.judge import confirmed, corpus_wrong, undecided_claim
from harness.judging.referee import Referee
from harness.judging.refuted_optima import Refutation, refutation
from harness.model.agreement import AgreementCounts
from harness.model.lease import instances_of
from harness.model.outcome import Verdict
from harness.model.quality import CorpusClaims
from harness.storing.journal import Journal
from harness.storing.outcomes.answers import WrongAnswer
from puzzles.objectives import stated
from puzzles.objectives.models import ModelCount
from puzzles.objectives.queries import QueryScript
from puzzles.problem import Instance
from puzzles.problem.arrays import Int32Array
from puzzles.problem.check import fault_of


class Agreement(NamedTuple):
    """Numbers of instances, and all disagreements in the order of their alarms."""

    counts: AgreementCounts
    disagreements: tuple[Disagreement, ...]


def agreement(journal: Journal, referee: Referee, votes: Int32Array) -> Agreement:
    """Return the agreement; `votes` int32[n] counts the contenders that decided each instance."""
    evidence, claims, parts = referee.evidence, referee.claims, journal.instances.parts()
    puzzles = instances_of(parts)
    inside = np.zeros(journal.instances.size() + 1, np.bool_)
    for first, last in parts:
        inside[first : last + 1] = True
    conflict = np.zeros(len(inside), np.bool_)
    disputes = list(journal.answers.disputes())
    conflict[[puzzle for puzzle, *_ in disputes]] = True
    wrong = [(puzzle, number) for puzzle, number, verdict in disputes if verdict == Verdict.WRONG]
    split = split_answers(journal, referee) if journal.facts.imported else []
    found = (
        *false_certificates(journal, referee),
        *refuted_answers(journal, referee, wrong),
        *split,
        *counts.disagreements(journal, referee),
        *queries.disagreements(journal, referee),
        *undecided_claims(journal, referee),
        *refuted_claims(journal, referee),
    )
    undisputed = ~np.isin(np.arange(len(inside)), [d.id for d in split])
    decided = votes >= 2
    closed = confirmed(claims, evidence) > 0
    goal, some, unconfirmed = journal.instances.with_objective, evidence.verified.some, evidence.unconfirmed() & ~closed
    verified = np.where(goal, 0, evidence.verified.number).astype(np.int64)
    several = int((verified[1:] >= 2).sum())
    unique = int((closed & (verified == 1))[1:].sum())
    none = int((closed & ~some)[1:].sum())
    undecided = inside & ~goal & ~(closed & ~some) & ~(verified >= 2) & ~(closed & (verified == 1))
    numbers = AgreementCounts(
        puzzles=puzzles,
        agreed=int((decided & ~conflict & undisputed)[1:].sum()),
        outvoted=int((decided & conflict & undisputed)[1:].sum()),
        unjudged=int((~decided & ~conflict & inside).sum()),
        certified=int(evidence.proved().sum()),
        certified_formula=int((evidence.formula.same(evidence.verified) & ~evidence.proved()).sum()),
        contradicted=int((evidence.contradicted() | evidence.contradicted_formula()).sum()),
        unique=unique,
        several=several,
        none=none,
        uncounted=int(undecided[1:].sum()),
        unconfirmed=int((unconfirmed & ~goal & (verified < 2))[1:].sum()),
        objectives=int((goal & inside).sum()),
        optimal=int((goal & some & closed).sum()),
        unopposed=int((goal & unconfirmed).sum()),
        infeasible=int((goal & closed & ~some)[1:].sum()),
        feasible=int((goal & some & ~closed & ~unconfirmed).sum()),
    )
    return Agreement(numbers, tuple(sorted(found, key=lambda d: d.alarm)))


def refuted_answers(journal: Journal, referee: Referee, wrong: Sequence[tuple[int, int]]) -> list[Disagreement]:
    """Return one entry per instance and reason of the wrong answers, pairs of instance and contender."""
    found: list[Disagreement] = []
    culprits = Culprits(journal, referee)
    for puzzle, number in wrong:
        reason, name = explain_wrong(journal, referee, number, puzzle), referee.contenders[number].name
        reason = reason if referee.models else culprits.named(reason, number, puzzle)
        last = found[-1] if found else None
        if last is not None and (last.id, last.why) == (puzzle, reason.why):
            found[-1] = replace(last, contenders=(*last.contenders, name))
        else:
            alarm = Alarm.OPTIMUM if reason.better else Alarm.WRONG
            found.append(Disagreement(puzzle, journal.instances.name(puzzle), (name,), reason.why, alarm, reason.facts))
    return found


def split_answers(journal: Journal, referee: Referee) -> list[Disagreement]:
    """Return the instances that some contenders answer as satisfiable, and others as unsatisfiable."""
    found = []
    for puzzle, group in groupby(journal.answers.split(), key=lambda row: row[0]):
        names: dict[Status, list[str]] = {Status.SATISFIABLE: [], Status.UNSATISFIABLE: []}
        for _, number, status in group:
            names[Status(status)].append(referee.contenders[number].name)
        yes, no = names.values()
        why = f"satisfiable says {', '.join(yes)}; unsatisfiable says {', '.join(no)}"
        who = tuple(dict.fromkeys([*yes, *no]))
        found.append(Disagreement(puzzle, journal.instances.name(puzzle), who, why, Alarm.CONFLICT))
    return found


def explain_wrong(journal: Journal, referee: Referee, contender: int, puzzle_id: int) -> Refutation:
    """Return the reason why an outcome is wrong."""
    puzzle, wrong = journal.instances.get(puzzle_id), journal.answers.first_wrong(contender, puzzle_id)
    script = isinstance(puzzle.problem.objective, QueryScript)
    if script and (found := queries.refutation(journal, referee, contender, puzzle_id, puzzle, wrong)):
        return found
    if wrong.valid < 0:
        why = fault_of(puzzle.problem, puzzle.domains, wrong.solutions)
        return Refutation(f"its solution is wrong: {why}")
    if wrong.reason == Reason.REFUTED:
        return Refutation(wrong.detail)
    if isinstance(puzzle.problem.objective, ModelCount):
        return counts.refutation(journal, referee, contender, puzzle, puzzle_id)
    if journal.facts.imported and (wrong.status == Status.SATISFIABLE) != (wrong.found > 0):
        return Refutation("the imported results call its answer wrong")
    if wrong.status == Status.SATISFIABLE and wrong.found > wrong.valid:
        return Refutation("says satisfiable, but the corpus claims no solution")
    if wrong.status == Status.SATISFIABLE and not wrong.found:
        return Refutation("says satisfiable but gives no solution")
    if wrong.status == Status.UNSATISFIABLE and wrong.found:
        return Refutation(": ".join(filter(None, ("says unsatisfiable but gives a solution", wrong.detail))))
    if puzzle.problem.objective is not None:
        return refutation(journal, referee, contender, puzzle_id, puzzle, wrong)
    return Refutation(miscounted(referee, puzzle_id, puzzle, wrong))


def miscounted(referee: Referee, puzzle_id: int, puzzle: Instance[Any], wrong: WrongAnswer) -> str:
    """Return the reason against an answer that claims too few solutions to be all."""
    some = f"says that {wrong.found} solution{'s are' if wrong.found > 1 else ' is'} all"
    says = some if wrong.found else "says that no solution exists"
    verified = int(referee.evidence.verified.number[puzzle_id])
    if verified > wrong.found:
        return f"{says}, but {verified} {'was' if verified == 1 else 'were'} found and checked"
    if puzzle.count is None:
        return f"{says}, but the corpus states a solution"
    return f"{says}, but the corpus claims {puzzle.count}{'+' if puzzle.at_least else ''}"


def claimed(claims: CorpusClaims, puzzle: int) -> str:
    """Return the claims of a corpus about an instance."""
    number, more = claims.stated.quality.number[puzzle], "+" if claims.at_least[puzzle] else ""
    return f"the corpus claims {number}{more} solution{'' if number == 1 and not more else 's'}"


def undecided_claims(journal: Journal, referee: Referee) -> list[Disagreement]:
    """Return every claim of a corpus that only a certificate of the journal contradicts."""
    found, verified = [], referee.evidence.verified.number
    for puzzle in np.flatnonzero(undecided_claim(referee.claims, referee.evidence)).tolist():
        names = (referee.contenders[c.contender].name for c in journal.proofs.certificates(puzzle))
        who = ", ".join(dict.fromkeys(names))
        claim = (
            refuted_value(journal, referee, puzzle)
            if journal.instances.with_objective[puzzle]
            else f"{claimed(referee.claims, puzzle)}, {int(verified[puzzle])} in total"
        )
        why = (
            f"{claim}, as a proof of {who} showed"
            " when this journal was written; it is not checked again here, so nothing shows which is wrong"
        )
        found.append(Disagreement(puzzle, journal.instances.name(puzzle), (), why, Alarm.CONFLICT))
    return found


def refuted_claims(journal: Journal, referee: Referee) -> list[Disagreement]:
    """Return every refuted claim of a corpus."""
    found, claims, evidence = [], referee.claims, referee.evidence
    refuted = np.flatnonzero(corpus_wrong(claims, evidence))
    shared, proved = evidence.shared(refuted).tolist(), evidence.proved(refuted).tolist()
    for puzzle, agree, checked_proof in zip(refuted.tolist(), shared, proved, strict=True):
        if journal.instances.with_objective[puzzle]:
            why = refuted_value(journal, referee, puzzle)
            if not claims.stated.below(evidence.verified)[puzzle]:
                why += f", as {'independent contenders agree' if agree else 'a checked proof shows'}"
            found.append(Disagreement(puzzle, journal.instances.name(puzzle), (), why, Alarm.CORPUS))
            continue
        verified = int(evidence.verified.number[puzzle])
        reasons = ["independent contenders agree"] * agree + ["a checked proof shows"] * checked_proof
        checked = verified > claims.stated.quality.number[puzzle]
        proof = "found and checked" if checked else f"in total, as {' and '.join(reasons)}"
        why = f"{claimed(claims, puzzle)}, {verified} {proof}"
        found.append(Disagreement(puzzle, journal.instances.name(puzzle), (), why, Alarm.CORPUS))
    return found


def refuted_value(journal: Journal, referee: Referee, puzzle: int) -> str:
    """Return the words on a claim of a corpus about the best value of an instance."""
    instance = journal.instances.get(puzzle)
    goal, verified = instance.problem.objective, referee.evidence.verified[[puzzle]].values[0]
    assert goal is not None
    if instance.optimum is None:
        claim = "the corpus claims that there is no solution"
    else:
        kind = "the best known value" if instance.at_least else "the optimum"
        claim = f"the corpus claims {kind} {stated(goal, instance.optimum)}"
    better = referee.claims.stated.below(referee.evidence.verified)[puzzle]
    if better and verified is not None:
        return f"{claim}, but a solution of value {stated(goal, verified)} was found and checked"
    best = "there is no solution" if verified is None else f"the optimum is {stated(goal, verified)}"
    return f"{claim}, but {best}"
