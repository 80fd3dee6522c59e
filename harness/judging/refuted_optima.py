"""Wrong answers to instances with an objective in words, refuted bounds, and the witnesses against both.

All other words on wrong answers are in `agreement`.
"""

from typing import Any, NamedTuple

from backends.contract.answer import Status
from harness.judging.referee import Referee
from harness.model.outcome import NANO
from harness.model.quality import Quality
from harness.model.trajectory import Step
from harness.storing.journal import Journal
from harness.storing.outcomes.answers import WrongAnswer
from harness.storing.outcomes.objectives import Statement
from puzzles.objectives import stated
from puzzles.problem import Instance, Objective


class Refutation(NamedTuple):
    """Why an answer is wrong, and more of it for --json; `better`: a better solution than it allows was shown."""

    why: str
    better: bool = False
    facts: tuple[tuple[str, Any], ...] = ()


class RefutedBound(NamedTuple):
    """The greatest bound that a contender stated of an instance, and the least value known, which is below."""

    contender: int
    puzzle: int
    bound: int
    known: int


def refuted_bounds(journal: Journal, known: Quality) -> tuple[RefutedBound, ...]:
    """Return the refuted bounds by contender and instance; `known` has the best quality known of each instance.

    The judge calls each of these answers wrong, whatever else is right about it.
    """
    values, found = known.values, dict[tuple[int, int], RefutedBound]()
    for contender in range(len(journal.contenders.all())):
        for puzzle, bound in zip(*journal.objectives.bounds(contender), strict=True):
            best, at = values[puzzle], (contender, puzzle)
            if best is not None and bound > best and (at not in found or found[at].bound < bound):
                found[at] = RefutedBound(contender, puzzle, bound, best)
    return tuple(found[at] for at in sorted(found))


def witness_of(journal: Journal, referee: Referee, puzzle: int, value: int) -> str:
    """Return who has shown a checked solution of this value: a contender, a prover, or else the corpus."""
    number = journal.objectives.witness(puzzle, value)
    if number is not None:
        return referee.contenders[number].name
    provers = (row.prover for row in journal.proofs.all(puzzle) if len(row.solutions))
    return next((f"{prover}, which was asked for a proof," for prover in provers), "the corpus")


def refutation(
    journal: Journal, referee: Referee, contender: int, puzzle: int, instance: Instance[Any], wrong: WrongAnswer
) -> Refutation:
    """Return the reason why an answer with an objective is wrong, apart from constraints that its solution breaks."""
    goal = instance.problem.objective
    assert goal is not None
    own = journal.objectives.statements(contender, wrong.repeat, puzzle, puzzle).get(puzzle, Statement())
    if own.stated is not None and own.value is not None:
        return Refutation(
            f"its solution has the value {stated(goal, own.value)}, not {stated(goal, own.stated)} as stated"
        )
    if own.faults:
        return Refutation(false_step(goal, own, journal.objectives.steps(contender, wrong.repeat, puzzle)))
    if own.value is not None and own.bound is not None and own.bound > own.value:
        return Refutation(f"{says_bound(goal, own.bound)}, but gives one of value {stated(goal, own.value)} itself")
    verified = referee.evidence.verified[[puzzle]].values[0]
    if verified is not None and is_beaten(own, wrong, verified):
        name = witness_of(journal, referee, puzzle, verified)
        best = stated(goal, verified)
        facts = {"value": own.value, "bound": own.bound, "better": verified, "witness": name}
        verified_facts = tuple(
            (key, value if value is None or isinstance(value, str) else str(value)) for key, value in facts.items()
        )
        return Refutation(
            f"{says(goal, own, wrong)}, but a solution of value {best} by {name} was checked", True, verified_facts
        )
    claim = instance.optimum
    if claim is not None:
        kind = "a best known value of" if instance.at_least else "the optimum"
        return Refutation(f"{says(goal, own, wrong)}, but the corpus claims {kind} {stated(goal, claim)}")
    if instance.count == 0:
        return Refutation("gives a solution, but the corpus claims that there is none")
    return Refutation(f"{says(goal, own, wrong)}, but the corpus claims a solution")


def is_beaten(own: Statement, wrong: WrongAnswer, verified: int) -> bool:
    """Return True if a shown solution is better than an answer, or its bound, allows."""
    claims = wrong.complete and (own.value is None or own.value > verified)
    return claims or (own.bound is not None and own.bound > verified)


def says(goal: Objective, own: Statement, wrong: WrongAnswer) -> str:
    """Return an answer's statement in words."""
    if wrong.status == Status.UNSATISFIABLE:
        return "says that no solution exists"
    if wrong.complete and own.value is not None:
        return f"says that {stated(goal, own.value)} is the optimum"
    return "gives a solution" if own.bound is None else says_bound(goal, own.bound)


def says_bound(goal: Objective, bound: int) -> str:
    """Return a bound in words."""
    return f"states that no solution has a value {'above' if goal.maximise else 'below'} {stated(goal, bound)}"


def false_step(goal: Objective, own: Statement, steps: tuple[Step, ...]) -> str:
    """Return the words on the first improvement that is false."""
    step = next((step for step in steps if step.false), None)
    if step is None:
        best = "" if own.value is None else f" of value {stated(goal, own.value)}"
        return f"says that its solution{best} is the best, but reported a better one itself"
    when = f"after {step.ns / NANO:.3g} s"
    if step.value is None:
        return f"what it reported as a solution {when} breaks the instance"
    as_stated = "a value of too many digits" if step.stated is None else str(stated(goal, step.stated))
    return f"the solution that it reported {when} has the value {stated(goal, step.value)}, not {as_stated} as stated"
