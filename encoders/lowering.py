"""Constraints of several kinds as clauses, over integer variables of any encoding.

A kind that TO_CLAUSES lacks is lowered as expressions, if it has any (encoders/decomposing.py).
"""

import numpy as np

from encoders.axes import Axes
from encoders.cnf import BitTable, Signs
from encoders.decomposing import TO_EXPRESSIONS, expressed
from encoders.formula import Cnf, Constraints, Unsupported, constraints_of
from encoders.integers import TooLarge, Variables
from encoders.kinds import choosing, counting, expressions, layers, scheduling, tables, units
from encoders.linear import rows
from encoders.variables import VARIABLES, Log
from puzzles.constraints import by_kind
from puzzles.constraints.clauses import Clauses
from puzzles.constraints.expression import Expression
from puzzles.constraints.lex import Lex
from puzzles.constraints.linear import Linear

MAX_LITERALS = 20_000_000  # variables times values

RANGES = (Linear.kind, Clauses.kind, Lex.kind, Expression.kind)  # kinds of which no encoding lists wide variables
TO_CLAUSES = by_kind(*map(vars, (choosing, counting, expressions, layers, rows, scheduling, tables, units)))


def to_clauses(form: Constraints, axes: Axes = Axes()) -> Cnf:  # noqa: B008 - it is frozen
    """Return constraints as clauses; clauses over Boolean variables stay as they are.

    The formula is that of `form.domains`; of variables of two numbers it does not depend on them. Raises Unsupported,
    which names what is at fault and how large it is.
    """
    refuse_others(form)
    boolean = len(form.numbers) == 2 and form.numbers[1] == 1 and not form.ranged
    if boolean and all(isinstance(part, Clauses) for part in form.constraints):
        parts = [part.flat.astype(np.int32, copy=False) for part in form.constraints if isinstance(part, Clauses)]
        return Cnf(np.concatenate([np.empty(0, np.int32), *parts]), form.variables, Signs(form.variables))
    return formula_of(form, lowered(form, axes))


def formula_of(form: Constraints, v: Variables) -> Cnf:
    """Return the formula; the literals of ranges are those of bits."""
    if not form.ranged:
        return v.formula(form.variables, form.numbers)
    assert isinstance(v, Log)
    rows = tuple(tuple(v.bits(x)) if len(v.domains[x]) > 1 else () for x in range(form.variables))
    return Cnf(v.clauses(), v.count, BitTable(form.known, rows), tuple(v.at_most))


def refuse_others(form: Constraints) -> None:
    """Raise Unsupported for kinds of constraint that have no clauses, and for an objective."""
    if other := [kind for kind in form.kinds() if kind not in TO_CLAUSES and kind not in TO_EXPRESSIONS]:
        raise Unsupported(f"{', '.join(other)} constraints have no encoding as clauses")


def lowered(form: Constraints, axes: Axes) -> Variables:
    """Return variables with the clauses of all constraints, to which more may be added. Raises Unsupported."""
    refuse_others(form)
    if form.ranged:
        form = constraints_of(form, "an encoding as clauses", TO_CLAUSES.keys() - TO_EXPRESSIONS.keys(), RANGES)
    elif form.variables * len(form.numbers) > MAX_LITERALS:
        raise Unsupported(f"as clauses, {form.variables:,} variables of {len(form.numbers):,} values are too many")
    v = variables_of(form, axes)
    for part in form.constraints:
        try:
            if part.kind in TO_CLAUSES:
                TO_CLAUSES[part.kind](part, v)
            else:
                expressions.lower_expression(expressed(part, scheduling.ends(v)), v)
        except TooLarge as e:
            raise Unsupported(f"as clauses, {part.kind} constraints are too large: {e}") from None
    return v


def variables_of(form: Constraints, axes: Axes) -> Variables:
    """Return the variables of a formula, without constraints; an empty domain adds the empty clause.

    Ranges are in binary, whatever the encoding. The functions of constraints meet no empty domain: the first number
    stands for it. Raises Unsupported.
    """
    make = Log if form.ranged else VARIABLES[axes.variables]
    if len(form.numbers) == 2 and not form.ranged:
        return make([form.numbers] * form.variables, axes, binary=True)
    masks, known = form.choices()
    try:
        v = make([known[mask] for mask in masks], axes)
    except TooLarge as e:
        raise Unsupported(f"as clauses, the domains are too large: {e}") from None
    if 0 in form.known:
        v.add(())
    return v
