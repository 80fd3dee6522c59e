"""Problems as flat programs, for solvers whose constraints take variables and numbers only. See `program.py`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from backends.contract.answer import OPTIMISE, Session
from backends.flat.kinds import TO_POSTS
from backends.flat.objectives import minimise
from backends.flat.program import FlatProgram, NumberLimits
from backends.shared.incumbent import value_of_solutions
from encoders.formula import OBJECTIVE, AllDifferent, Constraints, Formula, constraints_of
from puzzles.constraints.nvalues import NValues

RANGES = TO_POSTS.keys() - {NValues.kind}  # kinds whose variables may have wide domains


@dataclass(frozen=True)
class FlatBackend:
    """Backend of a solver of flat programs, one thread, no options; `lower` replaces the posts that it lacks."""

    name: str
    version: str
    session: Callable[[FlatProgram], Session]
    limits: NumberLimits
    lower: Mapping[str, Callable[..., None]]
    accepts: frozenset[type] = frozenset({AllDifferent, Constraints})
    can: frozenset[str] = frozenset({"count", "domains", OPTIMISE})

    def open(self, formula: Formula) -> Session:
        return self.session(flatten(formula, self.limits, self.lower))


def flatten(
    formula: Formula, limits: NumberLimits, lower: Mapping[str, Callable[..., None]] = MappingProxyType({})
) -> FlatProgram:
    """Return the flat program of a formula, with its objective.

    `lower` replaces the posts that the solver lacks, as in `lowering.py`. Raises Unsupported for a kind or numbers that
    the solver does not take.
    """
    form = constraints_of(formula, limits.solver, {*TO_POSTS, OBJECTIVE}, RANGES)
    program = FlatProgram(form, limits, lower)
    for constraint in form.constraints:
        TO_POSTS[constraint.kind](program, constraint)
    if form.objective is not None:
        minimise(program, form.objective)
        program.value_of = value_of_solutions(form)
    return program
