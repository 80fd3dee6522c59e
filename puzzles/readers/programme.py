"""An integer program under construction, of MPS or LP: columns with bounds, rows, and an objective, all exact.

Numbers are fractions, never floats; a row is multiplied by its least common denominator, and so is the objective, which
a note says. Continuous columns and what else is no bounded pure-integer program are refused with their numbers. What
known readers of the formats read differently is an error, since the file then states no one program.
"""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, floor, lcm

from puzzles.constraints.linear import COMPARISONS, Linear
from puzzles.errors import ParseError, brief, plural
from puzzles.objectives.linear import LinearObjective
from puzzles.problem import Instance, Problem
from puzzles.readers.bounding import bounded
from puzzles.readers.building import MAX_NUMBER, GrowingProblem, size_of
from puzzles.readers.refusal import Refusal, refused
from puzzles.readers.source import Source

NUMBER = re.compile(r"[+-]?(?:[0-9]{1,400}(?:\.[0-9]{0,400})?|\.[0-9]{1,400})(?:[eE][+-]?[0-9]{1,3})?")
ENDLESS = Fraction(10) ** 20  # bounds of at least this are none, as for all readers
Terms = dict[int, Fraction]  # coefficient by column


def number(word: str, line: int) -> Fraction:
    """Return the exact number that a word is. Raises ParseError."""
    if not NUMBER.fullmatch(word):
        raise ParseError(f"{brief(word)} is not a number", line)
    return Fraction(word)


def differ(what: str, line: int, advice: str = "") -> ParseError:
    """Return the error for what known readers read differently."""
    return ParseError(f"{what}, which known readers read differently{advice and f': {advice}'}", line)


@dataclass
class ProgramColumn:
    """Variable of a program; an end of its bounds is None if it is infinite, and its line is 0 if it is not stated."""

    name: str
    index: int
    integer: bool = False
    lower: Fraction | None = Fraction(0)
    upper: Fraction | None = None
    lower_line: int = 0
    upper_line: int = 0

    def low(self, value: Fraction | None, line: int) -> None:
        """State the lower bound. Raises ParseError."""
        if self.lower_line and value != self.lower:
            raise differ(f"a second lower bound of {brief(self.name)}", line)
        self.lower, self.lower_line = None if value is None or value <= -ENDLESS else value, line

    def high(self, value: Fraction | None, line: int) -> None:
        """State the upper bound. Raises ParseError."""
        if self.upper_line and value != self.upper:
            raise differ(f"a second upper bound of {brief(self.name)}", line)
        self.upper, self.upper_line = None if value is None or value >= ENDLESS else value, line

    def domain(self) -> tuple[tuple[int, int], ...]:
        """Return the integers between the bounds, as a range; none if there are none. Raises ParseError."""
        if self.upper is not None and self.upper < 0 and not self.lower_line:
            raise differ(
                f"an upper bound below 0 of {brief(self.name)}, without a lower one", self.upper_line, "state both"
            )
        low = -MAX_NUMBER if self.lower is None else ceil(self.lower)
        high = MAX_NUMBER if self.upper is None else floor(self.upper)
        return ((low, high),) if low <= high else ()


@dataclass
class ReadProgram:
    """Columns by name, rows as (terms, comparison, bound), and the objective; `others` counts what is not read."""

    columns: dict[str, ProgramColumn] = field(default_factory=dict)
    rows: list[tuple[Terms, str, Fraction]] = field(default_factory=list)
    goal: Terms = field(default_factory=dict)
    maximise: bool = False
    others: Counter[str] = field(default_factory=Counter)

    def column_of(self, name: str) -> int:
        """Return the index of a column, which is new if its name is."""
        return self.columns.setdefault(name, ProgramColumn(name, len(self.columns))).index

    def instance(self, source: Source) -> Instance[Problem]:
        """Return the instance; one that names what is not supported, if that is any. Raises ParseError."""
        try:
            return self.read(source)
        except Refusal as e:
            return refused(source, e)

    def read(self, source: Source) -> Instance[Problem]:
        """Return the instance. Raises ParseError, Refusal."""
        if continuous := sum(not column.integer for column in self.columns.values()):
            self.others["continuous variable"] += continuous
        if self.others:
            raise Refusal([plural(count, what) for what, count in self.others.items()])
        found = GrowingProblem()
        for column in self.columns.values():
            found.new(column.name, column.domain())
        for terms, sign, bound in self.rows:
            if not terms and COMPARISONS[sign](0, bound):
                continue
            xs = sorted(terms)
            (*coefficients, whole), _ = integral([*(terms[x] for x in xs), bound])
            found.add(Linear, (coefficients, xs, sign, whole))
        found.domains = [
            inside if domain else domain
            for domain, inside in zip(
                found.domains, bounded([d or ((0, 0),) for d in found.domains], found.rows), strict=True
            )
        ]
        refuse_endless(found)
        goal = self.objective(source) if self.goal and source.keeps_objective() else None
        return found.instance(source.name, goal, empty=((0, 0),))

    def objective(self, source: Source) -> LinearObjective:
        """Return the objective in integers, with a note on its factor."""
        xs = sorted(self.goal)
        coefficients, factor = integral(self.goal[x] for x in xs)
        if factor > 1:
            source.note(f"values of the objective are multiplied by {factor:,}, so that they are integers")
        return LinearObjective.of(dict(zip(xs, coefficients, strict=True)), 0, self.maximise)


def refuse_endless(found: GrowingProblem) -> None:
    """Raise Refusal if constraints leave a variable without bounds."""
    sizes = [size_of(domain) for domain in found.domains]
    widest = found.names[sizes.index(max(sizes))] if sizes else ""
    if max(sizes, default=0) > MAX_NUMBER // 2:
        endless = sum(size > MAX_NUMBER // 2 for size in sizes)
        raise Refusal([f"{plural(endless, 'integer variable')} without bounds, such as {widest}"])


def integral(numbers: Iterable[Fraction]) -> tuple[list[int], int]:
    """Return numbers multiplied by their least common denominator, and that."""
    numbers = list(numbers)
    factor = lcm(*(n.denominator for n in numbers))
    return [int(n * factor) for n in numbers], factor
