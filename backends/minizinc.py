"""MiniZinc: the `minizinc` on the PATH with each solver that it finds, one process per solution.

A model is written (`encoders/minizinc/`), compiled and solved by one `minizinc` process, as a user would run it, with
one thread. Solvers that need a missing library, or a window, take no part.
"""

import json
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from backends.contract.answer import Backend, Session, Unsupported
from backends.contract.description import Missing
from backends.programs.endings import SATISFIABLE, UNDECIDED, UNSATISFIABLE
from backends.programs.process import DeadlinePassed, ProgramFailed, run
from backends.programs.program_session import ProgramSession, longest_number
from backends.shared.enumeration import Values
from encoders.formula import AllDifferent, Constraints, Formula, constraints_of
from encoders.minizinc import TO_MINIZINC, minizinc, unsupported
from puzzles.errors import plural
from puzzles.problem.values import Domains

INSTALL = "not found: apt install minizinc"
LISTING_SECONDS = 10.0
FOUND, NONE, ENDED = "----------", "=====UNSATISFIABLE=====", "=====UNKNOWN====="


@dataclass(frozen=True)
class MiniZinc:
    """Backend of one solver of MiniZinc; `solver` is its id."""

    name: str
    version: str
    solver: str
    accepts: frozenset[type] = frozenset({AllDifferent, Constraints})
    can: frozenset[str] = frozenset({"count", "domains"})

    def refuses(self, formula: Formula) -> str | None:
        return unsupported(constraints_of(formula, self.name, ranges=TO_MINIZINC), self.name)

    def open(self, formula: Formula) -> Session:
        if why := self.refuses(formula):
            raise Unsupported(why)
        command = ("minizinc", "--solver", self.solver, "--time-limit", "{seconds}000", "{mzn}")
        return ProgramSession(command, ModelNotation(constraints_of(formula, self.name, ranges=TO_MINIZINC)))


class ModelNotation:
    """One problem as a MiniZinc model, and the parser of the output of `minizinc`."""

    word = "mzn"
    ending = "mzn"
    remark, nothing = "", f"the output has neither {FOUND!r} nor {NONE!r}"

    def __init__(self, formula: Constraints) -> None:
        self.formula = formula
        self.index = formula.index()
        self.longest = longest_number(formula.numbers)

    def decoder(self, domains: Domains) -> Values:
        return Values()

    def text(self, domains: Domains, forbidden: Sequence[list[int]]) -> bytes:
        if not all(domains):
            return b'constraint false;\nsolve satisfy;\noutput ["v"];\n'
        return minizinc(self.formula, domains, forbidden)

    def answer_bytes(self, domains: Domains, original: bool) -> int:
        return len(domains) * (self.longest + 1)

    def parse(self, output: bytes, domains: Domains, original: bool) -> tuple[int | None, list[int]]:
        lines = output.decode(errors="replace").splitlines()
        if FOUND in lines:
            word, *values = (lines[lines.index(FOUND) - 1] or " ").split(" ")
            if word != "v" or len(values) != len(domains):
                raise ProgramFailed(f"{plural(len(values), 'value')} for {plural(len(domains), 'variable')}")
            return SATISFIABLE, [self.index(int(n)) for n in values]
        return (UNSATISFIABLE if NONE in lines else UNDECIDED if ENDED in lines else None), []


@cache
def solvers() -> tuple[dict[str, Any], ...]:
    """Return MiniZinc's descriptions of the solvers that it can run without a window."""
    listed: list[dict[str, Any]] = json.loads(run(["minizinc", "--solvers-json"], seconds=LISTING_SECONDS).output)
    usable = [s for s in listed if s.get("executable") or s["version"] != "<unknown version>"]
    return tuple(s for s in usable if not s.get("isGUIApplication"))


def backends() -> tuple[Backend | Missing, ...]:
    """Return the default solver of MiniZinc first."""
    if shutil.which("minizinc") is None:
        return (Missing("minizinc", INSTALL),)
    try:
        shown = run(["minizinc", "--version"], seconds=LISTING_SECONDS).output.decode(errors="replace")
        found = sorted(solvers(), key=lambda s: not s["extraInfo"].get("isDefault", False))
    except (ProgramFailed, DeadlinePassed, ValueError, KeyError, TypeError) as e:
        return (Missing("minizinc", f"its solvers can't be listed: {e}"),)
    version = shown.partition("\n")[0].rpartition(" ")[2]
    return tuple(
        MiniZinc(f"minizinc:{s['id'].rpartition('.')[2]}", f"{s['name']} {s['version']}, MiniZinc {version}", s["id"])
        for s in found
    ) or (Missing("minizinc", "it has no solvers: apt install flatzinc"),)
