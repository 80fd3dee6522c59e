"""The engine: a compiled solver for any layout of up to 64 values, one technique per file.

    assign    propagation, with watched literals for learned clauses
    learn     conflict analysis
    branch    the branching heuristic
    forget    deletion of learned clauses
    overlap   locked candidates      matching   all-different as a matching: both at the root only
    search    the search loop        batch      many puzzles per call, each timed inside

The rule of a unit is never stored as clauses, but each propagation has a reason that can be expanded into one: this is
lazy clause generation (Ohrimenko, Stuckey & Codish 2009), with one propagator per square and per unit. It learns from
conflicts as a SAT solver does without loading a formula, which takes a SAT solver most of its time on these boards.
"""

from dataclasses import replace
from importlib.util import find_spec
from typing import TYPE_CHECKING

from backends.answer import Ask, Session
from backends.native import VERSION, python
from encoders.formula import AllDifferent, Formula

if TYPE_CHECKING:
    from backends.native.engine.session import Engine

WIDEST = 64  # values: one word per square


def fits(formula: Formula) -> bool:
    """Return True if the layout has 1 to WIDEST values."""
    return isinstance(formula, AllDifferent) and 1 <= formula.values <= WIDEST


def compiled(formula: Formula) -> "Engine":
    """Return a session on a layout that fits; its code is compiled now or loaded from the cache."""
    from backends.native.compiling import announce_compilation
    from backends.native.engine.session import Engine

    assert isinstance(formula, AllDifferent)
    session = Engine(formula)
    with announce_compilation("native:engine"):
        session.ask(Ask((1,) * formula.squares, nodes=0))
    return session


def open(formula: Formula) -> Session:  # noqa: A001 - every variant's module has this name
    """Return a session on the layout; of native:python if it does not fit, or without numba."""
    if fits(formula) and find_spec("numba"):
        return compiled(formula)
    return replace(python.open(formula), version=f"{VERSION}, by native:python")
