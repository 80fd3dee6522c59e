"""Rows that a WCNF file stands for in pseudo-Boolean proofs, as VeriPB and the MaxSAT solvers that write them have it.

    hard clause                      a row
    soft clause of one literal       its weight in the objective if the literal is false, and no row
    soft clause of several literals  a row with ~_b<i> beside them, i its number among all clauses of the file, and its
                                     weight in the objective if ~_b<i> is true

A solution of the instance extends to each _b<i>, true where the clause is, with the same value. A program that proves
gets a file that we have written, since `i` depends on the order of hard and soft clauses.
"""

from collections import Counter
from collections.abc import Sequence

from encoders.formula import Unsupported, Wcnf
from harness.judging.checkers.pseudo_boolean.programme import clause_row
from harness.judging.formulas.link import received_clauses
from harness.judging.formulas.programmes import (
    InstanceRows,
    Received,
    instance_rows,
    is_part,
    programme,
    soft_terms,
)
from puzzles.constraints.clauses import split_clauses
from puzzles.objectives.soft import SoftClauses
from puzzles.problem import Problem
from puzzles.problem.values import Domains, Solution


def received_weighted(problem: Problem, domains: Domains, formula: Wcnf, solutions: Sequence[Solution]) -> Received:
    """Return the programme of the file that a program received. Raises Unsupported."""
    clauses = split_clauses(received_clauses(domains, formula.hard, ()))
    soft = formula.soft_rows() or [(1, [1, -1])]  # as `encoders/wcnf.py` writes it
    if any(not clause for _, clause in soft):
        raise Unsupported("the format has no row for a soft clause without literals")
    named, goal = soft_terms(soft, formula.hard.variables)
    hard = list(map(clause_row, clauses))
    rows = hard + [clause_row([*clause, -x]) for _, x, clause in named]
    names = {f"x{x}": x for x in range(1, formula.hard.variables + 1)}
    names |= {f"_b{len(hard) + place}": x for place, x, _ in named}
    made = InstanceRows(len(names), rows, goal._replace(constant=goal.constant + formula.offset))
    found = programme(problem, solutions, made)._replace(offset=goal.constant, names=names)
    own = instance_rows(problem, domains)
    derived = own is not None and is_same(problem, formula) and is_part(hard, own.rows, ())
    return Received(found, derived)


def is_same(problem: Problem, formula: Wcnf) -> bool:
    """Return True if a formula has the instance's own variables, and its objective."""
    goal = problem.objective
    if any(row != (-x, x) for x, row in enumerate(map(tuple, formula.hard.literal), 1)):
        return False
    if not isinstance(goal, SoftClauses) or formula.offset:
        return False
    stated, made = (Counter((w, frozenset(x)) for w, x in rows) for rows in (goal.rows, formula.soft_rows()))
    return stated == made
