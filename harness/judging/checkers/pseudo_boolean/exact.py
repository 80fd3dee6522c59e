"""Check of a pseudo-Boolean proof with Python integers, for numbers that 64 bits do not hold.

The steps are those of `steps.py`, which says why each is sound. Nothing but the names of faults is shared with it, so
each tests the other.
"""

import re
from collections.abc import Callable, Sequence
from itertools import takewhile

from harness.judging.checkers.pseudo_boolean.columns import (
    ASSERTED,
    BAD_ID,
    BAD_STEP,
    BETTER,
    NOT_FRESH,
    NOT_IMPLIED,
    OPEN,
    PARTIAL,
    REFUTED,
    UNREAD_RULE,
    UNSHOWN,
)
from harness.judging.checkers.pseudo_boolean.programme import SumProgramme, SumRow, row
from harness.judging.checkers.pseudo_boolean.words import LARGEST_VARIABLE, version_of

INTEGER, VARIABLE = re.compile(r"[+-]?[0-9]{1,4000}"), re.compile(r"~?x[0-9]{1,10}")
# Words that begin as a number or a variable and are none.
JUNK = re.compile(r"(?!(?:[+-]?[0-9]+|~?x0*[1-9][0-9]{0,9})\Z)(?:[0-9]|[+-][^>]|~?x[0-9])")
SKIPPED = ("e", "core", "#", "w", "output", "end")
Words = list[str]


class Fault(Exception):
    """A step that ends the check, with its fault."""

    def __init__(self, fault: int) -> None:
        self.fault = fault


def integer(word: str) -> int:
    if not INTEGER.fullmatch(word):
        raise Fault(BAD_STEP)
    return int(word)


def literal(word: str) -> int:
    if not VARIABLE.fullmatch(word) or not 0 < (x := int(word.lstrip("~x"))) <= LARGEST_VARIABLE:
        raise Fault(BAD_STEP)
    return -x if word.startswith("~") else x


def added(a: SumRow, b: SumRow) -> SumRow:
    """Return the sum of two rows, in which a literal and its negation add up to 1."""
    terms, degree = dict(a.terms), a.degree + b.degree
    for x, c in b.terms.items():
        both = min(c, terms.get(-x, 0))
        degree -= both
        if both:
            terms[-x] -= both
        if c > both:
            terms[x] = terms.get(x, 0) + c - both
    return SumRow({x: c for x, c in terms.items() if c}, degree)


def multiplied(a: SumRow, k: int) -> SumRow:
    return SumRow({x: c * k for x, c in a.terms.items() if k}, a.degree * k)


