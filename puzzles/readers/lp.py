"""Reader of LP, the format of CPLEX: an objective, rows, bounds, and names of integer and binary variables.

    Minimize        obj: 3 x - 2 y
    Subject To      c1: x + y >= 2
    Bounds          x <= 5   -1 <= y <= 4   z free
    Generals        x y z
    Binaries        b
    End

A variable without bounds is at least 0.
"""

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import BinaryIO, NamedTuple

from puzzles.errors import ParseError, brief
from puzzles.problem import Instance, Problem
from puzzles.readers.programme import ReadProgram, Terms, differ, number
from puzzles.readers.source import Source, lines_of

WORD = re.compile(
    r"\s*(?:(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)"
    r"|(?P<name>[A-Za-z!\"#$%&(),;?@_`'{}|~][A-Za-z0-9!\"#$%&()/,.;?@_`'{}|~]*)"
    r"|(?P<sign><=|=<|>=|=>|->|::|[-+<>=:\[\]^*/]))"
)
COMPARISONS = {"<=": "<=", "=<": "<=", "<": "<=", ">=": ">=", "=>": ">=", ">": ">=", "=": "="}
FLIPPED = {"<=": ">=", ">=": "<=", "=": "="}
SENSES = {"max": True, "maximize": True, "maximum": True, "min": False, "minimize": False, "minimum": False}
SECTIONS = {
    **dict.fromkeys(("subject to", "such that", "st", "s.t.", "st.", "subject to:", "st:"), "rows"),
    **dict.fromkeys(("bounds", "bound"), "bounds"),
    **dict.fromkeys(("general", "generals", "gen", "gens", "integer", "integers", "int"), "integers"),
    **dict.fromkeys(("binary", "binaries", "bin", "bins"), "binaries"),
    **dict.fromkeys(("semi-continuous", "semi", "semis"), "semi-continuous or semi-integer variable"),
    **dict.fromkeys(("sos", "sos1", "sos2"), "SOS constraint"),
    "lazy constraints": "lazy constraint item",
    "user cuts": "user cut item",
    "general constraints": "general constraint item",
    "pwlobj": "piecewise linear objective item",
}
ENDLESS = ("inf", "infinity")


class LpWord(NamedTuple):
    """Word of a file: its kind (number, name, sign, or '' after the last), its text and its line."""

    kind: str
    text: str
    line: int


def read_lp(file: BinaryIO, source: Source) -> Instance[Problem]:
    """Return the instance of a file. Raises ParseError, BadInput, OSError."""
    sections, maximise = sections_of(lines_of(file, source), source)
    found = ReadProgram(maximise=maximise)
    for section, words in sections:
        LpSection(found, words).read(section)
    return found.instance(source)


def sections_of(lines: Iterator[tuple[int, str]], source: Source) -> tuple[list[tuple[str, list[LpWord]]], bool]:
    """Return the words of each section, and True if the objective is to be maximised. Raises ParseError."""
    found, maximise = list[tuple[str, list[LpWord]]](), False
    for line, raw in lines:
        source.line = line
        text = raw.partition("\\")[0].strip()
        title = " ".join(text.lower().split())
        first, _, rest = text.partition(" ")
        if not text:
            continue
        if title == "end":
            return found, maximise
        if not found:
            if first.lower() not in SENSES:
                raise differ(f"{brief(first)} in the place of Minimize or Maximize", line)
            maximise = SENSES[first.lower()]
            found.append(("objective", list(words_of(rest, line))))
        elif title in SECTIONS:
            found.append((SECTIONS[title], []))
        else:
            found[-1][1].extend(words_of(text, line))
    raise ParseError("no End: is the file truncated?")


def words_of(text: str, line: int) -> Iterator[LpWord]:
    """Yield the words of a line. Raises ParseError."""
    at = 0
    while at < len(text):
        match = WORD.match(text, at)
        if match is None:
            raise ParseError(f"{brief(text[at:].strip())} is no word of LP", line)
        kind, at = str(match.lastgroup), match.end()
        if kind == "number" and (
            text[at : at + 1] in (".", "e", "E") or ("e" in match[0].lower() and text[at : at + 1].isalpha())
        ):
            raise differ(
                f"a number joined to a name, {brief(text[match.start(kind) :])}", line, "separate them by a blank"
            )
        yield LpWord(kind, match[kind], line)


