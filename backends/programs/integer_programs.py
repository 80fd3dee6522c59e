"""LP and MPS for programs: solvers of integer programs, which write their solution in forms of their own.

    glpsol   s mip 3 2 o 5                         status o, f, n or u     j 1 3        number of a column, value
    cbc      Optimal - objective value 5                                   0 x 3 0      other columns are 0
    HiGHS    Model status, on the next line Optimal                        x 3          behind '# Columns 1'
    SCIP     SCIP Status : problem is solved [optimal solution found]      x 3 (obj:1)  other columns are 0

A value is the nearest integer; further from one than TOLERANCE it is no value. One in exponent form has lost digits, as
cbc prints eight, the others fifteen: such a solution is unsupported. Stated values of the objective are rounded too,
so a solution that breaks a row by less than a solver's tolerance is wrong, and judged so. In files of instances columns
have the source's names, in written ones those of `encoders.integer_program`, and the objective is to be minimised.
"""

import re
from collections.abc import Sequence
from decimal import Decimal, InvalidOperation

from backends.programs.anytime import AnytimeOutput
from backends.programs.endings import SATISFIABLE
from backends.programs.optimising import OPTIMUM, UNSHOWN, BestSession, Shown
from backends.programs.process import ProgramFailed
from backends.programs.program_session import ProgramSession, printed, stated_status
from backends.shared.enumeration import Values
from backends.shared.literal_map import LiteralMap, literal_map
from encoders.formula import Constraints, Unsupported
from encoders.integer_program import IntegerProgram, integer_program, lp_lines, minimised, mps_lines
from encoders.zero_one import unsupported
from encoders.zero_one.rows import literal_table
from puzzles.objectives import stated
from puzzles.problem.values import Domains

TOLERANCE = Decimal("1e-5")
NUMBER = r"[+-]?[0-9.]+(?:[eE][+-]?[0-9]+)?"
VALUE_BYTES = 60  # of a column in a solution, beside its name
GLPSOL = re.compile(r"s mip [0-9]+ [0-9]+ ([ofnu]) (\S+)")
GLPSOL_COLUMN = re.compile(rf"j ([0-9]+) ({NUMBER})")
CBC = re.compile(
    rf"(Optimal|Infeasible|Integer infeasible|Stopped on [a-z ]+)(?: \([^)]*\))? - objective value\s+({NUMBER})"
)
CBC_COLUMN = re.compile(rf"(?:\*\*)?\s*[0-9]+\s+(\S+)\s+({NUMBER})\s+{NUMBER}")
SCIP = re.compile(r"(?:solution status: |SCIP Status +: [a-z ]+\[)([^\]]+)\]?")
VALUE = re.compile(rf"(?:objective value:|Objective)\s+({NUMBER})")
NAMED = re.compile(rf"(\S+)\s+({NUMBER})(?:\s+\(obj:\S+\))?")
NONE = re.compile(
    r"PROBLEM HAS NO (INTEGER|PRIMAL) FEASIBLE SOLUTION|Problem is infeasible.*|.*Result - Problem proven infeasible"
)
RESULTS = {  # what programs say, in the words of the competitions
    **dict.fromkeys(("o", "Optimal", "optimal solution found"), OPTIMUM),
    **dict.fromkeys(("n", "Infeasible", "Integer infeasible", "infeasible"), "UNSATISFIABLE"),
}
NOTHING = "s UNSATISFIABLE"
WITH_SOLUTION = ("f", "Stopped on", "Time limit reached", "time limit reached", "node limit reached")


class SolutionTranslation:
    """Lines of a program's output, translated into `s`, `o` and `v` lines as they come.

    part  what comes next: '', 'status' of HiGHS, or 'columns' of HiGHS and SCIP, 'cbc' of cbc
    none  there is no solution: the columns of some programs are not one
    """

    def __init__(self) -> None:
        self.part, self.none = "", False

    def translated(self, text: str) -> str:
        """Return the lines for one line."""
        found = self.line(text.strip())
        self.none |= found == NOTHING
        return "c" if self.none and found[0] in "vo" else found

    def line(self, line: str) -> str:
        """Return the lines for one line, whatever came before."""
        if NONE.fullmatch(line):
            return NOTHING
        if self.part == "status":
            self.part = ""
            return result(line)
        if match := GLPSOL.fullmatch(line) or CBC.fullmatch(line):
            self.part = "cbc" if match.re is CBC else ""
            return valued(match[1], match[2])
        if match := GLPSOL_COLUMN.fullmatch(line):
            return f"v #{match[1]} {match[2]}"
        if match := SCIP.fullmatch(line):
            self.part = "columns"
            return result(match[1])
        if match := VALUE.fullmatch(line):
            return f"o {rounded(match[1])}\nv"
        if line == "Model status" or line.startswith("# "):
            self.part = "status" if line == "Model status" else "columns" if line.startswith("# Columns") else ""
        elif match := {"cbc": CBC_COLUMN, "columns": NAMED}.get(self.part, GLPSOL).fullmatch(line):
            return f"v {match[1]} {match[2]}"
        return f"c {line}"


