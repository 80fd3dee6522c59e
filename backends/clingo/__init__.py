"""Clingo, answer set programming: a choice rule for each variable, and integrity constraints for each kind.

Rules are grounded anew for each ask, as in a run of `clingo`; an expression is grounded for all combinations of values
of its parts, so parts with large domains cost much time and memory before the search, in a phase that can't be
interrupted. Solutions are enumerated in one search. The solver runs on one thread of its own, with a fixed seed.
"""

from dataclasses import dataclass

from backends.clingo import expressions, rules
from backends.clingo.parameters import OPTIONS
from backends.clingo.rules import LogicProgram, check_domains
from backends.contract.answer import OPTIMISE, Session
from backends.contract.options import Configured, Option, arguments
from encoders.formula import OBJECTIVE, AllDifferent, Constraints, Formula, constraints_of
from puzzles.constraints import by_kind
from puzzles.packages import version

TO_CLINGO = by_kind(vars(expressions), vars(rules))


@dataclass(frozen=True)
class Clingo(Configured):
    """The clingo backend."""

    accepts: frozenset[type] = frozenset({AllDifferent, Constraints})
    can: frozenset[str] = frozenset({"count", "domains", OPTIMISE})
    options: tuple[Option, ...] = OPTIONS

    def open(self, formula: Formula) -> Session:
        from backends.clingo.session import ClingoSession

        form = constraints_of(formula, "clingo", {*TO_CLINGO, OBJECTIVE}, TO_CLINGO)
        check_domains(form)
        program = LogicProgram(form)
        for constraint in form.constraints:
            TO_CLINGO[constraint.kind](program, constraint)
        if form.objective is None:
            return ClingoSession("\n".join(program.lines), form, arguments(self.chosen))
        from backends.clingo.objectives import minimise
        from backends.clingo.optimising import ClingoOptimisingSession

        constant = minimise(program, form)
        return ClingoOptimisingSession("\n".join(program.lines), form, arguments(self.chosen), constant)


def backends() -> tuple[Clingo, ...]:
    """Return the only variant. Raises ModuleNotFoundError if clingo is not installed."""
    return (Clingo("clingo", f"clingo {version('clingo')}"),)
