"""Z3, by three routes. Each parses an SMT-LIB script once per formula, and asserts it in a fresh solver for each ask.

    z3:int    integers: `distinct` units on boards, any problem of kinds; the solver that `z3.Solver()` makes
    z3:bv     the same over bit vectors, bit-blasted by the finite-domain solver (QF_FD)
    z3:bool   clauses, or Booleans with `at-most`, by the finite-domain solver

Z3 runs on one thread with a fixed seed. Products, quotients and powers of variables with many numbers are beyond linear
arithmetic: `z3:int` may then give up, with Z3's reason as the note.
"""

from dataclasses import dataclass
from functools import partial

from backends.contract.answer import OPTIMISE, Session
from backends.contract.options import Configured, Option
from backends.z3.parameters import FINITE_DOMAIN, INTEGERS
from encoders.formula import AllDifferent, Booleans, Cnf, Constraints, Formula, Unsupported, constraints_of, kinds_of
from encoders.smt import RANGES, script
from puzzles.packages import version

LOGIC = "QF_FD"  # logic of the finite-domain solver


@dataclass(frozen=True)
class Z3(Configured):
    """Z3 over integers, or over bit vectors."""

    vectors: bool
    accepts: frozenset[type] = frozenset({AllDifferent, Constraints})
    can: frozenset[str] = frozenset({"count", "domains"})
    options: tuple[Option, ...] = INTEGERS

    def open(self, formula: Formula) -> Session:
        from backends.z3.models import Numbers
        from backends.z3.session import Z3Session

        form = constraints_of(formula, self.name, ranges=RANGES)
        if form.objective is not None and OPTIMISE in self.can:
            from backends.z3.optimising import Z3OptimisingSession

            return Z3OptimisingSession(form, self.chosen)
        made = script(form, self.vectors)
        return Z3Session(partial(Numbers, form, made), LOGIC if self.vectors else None, self.chosen)


@dataclass(frozen=True)
class Z3Bool(Configured):
    """Z3 over Booleans."""

    accepts: frozenset[type] = frozenset({Cnf, Booleans})
    can: frozenset[str] = frozenset({"count", "domains", "at_most"})
    options: tuple[Option, ...] = FINITE_DOMAIN

    def open(self, formula: Formula) -> Session:
        from backends.z3.models import BooleanConstants
        from backends.z3.session import Z3Session

        if not isinstance(formula, Cnf | Booleans):
            raise Unsupported(f"{self.name} takes clauses or Booleans, not {kinds_of(formula)}")
        return Z3Session(partial(BooleanConstants, formula), LOGIC, self.chosen)


def backends() -> tuple[Z3 | Z3Bool, ...]:
    """Return the three routes. Raises ModuleNotFoundError if Z3 is not installed."""
    installed = f"z3-solver {version('z3-solver')}"
    vectors = Z3("z3:bv", installed, True, options=FINITE_DOMAIN)
    numbers = Z3("z3:int", installed, False, can=frozenset({"count", "domains", OPTIMISE}))
    return numbers, Z3Bool("z3:bool", installed), vectors
