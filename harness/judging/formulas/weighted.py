"""Rows that a WCNF file stands for in pseudo-Boolean proofs, as VeriPB and the MaxSAT solvers that write them have it.

    hard clause                      a row
    soft clause of one literal       its weight in the objective if the literal is false, and no row
    soft clause of several literals  a row with ~_b<i> beside them, i its number among all clauses of the file, and its
                                     weight in the objective if ~_b<i> is true

A solution of the instance extends to each _b<i>, true where the clause is, with the same value. A program that proves
gets a file that we have written, since `i` depends on the order of hard and soft clauses. The search of native on the
clauses of a problem that has no rows of its own is about these clauses.
"""

from collections import Counter
from collections.abc import Sequence

from encoders.formula import Unsupported, Wcnf
from harness.judging.checkers.pseudo_boolean.programme import SumProgramme, clause_row
from harness.judging.formulas.link import received_clauses
from harness.judging.formulas.programmes import (
    InstanceRows,
    Received,
    ReceivedAs,
    definition,
    instance_rows,
    is_part,
    programme,
    received,
    soft_terms,
)
from puzzles.constraints.clauses import split_clauses
from puzzles.objectives.soft import SoftClauses
from puzzles.problem import Problem
from puzzles.problem.values import Domains, Solution


def received_weighted(
    problem: Problem, domains: Domains, formula: Wcnf, solutions: Sequence[Solution], source: ReceivedAs
) -> Received:
    """Return the programme of the file that a program received, or that native has searched. Raises Unsupported."""
    own, clauses = instance_rows(problem, domains), split_clauses(received_clauses(domains, formula.hard, ()))
    if source == ReceivedAs.ORIGINAL and own is None:
        return Received(searched(problem, formula, clauses, solutions), False)
    if source != ReceivedAs.WRITTEN:
        return received(problem, domains, formula, solutions, source)
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
    return Received(found, own is not None and is_same(problem, formula) and is_part(hard, own.rows, ()))


def searched(
    problem: Problem, formula: Wcnf, clauses: Sequence[Sequence[int]], solutions: Sequence[Solution]
) -> SumProgramme:
    """Return the programme of a formula of which each variable is a Boolean of the problem, numbered as there.

    Soft clauses of several literals have a variable each after these, as in `instance_rows`.
    """
    number = {abs(row[-1]): x if row[-1] > 0 else -x for x, row in enumerate(formula.hard.literal, 1) if len(row) == 2}
    if len(number) < formula.hard.variables:
        raise Unsupported("a formula with auxiliary variables has no rows in terms of the instance")
    number |= {-v: -x for v, x in number.items()}
    soft = [(weight, [number[v] for v in clause]) for weight, clause in formula.soft_rows()]
    named, goal = soft_terms(soft, len(formula.hard.literal))
    rows = [clause_row(number[v] for v in clause) for clause in clauses] + [
        r for each in named for r in definition(each)
    ]
    goal = goal._replace(constant=goal.constant + formula.offset)
    return programme(problem, solutions, InstanceRows(len(formula.hard.literal) + len(named), rows, goal))


def is_same(problem: Problem, formula: Wcnf) -> bool:
    """Return True if a formula has the instance's own variables, and its objective."""
    goal = problem.objective
    if any(row != (-x, x) for x, row in enumerate(map(tuple, formula.hard.literal), 1)):
        return False
    if not isinstance(goal, SoftClauses) or formula.offset:
        return False
    stated, made = (Counter((w, frozenset(x)) for w, x in rows) for rows in (goal.rows, formula.soft_rows()))
    return stated == made
