"""OPB for programs, as in the pseudo-Boolean competitions: 's' lines, and 'v' lines with literals such as x1 -x2.

An objective is written as one to be minimised. In an original file it is stated as its source does.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from backends.programs.models import named
from backends.programs.optimising import UNSHOWN, Shown, decided
from backends.programs.process import ProgramFailed
from backends.programs.program_session import NO_RESULT, model_bytes
from backends.shared.literal_map import LiteralMap, literal_map
from encoders.formula import Constraints, Unsupported
from encoders.opb import opb_programme, text
from encoders.zero_one import RANGES, unsupported
from encoders.zero_one.rows import Literals, literal_table, variables
from puzzles.constraints.clauses import Clauses
from puzzles.constraints.linear import Linear
from puzzles.objectives import stated
from puzzles.problem.values import Domains

LITERAL = re.compile(r"(-?)x([1-9][0-9]{0,17})")


def check_size(form: Constraints, largest: int, reader: str) -> None:
    """Raise Unsupported if a row's coefficients and bound together, or a coefficient of the objective, are larger."""
    what = "the coefficients of a row and its bound are {:,} together"
    if (size := size_of_rows(form)) <= largest:
        what, size = "the objective has a coefficient of {:,}", size_of_goal(form)
    if size > largest:
        raise Unsupported(f"{reader} takes numbers up to {largest:,}: {what.format(size)}")


class OpbNotation:
    """One problem as an OPB file; the literals of a problem that is not Boolean depend on the domains."""

    word = "opb"
    ending = "opb"
    remark, nothing, unshown = "", NO_RESULT, UNSHOWN
    refused = staticmethod(unsupported)
    ranges = RANGES
    check_size = staticmethod(check_size)

    def __init__(self, formula: Constraints) -> None:
        self.formula = formula
        self.table: tuple[Domains, Literals] | None = None
        self.last = self.rows = 0  # Booleans and rows of the last text

    def literals(self, domains: Domains) -> Literals:
        """Return the literals of each variable, computed again when the domains change."""
        if self.table is None or self.table[0] != domains:
            self.table = domains, literal_table(self.formula, domains)
        return self.table[1]

    def decoder(self, domains: Domains) -> LiteralMap:
        return literal_map(self.literals(domains))

    def text(self, domains: Domains, forbidden: Sequence[list[int]]) -> bytes:
        rows, goal = opb_programme(self.formula, domains, self.literals(domains))
        for clause in forbidden:
            rows.add_clause(clause)
        self.last, self.rows = rows.last, len(rows.rows)
        return text(rows, goal)

    def known(self, domains: Domains, original: bool) -> int:
        """Return the number of variables of the original file, or of the last written one."""
        return variables(self.formula, self.literals(domains)) if original else self.last

    def answer_bytes(self, domains: Domains, original: bool) -> int:
        return model_bytes(self.known(domains, original), len("v -x\n"))

    def turned(self, value: int, original: bool) -> int:
        goal = self.formula.objective
        return stated(goal, value) if original and goal else value

    def shown(self, text: str, domains: Domains, original: bool) -> Shown:
        model, known = list(map(literal, text.split())), self.known(domains, original)
        return Shown(model, whole=bool(named(model, known, "x")[1:].all()))

    def parse(self, output: bytes, domains: Domains, original: bool) -> tuple[int | None, list[int]]:
        needed = len(self.formula.constraints) if original else self.rows  # minisat+ names what occurs in rows alone
        return decided(self, output, domains, original, needed)


def size_of_rows(form: Constraints) -> int:
    """Return the largest sum of a row's coefficients and its bound, without their signs."""
    if form.numbers == range(2) and all(isinstance(part, Linear | Clauses) for part in form.constraints):
        return max((size_of(part) for part in form.constraints if isinstance(part, Linear)), default=0)
    rows, _ = opb_programme(replace(form, objective=None), form.known, literal_table(form, form.known))
    return max((abs(row.bound) + sum(map(abs, row.terms.values())) for row in rows.rows), default=0)


def size_of(part: Linear) -> int:
    """Return the largest sum of coefficients and bound of rows in columns."""
    sums = np.concatenate([[0], np.cumsum(np.abs(part.coefficients), dtype=object)])
    return int(max(np.diff(sums[part.starts]) + np.abs(part.bounds), default=0))


def size_of_goal(form: Constraints) -> int:
    """Return the largest coefficient of the objective, its constant included; 0 without an objective."""
    if form.objective is None:
        return 0
    _, goal = opb_programme(replace(form, constraints=()), form.known, literal_table(form, form.known))
    return max(map(abs, (goal or {}).values()), default=0)


def literal(word: str) -> int:
    """Return the literal of a word such as -x2. Raises ProgramFailed."""
    if match := LITERAL.fullmatch(word):
        return -int(match[2]) if match[1] else int(match[2])
    raise ProgramFailed(f"a 'v' line holds {word[:40]!r}, which is no literal such as x1 or -x1")
