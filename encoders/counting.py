"""Clauses whose models are counted, from constraints: auxiliary variables are outside the projection."""

import numpy as np

from encoders.axes import Axes
from encoders.formula import Constraints, CountedCnf
from encoders.lowering import to_clauses
from puzzles.objectives.models import ModelCount


def to_counted(objective: ModelCount, form: Constraints, axes: Axes) -> CountedCnf:
    """Return constraints as clauses whose models on the projection are those of the problem."""
    cnf, hidden = to_clauses(form, axes), frozenset(objective.hidden)
    if hidden or cnf.variables != form.variables or form.numbers != range(2):
        rows = [cnf.literal[x] for x in range(form.variables) if x not in hidden]
        every = np.unique(np.abs(np.array([p for row in rows for p in row], np.int64))).tolist()
        shown = None if len(every) == cnf.variables else tuple(every)
    else:
        shown = None
    return CountedCnf(cnf, shown, objective.weights, objective)
