"""Any problem by constraint propagation and depth-first search, written to be read: one function for each kind.

A constraint becomes propagators (contract in `store.py`), one for each of its rows. They run until no domain
changes, then the search branches on a variable with fewest values, its values in order.

    kind           removed by its propagators
    all_different  decided values from the others; values with one variable left, where all are needed
    clauses        the last literal that can be true becomes true
    linear         bounds, from those of the other terms
    table          values in no tuple; the last value that would complete a forbidden tuple
    element        positions and numbers that do not match
    count          values that would make a count too high or too low; cardinality and nvalues likewise
    minmax         numbers beyond the extreme; all but the extreme of the only variable that can take it
    lex            bounds of the first two variables that are not decided and equal
    circuit        arcs that close it too early; nodes that it can't reach
    automaton      values on no path from the start to a final state
    expression     bounds, passed down its tree; values without support, as soon as few combinations are left
    objective      bounds, from the best value so far (objectives.py)

The values of a problem whose domains are ranges are spans instead of masks (`spans.py`), and a domain of many of them
is halved; tables list numbers. Tasks and boxes become expressions first (encoders/decomposing.py).
"""

from backends.contract.answer import Session
from backends.native.budget import SearchSession
from backends.native.propagation import circuits, counting, different, expressions, linear, ordering, tables
from backends.native.propagation.objectives import BranchAndBound
from backends.native.propagation.search import PropagatorModel, search
from backends.native.propagation.store import scale_of
from encoders.formula import OBJECTIVE, Constraints, constraints_of
from puzzles.constraints import by_kind
from puzzles.constraints.table import Table

PROPAGATORS = by_kind(*map(vars, (circuits, counting, different, expressions, linear, ordering, tables)))
RANGES = PROPAGATORS.keys() - {Table.kind}  # kinds that list no numbers


def open(formula: Constraints) -> Session:  # noqa: A001 - as every variant's function
    """Return a session on any problem. Raises Unsupported for a kind of constraint without propagators."""
    formula = constraints_of(formula, "native:python", {*PROPAGATORS, OBJECTIVE}, RANGES)
    scale = scale_of(formula)
    propagators = [p for c in formula.constraints for p in PROPAGATORS[c.kind](c, scale)]
    if formula.objective is not None:
        return BranchAndBound(formula, scale, propagators)
    return SearchSession(PropagatorModel(scale, propagators), search)
