"""FlatZinc for programs: a line for each output, and lines that end a solution or the search.

v9 = 14;                                   the variable that is minimised
xs = array1d(1..3, [2, 0, 1]);
----------                                 end of a solution; one is better than all before
==========                                 the search is complete
=====UNSATISFIABLE=====                    or UNKNOWN, ERROR, UNBOUNDED, UNSATorUNBOUNDED
"""

import re
from collections.abc import Sequence

from backends.flat import flatten
from backends.flat.lowering import TO_SIMPLER_POSTS
from backends.flat.program import NumberLimits
from backends.programs.anytime import AnytimeOutput
from backends.programs.endings import SATISFIABLE, UNDECIDED, UNSATISFIABLE
from backends.programs.fzn.writing import DIALECTS, Dialect, FlatZincAsk, flatzinc
from backends.programs.optimising import CONTRADICTION, OPTIMUM, BestSession, Shown
from backends.programs.process import ProgramFailed
from backends.programs.program_session import ProgramSession, longest_number
from backends.shared.enumeration import Values
from encoders.formula import Constraints
from puzzles.errors import plural
from puzzles.problem.values import Domains

LARGEST, LARGEST_SUM = 500_000_000, 1_000_000_000  # numbers of Chuffed's variables; Gecode's have 32 bits
FOUND, COMPLETE = b"----------", b"=========="
NONE, UNKNOWN = b"=====UNSATISFIABLE=====", b"=====UNKNOWN====="
SOLUTION = re.compile(rb"xs\s*=\s*(?:array1d\([^\[\]]*)?\[([^\[\]]*)\]\)?\s*;")
COST = re.compile(rb"[vw][0-9]+\s*=\s*(-?[0-9]{1,30})\s*;")
WITHOUT = "the output ends a solution but has no line 'xs = ...'"
ALL = "-a"  # option of FlatZinc solvers: print each better solution


class FlatZincNotation:
    """One problem as a FlatZinc file, and the parser of the output."""

    word = "fzn"
    ending = "fzn"
    remark, nothing = "", f"the output has neither {FOUND.decode()!r} nor {NONE.decode()!r}"
    unshown = f"the output has {COMPLETE.decode()!r} but no {FOUND.decode()!r}, which ends a solution"

    def __init__(self, formula: Constraints, name: str) -> None:
        self.formula = formula
        self.program = flatten(formula, NumberLimits(name, LARGEST, LARGEST_SUM), TO_SIMPLER_POSTS)
        self.goal = self.program.goal_variable()
        self.index = formula.index()
        self.dialect = next((dialect for key, dialect in DIALECTS.items() if key in name), Dialect())

    def decoder(self, domains: Domains) -> Values:
        return Values()

    def text(self, domains: Domains, forbidden: Sequence[list[int]]) -> bytes:
        taken = [[self.formula.numbers[v] for v in found] for found in forbidden]
        asked = FlatZincAsk(self.program.asked(domains), len(domains), taken)
        return flatzinc(self.program, asked, self.dialect, self.goal)

    def answer_bytes(self, domains: Domains, original: bool) -> int:
        return (len(domains) + 2) * (longest_number(self.formula.numbers) + len(", ")) + 200

    def turned(self, value: int, original: bool) -> int:
        return value + self.program.constant_cost

    def shown(self, text: str, domains: Domains, original: bool) -> Shown:
        if not text.strip() and domains:
            raise ProgramFailed(WITHOUT)
        words = text.replace(",", " ").split() if domains else []
        if len(words) != len(domains):
            raise ProgramFailed(f"{plural(len(words), 'value')} for {plural(len(domains), 'variable')}")
        return Shown([self.value(word) for word in words])

    def value(self, word: str) -> int:
        """Return the value index of a number, an invalid one for a number that the problem lacks."""
        try:
            return self.index(int(word))
        except ValueError:
            raise ProgramFailed(f"the values hold {word[:40]!r}, which is no integer") from None

    def parse(self, output: bytes, domains: Domains, original: bool) -> tuple[int | None, list[int]]:
        lines = [line.strip() for line in output.splitlines()]
        if FOUND in lines:
            if NONE in lines:
                raise ProgramFailed(CONTRADICTION)
            texts = [match[1] for line in lines[: lines.index(FOUND)] if (match := SOLUTION.fullmatch(line))]
            return SATISFIABLE, self.shown(only(texts).decode(), domains, original).model
        if COMPLETE in lines:
            raise ProgramFailed(self.unshown)
        return (UNSATISFIABLE if NONE in lines else UNDECIDED if UNKNOWN in lines else None), []


def only(solutions: Sequence[bytes]) -> bytes:
    """Return the values of a solution, empty without any. Raises ProgramFailed if its lines contradict each other."""
    if len(set(solutions)) > 1:
        raise ProgramFailed("a solution has two lines 'xs = ...' with different values")
    return solutions[0] if solutions else b""


class FlatZincOutput(AnytimeOutput):
    """Output of a program that optimises, translated into the lines of the other competitions."""

    cost = b""
    found: tuple[bytes, ...] = ()  # values since the last solution ended

    def read(self, text: bytes) -> None:
        translated = list[bytes]()
        for line in map(bytes.strip, text.split(b"\n")):
            if match := SOLUTION.fullmatch(line):
                self.found += (match[1],)
            elif match := COST.fullmatch(line):
                self.cost = match[1]
            elif line == FOUND:
                translated += [b"o " + self.cost] if self.cost else []
                translated.append(b"v " + only(self.found))
                self.cost, self.found = b"", ()
            elif line in (COMPLETE, NONE, UNKNOWN):
                words = {COMPLETE: OPTIMUM, NONE: "UNSATISFIABLE", UNKNOWN: "UNKNOWN"}
                translated.append(f"s {words[line]}".encode())
            else:
                translated.append(b"c " + line)
        super().read(b"\n".join(translated))


class BestFlatZincSession(BestSession):
    """Session of a FlatZinc solver that optimises."""

    output_type = FlatZincOutput


def opened(command: tuple[str, ...], formula: Constraints, name: str) -> ProgramSession:
    """Return the session of a program on a formula; with an objective, it is asked for each better solution."""
    notation = FlatZincNotation(formula, name)
    if formula.objective is None:
        return ProgramSession(command, notation)
    word = f"{{{notation.word}}}"
    at = command.index(word) if word in command else len(command)
    return BestFlatZincSession((*command[:at], *(() if ALL in command else (ALL,)), *command[at:]), notation)
