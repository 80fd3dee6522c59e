"""Clauses as instance files: lists of integers, and the formulas of python-sat."""

from collections.abc import Iterable, Sequence
from typing import Any

from harness.model.errors import BadUsage

Clauses = Sequence[Sequence[int]]


def is_clauses(model: Any) -> bool:
    """Return True for a list of clauses: lists of integers that are not 0."""
    return (
        isinstance(model, list | tuple)
        and bool(model)
        and all(isinstance(clause, list | tuple) for clause in model)
        and all(type(x) is int for clause in model for x in clause)
    )


def cnf_text(clauses: Clauses, variables: int = 0) -> str:
    """Return clauses as a DIMACS file of at least `variables` variables. Raises BadUsage."""
    check(clauses)
    return "\n".join([f"p cnf {last(clauses, variables)} {len(clauses)}", *map(row, clauses), ""])


def of_python_sat(formula: Any, kind: str) -> tuple[str, str]:
    """Return a formula of a class of python-sat as a file, and its ending. Raises BadUsage."""
    if kind == "CNF":
        return cnf_text(formula.clauses, formula.nv), ".cnf"
    if kind == "CNFPlus":
        return opb_text(formula.clauses, formula.atmosts, formula.nv), ".opb"
    if kind == "WCNFPlus" and formula.atms:
        raise BadUsage("a WCNFPlus of python-sat with bounds on sums is not taken")
    return wcnf_text(formula), ".wcnf"


def wcnf_text(formula: Any) -> str:
    """Return weighted clauses of python-sat as a WCNF file. Raises BadUsage."""
    check([*formula.hard, *formula.soft])
    weights = [int(weight) for weight in formula.wght]
    if weights != list(formula.wght) or min(weights, default=0) < 0:
        raise BadUsage("the weights of a WCNF are not integers from 0")
    soft = [f"{weight} {row(clause)}" for weight, clause in zip(weights, formula.soft, strict=True)]
    unused = range(last([*formula.hard, *formula.soft], 0) + 1, formula.nv + 1)
    declared = [f"h {x} -{x} 0" for x in list(unused)[-1:]]  # the format states no number of variables
    return "\n".join([*(f"h {row(clause)}" for clause in formula.hard), *declared, *soft, ""])


def opb_text(clauses: Clauses, at_most: Iterable[tuple[Sequence[int], int]], variables: int) -> str:
    """Return clauses, and literals of which at most k are true, as an OPB file. Raises BadUsage."""
    bounds = [(literals, k) for literals, k in at_most]
    check([*clauses, *(literals for literals, _ in bounds)])
    rows = [f"{sum_of(clause, 1)} >= 1 ;" for clause in clauses]
    rows += [f"{sum_of(literals, -1)} >= {-int(k)} ;" for literals, k in bounds]
    most = last([*clauses, *(literals for literals, _ in bounds)], variables)
    return "\n".join([f"* #variable= {most} #constraint= {len(rows)}", *rows, ""])


def sum_of(literals: Sequence[int], sign: int) -> str:
    """Return the sum of literals in OPB."""
    return " ".join(f"{sign:+d} {'~' * (x < 0)}x{abs(x)}" for x in literals)


def check(clauses: Clauses) -> None:
    """Raise BadUsage unless all literals are integers other than 0."""
    wrong = next((x for clause in clauses for x in clause if type(x) is not int or not x), None)
    if wrong is not None:
        raise BadUsage(f"{wrong!r} is not a literal: literals are integers other than 0")


def last(clauses: Clauses, variables: int) -> int:
    """Return the greatest variable."""
    return max([variables, *(abs(x) for clause in clauses for x in clause)], default=0)


def row(clause: Sequence[int]) -> str:
    return " ".join(map(str, (*clause, 0)))
