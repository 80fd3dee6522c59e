"""State of a proof that is checked with Python integers, and the words of its statements as rows and numbers."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, NoReturn

from harness.judging.checkers.pseudo_boolean.columns import BAD_ID, BAD_STEP, REFUTED, UNENDED, UNREAD_RULE
from harness.judging.checkers.pseudo_boolean.exact.held import NumberedRows
from harness.judging.checkers.pseudo_boolean.exact.statements import ProofStatement, Words
from harness.judging.checkers.pseudo_boolean.programme import SumProgramme, SumRow, row

INTEGER = re.compile(r"[+-]?[0-9]{1,4000}")
NAME = re.compile(r"~?[$A-Za-z_][^\s;:~]*")
NUMBERED = re.compile(r"x[1-9][0-9]{0,8}")


class Fault(Exception):
    """A step that ends the check, with its fault."""

    def __init__(self, fault: int) -> None:
        self.fault = fault


@dataclass
class Position:
    """Line of the statement that is taken."""

    line: int = 1


class AffineSum(NamedTuple):
    """Sum of coefficients, by variable, and a constant."""

    terms: dict[int, int]
    constant: int


class OrderDefinition(NamedTuple):
    """Preorder: rows that define that `left` comes before `right`, and rows that determine `aux` by these."""

    left: tuple[int, ...]
    right: tuple[int, ...]
    aux: tuple[int, ...] = ()
    definition: tuple[SumRow, ...] = ()
    specification: tuple[SumRow, ...] = ()


NO_ORDER = OrderDefinition((), ())


@dataclass
class Proof:
    """State of a proof.

    hidden    how many rows of the formula are held without a number that the proof may use (version 1)
    bound     least value of a row `objective < value` that is held, None without one
    order     the loaded order, over the literals `ordered`; `strict` if strengthening goes to the core
    depth     how many blocks are open      levels   number of each row with a level, and the level
    stage     how many statements of the proof's end are read
    """

    programme: SumProgramme
    version: int
    statements: Iterator[ProofStatement]
    take: Callable[["Proof", ProofStatement], None]
    held: NumberedRows = field(default_factory=NumberedRows)
    labels: dict[str, int] = field(default_factory=dict)
    fresh: dict[str, int] = field(default_factory=dict)
    hidden: int = 0
    objective: AffineSum | None = None
    bound: int | None = None
    solutions: list[int] = field(default_factory=list)
    orders: dict[str, OrderDefinition] = field(default_factory=dict)
    order: OrderDefinition = NO_ORDER
    ordered: tuple[int, ...] = ()
    strict: bool = False
    depth: int = 0
    level: int | None = None
    levels: list[tuple[int, int]] = field(default_factory=list)
    stage: int = 0
    at: Position = field(default_factory=Position)
    label: str = ""

    def hold(self, row: SumRow, core: bool = False) -> None:
        """Hold a row that a step shows, with the next number, the label of the step and the level."""
        self.name(self.held.add(row, core))
        if self.version == 1 and self.held.broken and not self.depth:
            raise Fault(REFUTED)

    def name(self, number: int) -> None:
        if self.label:
            self.labels[self.label] = number
        if self.level is not None:
            self.levels.append((number, self.level))

    def next(self) -> ProofStatement:
        """Return the next statement of a block."""
        found = next(self.statements, None)
        if found is None:
            raise Fault(UNENDED)
        self.begin(found)
        return found

    def begin(self, statement: ProofStatement) -> None:
        """Go on with a statement; text that no `;` ends is none."""
        self.at.line, self.label = statement.line, statement.label
        if statement.words[:1] in ([], [""]):
            raise Fault(UNENDED if statement.words else BAD_STEP)

    def number(self, word: str) -> int:
        """Return the number of a row that is held, by number or label."""
        number = self.labels.get(word, 0) if word.startswith("@") else integer(word)
        number += len(self.held.rows) + 1 if number < 0 else self.hidden
        if number <= self.hidden or self.held.get(number) is None:
            raise Fault(BAD_ID)
        return number

    def row(self, word: str) -> SumRow:
        found = self.held.get(self.number(word))
        assert found
        return found

    def literal(self, word: str) -> int:
        """Return a literal by its name; a name that the programme lacks gets the next variable."""
        if not NAME.fullmatch(word):
            raise Fault(BAD_STEP)
        name, names = word.removeprefix("~"), self.programme.names
        if names is not None:
            found = names.get(name, 0)
        else:
            found = int(name[1:]) if NUMBERED.fullmatch(name) else 0
            found = found if found <= self.programme.variables else 0
        if not found:
            found = self.fresh.setdefault(name, self.programme.variables + len(self.fresh) + 1)
        return -found if word.startswith("~") else found

    def constraint(self, words: Words) -> SumRow:
        """Return the row of words: a sum, or with `==>` or `<==` one that literals imply, or that implies a literal."""
        for arrow in ("==>", "<=="):
            if arrow in words:
                at = words.index(arrow)
                literals, found = [self.literal(word) for word in words[:at]], self.constraint(words[at + 1 :])
                if arrow == "<==":
                    if len(literals) != 1:
                        raise Fault(BAD_STEP)
                    literals, found = [-literals[0]], row([(-c, x) for x, c in found.terms.items()], 1 - found.degree)
                most = max(found.degree, 0)
                return row([*((c, x) for x, c in found.terms.items()), *((most, -x) for x in literals)], found.degree)
        sign = 1 if ">=" in words else -1
        at = words.index(">=") if sign > 0 else words.index("<=") if "<=" in words else -1
        if at % 2 or at < 0 or len(words) != at + 2:
            raise Fault(BAD_STEP)
        terms = [(sign * integer(a), self.literal(x)) for a, x in zip(words[:at:2], words[1:at:2], strict=True)]
        return row(terms, sign * integer(words[-1]))

    def affine(self, words: Words) -> AffineSum:
        """Return a sum of terms, which may end with a constant."""
        terms, constant = dict[int, int](), 0
        for a, x in zip(words[::2], [*words[1::2], ""], strict=False):
            c = integer(a)
            literal = self.literal(x) if x else 0
            if literal <= 0:
                constant, c = constant + c, -c
            if literal:
                terms[abs(literal)] = terms.get(abs(literal), 0) + c
        return AffineSum({x: c for x, c in terms.items() if c}, constant)

    def witness(self, words: Words) -> dict[int, int | bool]:
        """Return the value or the literal that replaces each variable."""
        found, rest = dict[int, int | bool](), [*words]
        while rest:
            x, *rest = rest
            if rest and rest[0] in ("->", "→"):
                del rest[0]
            if not rest or x.startswith("~"):
                raise Fault(BAD_STEP)
            to, *rest = rest
            found[self.literal(x)] = bool(int(to)) if to in ("0", "1") else self.literal(to)
            if rest[1:] and rest[0] == ",":
                del rest[0]
        return found


def integer(word: str) -> int:
    if not INTEGER.fullmatch(word):
        raise Fault(BAD_STEP)
    return int(word)


def parts(words: Words) -> list[Words]:
    """Return the words between colons."""
    found = [Words()]
    for word in words:
        if word == ":":
            found.append([])
        else:
            found[-1].append(word)
    return found


def only(words: Words, most: int, least: int = 0) -> Words:
    """Return words if they are so many."""
    if not least <= len(words) <= most:
        raise Fault(BAD_STEP)
    return words


def goal_of(goal: Mapping[int, int], offset: int) -> AffineSum:
    return AffineSum({x: a for x, a in goal.items() if a}, offset)


def at_least(a: AffineSum, value: int) -> SumRow:
    """Return the row of: a sum is at least a value."""
    return row([(c, x) for x, c in a.terms.items()], value - a.constant)


def at_most(a: AffineSum, value: int) -> SumRow:
    return row([(-c, x) for x, c in a.terms.items()], a.constant - value)


def unread(*_: object) -> NoReturn:
    raise Fault(UNREAD_RULE)
