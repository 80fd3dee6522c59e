"""Alarms: refutations by their gravity, and certificates that a checked solution contradicts.

A wrong answer concerns one contender. A false certificate means that a check, of ours or of a checker, is wrong; all
certificates of the run rest on these checks, so it is reported before anything else.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np

from harness.judging.judge import check
from harness.judging.proof_job import certifiers
from harness.judging.referee import Referee
from harness.judging.refuted_optima import witness_of
from harness.model.outcome import FORMULA_CERTIFIED
from harness.storing.journal import Journal
from puzzles.objectives import stated
from puzzles.problem.check import violations
from puzzles.problem.values import Solution

MAX_SHOWN = 100  # characters of a solution that is shown


class Alarm(IntEnum):
    """Kinds of disagreements, in the order in which they are reported."""

    CERTIFICATE = 0  # a certificate against a checked solution
    OPTIMUM = 10  # a stated optimum or bound, or that there is no solution, against a better one that was checked
    WRONG = 20  # an answer against checked solutions or a claim
    INCONSISTENT = 25  # counts of one contender that break an identity
    CONFLICT = 30  # answers or claims that contradict each other, of which nothing shows which are wrong
    CORPUS = 40  # a claim of a corpus against checked solutions, agreement or a proof


GRAVE = (Alarm.CERTIFICATE,)  # alarms that are shown before the agreement and everything beside it


@dataclass(frozen=True)
class Disagreement:
    """Refuted answer, claim or certificate: the instance, the contenders to blame (none: its corpus), and the reason.

    facts  further data, for --json
    """

    id: int
    puzzle: str
    contenders: tuple[str, ...]
    why: str
    alarm: Alarm = Alarm.WRONG
    facts: tuple[tuple[str, Any], ...] = ()


class Witness(NamedTuple):
    """Checked solution outside the certified ones: its contender, and its text, '' if that is long."""

    name: str
    text: str


def is_grave(entry: Mapping[str, Any]) -> bool:
    """Return True if a disagreement in a summary has one of the alarms of GRAVE."""
    return entry.get("alarm") in {alarm.name.lower() for alarm in GRAVE}


def counted(n: int) -> str:
    """Return the words for: a number of solutions is the total."""
    return f"{n} solution{'s are' if n > 1 else ' is'} all" if n else "no solution exists"


def false_certificates(journal: Journal, referee: Referee) -> Iterator[Disagreement]:
    """Yield a disagreement for each contradicted certificate: one per instance, encoding, checkers and count."""
    evidence, settings = referee.evidence, journal.facts.settings()
    contradicted = evidence.contradicted() | evidence.contradicted_formula()
    for puzzle in np.flatnonzero(contradicted).tolist():
        if journal.instances.with_objective[puzzle]:
            yield from false_optima(journal, referee, puzzle)
            continue
        by = defaultdict[tuple[str, tuple[str, ...], int, int], list[str]](list)
        verified = int(evidence.verified.number[puzzle])
        for c in journal.proofs.certificates(puzzle):
            if c.found < verified:
                contender = referee.contenders[c.contender]
                who = certifiers(c.detail, tuple(settings.checkers))
                by[contender.encoded, who, c.proof, c.found].append(contender.name)
        for row in journal.proofs.all(puzzle):
            if row.holds and (row.value or 0) < verified:
                by[encoding_of(row.prover), row.by, row.proof, row.value or 0].append(row.prover)
        for (encoding, checkers, proof, found), names in by.items():
            witness = witness_against(journal, referee, puzzle, found)
            yield false_certificate(
                puzzle,
                journal.instances.name(puzzle),
                tuple(dict.fromkeys(names)),
                encoding,
                checkers,
                proof,
                found,
                witness,
            )


def encoding_of(prover: str) -> str:
    """Return the encoding that a prover's name states, its default one if it states none."""
    return prover.partition("/")[2].partition("@")[0] or "its own"


