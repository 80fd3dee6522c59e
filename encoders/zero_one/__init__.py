"""Zero-one programmes: any problem as rows of exact integers over Booleans, for solvers of sums.

    all-different   per number: at most, or exactly, one variable takes it
    linear, counts  a row; != is two rows with a Boolean for the side
    table           a Boolean per tuple, one true; a forbidden tuple is a row
    element         where an index is taken, the value takes the item's number
    extremes        a sum of steps: a Boolean per number, true where the extreme is at least the number
    lists in order  an indicator per suffix
    automaton       a unit of flow through the layers of the word
    cumulative      the heights of the running tasks, at each time at which a task may start
    circuit         an order of the nodes, in binary
    expression      sums compared are rows; else indicators of the numbers that an operator can take

A conditional row is relaxed by its greatest possible deficit, so it is exact in integers, but its linear relaxation is
weak. Sources: Refalo 2000 (linear forms of all-different, element, tables), Cote, Gendron & Rousseau 2007 (flows).
"""

from dataclasses import replace

from encoders.formula import OBJECTIVE, Constraints, constraints_of
from encoders.zero_one import choosing, expressions, scheduling, sums, tables
from encoders.zero_one.objectives import TO_TERMS, terms_of
from encoders.zero_one.rows import Literals, Terms, ZeroOneRows
from puzzles.constraints import by_kind
from puzzles.constraints.clauses import Clauses
from puzzles.constraints.expression import Expression
from puzzles.constraints.linear import Linear
from puzzles.problem.values import Domains

TO_ROWS = by_kind(*map(vars, (choosing, expressions, scheduling, sums, tables)))
RANGES = (
    Linear.kind,
    Clauses.kind,
    Expression.kind,
)  # kinds whose variables may have wide domains: their numbers are sums of bits


def unsupported(form: Constraints, reader: str) -> str | None:
    """Return what a reader of rows does not take of a problem, constraints or objective, as a reason; else None."""
    kinds = [kind for kind in form.kinds() if kind not in (*TO_ROWS, OBJECTIVE)]
    if form.objective is not None and form.objective.kind not in TO_TERMS:
        kinds.append(f"objectives of the kind {form.objective.kind}")
    return f"{reader} does not support {', '.join(kinds)}" if kinds else None


def rows_of(form: Constraints, domains: Domains, literals: Literals) -> ZeroOneRows:
    """Return a problem under these domains as rows. Raises Unsupported."""
    form = constraints_of(form, "a zero-one programme", TO_ROWS, RANGES)
    rows = ZeroOneRows(form, domains, literals)
    for part in form.constraints:
        TO_ROWS[part.kind](rows, part)
    return rows


def programme_of(form: Constraints, domains: Domains, literals: Literals) -> tuple[ZeroOneRows, Terms | None]:
    """Return a problem as rows, and the terms to be minimised, None without an objective. Raises Unsupported."""
    rows = rows_of(replace(form, objective=None), domains, literals)
    return rows, None if form.objective is None else terms_of(rows, form.objective)
