"""The general engine: any layout up to 64 values, compiled, one technique a file.

    assign    what follows from what holds, and learned clauses watched
    learn     a clause from a clash
    branch    which group to decide
    forget    which clauses to keep
    overlap   locked candidates      matching   the all-different rule as a matching: both at the root
    search    all of it together     batch      many puzzles, each timed inside

A unit's rule is never written out as clauses, yet each step has a reason that can be spelled out as one: this is lazy
clause generation (Ohrimenko, Stuckey & Codish 2009), with the whole of a square or a unit as one propagator. It has a
SAT solver's memory of failures without a SAT solver's loading, which for these boards is most of its time.
"""

from importlib.util import find_spec
from typing import TYPE_CHECKING

from backends.answer import Ask, Session
from backends.native import python
from encoders.formula import AllDifferent, Formula

if TYPE_CHECKING:
    from backends.native.engine.session import Engine

WIDEST = 64  # values: one word a square


def fits(formula: Formula) -> bool:
    """Whether the layout has values, and no more than a word has bits."""
    return isinstance(formula, AllDifferent) and 1 <= formula.values <= WIDEST


def compiled(formula: Formula) -> "Engine":
    """A session on a layout that fits, its code compiled or taken from the cache."""
    from backends.native.compiling import announce_compilation
    from backends.native.engine.session import Engine

    assert isinstance(formula, AllDifferent)
    session = Engine(formula)
    with announce_compilation("native:engine"):
        session.ask(Ask((1,) * formula.squares, nodes=0))
    return session


def open(formula: Formula) -> Session:  # noqa: A001 - the name that every variant's module gives
    """A session on the layout; in plain Python where it does not fit, or without numba."""
    return compiled(formula) if fits(formula) and find_spec("numba") else python.open(formula)
