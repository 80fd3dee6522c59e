"""Lines of a CNF file about counting: `c p show 1 2 0`, older `c ind 1 2 0`, weights, and the track, `c t pmc`.

Most stand in comments, before or after clauses. Weights are `c p weight -1 0.3 0`, or older lines `w -1 0.3`: decimals,
with exponents, or fractions. A literal without a weight is 1 to some counters, 1 - w to others, so both are demanded.
Lines `c p show` and `c ind` add up.
"""

import re
from dataclasses import dataclass, field
from fractions import Fraction

from puzzles.errors import ParseError, brief
from puzzles.problem import Problem
from puzzles.readers.integers import WORD

STATED = re.compile(rb"^[ \t]*(?:c[ \t]+(p[ \t]+(?:show|weight)|ind|t)|(w))[ \t]+([^\n]*)\n?", re.MULTILINE)
WEIGHT = re.compile(rb"^[ \t]*w[ \t][^\n]*", re.MULTILINE)
NUMBER = re.compile(
    r"[+-]?(?:[0-9]{1,400}(?:\.[0-9]{0,400})?|\.[0-9]{1,400})(?:[eE][+-]?[0-9]{1,3})?(?:/[0-9]{1,400})?"
)
TRACKS = {"mc", "wmc", "pmc", "pwmc"}


@dataclass
class CountingLines:
    """Projection, weights and kind of count that the lines of a file state so far.

    shown    variables to count on, from 1, None if nothing is stated
    weights  by literal        track  mc, pmc, wmc or pwmc, '' if it is not stated
    at       line of each variable
    older    True if there are lines `w`, which programs do not read
    """

    shown: set[int] | None = None
    weights: dict[int, Fraction] = field(default_factory=dict)
    at: dict[int, int] = field(default_factory=dict)
    track: str = ""
    older: bool = False

    def read(self, block: bytes, line: int) -> None:
        """Read the lines of a block, of which the first has this number. Raises ParseError."""
        if b"c" not in block and b"w" not in block:
            return
        for match in STATED.finditer(block):
            at = line + block.count(b"\n", 0, match.start())
            words = [word.decode(errors="replace") for word in WORD.findall(match[3])]
            kind = match[2] or match[1].split()[-1]
            if kind == b"t":
                self.track = words[0] if words[:1] and words[0] in TRACKS else self.track
            elif kind in (b"show", b"ind"):
                self.show(words, kind.decode(), at)
            else:
                self.weigh(words, at)
                self.older |= kind == b"w"

    def show(self, words: list[str], kind: str, at: int) -> None:
        """Read the variables of a projection, which end in 0. Raises ParseError."""
        if not all(word.isdecimal() and len(word) < 10 for word in words) or words[-1:] != ["0"] or "0" in words[:-1]:
            if kind == "ind":
                return  # a sentence
            raise ParseError("'c p show' needs variables, and 0 at its end", at)
        found = [*map(int, words[:-1])]
        self.shown = {*(self.shown or ()), *found}
        self.at |= dict.fromkeys(found, at)

    def weigh(self, words: list[str], at: int) -> None:
        """Read the weight of a literal. Raises ParseError."""
        if words[-1:] == ["0"] and len(words) == 3:
            words = words[:-1]
        literal, weight = words if len(words) == 2 else ("0", "")
        if not re.fullmatch("-?[1-9][0-9]{0,8}", literal):
            raise ParseError("a weight needs a literal and a number, and 0 at its end", at)
        if "i" in weight.lower():
            raise ParseError(f"{brief(weight)}: complex weights are not read", at)
        value = fraction(weight)
        if value is None:
            raise ParseError(f"{brief(weight)} is not a weight: expected 0.3, 1/4 or -3e5", at)
        if self.weights.setdefault(int(literal), value) != value:
            raise ParseError(f"literal {literal} has two weights", at)
        self.at[abs(int(literal))] = at

    def check(self, variables: int) -> None:
        """Raise ParseError for unknown variables, and literals without a weight."""
        for x in {*(self.shown or ()), *map(abs, self.weights)}:
            if x > variables:
                raise ParseError(f"variable {x}, but variables are 1 to {variables}", self.at[x])
        for literal in self.weights:
            if -literal not in self.weights:
                why = f"literal {-literal} has no weight, and {literal} has one: state both"
                raise ParseError(why, self.at[abs(literal)])

    def contradiction(self) -> str:
        """Return what the stated track leaves out, '' if nothing."""
        extra = [
            word
            for word, letter, stated in (("projection", "p", self.shown), ("weights", "w", self.weights))
            if stated is not None and stated != {} and self.track and letter not in self.track
        ]
        return (
            f"'c t {self.track}' goes without {' and '.join(extra)}, which the file states and which counts"
            if extra
            else ""
        )

    def hidden(self, problem: Problem) -> tuple[int, ...]:
        """Return the variables outside the projection, from 0."""
        shown = self.shown
        return () if shown is None else tuple(x for x in range(len(problem.variables)) if x + 1 not in shown)


def fraction(text: str) -> Fraction | None:
    """Return a decimal, a number with an exponent or a fraction, exactly; None for another text."""
    if not NUMBER.fullmatch(text):
        return None
    above, _, below = text.partition("/")
    return Fraction(above) / int(below or 1) if below.strip("0") or not below else None
