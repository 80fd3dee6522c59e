"""OPB, the pseudo-Boolean format: a zero-one programme as text, over Booleans x1, x2, ...

min: +2 x1 -1 x3 ;
+3 x1 -2 x2 >= -1 ;

The format has no constants: one in an objective is the coefficient of a Boolean that a row makes true, so that values
are those of the problem.
"""

from collections.abc import Iterator
from itertools import chain

import numpy as np

from encoders.clause_text import ClauseStyle, clause_lines, without_clauses
from encoders.formula import Constraints
from encoders.zero_one import programme_of
from encoders.zero_one.rows import Literals, Terms, ZeroOneRows, literal_table, total
from puzzles.problem.values import Domains

ROW = ClauseStyle(
    *("", " >= ", "+1 x1 >= 2 ;\n", "+1 x", "-1 x"), bound=True, last=" ;\n", always="+1 x1 >= 0 ;\n"
)  # of a clause
Programme = tuple[ZeroOneRows, Terms | None]


def opb(form: Constraints, domains: Domains) -> bytes:
    """Return an OPB file of a problem under these domains; its objective is stated as its source does.

    Raises Unsupported.
    """
    rows, goal = opb_programme(form, domains, literal_table(form, domains))
    return text(rows, goal, maximise=maximises(form))


def opb_blocks(form: Constraints, domains: Domains) -> Iterator[bytes]:
    """Return an OPB file block by block; clauses come last. Raises Unsupported."""
    rest, flat = without_clauses(form)
    rows, goal = opb_programme(rest, domains, literal_table(rest, domains))
    first = text(rows, goal, maximises(form), int(np.count_nonzero(flat == 0)))
    return chain([first], clause_lines(flat, ROW))


def maximises(form: Constraints) -> bool:
    return form.objective is not None and form.objective.maximise


def opb_programme(form: Constraints, domains: Domains, literals: Literals) -> Programme:
    """Return rows, and the terms without a constant that are to be minimised, if there is an objective.

    Raises Unsupported.
    """
    rows, goal = programme_of(form, domains, literals)
    if goal is None:
        return rows, None
    terms = {k: a for k, a in goal.items() if a and k}
    if constant := goal.get(0, 0):
        one = rows.new()
        rows.require(one, "=", 1)
        terms = total((1, terms), (constant, one))
    return rows, terms


def text(rows: ZeroOneRows, goal: Terms | None = None, maximise: bool = False, more: int = 0) -> bytes:
    """Return rows as an OPB file, and terms that are to be minimised as its objective; `maximise` turns their signs.

    `more` is the number of rows that follow.
    """
    lines = [f"{sum_text(terms)} {'=' if equal else '>='} {bound} ;\n" for terms, bound, equal in rows.rows]
    variables, stated = max(rows.last, int(more > 0)), ""
    if goal is not None:
        variables, goal = max(variables, 1), goal or {1: 0}  # some solvers read no empty sum
        stated = f"max: {sum_text(total((-1, goal)))} ;\n" if maximise else f"min: {sum_text(goal)} ;\n"
    return f"* #variable= {variables} #constraint= {len(lines) + more}\n{stated}{''.join(lines)}".encode()


def sum_text(terms: Terms) -> str:
    return " ".join([f"{a:+d} x{k}" for k, a in terms.items()])
