"""Steps that derive rows which rows held imply, and checks that change nothing."""

from collections.abc import Callable
from functools import partial

from harness.judging.checkers.pseudo_boolean.columns import (
    ASSERTED,
    BAD_ID,
    BAD_STEP,
    COUNT,
    FAILED,
    NOT_IMPLIED,
    OPEN,
    UNEQUAL,
)
from harness.judging.checkers.pseudo_boolean.exact.rows import (
    added,
    contradicts,
    divided,
    divided_in_variables,
    implies,
    lowered,
    multiplied,
    rounded,
    rounded_in_variables,
    saturated,
    weakened,
)
from harness.judging.checkers.pseudo_boolean.exact.state import Fault, Proof, at_most, integer, only, parts
from harness.judging.checkers.pseudo_boolean.exact.statements import Words
from harness.judging.checkers.pseudo_boolean.programme import SumRow

BY_NUMBER = {
    "*": (multiplied, 0),
    "d": (divided, 1),
    "c": (divided_in_variables, 1),
    "m": (rounded_in_variables, 1),
    "n": (rounded, 1),
    "-": (lowered, 0),
}
OPERATORS = BY_NUMBER.keys() | {"w", "s", "+"}


def pol(proof: Proof, words: Words) -> None:
    """Hold the row that a sequence in reverse Polish notation calculates."""
    if words and words[-1] == "0":
        words = words[:-1]
    stack = list[SumRow]()
    for i, word in enumerate(words):
        after = words[i + 1] if i + 1 < len(words) else ""
        if after in OPERATORS - {"s", "+"} and word not in OPERATORS:  # an operand
            continue
        before = words[i - 1] if i else ""
        if word in BY_NUMBER:
            change, least = BY_NUMBER[word]
            if not stack or (k := integer(before)) < least:
                raise Fault(BAD_STEP)
            stack.append(change(stack.pop(), k))
        elif word == "w" and stack:
            stack.append(weakened(stack.pop(), proof.literal(before)))
        elif word == "s" and stack:
            stack.append(saturated(stack.pop()))
        elif word == "+" and len(stack) > 1:
            stack.append(added(stack.pop(), stack.pop()))
        elif word in OPERATORS:
            raise Fault(BAD_STEP)
        elif word[0] in "@+-0123456789":
            stack.append(proof.row(word))
        else:
            stack.append(SumRow({proof.literal(word): 1}, 0))
    if len(stack) != 1:
        raise Fault(BAD_STEP)
    proof.hold(stack.pop())


def rup(proof: Proof, words: Words) -> None:
    """Hold a row that follows by propagation; hints are not needed."""
    found = proof.constraint(parts(words)[0])
    if not proof.held.shows(found):
        raise Fault(NOT_IMPLIED)
    proof.hold(found)


def asserted(proof: Proof, words: Words) -> None:
    """Hold a row that the claim implies, or that follows by propagation."""
    found, best = proof.constraint(parts(words)[0]), proof.programme.best
    if proof.objective is not None and best is not None and not proof.depth:
        bound = at_most(proof.objective, best + proof.programme.offset - 1)
        if bound.terms == found.terms and found.degree <= bound.degree:
            value = best + proof.programme.offset + bound.degree - found.degree
            proof.bound = value if proof.bound is None else min(proof.bound, value)
            proof.hold(found, core=True)
            return
    if not proof.held.shows(found):
        raise Fault(ASSERTED)
    proof.hold(found)


def compared(proof: Proof, words: Words) -> tuple[SumRow, list[int]]:
    """Return the row of words, and the numbers that it is to be compared with: one, or all."""
    if proof.version == 1:
        return proof.constraint(parts(words[1:])[0]), [proof.number(words[0])] if words else []
    head, *hints = parts(words)
    hint = only([word for part in hints for word in part], 1)
    return proof.constraint(head), [proof.number(word) for word in hint] or [n for n, _ in proof.held.numbered()]


def equal(proof: Proof, words: Words, add: bool = False) -> None:
    """Check that a row is held; a label names it."""
    found, numbers = compared(proof, words)
    same = [n for n in numbers if proof.held.get(n) == found]
    if not same:
        raise Fault(UNEQUAL)
    if add:
        proof.hold(found)
    elif proof.label:
        proof.labels[proof.label] = same[0]


def implied(proof: Proof, words: Words, add: bool = False) -> None:
    """Check that a row held implies another."""
    found, numbers = compared(proof, words)
    if not any((held := proof.held.get(n)) and implies(held, found) for n in numbers):
        raise Fault(NOT_IMPLIED)
    if add:
        proof.hold(found)


def load_all(proof: Proof, words: Words) -> None:
    """Check how many rows the formula has; in version 1 they get numbers."""
    rows = proof.programme.rows
    if words and (stated := integer(words[0])) != len(rows) and (stated or proof.version > 1):
        raise Fault(COUNT)
    if proof.version == 1:
        for number in range(1, len(rows) + 1):
            load(proof, [str(number)])


def load(proof: Proof, words: Words) -> None:
    """Give a row of the formula a number (version 1)."""
    rows, number = proof.programme.rows, integer(only(words, 2, 1)[0])
    if not 0 < number <= len(rows):
        raise Fault(BAD_ID)
    proof.hold(rows[number - 1])


def contradiction(proof: Proof, words: Words) -> None:
    """Check that a row of a number has no solution (version 1)."""
    if not words or not contradicts(proof.row(words[0])):
        raise Fault(OPEN if words else BAD_ID)


def is_deleted(proof: Proof, words: Words) -> None:
    found = proof.constraint(parts(words)[0])
    if any(held == found for _, held in proof.held.numbered()):
        raise Fault(UNEQUAL)


def equal_objective(proof: Proof, words: Words) -> None:
    if proof.affine(parts(words)[0]) != proof.objective:
        raise Fault(UNEQUAL)


def ignored(proof: Proof, words: Words) -> None:
    """Take a statement about the check itself, such as a timer."""


def failed(proof: Proof, words: Words) -> None:
    raise Fault(FAILED)


def equal_order(proof: Proof, words: Words) -> None:
    """Check which order is loaded."""
    if (not words and proof.order.left) or (words and proof.orders.get(words[0]) is not proof.order):
        raise Fault(UNEQUAL)
    if tuple(proof.literal(word) for word in words[1:]) != proof.ordered:
        raise Fault(UNEQUAL)


RULES: dict[str, Callable[..., None]] = {
    **dict.fromkeys(("pol", "p"), pol),
    **dict.fromkeys(("rup", "u"), rup),
    "a": asserted,
    "e": equal,
    "ea": partial(equal, add=True),
    "i": implied,
    **dict.fromkeys(("ia", "j"), partial(implied, add=True)),
    "f": load_all,
    "l": load,
    "c": contradiction,
    "eobj": equal_objective,
    "eord_loaded": equal_order,
    "is_deleted": is_deleted,
    **dict.fromkeys(("start_time", "end_time"), ignored),
    "fail": failed,
}
