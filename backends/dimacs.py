"""DIMACS for programs, the SAT competitions' format: a CNF file in, 's' and 'v' lines out.

The formula's clauses are formatted once; each puzzle prepends its own.
"""

from collections.abc import Sequence
from functools import cached_property

from backends.literal_map import LiteralMap
from backends.process import ProgramFailed
from backends.program_session import SATISFIABLE, STATUSES, stated_status
from encoders.dimacs import body, dimacs
from encoders.formula import Cnf
from puzzles.problem import Domains

MINISAT_LINES = {"SAT", "UNSAT", "INDET", "INDETERMINATE", "UNKNOWN", *STATUSES}


def parse(output: bytes) -> tuple[int | None, list[int]]:
    """Return the status, None if there is none, and the model, from 's' and 'v' lines or from minisat's two lines.

    Raises ProgramFailed if the output contradicts the protocol.
    """
    stated, model = list[str](), list[int]()
    for line in output.decode(errors="replace").splitlines():
        word, _, rest = line.partition(" ")
        if word == "s":
            stated.append(rest.strip())
        elif line.strip() in MINISAT_LINES:
            stated.append(line.strip())
        elif word == "v":
            model += literals(rest)
        elif stated and STATUSES.get(stated[-1]) == SATISFIABLE and word.lstrip("-").isdecimal():
            model += literals(line)
    return stated_status(stated), model


def literals(text: str) -> list[int]:
    """Return the literals of a line of a model. Raises ProgramFailed."""
    try:
        return [int(word) for word in text.split()]
    except ValueError:
        raise ProgramFailed(f"a 'v' line holds {text[:40]!r}, which are no literals") from None


class DimacsNotation:
    """One formula of clauses as a DIMACS file."""

    word = "cnf"
    ending = "cnf"

    def __init__(self, formula: Cnf) -> None:
        self.formula, self.literals = formula, LiteralMap(formula.literal)

    @cached_property
    def shared(self) -> bytes:
        """The clauses that all puzzles share."""
        return body(self.formula)

    def decoder(self, domains: Domains) -> LiteralMap:
        return self.literals

    def text(self, domains: Domains, forbidden: Sequence[list[int]]) -> bytes:
        own = [[x] for x in self.literals.true(domains)]
        return dimacs(self.formula, self.shared, [*own, *forbidden])

    def parse(self, output: bytes, domains: Domains, original: bool) -> tuple[int | None, list[int]]:
        status, model = parse(output)
        if status == SATISFIABLE and not any(model) and self.formula.variables:
            raise ProgramFailed("the output has 's SATISFIABLE' but no literals in 'v' lines")
        return status, model