def divided(a: SumRow, k: int) -> SumRow:
    return SumRow({x: -(-c // k) for x, c in a.terms.items()}, -(-a.degree // k))


def saturated(a: SumRow) -> SumRow:
    return SumRow({x: min(c, a.degree) for x, c in a.terms.items()} if a.degree > 0 else {}, a.degree)


def weakened(a: SumRow, x: int) -> SumRow:
    lost = a.terms.get(x, 0) + a.terms.get(-x, 0)
    return SumRow({y: c for y, c in a.terms.items() if abs(y) != abs(x)}, a.degree - lost)


def negated(a: SumRow) -> SumRow:
    return SumRow({-x: c for x, c in a.terms.items()}, sum(a.terms.values()) - a.degree + 1)


def under(a: SumRow, witness: dict[int, bool]) -> SumRow:
    """Return a row with values in place of some variables."""
    true = sum(c for x, c in a.terms.items() if abs(x) in witness and witness[abs(x)] == (x > 0))
    return SumRow({x: c for x, c in a.terms.items() if abs(x) not in witness}, a.degree - true)


class HeldRows:
    """Rows held, by index; those that contain each literal; the literals that rows imply."""

    def __init__(self) -> None:
        self.rows: list[SumRow | None] = []
        self.having: dict[int, list[int]] = {}
        self.true: set[int] = set()

    def add(self, row: SumRow) -> int:
        """Hold a row; return its index."""
        self.rows.append(row)
        for x in row.terms if row.degree > 0 else ():
            self.having.setdefault(x, []).append(len(self.rows) - 1)
        return len(self.rows) - 1

    def remove_last(self) -> None:
        row = self.rows.pop()
        assert row
        for x in row.terms if row.degree > 0 else ():
            self.having[x].pop()

    def propagate(self, indices: Sequence[int]) -> tuple[bool, list[int]]:
        """Propagate from rows; return True at a conflict, and the literals that became true."""
        new, waiting = list[int](), list(indices)
        while waiting:
            row = self.rows[waiting.pop()]
            if row is None or row.degree <= 0:
                continue
            slack = sum(c for x, c in row.terms.items() if -x not in self.true) - row.degree
            if slack < 0:
                return True, new
            for x, c in row.terms.items():
                if c > slack and x not in self.true and -x not in self.true:
                    self.true.add(x)
                    new.append(x)
                    waiting += self.having.get(-x, ())
        return False, new

    def refute(self, assumed: Sequence[SumRow]) -> bool:
        """Return True if rows, assumed, lead to a conflict."""
        found, new = self.propagate([self.add(row) for row in assumed])
        for _ in assumed:
            self.remove_last()
        self.true.difference_update(new)
        return found


class ExactCheck:
    """Steps of one proof. `step` raises Fault."""

    def __init__(self, programme: SumProgramme) -> None:
        self.programme, self.bound = programme, programme.bound
        self.held, self.numbers = HeldRows(), list[int | None]()
        for axiom in (*programme.rows, *([] if self.bound is None else [self.bound])):
            self.settle(self.held.add(axiom))

    def settle(self, index: int) -> None:
        if self.held.propagate([index])[0]:
            raise Fault(REFUTED)

    def hold(self, row: SumRow) -> None:
        self.numbers.append(self.held.add(row))
        self.settle(len(self.held.rows) - 1)

    def row_of(self, number: int) -> SumRow:
        at = number - 1 if number >= 0 else len(self.numbers) + number
        index = self.numbers[at] if 0 <= at < len(self.numbers) else None
        found = None if index is None else self.held.rows[index]
        if found is None:
            raise Fault(BAD_ID)
        return found

    def read(self, words: Words) -> tuple[SumRow, Words]:
        """Return the row of words, and the words after it."""
        if ">=" not in words:
            raise Fault(BAD_STEP)
        at = words.index(">=")
        if at % 2 or len(words) < at + 2 or words[at + 2 : at + 3] in (["*"], ["d"], ["w"]):
            raise Fault(BAD_STEP)
        terms = [(integer(a), literal(x)) for a, x in zip(words[:at:2], words[1:at:2], strict=True)]
        return row(terms, integer(words[at + 1])), words[at + 2 :]

    def follows(self, row: SumRow) -> bool:
        return row.degree <= 0 or self.held.refute([negated(row)])

    def rup(self, words: Words) -> None:
        found, _ = self.read(words)
        if not self.follows(found):
            raise Fault(NOT_IMPLIED)
        self.hold(found)

    def assert_(self, words: Words) -> None:
        found, _ = self.read(words)
        bound = self.bound
        weaker = bound is not None and found.terms == bound.terms and found.degree <= bound.degree
        if not weaker and not self.follows(found):
            raise Fault(ASSERTED)
        self.hold(found)

    def pol(self, words: Words) -> None:
        stack, last = list[SumRow](), ""
        change = {"*": multiplied, "d": divided}
        for i, word in enumerate(words):
            after = words[i + 1] if i + 1 < len(words) else ""
            if after in (*change, "w"):  # an operand
                last = word
            elif word in (";", "0"):
                break
            elif word in change:
                if not stack or (k := integer(last)) < (word == "d"):
                    raise Fault(BAD_STEP)
                stack.append(change[word](stack.pop(), k))
            elif word == "w" and stack:
                stack.append(weakened(stack.pop(), literal(last)))
            elif word == "s" and stack:
                stack.append(saturated(stack.pop()))
            elif word == "+" and len(stack) > 1:
                stack.append(added(stack.pop(), stack.pop()))
            elif INTEGER.fullmatch(word):
                stack.append(self.row_of(int(word)))
            else:
                stack.append(SumRow({literal(word): 1}, 0))
        if len(stack) != 1:
            raise Fault(BAD_STEP)
        self.hold(stack.pop())

    def load(self, words: Words) -> None:
        if not words or not 0 < (n := integer(words[0])) <= len(self.programme.rows):
            raise Fault(BAD_ID)
        self.numbers.append(n - 1)

    def load_all(self, words: Words) -> None:
        self.numbers += range(len(self.programme.rows))

    def solution(self, words: Words) -> None:
        values = {abs(x): x > 0 for x in map(literal, takewhile(lambda word: word != ";", words))}
        bound = self.bound
        if bound is None:
            raise Fault(BETTER)
        if any(abs(x) not in values for x in bound.terms):
            raise Fault(PARTIAL)
        total = sum(c for x, c in bound.terms.items() if values[abs(x)] == (x > 0))
        if total >= bound.degree:
            raise Fault(BETTER)
        self.hold(SumRow(bound.terms, total + 1))

    def red(self, words: Words) -> None:
        found, rest = self.read(words)
        rest = [word for word in (rest[1:] if rest[:1] == [";"] else rest) if word != "->"]
        witness = self.witness(rest)
        if not witness or min(witness) <= self.programme.variables or any({x, -x} & self.held.true for x in witness):
            raise Fault(NOT_FRESH)
        for held in [found, *(held for held in self.held.rows if held is not None)]:
            changed = under(held, witness)
            if held is not found and all(witness.get(abs(x), x > 0) == (x > 0) for x in held.terms):
                continue  # no literal becomes false
            if changed.degree > 0 and not self.held.refute([negated(found), negated(changed)]):
                raise Fault(UNSHOWN)
        self.hold(found)

    def witness(self, words: Words) -> dict[int, bool]:
        found = {}
        if ";" in words:
            words = words[: words.index(";")]
        for name, value in zip(words[::2], [*words[1::2], ""], strict=False):
            if not VARIABLE.fullmatch(name) or name.startswith("~") or value not in ("0", "1"):
                raise Fault(UNREAD_RULE)
            found[literal(name)] = value == "1"
        return found

    def delete(self, words: Words) -> None:
        words = [word for word in words if word != "id"]
        if words[:1] == ["range"]:
            if len(words) < 3:
                raise Fault(BAD_STEP)
            numbers: Sequence[int] = range(max(integer(words[1]), 1), min(integer(words[2]) - 1, len(self.numbers)) + 1)
        elif all(INTEGER.fullmatch(word) or word == ";" for word in words):
            numbers = [int(word) for word in words if word != ";"]
        else:
            raise Fault(UNREAD_RULE)
        for number in numbers:
            if 0 < number <= len(self.numbers):
                index, self.numbers[number - 1] = self.numbers[number - 1], None
                if index is not None and index >= len(self.programme.rows) + (self.bound is not None):
                    self.held.rows[index] = None

    def contradiction(self, words: Words) -> None:
        if words:
            self.row_of(integer(words[0]))
        raise Fault(OPEN if words else BAD_ID)

    def step(self, words: Words) -> None:
        """Take the step of a line."""
        rules: dict[str, Callable[[Words], None]] = {
            **dict.fromkeys(("rup", "u"), self.rup),
            **dict.fromkeys(("pol", "p"), self.pol),
            **dict.fromkeys(("soli", "o"), self.solution),
            **dict.fromkeys(("del", "d"), self.delete),
            "l": self.load,
            "f": self.load_all,
            "red": self.red,
            "a": self.assert_,
            "c": self.contradiction,
        }
        if words[0] in rules:
            if any(JUNK.match(word) for word in words[1:]):
                raise Fault(BAD_STEP)
            rules[words[0]](words[1:])
        elif words[0] not in SKIPPED:
            raise Fault(UNREAD_RULE)


def check(programme: SumProgramme, proof: bytes) -> tuple[int, int]:
    """Check that a proof refutes a programme with its bound; return REFUTED or a fault, and its line.

    Raises BadProof.
    """
    version, line = version_of(proof), 1
    try:
        checked = ExactCheck(programme)
        if version > 1:
            checked.load_all([])
        for line, text in enumerate(proof.decode("ascii", "surrogateescape").removesuffix("\n").split("\n"), 1):
            words = text.replace(";", " ; ").split()
            if line == 1 or not words or words[0].startswith(("*", "%")):
                continue
            if version > 2 and (words.count(";") != 1 or words[-1] != ";"):
                raise Fault(UNREAD_RULE)
            if version == 1 or words[0] != "f":
                checked.step(words)
    except Fault as e:
        return e.fault, line
    return OPEN, line + 1