def false_optima(journal: Journal, referee: Referee, puzzle: int) -> Iterator[Disagreement]:
    """Yield a disagreement for each certificate of an optimum, or of no solution, against a better solution."""
    goal, verified = journal.instances.get(puzzle).problem.objective, referee.evidence.verified[[puzzle]].values[0]
    assert goal is not None
    assert verified is not None
    witness, checkers = witness_of(journal, referee, puzzle, verified), tuple(journal.facts.settings().checkers)
    certificates = list[tuple[str, tuple[str, ...], int, int | None]]()
    for c in journal.proofs.certificates(puzzle):
        own = journal.objectives.statements(c.contender, c.repeat, puzzle, puzzle).get(puzzle)
        who, name = certifiers(c.detail, checkers), referee.contenders[c.contender].name
        certificates.append((name, who, c.proof, None if own is None else own.value))
    certificates += [(row.prover, row.by, row.proof, row.value) for row in journal.proofs.all(puzzle) if row.holds]
    for name, who, proof, value in certificates:
        if value is not None and value <= verified:
            continue
        formula = proof == FORMULA_CERTIFIED
        claim = "no solution exists" if value is None else f"{stated(goal, value)} is the optimum"
        rests = "the formula does not mean the instance" if formula else "no certificate of this run counts"
        why = (
            f"{' and '.join(who)} certified{', of the formula,' if formula else ''} that {claim}, but a solution of"
            f" value {stated(goal, verified)} by {witness} was checked; {rests}"
        )
        facts = {"checkers": list(who), "certified": None if value is None else str(value), "witness": witness}
        more = {"better": str(verified), "scope": "formula" if formula else "instance"}
        yield Disagreement(
            puzzle, journal.instances.name(puzzle), (name,), why, Alarm.CERTIFICATE, tuple((facts | more).items())
        )


def false_certificate(
    puzzle: int,
    name: str,
    contenders: tuple[str, ...],
    encoding: str,
    checkers: Sequence[str],
    proof: int,
    found: int,
    witness: Witness,
) -> Disagreement:
    """Return the disagreement of a certificate with a witness against it."""
    formula = proof == FORMULA_CERTIFIED
    of = f"of the formula by encoding {encoding}" if formula else f"by encoding {encoding}"
    solution = f": {witness.text}" if witness.text else ""
    against = f"{witness.name} found {'one' if not found else 'another'}, which was checked{solution}"
    rests = "the formula does not mean the instance" if formula else "no certificate of this run counts"
    why = f"{' and '.join(checkers)} certified, {of}, that {counted(found)}, but {against}; {rests}"
    facts = {"checkers": list(checkers), "encoding": encoding, "certified": found, "witness": witness.name}
    more = {"solution": witness.text or None, "scope": "formula" if formula else "instance"}
    return Disagreement(puzzle, name, contenders, why, Alarm.CERTIFICATE, tuple((facts | more).items()))


def witness_against(journal: Journal, referee: Referee, puzzle: int, found: int) -> Witness:
    """Return a checked solution that is not among the `found` certified solutions of any answer."""
    instance = journal.instances.get(puzzle)

    def text(solution: Solution) -> str:
        symbols = [instance.problem.values[v] for v in solution]
        verified = ("" if all(len(symbol) == 1 for symbol in symbols) else " ").join(symbols)
        return verified if len(verified) <= MAX_SHOWN else ""

    certified, others = set[Solution](), dict[Solution, str]()
    shown = instance.problem.shown
    claim = instance.solution
    if claim is not None and not violations(instance.problem, instance.domains, claim):
        others[tuple(claim)] = "the corpus"
    backed = {(c.contender, c.repeat) for c in journal.proofs.certificates(puzzle) if c.found == found}
    for outcomes in journal.outcomes.stored(puzzle):
        batch, rows = outcomes.batch, outcomes.rows
        if check(batch.problem, batch.domains, rows["found"], outcomes.solutions)[0] < 0:
            continue
        for solution in map(tuple, outcomes.solutions.tolist()):
            if (batch.contender, batch.repeat) in backed:
                certified.add(tuple(solution[x] for x in shown))
            else:
                others.setdefault(solution, referee.contenders[batch.contender].name)
    name, solution = next(
        ((n, s) for s, n in others.items() if tuple(s[x] for x in shown) not in certified), ("another answer", ())
    )
    return Witness(name, text(solution))