def result(words: str) -> str:
    """Return the `s` line of a status."""
    return f"s {RESULTS.get(words, 'SATISFIABLE' if words.startswith(WITH_SOLUTION) else 'UNKNOWN')}"


def valued(words: str, value: str) -> str:
    """Return the lines of a status with a value; `v` shows that there is a solution, though all columns may be 0."""
    line = result(words)
    solved = line.endswith((OPTIMUM, " SATISFIABLE"))
    return f"{line}\no {rounded(value)}\nv" if solved else line


def whole_digits(name: str, text: str) -> Decimal:
    """Return a value all of whose digits are printed. Raises Unsupported."""
    value = Decimal(text)
    exponent = value.as_tuple().exponent
    if isinstance(exponent, int) and exponent > 0:
        raise Unsupported(f"the program does not print all digits of {name[:40]}: {text}")
    return value


def rounded(text: str) -> int:
    """Return the nearest integer. Raises ProgramFailed and Unsupported."""
    try:
        return int(whole_digits("the objective", text).to_integral_value())
    except (InvalidOperation, OverflowError, ValueError):
        raise ProgramFailed(f"the value of the objective is {text[:40]!r}, which is no number") from None


class ProgramOutput(AnytimeOutput):
    """Output of a program that optimises, translated."""

    translation: SolutionTranslation | None = None

    def read(self, text: bytes) -> None:
        self.translation = self.translation or SolutionTranslation()
        lines = text.decode(errors="replace").split("\n")
        super().read("\n".join(map(self.translation.translated, lines)).encode())


class BestProgramSession(BestSession):
    """Session of a solver of integer programs that optimises."""

    output_type = ProgramOutput


class LpNotation:
    """One problem as an LP file, and the parser of the solution."""

    word, ending = "lp", "lp"
    remark, nothing, unshown = "", "the output states no status that is known of solvers of integer programs", UNSHOWN
    refused = staticmethod(unsupported)

    def __init__(self, formula: Constraints) -> None:
        self.formula = formula
        self.index = formula.index()
        self.last: tuple[Domains, IntegerProgram] | None = None

    def program(self, domains: Domains) -> IntegerProgram:
        """Return the program for these domains, made once."""
        if self.last is None or self.last[0] != domains:
            self.last = domains, minimised(integer_program(self.formula, domains, None))
        return self.last[1]

    def decoder(self, domains: Domains) -> Values | LiteralMap:
        own = self.program(domains).own
        return Values() if own else literal_map(literal_table(self.formula, domains))

    def text(self, domains: Domains, forbidden: Sequence[list[int]]) -> bytes:
        return ("\n".join(self.lines(self.program(domains))) + "\n").encode()

    def lines(self, program: IntegerProgram) -> Sequence[str]:
        return list(lp_lines(program))

    def answer_bytes(self, domains: Domains, original: bool) -> int:
        names = self.formula.names if original else self.program(domains).names
        return 2 * sum(len(name) + VALUE_BYTES for name in names) + 4096

    def turned(self, value: int, original: bool) -> int:
        goal = self.formula.objective
        return stated(goal, value) if original and goal else value

    def shown(self, text: str, domains: Domains, original: bool) -> Shown:
        """Return the solution of `v` lines; a column that they lack is 0. Raises ProgramFailed and Unsupported."""
        program, words = self.program(domains), text.split()
        names = list(self.formula.names if original else program.names)
        at = {name: x for x, name in enumerate(names)} | {f"#{x}": x - 1 for x in range(1, len(names) + 1)}
        values = [Decimal(0)] * len(names)
        for name, value in zip(words[::2], words[1::2], strict=False):
            if name not in at:
                raise ProgramFailed(f"the solution names the column {name[:40]!r}, which the file does not have")
            values[at[name]] = whole_digits(name, value)
        whole = [int(value.to_integral_value()) for value in values]
        if far := [n for n, a, b in zip(names, values, whole, strict=True) if abs(a - b) > TOLERANCE]:
            raise ProgramFailed(f"the value of {far[0][:40]!r} is no integer")
        if program.own:
            return Shown([self.index(number) for number in whole[: len(domains)]])
        return Shown([k if number else -k for k, number in enumerate(whole, 1)])

    def parse(self, output: bytes, domains: Domains, original: bool) -> tuple[int | None, list[int]]:
        translate = SolutionTranslation().translated
        lines = "\n".join(map(translate, output.decode(errors="replace").split("\n")))
        texts, parts = printed(lines.encode())
        status = stated_status(list(dict.fromkeys(texts)))
        return status, self.shown(" ".join(parts), domains, original).model if status == SATISFIABLE else []


class MpsNotation(LpNotation):
    """One problem as an MPS file in the free format."""

    word, ending = "mps", "mps"

    def lines(self, program: IntegerProgram) -> Sequence[str]:
        return list(mps_lines(program))


def opened(command: tuple[str, ...], notation: LpNotation, optimises: bool, plain: bool) -> ProgramSession:
    """Return the session of a program on a formula."""
    return (BestProgramSession if optimises else ProgramSession)(command, notation, plain)
