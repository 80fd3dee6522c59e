"""End of a proof from version 2 on: its output, its conclusion, and the claim that the conclusion must show."""

from harness.judging.checkers.pseudo_boolean.columns import (
    BAD_STEP,
    FALSE,
    OPEN,
    REFUTED,
    UNCOUNTED,
    UNENDED,
    UNREAD_RULE,
    WEAKER,
)
from harness.judging.checkers.pseudo_boolean.exact.rows import contradicts, implies
from harness.judging.checkers.pseudo_boolean.exact.solutions import satisfied
from harness.judging.checkers.pseudo_boolean.exact.state import Fault, Proof, at_least, goal_of, integer, only
from harness.judging.checkers.pseudo_boolean.exact.statements import Words
from harness.judging.checkers.pseudo_boolean.programme import SumRow

OUTPUT, CONCLUSION = 1, 2


def output(proof: Proof, words: Words) -> None:
    """Read which output the proof promises; of the formula itself no promise is checked but the core that is left."""
    if proof.stage:
        raise Fault(UNENDED)
    if words[:1] not in (["NONE"], ["DERIVABLE"], ["EQUISATISFIABLE"], ["EQUIOPTIMAL"], ["EQUIENUMERABLE"]):
        raise Fault(BAD_STEP)
    if words != ["NONE"] and (words[0] != "DERIVABLE" or words[1:] != ["IMPLICIT"]):
        raise Fault(UNCOUNTED)
    proof.stage = OUTPUT


def conclusion(proof: Proof, words: Words) -> None:
    """Check a conclusion, and that it is as strong as the claim: no solution, or none better than the answer's."""
    if proof.stage != OUTPUT:
        raise Fault(UNENDED)
    kind, rest = (words or [""])[0], words[1:]
    if kind == "BOUNDS":
        bounds(proof, rest)
    elif kind == "UNSAT":
        unsatisfiable(proof, only([word for word in rest if word != ":"], 1))
    elif kind in ("ENUMERATION_COMPLETE", "ENUMERATION_PARTIAL"):
        raise Fault(UNCOUNTED)
    elif kind in ("NONE", "SAT"):
        raise Fault(WEAKER)
    else:
        raise Fault(UNREAD_RULE)
    proof.stage = CONCLUSION


def named(proof: Proof, hint: Words) -> list[SumRow]:
    """Return the row of a hint, or all rows without one."""
    return [proof.row(only(hint, 1)[0])] if hint else [held for _, held in proof.held.numbered()]


def unsatisfiable(proof: Proof, hint: Words) -> None:
    """Check that a row has no solution, and that the rows did not only exclude solutions that the proof shows."""
    if not any(contradicts(held) for held in named(proof, hint)) or proof.bound is not None:
        raise Fault(OPEN)
    if proof.programme.best is not None:
        raise Fault(WEAKER)


def bounds(proof: Proof, words: Words) -> None:
    """Check that a row shows the lower bound, and a solution the upper one."""
    if proof.objective is None or not words:
        raise Fault(BAD_STEP)
    lower, rest = words[0], words[1:]
    hint = rest[1:2] if rest[:1] == [":"] else []
    rest = rest[2:] if hint else rest
    upper, solution = only(rest[:1], 1, 1)[0], rest[2:] if rest[1:2] == [":"] else only(rest[1:], 0)
    programme = proof.programme
    goal = goal_of(programme.goal or {}, programme.offset)
    if lower == "INF":
        if proof.bound is not None or not any(contradicts(held) for held in named(proof, hint)):
            raise Fault(OPEN)
    else:
        value = integer(lower)
        wanted = (at_least(proof.objective, value), at_least(goal, value))
        shown = any(contradicts(held) or any(implies(held, one) for one in wanted) for held in named(proof, hint))
        trivial = not hint and any(one.degree <= 0 for one in wanted)
        if (not shown and not trivial) or (proof.bound is not None and value > proof.bound):
            raise Fault(OPEN)
    if upper != "INF":
        value = integer(upper)
        true = {proof.literal(word) for word in solution}
        if solution:
            reached = goal.constant + sum(c for x, c in goal.terms.items() if x in true)
            sure = all(satisfied(some, true) for some in programme.rows) and not any(-x in true for x in true)
            if not sure or reached > value or any(x not in true and -x not in true for x in goal.terms):
                raise Fault(FALSE)
        elif not proof.solutions or min(proof.solutions) > value:
            raise Fault(FALSE)
    if lower != "INF" and (programme.best is None or integer(lower) < programme.best + programme.offset):
        raise Fault(WEAKER)


def end(proof: Proof, words: Words) -> None:
    """Certify at the end of a proof whose conclusion holds."""
    if proof.stage != CONCLUSION or words != ["pseudo-Boolean", "proof"]:
        raise Fault(UNENDED)
    raise Fault(REFUTED)
