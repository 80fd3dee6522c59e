"""Solutions in a proof, the core, levels, and deletion."""

from harness.judging.checkers.pseudo_boolean.columns import (
    BAD_ID,
    BAD_STEP,
    BETTER,
    FALSE,
    NO_ORDER,
    NOT_IMPLIED,
    UNEQUAL,
)
from harness.judging.checkers.pseudo_boolean.exact.rows import implies
from harness.judging.checkers.pseudo_boolean.exact.state import Fault, Proof, at_most, integer, only, parts
from harness.judging.checkers.pseudo_boolean.exact.statements import Words
from harness.judging.checkers.pseudo_boolean.exact.strengthening import core_alone, discharge, needed, substitution
from harness.judging.checkers.pseudo_boolean.programme import SumRow, row


def solved(proof: Proof, words: Words, original: bool = False) -> set[int]:
    """Check a solution, completed by propagation; return its true literals. One better than the answer is a fault."""
    head, *rest = parts(words)
    literals = [proof.literal(word) for word in head]
    proof.held.refresh()
    conflict, true = proof.held.conflict([row([(1, x)], 1) for x in literals])
    if original:
        conflict, true = False, set(literals)
    rows = proof.programme.rows if original else [held for _, held in proof.held.numbered()]
    if conflict or any(-x in true for x in true) or any(not satisfied(some, true) for some in rows):
        raise Fault(FALSE)
    value = None if proof.objective is None else proof.objective.constant
    for x, c in proof.objective.terms.items() if proof.objective else ():
        if x not in true and -x not in true:
            raise Fault(FALSE)
        value = (value or 0) + c * (x in true)
    if rest and rest[0] and (value is None or integer(only(rest[0], 1)[0]) != value):
        raise Fault(UNEQUAL)
    best = proof.programme.best
    if value is None or best is None or value < best + proof.programme.offset:
        raise Fault(BETTER)
    proof.solutions.append(value)
    return true


def satisfied(some: SumRow, true: set[int]) -> bool:
    return sum(c for x, c in some.terms.items() if x in true) >= some.degree


def sol(proof: Proof, words: Words) -> None:
    """Check a solution."""
    solved(proof, words)


def original(proof: Proof, words: Words) -> None:
    """Check a solution of the formula (version 1)."""
    solved(proof, words, original=True)


def improve(proof: Proof, value: int) -> None:
    """Hold the row of solutions that are better than a value."""
    if proof.objective is None:
        raise Fault(BAD_STEP)
    proof.bound = value if proof.bound is None else min(proof.bound, value)
    proof.hold(at_most(proof.objective, value - 1), core=True)


def soli(proof: Proof, words: Words) -> None:
    """Check a solution, and hold the row of better ones."""
    solved(proof, words)
    improve(proof, proof.solutions[-1])


def obji(proof: Proof, words: Words) -> None:
    """Hold the row of solutions that are better than a value."""
    improve(proof, integer(only(words, 1, 1)[0]))


def solx(proof: Proof, words: Words) -> None:
    """Check a solution, and hold the row of others: it is no better than the answer's."""
    solved(proof, words)
    proof.bound = proof.solutions[-1] if proof.bound is None else min(proof.bound, proof.solutions[-1])
    proof.hold(row([(1, -proof.literal(word)) for word in parts(words)[0]], 1), core=True)


def numbers(proof: Proof, words: Words) -> list[int]:
    """Return the numbers of `id`, `range`, `spec` or `find`, or those that stand alone."""
    if words[:1] == ["range"]:
        first, last = (proof.labels.get(word) or integer(word) for word in only(words[1:], 2, 2))
        size, hidden = len(proof.held.rows), proof.hidden
        first, last = (n + hidden if n > 0 else size + 1 + n for n in (first, last))
        return [n for n in range(max(first, hidden + 1), min(last, size + 1)) if proof.held.get(n) is not None]
    if words[:1] in (["spec"], ["find"]):
        wanted = proof.constraint(words[1:])
        found = [n for n, held in proof.held.numbered() if held == wanted]
        if not found:
            raise Fault(BAD_ID)
        return found[:1]
    words = words[words[:1] == ["id"] :]
    return [
        proof.number(word)
        for word in only(words, len(words), 1)
        if word != "0"
        if proof.version > 1 or proof.held.get(integer(word) + proof.hidden) is not None
    ]


def delete(proof: Proof, words: Words, core: bool | None = None) -> None:
    """Delete rows, which must be in the core or not, if that is stated."""
    head, *rest = parts(words)
    found = numbers(proof, head)
    if core is not None and any((number in proof.held.core) != core for number in found):
        raise Fault(BAD_ID)
    erase(proof, found, rest)


def erase(proof: Proof, found: list[int], rest: list[Words]) -> None:
    """Delete rows, those of the core only if an order or strict core would not need them, or if they still follow.

    With fewer rows held the same assignments satisfy them, so no claim that there is no solution, or no better one, is
    at risk; an order, or a core that is all that witnesses respect, must stay as strong as what was derived by it.
    """
    witness, has_block = substitution(proof, rest)
    for number in found:
        row_ = proof.held.get(number)
        if row_ is None:
            continue
        core = number in proof.held.core
        bound = core and (bool(proof.ordered) or proof.strict)
        bound = bound and any(n not in proof.held.core for n, _ in proof.held.numbered())
        if bound and witness:
            raise Fault(NO_ORDER)
        if core and has_block:
            with core_alone(proof, [number]):
                goals, scopes = needed(proof, row_, witness, dominance=False, core=True)
                discharge(proof, row_, witness, goals, scopes, True)
        elif bound:
            with core_alone(proof, [number]):
                left = proof.held.numbered()
                if not proof.held.shows(row_) and not any(implies(held, row_) for _, held in left):
                    raise Fault(NOT_IMPLIED)
        proof.held.remove(number)


def core(proof: Proof, words: Words) -> None:
    """Move rows to the core."""
    proof.held.core |= set(numbers(proof, words))


def strict(proof: Proof, words: Words) -> None:
    """Turn strengthening to the core on or off: all rows join the core when it is turned on."""
    if words not in (["on"], ["off"]):
        raise Fault(BAD_STEP)
    proof.strict = words == ["on"]
    if proof.strict:
        proof.held.core |= {number for number, _ in proof.held.numbered()}


def set_level(proof: Proof, words: Words) -> None:
    """Give the rows that follow a level."""
    proof.level = integer(only(words, 1, 1)[0])


def wipe_level(proof: Proof, words: Words) -> None:
    """Delete the rows of a level, and of higher ones."""
    level = integer(only(words, 1, 1)[0])
    found = [number for number, at in proof.levels if at >= level]
    proof.levels = [(number, at) for number, at in proof.levels if at < level]
    erase(proof, found, [])
