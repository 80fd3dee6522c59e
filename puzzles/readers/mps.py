"""Reader of MPS, free and fixed: words of a line are separated by blanks, so names have none.

    ROWS         N, L, G or E and a name; the first N is the objective, other N rows are free
    COLUMNS      column, row, number, perhaps row, number; between 'MARKER' 'INTORG' and 'INTEND' columns are integers
    RHS, RANGES  perhaps the name of the set, row, number, ...
    BOUNDS       UP, LO, FX, FR, MI, PL, BV, LI, UI, perhaps the name of the set, column, number

An integer column without bounds is 0 or 1; one with a lower bound alone has no upper one.
"""

import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import BinaryIO

from puzzles.errors import ParseError, brief
from puzzles.problem import Instance, Problem
from puzzles.readers.programme import ProgramColumn, ReadProgram, differ, number
from puzzles.readers.source import Source, lines_of

SIGNS = {"L": "<=", "G": ">=", "E": "="}
OTHERS = {  # sections that are not read, by what their lines are
    "SOS": "SOS line",
    "SOS1": "SOS line",
    "SOS2": "SOS line",
    "SETS": "SOS line",
    "INDICATORS": "indicator constraint",
    "LAZYCONS": "lazy constraint",
    "USERCUTS": "user cut",
    "GENCONS": "general constraint line",
    "PWLOBJ": "piecewise linear objective line",
    "BRANCH": "branching priority line",
}
QUADRATIC = re.compile(r"Q(UADOBJ|MATRIX|SECTION|CMATRIX)|CSECTION")
UNBOUNDED = ("FR", "MI", "PL", "BV")  # bounds without a number
SENSES = {"MAX": True, "MAXIMIZE": True, "MIN": False, "MINIMIZE": False}


def read_mps(file: BinaryIO, source: Source) -> Instance[Problem]:
    """Return the instance of a file. Raises ParseError, BadInput, OSError."""
    return MpsReader().read(lines_of(file, source), source)


