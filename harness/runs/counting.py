"""Further asks about numbers of models after a run (`--count all --certify`): stored, and charged to nobody.

Small instances are counted by exhaustive search, which certifies, others by a circuit that is checked. Where that takes
too long some models are enumerated, which are checked and refute smaller numbers. Each contender is asked for the
numbers of related problems, which have to fit its own (harness/judging/identities.py): where they do not it is
*inconsistent*, and no second contender is needed. An estimator whose estimate is beyond its error is asked with further
seeds (harness/judging/estimates.py).
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from hashlib import sha256
from typing import Any

import numpy as np

from backends.contract.answer import Reason, Status
from backends.counters.counted import guarantee_of
from harness.judging.estimates import ClaimedEstimate, estimate_in, over_seeds
from harness.judging.exhaustive import right_assignments
from harness.judging.identities import breaking, exact_number, goal_of, weighed
from harness.judging.proof_job import OURS
from harness.model.certification import EXHAUSTIVE, Certification, as_detail
from harness.model.contender import Contender, resolve
from harness.model.errors import BadUsage
from harness.model.outcome import CERTIFIED, NANO, NO_PROOF
from harness.model.selection.fitting import refuses
from harness.model.settings import RunSettings
from harness.running.workers.run_context import Notify
from harness.runs.runner import Run
from harness.runs.single import Asker
from puzzles.problem import Instance, Problem
from puzzles.problem.arrays import Solutions
from puzzles.problem.columns import distinct

FACTOR, LEAST_S = 20, 1.0  # times an instance's own seconds that a further ask may take, and seconds more
NODES = 1 << 16  # assignments that exhaustive search tries
WITNESSES = 1000  # models that are enumerated
ENUMERATORS = ("pysat:cadical195", "native")
COMPILERS = ("models:d4", "native:cdcl")
# Settings of further asks.
ALONE: dict[str, Any] = {"proof": False, "scramble": False, "warmup": 0, "repeats": 1, "jobs": 1, "certify": []}
NO_MODELS = np.empty((0, 0), np.uint16)


def certify_counts(run: Run, notify: Notify, progress: Callable[[int], object]) -> None:
    """Ask about every instance that has an answer, and store what was found."""
    settings = replace(run.settings, **ALONE)
    broken = dict[int, list[tuple[str, str]]]()
    for contender in run.contenders:
        for puzzle, texts in inconsistent(run, contender, settings, notify):
            broken.setdefault(puzzle, []).extend((contender.name, text) for text in texts)
    for puzzle in range(1, run.journal.instances.size() + 1):
        instance = run.journal.instances.get(puzzle)
        row = certification(instance, puzzle, settings, notify)
        if (right := known_number(run, row, instance, puzzle)) is not None:
            said = broken.setdefault(puzzle, [])
            said += [(c.name, why) for c in run.contenders if (why := rejected(run, c, instance, puzzle, right))]
        row = replace(row, detail=as_detail(broken.get(puzzle, [])) or row.detail)
        run.journal.proofs.add([row])
        run.referee.certify(run.journal, row)
        progress(1)


def certification(instance: Instance[Problem], puzzle: int, settings: RunSettings, notify: Notify) -> Certification:
    """Return the exact number of an instance that is small, or has a circuit, or models of another."""
    right = right_assignments(instance.problem, instance.domains, NODES)
    if right is not None:
        number = weighed(instance.problem, distinct(instance.problem, right))
        value = goal_of(instance.problem).value_of(number)
        known = None if not number and not goal_of(instance.problem).weights else value
        said = (puzzle, EXHAUSTIVE, known, CERTIFIED, (EXHAUSTIVE,), "")
        of = sha256(instance.problem.digest.encode()).hexdigest()  # in the place of a file
        return Certification(*said, of, 0, 0, NO_MODELS)
    if (row := compiled(instance, puzzle, settings, notify)) is not None:
        return row
    name, models = enumerated(instance, settings, notify)
    found = models[:0] if goal_of(instance.problem).weights else models  # whose number bounds no sum of weights
    why = "" if len(found) else "its models were not enumerated"
    return Certification(puzzle, name, -len(found) or None, NO_PROOF, (), why, "", 0, 0, found)


def compiled(instance: Instance[Problem], puzzle: int, settings: RunSettings, notify: Notify) -> Certification | None:
    """Return the number that a checked circuit gives, None if no compiler brings one that holds."""
    for name in COMPILERS:
        try:
            (contender,) = resolve([name], proof=True, programs=settings.programs)[0]
        except BadUsage:  # it is not installed
            continue
        if instance.problem.free or refuses(contender, instance.problem, settings.programs):
            continue
        plain = instance.stated(problem=instance.problem, source=None, optimum=None)
        with Asker(contender, replace(settings, proof=True), notify) as asker:
            outcomes = asker.ask(plain)
        number = exact_number(outcomes, instance.problem)
        if number is not None and outcomes.proved is not None and outcomes.proved[0] == CERTIFIED:
            goal, file = goal_of(instance.problem), outcomes.checked[0]
            value = None if not number and not goal.weights else goal.value_of(number)
            spent = int(outcomes.rows["wall"][0])
            said = (puzzle, contender.name, value, CERTIFIED, (OURS,), "")
            return Certification(*said, file.digest, file.size, spent, NO_MODELS)
    return None


def enumerated(instance: Instance[Problem], settings: RunSettings, notify: Notify) -> tuple[str, Solutions]:
    """Return some models, and the contender that found them."""
    plain = instance.stated(problem=replace(instance.problem, objective=None), source=None, optimum=None)
    for name in ENUMERATORS:
        (contender,) = resolve([name], 2)[0]
        if refuses(contender, plain.problem, settings.programs):
            continue
        most = min(WITNESSES, 1 << len(plain.problem.shown))
        few = replace(settings, count=max(2, most if not plain.problem.free else min(most, 50)), count_models=False)
        with Asker(contender, few, notify) as asker:
            found = asker.ask(plain).solutions
        if len(found):
            return contender.name, found
    return "", NO_MODELS


def known_number(run: Run, row: Certification, instance: Instance[Problem], puzzle: int) -> Fraction | None:
    """Return the number of models that exhaustive search, or a checked circuit, certifies; None without one."""
    evidence, scale = run.referee.evidence, goal_of(instance.problem).scale
    if row.holds:
        return Fraction(-(row.value or 0), scale)
    (value,) = evidence.verified[[puzzle]].values
    return Fraction(-(value or 0), scale) if bool(evidence.proved()[puzzle]) else None


def rejected(run: Run, contender: Contender, instance: Instance[Problem], puzzle: int, right: Fraction) -> str:
    """Return words on a contender whose estimates are rejected over several seeds, '' if they are not.

    Only a contender whose own estimate is beyond its error is asked further.
    """
    at, problem, limits = run.contenders.index(contender), instance.problem, replace(run.settings, **ALONE)
    note = next((text for known, text in run.journal.answers.failures(at) if known == puzzle), "")
    own, claim = run.journal.objectives.statements(at, 0, puzzle, puzzle).get(puzzle), guarantee_of(note)
    if own is None or own.value is None or claim is None or not claim.delta:
        return ""
    if not ClaimedEstimate(Fraction(-own.value, goal_of(problem).scale), claim).beyond(right):
        return ""

    def ask(other: Contender) -> ClaimedEstimate | None:
        with Asker(other, limits) as asker:
            return estimate_in(asker.ask(Instance(instance.name, problem, instance.domains)), problem)

    return over_seeds(contender, run.settings.programs, right, ask)


def inconsistent(
    run: Run, contender: Contender, settings: RunSettings, notify: Notify
) -> Iterator[tuple[int, list[str]]]:
    """Yield the instances whose numbers by a contender break identities, which are in words."""
    at = run.contenders.index(contender)
    c = run.journal.outcomes.columns(at, "puzzle", "status", "complete", "reason", "wall", repeat=0)
    exact = (c["complete"] > 0) & (c["status"] != Status.UNKNOWN) & (c["reason"] == Reason.NONE)
    values = run.journal.objectives.statements(at, 0, 1, run.journal.instances.size())
    longest = (
        FACTOR * float(c["wall"][exact].max(initial=0)) / NANO + LEAST_S
    )  # the related problems are not much larger
    with Asker(contender, replace(settings, limit=min(settings.limit, longest)), notify) as asker:
        for puzzle, status in zip(c["puzzle"][exact].tolist(), c["status"][exact].tolist(), strict=True):
            own = values.get(puzzle)
            value = 0 if status == Status.UNSATISFIABLE else None if own is None else own.value
            if value is not None:
                instance = run.journal.instances.get(puzzle)
                n = Fraction(-value, goal_of(instance.problem).scale)
                if texts := [*breaking(asker.ask, instance, n)]:
                    yield puzzle, texts
