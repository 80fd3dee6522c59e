"""Output of a program that optimises, read by lines as they arrive: values, results and solutions.

    o 17                  a value that the program has reached, reported on arrival; what follows the number is ignored
    c Found solution: 17  the same, of minisat+
    s OPTIMUM FOUND       a result
    v x1 -x2 x3           a part of a solution, which lasts until an `o` or `s` line; the last two solutions are kept

Of other lines those that tell of a failure are kept, up to LONGEST
bytes. A line counts once it has ended; one that a killed program has left unfinished is lost.
A program states the value of each solution before it, or, if its first solution comes before any value, behind it.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from backends.programs.process import Output, ProgramFailed, check_size
from backends.programs.program_session import COLOURS
from backends.programs.telling import FAILURE, LONGEST

NUMBER = re.compile(rb"[+-]?[0-9]{1,4000}")  # Python converts up to 4,300 digits
FOUND = re.compile(rb"Found solution: (\S+)\s*$")
KEPT = 2  # solutions: the last may be half printed
MAX_RESULTS = 100  # 's' lines that are kept
LINE_BYTES = len("v \n")  # of a line beyond its part of a solution


@dataclass
class PrintedSolution:
    """The texts of the `v` lines of one solution, their size, and the value that is stated for it."""

    value: int | None
    parts: list[bytes] = field(default_factory=list)
    size: int = 0

    @property
    def text(self) -> str:
        return b" ".join(self.parts).decode(errors="replace")


class AnytimeOutput(Output):
    """Standard output of a program that optimises.

    turned     converts a value as the program states it into one to be minimised
    report     receives each value that is less than all before, unless it is late; of those that arrive together, the
               least
    value      that of the last `o` line
    results    different texts of `s` lines that were in time
    solutions  the last two, in order
    behind     values follow solutions
    """

    def __init__(self, answer_bytes: int, turned: Callable[[int], int], report: Callable[[int], None]) -> None:
        super().__init__(answer_bytes)
        self.turned, self.report = turned, report
        self.unfinished, self.size = list[bytes](), 0  # pieces of a line that has not ended, and their size
        self.value: int | None = None
        self.least: int | None = None
        self.results = list[str]()
        self.solutions = list[PrintedSolution]()
        self.showing, self.behind = False, False  # showing: a `v` line continues the last solution

    def add(self, chunk: bytes) -> None:
        text, newline, rest = chunk.rpartition(b"\n")
        if newline:
            self.read(b"".join([*self.unfinished, text]))
            self.unfinished, self.size = [], 0
        self.unfinished.append(rest)
        self.size += len(rest)
        check_size(self.size + max((s.size for s in self.solutions), default=0), self.answer_bytes)

    @property
    def in_solution(self) -> bool:
        """True if the line that has not ended is a part of a solution."""
        return first_word(b"".join(self.unfinished))[0] == b"v"

    def end(self) -> None:
        """Take the last line of a program that has ended by itself, though no newline ends it."""
        self.read(b"".join(self.unfinished))
        self.unfinished, self.size = [], 0

    def read(self, text: bytes) -> None:
        """Take whole lines, and report the least of their values. Raises ProgramFailed."""
        if b"\x1b" in text:
            text = COLOURS.sub(b"", text)
        least = self.least
        for line in text.split(b"\n"):
            word, rest = first_word(line)
            if word == b"c" and (match := FOUND.match(rest)):
                word, rest = b"o", match[1]
            if word == b"o":
                value = self.turned(stated_number(rest))
                self.reach(value)
                least = value if least is None else min(least, value)
            elif word == b"v":
                self.show(rest)
            elif word == b"s":
                self.showing = False
                self.conclude(rest.strip().decode(errors="replace"))
            elif len(self.kept) < LONGEST and FAILURE.search(line):
                self.kept += line + b"\n"
        if least is not None and least != self.least and not self.late:
            self.least = least
            self.report(least)

    def reach(self, value: int) -> None:
        """Take a value."""
        if self.behind and self.solutions[-1].value is None:
            self.solutions[-1].value = value
        self.value, self.showing = value, False

    def show(self, part: bytes) -> None:
        """Take a part of a solution."""
        if not self.showing:
            self.behind |= self.value is None
            own = PrintedSolution(None if self.behind else self.value)
            self.solutions = [*self.solutions[1 - KEPT :], own]
            self.showing = True
        self.solutions[-1].parts.append(part)
        self.solutions[-1].size += len(part) + LINE_BYTES

    def conclude(self, result: str) -> None:
        """Take the result of an `s` line."""
        if not self.late and result not in self.results and len(self.results) < MAX_RESULTS:
            self.results.append(result)


def first_word(line: bytes) -> tuple[bytes, bytes]:
    """Return the first word of a line and the rest of it."""
    found = line.split(None, 1)
    return (found[0], found[1] if len(found) > 1 else b"") if found else (b"", b"")


def stated_number(text: bytes) -> int:
    """Return the number of an `o` line. Raises ProgramFailed."""
    word, _ = first_word(text)
    if not NUMBER.fullmatch(word):
        raise ProgramFailed(f"an 'o' line holds {word.decode(errors='replace')[:40]!r}, which is no integer")
    return int(word)
