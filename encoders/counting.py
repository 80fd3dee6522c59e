"""Clauses whose models are counted, from constraints: auxiliary variables are outside the projection.

As a file they have the format of the Model Counting Competition since 2021: track, projection and weights in comments.
"""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

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


def counted_text(
    variables: int, clauses: Sequence[Iterable[int]], shown: Sequence[int] | None, weights: Mapping[int, Fraction]
) -> str:
    """Return a file of clauses, the projection if there is one, and weights by literal."""
    head = [f"c t {'p' * (shown is not None)}{'w' * bool(weights)}mc", f"p cnf {variables} {len(clauses)}"]
    lines = [*head, *(" ".join(map(str, (*clause, 0))) for clause in clauses)]
    lines += [] if shown is None else [" ".join(map(str, ("c p show", *shown, 0)))]
    return "\n".join([*lines, *(f"c p weight {p} {weight} 0" for p, weight in weights.items()), ""])