class MpsReader:
    """State of the reader: the program, its rows by name, and the names of the sets in use.

    `signs` has '' for the objective and for free rows; `finished` are columns that another one has followed.
    """

    def __init__(self) -> None:
        self.found = ReadProgram()
        self.goal = ""
        self.signs: dict[str, str] = {}
        self.terms: dict[str, dict[int, Fraction]] = {}
        self.sides: dict[str, tuple[Fraction, int]] = {}
        self.ranges: dict[str, tuple[Fraction, int]] = {}
        self.sets: dict[str, str] = {}
        self.integer, self.column = False, ""
        self.marked: dict[str, bool] = {}  # integer columns of markers, True if a bound is stated
        self.take: dict[str, Callable[[list[str], int], None]] = {
            "OBJSENSE": self.sense,
            "ROWS": self.row,
            "COLUMNS": self.entries,
            "RHS": lambda words, line: self.side("RHS", self.sides, words, line),
            "RANGES": lambda words, line: self.side("RANGES", self.ranges, words, line),
            "BOUNDS": self.bound,
        }

    def read(self, lines: Iterator[tuple[int, str]], source: Source) -> Instance[Problem]:
        """Return the instance of all lines. Raises ParseError."""
        section = ""
        for line, text in lines:
            source.line = line
            words = text.split()
            if not words or text.startswith("*"):
                continue
            if text[0].isspace():
                self.data(section, words, line)
                continue
            section = words[0].upper()
            if section == "ENDATA":
                break
            if section == "OBJSENSE" and len(words) > 1:
                raise differ("OBJSENSE with the sense on its line", line, "write the sense on the next line")
            if section not in ("NAME", *self.take, *OTHERS) and not QUADRATIC.fullmatch(section):
                raise ParseError(f"no section of MPS: {brief(words[0])}", line)
        else:
            raise ParseError("no ENDATA: is the file truncated?")
        self.finish()
        if self.found.maximise:
            source.note("OBJSENSE MAX: some programs ignore it, so all get a file that is written")
        return self.found.instance(source)

    def data(self, section: str, words: list[str], line: int) -> None:
        """Read a line of a section. Raises ParseError."""
        if section in self.take:
            self.take[section](words, line)
        elif section in OTHERS or QUADRATIC.fullmatch(section):
            self.found.others[OTHERS.get(section, "quadratic term")] += 1
        else:
            raise ParseError("a line before the first section", line)

    def sense(self, words: list[str], line: int) -> None:
        if len(words) != 1 or words[0].upper() not in SENSES:
            raise ParseError(f"expected MAX or MIN, not {brief(' '.join(words))}", line)
        self.found.maximise = SENSES[words[0].upper()]

    def row(self, words: list[str], line: int) -> None:
        if len(words) != 2 or words[0].upper() not in ("N", *SIGNS):
            raise ParseError("expected N, L, G or E and the name of a row, without blanks", line)
        kind, name = words[0].upper(), words[1]
        if name in self.signs:
            raise ParseError(f"a second row {brief(name)}", line)
        self.signs[name], self.terms[name] = SIGNS.get(kind, ""), {}
        if kind == "N" and not self.goal:
            self.goal = name

    def entries(self, words: list[str], line: int) -> None:
        """Read entries of a column, or a marker. Raises ParseError."""
        if len(words) == 3 and words[1].upper() == "'MARKER'":
            if (kind := words[2].upper().strip("'")) not in ("INTORG", "INTEND"):
                self.found.others[f"marker {kind}"] += 1
            self.integer = kind == "INTORG"
            return
        if len(words) not in (3, 5):
            raise ParseError("expected a column, a row and a number, without blanks in names", line)
        name = words[0]
        if name != self.column:
            if name in self.found.columns:
                raise differ(f"column {brief(name)} in two pieces", line)
            self.column = name
            x = self.found.column_of(name)
            self.found.columns[name].integer = self.integer
            if self.integer:
                self.marked[name] = False
        x = self.found.columns[name].index
        for row, value in self.pairs(words[1:], line):
            if x in self.terms[row]:
                raise differ(f"a second entry of {brief(name)} in {brief(row)}", line)
            self.terms[row][x] = value

    def pairs(self, words: list[str], line: int) -> Iterator[tuple[str, Fraction]]:
        """Yield rows with their numbers. Raises ParseError."""
        for row, text in zip(words[::2], words[1::2], strict=True):
            if row not in self.signs:
                raise differ(f"row {brief(row)}, which ROWS does not have", line)
            yield row, number(text, line)

    def of_set(self, section: str, name: str, line: int) -> None:
        """Note the set of a line. Raises ParseError if it is another one."""
        if self.sets.setdefault(section, name) != name:
            raise differ(f"a second set of {section}, {brief(name)}", line, "keep one set")

    def side(self, section: str, sides: dict[str, tuple[Fraction, int]], words: list[str], line: int) -> None:
        """Read numbers of rows. Raises ParseError."""
        if len(words) % 2:
            self.of_set(section, words.pop(0), line)
        for row, value in self.pairs(words, line):
            if row in sides:
                raise differ(f"a second number of {brief(row)} in {section}", line)
            if not self.signs[row] and value and (row == self.goal or section == "RANGES"):
                raise differ(f"{section} of the objective or of a free row, {brief(row)}", line, "add a fixed column")
            sides[row] = value, line

    def bound(self, words: list[str], line: int) -> None:
        """Read a bound. Raises ParseError."""
        kind = words[0].upper()
        plain = kind in UNBOUNDED
        if len(words) == (3 if plain else 4) or (plain and len(words) == 4):
            self.of_set("BOUNDS", words.pop(1), line)
        if len(words) not in ((2, 3) if plain else (3,)):
            raise ParseError("expected the type of a bound, its set, a column and a number", line)
        if words[1] not in self.found.columns:
            raise ParseError(f"column {brief(words[1])}, which COLUMNS does not have", line)
        column = self.found.columns[words[1]]
        self.marked[column.name] = True
        self.state(kind, column, None if plain else number(words[2], line), line)

    def state(self, kind: str, column: ProgramColumn, value: Fraction | None, line: int) -> None:
        """State a bound of a column. Raises ParseError."""
        if kind in ("SC", "SI", "SN"):
            self.found.others["semi-continuous or semi-integer variable"] += 1
        elif kind not in ("UP", "UI", "LO", "LI", "FX", *UNBOUNDED):
            raise ParseError(f"no type of a bound: {brief(kind)}", line)
        column.integer |= kind in ("UI", "LI", "BV")
        if kind in ("LO", "LI", "FX", "FR", "MI"):
            column.low(value, line)
        if kind in ("UP", "UI", "FX", "FR", "PL"):
            column.high(value, line)
        if kind == "BV":
            column.low(Fraction(0), line)
            column.high(Fraction(1), line)

    def finish(self) -> None:
        """Complete rows with their sides and ranges, and integer columns without bounds."""
        for name, bounded in self.marked.items():
            if not bounded:
                self.found.columns[name].upper = Fraction(1)
        for name, sign in self.signs.items():
            side, (extent, _) = self.sides.get(name, (Fraction(0), 0))[0], self.ranges.get(name, (None, 0))
            terms = {x: a for x, a in self.terms[name].items() if a}
            if not sign:
                continue
            if extent is None:
                self.found.rows.append((terms, sign, side))
                continue
            least = side - abs(extent) if sign == "<=" or (sign == "=" and extent < 0) else side
            self.found.rows += [(terms, ">=", least), (terms, "<=", least + abs(extent))]
        self.found.goal = {x: a for x, a in self.terms.get(self.goal, {}).items() if a}