class LpSection:
    """Words of a section as they are read into a program."""

    def __init__(self, found: ReadProgram, words: list[LpWord]) -> None:
        self.found, self.words, self.at = found, words, 0

    def look(self, ahead: int = 0) -> LpWord:
        """Return a word without taking it; after the last its kind is ''."""
        at = self.at + ahead
        return self.words[at] if at < len(self.words) else LpWord("", "", self.words[-1].line if self.words else 0)

    def take(self) -> LpWord:
        word = self.look()
        self.at += 1
        return word

    def read(self, section: str) -> None:
        """Read all words. Raises ParseError."""
        if section == "objective":
            self.label()
            self.found.goal, constant = self.terms()
            if constant:
                raise differ("a constant in the objective", self.look(-1).line, "add a variable that is fixed to 1")
        while self.look().kind:
            if section == "rows":
                self.row()
            elif section == "bounds":
                self.bound()
            elif section in ("integers", "binaries"):
                self.integer(binary=section == "binaries")
            elif section == "objective":
                raise self.unexpected("a sum")
            else:
                marks = sum(word.text == "::" for word in self.words)  # one for each SOS constraint
                self.found.others[section] += marks or len(self.words)
                return

    def unexpected(self, wanted: str) -> ParseError:
        word = self.look()
        return ParseError(f"expected {wanted}, not {brief(word.text) if word.kind else 'the end'}", word.line)

    def label(self) -> None:
        if self.look().kind == "name" and self.look(1).text == ":":
            self.at += 2

    def signed(self) -> Fraction | None:
        """Take the signs of a term or number, and return the product; None if there are none."""
        found = None
        while self.look().text in ("+", "-"):
            found = (found or Fraction(1)) * (1 if self.take().text == "+" else -1)
        return found

    def terms(self) -> tuple[Terms, Fraction]:
        """Take a sum, and return its terms and its constant. Raises ParseError."""
        found, constant = Terms(), Fraction(0)
        while True:
            sign = self.signed()
            if self.look().text == "[":
                self.skip_quadratic()
                continue
            word, factor = self.look(), sign or Fraction(1)
            if word.kind == "number":
                factor *= number(self.take().text, word.line)
                if self.look().text == "/":
                    raise differ("a fraction", word.line, "write a decimal number")
                word = self.look()
                if word.kind != "name" or self.look(1).text == ":":
                    constant += factor
                    if word.text not in ("+", "-"):
                        return without_zeros(found), constant
                    continue
            if word.kind == "name" and self.look(1).text != ":":
                x = self.found.column_of(self.take().text)
                found[x] = found.get(x, Fraction(0)) + factor
                if self.look().text in ("^", "*"):
                    raise differ("a power or product outside of brackets", word.line)
            elif sign is not None:
                raise self.unexpected("a term")
            if self.look().text not in ("+", "-", "["):
                return without_zeros(found), constant

    def skip_quadratic(self) -> None:
        """Take a sum in brackets, and count its products. Raises ParseError."""
        while (word := self.take()).text != "]":
            if not word.kind:
                raise ParseError("no ']'", word.line)
            self.found.others["quadratic term"] += word.text in ("^", "*")
        if self.look().text == "/":
            self.at += 2

    def comparison(self) -> str:
        if self.look().text not in COMPARISONS:
            raise self.unexpected("<=, >= or =")
        return COMPARISONS[self.take().text]

    def value(self) -> Fraction | None:
        """Take a number, None for infinity. Raises ParseError."""
        sign = self.signed() or Fraction(1)
        word = self.take()
        if word.kind == "name" and word.text.lower() in ENDLESS:
            return None
        if word.kind != "number":
            self.at -= 1
            raise self.unexpected("a number")
        if self.look().text == "/":
            raise differ("a fraction", word.line, "write a decimal number")
        return sign * number(word.text, word.line)

    def row(self) -> None:
        """Take a row. Raises ParseError."""
        self.label()
        line = self.look().line
        terms, constant = self.terms()
        sign = self.comparison()
        if constant:
            raise differ("a constant on the left of a row", line, "write it on the right, and two rows for two bounds")
        ahead = 1 if self.look().text in ("+", "-") else 0
        right = self.look(ahead)
        if right.kind == "name" and right.text.lower() not in ENDLESS:
            raise differ("a variable on the right of a row", line, "write it on the left")
        side, next_word = self.value(), self.look()
        joined = next_word.kind == "name" and next_word.line == right.line and self.look(1).text != ":"
        if joined or (next_word.text in ("+", "-", "*") and next_word.line == right.line):
            raise differ("a variable or a sum on the right of a row", line, "write it on the left")
        if next_word.text == "->":
            self.found.others["indicator constraint"] += 1
            self.at += 1
            self.terms(), self.comparison(), self.value()
        elif next_word.text in COMPARISONS:
            raise differ("a row with two bounds", line, "write two rows")
        elif side is not None:
            self.found.rows.append((terms, sign, side))

    def bound(self) -> None:
        """Take a bound. Raises ParseError."""
        if self.look().kind != "name" or self.look().text.lower() in ENDLESS:
            least, sign = self.value(), FLIPPED[self.comparison()]
            name = self.look().text
            self.bounded(sign, least)
            if self.look().text in COMPARISONS:
                self.state(name, self.comparison(), self.value(), self.look(-1).line)
        elif self.look(1).text.lower() == "free":
            name = self.take().text
            self.found.column_of(name)
            self.found.columns[name].low(None, self.take().line)
        else:
            name = self.take().text
            self.state(name, self.comparison(), self.value(), self.look(-1).line)

    def bounded(self, sign: str, value: Fraction | None) -> None:
        if self.look().kind != "name":
            raise self.unexpected("a variable")
        self.state(self.look().text, sign, value, self.take().line)

    def state(self, name: str, sign: str, value: Fraction | None, line: int) -> None:
        """State a bound of a variable. Raises ParseError."""
        self.found.column_of(name)
        column = self.found.columns[name]
        if sign in (">=", "="):
            column.low(value, line)
        if sign in ("<=", "="):
            column.high(value, line)

    def integer(self, binary: bool) -> None:
        """Take the name of an integer variable. Raises ParseError."""
        if self.look().kind != "name":
            raise self.unexpected("the name of a variable")
        word = self.take()
        self.found.column_of(word.text)
        column = self.found.columns[word.text]
        column.integer = True
        if binary:
            stated = column.lower_line or column.upper_line
            if stated and not (column.lower == 0 and column.upper == 1):
                raise differ(
                    f"a binary variable with other bounds, {brief(word.text)}", word.line, "make it an integer"
                )
            column.lower, column.upper = Fraction(0), Fraction(1)


def without_zeros(terms: Terms) -> Terms:
    return {x: a for x, a in terms.items() if a}
