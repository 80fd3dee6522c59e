"""DIMACS for programs, the SAT competitions' format: a CNF file in, 's' and 'v' lines out.

The formula's clauses are formatted once; each puzzle prepends its unit clauses.
"""

import re
from collections.abc import Sequence
from functools import cached_property

import numpy as np

from backends.programs.endings import SATISFIABLE
from backends.programs.models import LACKING, named
from backends.programs.process import ProgramFailed
from backends.programs.program_session import NO_MODEL, NO_RESULT, STATUSES, model_bytes, stated_status
from backends.shared.literal_map import LiteralMap, literal_map
from encoders.dimacs import body, dimacs
from encoders.formula import Cnf
from puzzles.constraints.clauses import IntArray
from puzzles.problem.values import Domains
from puzzles.readers.integers import WORD, integer, integers

MINISAT_LINES = {b"SAT", b"UNSAT", b"INDET", b"INDETERMINATE", b"UNKNOWN", *(text.encode() for text in STATUSES)}
LITERALS = re.compile(rb"[ \t]*-?[0-9]+(?:[ \t]|$)")  # start of minisat's line of literals


def parse(output: bytes) -> tuple[int | None, list[int]]:
    """Return the status, None if none is stated, and the model, from 's' and 'v' lines or from minisat's two lines.

    A model ends with its 0, if the program prints one. Raises ProgramFailed if the output contradicts the protocol.
    """
    stated, shown = list[str](), list[bytes]()
    for line in output.splitlines():
        word, _, rest = line.partition(b" ")
        if word == b"v":
            shown.append(rest)
        elif word == b"s":
            stated.append(rest.strip().decode(errors="replace"))
        elif (text := line.strip()) in MINISAT_LINES:
            stated.append(text.decode())
        elif stated and STATUSES.get(stated[-1]) == SATISFIABLE and LITERALS.match(line):
            shown.append(line)
    return stated_status(stated), literals(b" ".join(shown))


def literals(text: bytes) -> list[int]:
    """Return the literals of the lines of a model. Raises ProgramFailed."""
    found = integers(text)
    if found is None:
        wrong = next(word for word in WORD.findall(text) if integer(word) is None)
        raise ProgramFailed(f"a 'v' line holds {wrong.decode(errors='replace')[:40]!r}, which is no literal")
    model: list[int] = found.tolist()
    return model


class DimacsNotation:
    """One formula of clauses as a DIMACS file."""

    word = "cnf"
    ending = "cnf"
    remark, nothing = "", NO_RESULT

    def __init__(self, formula: Cnf) -> None:
        self.formula, self.literals = formula, literal_map(formula.literal)

    @cached_property
    def shared(self) -> bytes:
        """Clauses that all puzzles share, as text."""
        return body(self.formula)

    @cached_property
    def occurring(self) -> IntArray:
        """The variables that clauses name, and 0."""
        return np.union1d([0], np.abs(self.formula.clauses))

    def decoder(self, domains: Domains) -> LiteralMap:
        return self.literals

    def text(self, domains: Domains, forbidden: Sequence[list[int]]) -> bytes:
        own = [[x] for x in self.literals.true(domains)]
        return dimacs(self.formula, self.shared, [*own, *forbidden])

    def answer_bytes(self, domains: Domains, original: bool) -> int:
        return model_bytes(self.formula.variables, len("v -\n"))

    def parse(self, output: bytes, domains: Domains, original: bool) -> tuple[int | None, list[int]]:
        status, model = parse(output)
        needed = self.formula.variables if not model else len(self.formula.clauses)  # a 0 alone: any values will do
        if status == SATISFIABLE and not any(model) and needed:
            raise ProgramFailed(NO_MODEL)
        known = named(model, self.formula.variables)
        self.remark = "" if known[1:].all() or known[self.occurring].all() else LACKING
        return status, model
