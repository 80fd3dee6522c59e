"""Check the shape of a formula before its content: table of literals, clauses, at-most-one groups.

A proof refutes the formula together with clauses that the judge writes from the table of literals: a value for each
square, the candidates, the known solutions. Each of them is true of the puzzle only if the table has exactly one
literal for each square and value. An entry 0 would make an empty clause; a row without its last entry, a square without
its last value; an entry beyond the row, a candidate of the next square. So nothing is concluded from a formula of
another shape, even if its clauses follow from the rules.
"""

from collections.abc import Sequence
from numbers import Integral
from typing import cast

import numpy as np

from encoders.cnf import Signs
from encoders.formula import Cnf
from puzzles.problem import Problem

LARGEST = 2**31 - 1  # variable, as in the DIMACS format


def shape_fault(problem: Problem, formula: Cnf) -> str:
    """Return the fault in the shape of a formula of this problem, '' if there is none."""
    if not is_integer(formula.variables) or not 0 <= formula.variables <= LARGEST:
        return f"{formula.variables!r:.40} is no number of variables"
    return (
        clauses_fault(formula)
        or table_fault(formula.literal, len(problem.variables), len(problem.values), formula.variables)
        or groups_fault(formula)
    )


def is_integer(x: object) -> bool:
    """Return True for a Python or numpy integer, which a bool is not."""
    return type(x) is int or (isinstance(x, Integral) and not isinstance(x, (bool, np.bool_)))


def literal_fault(x: object, variables: int) -> str:
    """Return the reason why an entry is no literal of a formula with `variables` variables, '' if it is one."""
    if not is_integer(x):
        return f"{x!r:.40} is no integer"
    number = int(cast(Integral, x))
    return "" if 0 < abs(number) <= variables else f"{number} is no literal of {variables} variables"


def clauses_fault(formula: Cnf) -> str:
    """Return the reason why the clauses are no flat array of literals, each clause ended by 0, '' if they are."""
    clauses: object = formula.clauses
    if not isinstance(clauses, np.ndarray) or clauses.ndim != 1 or clauses.dtype.kind not in "iu":
        return "its clauses are no flat array of integers"
    if not len(clauses):
        return ""
    if clauses[-1] != 0:
        return "its last clause is not ended by 0"
    furthest = max(int(clauses.max()), -int(clauses.min()))
    return f"its clauses name variable {furthest} of {formula.variables}" if furthest > formula.variables else ""


def table_fault(table: Sequence[tuple[int, ...]], rows: int, columns: int, variables: int) -> str:
    """Return the reason why a table is not one of `rows` rows with `columns` literals each, '' if it is."""
    if not isinstance(table, (Signs, Sequence)) or isinstance(table, (str, bytes)):
        return "its table of literals is no sequence"
    if len(table) != rows:
        return f"its table of literals has {len(table)} rows, not {rows}"
    if isinstance(table, Signs):  # of a file, with up to millions of variables; its entries follow from its length
        return "" if columns == 2 and rows <= variables else "its table of literals is that of other variables"
    for s, row in enumerate(table):
        if not isinstance(row, (tuple, list, range)) or len(row) != columns:
            size = f"{len(row)} entries" if isinstance(row, Sequence) else "no entries"
            return f"row {s + 1} of its table of literals has {size}, not {columns}"
        for x in row:
            plain = type(x) is int and x != 0 and -variables <= x <= variables
            if not plain and (fault := literal_fault(x, variables)):
                return f"row {s + 1} of its table of literals: {fault}"
    return ""


def groups_fault(formula: Cnf) -> str:
    """Return the reason why the at-most-one groups are malformed, '' if they are not."""
    groups: object = formula.at_most
    if not isinstance(groups, (tuple, list)):
        return "its at-most-one groups are no sequence"
    for i, entry in enumerate(groups, 1):
        if not isinstance(entry, (tuple, list)) or len(entry) != 2 or not isinstance(entry[0], (tuple, list)):
            return f"its at-most-one group {i} is no pair of literals and their number"
        group, most = entry
        if not is_integer(most):
            return f"its at-most-one group {i}: {most!r:.40} is no integer"
        if fault := next(filter(None, (literal_fault(x, formula.variables) for x in group)), ""):
            return f"its at-most-one group {i}: {fault}"
    return ""
