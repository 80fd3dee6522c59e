"""All constraints of one ask as clauses, groups and sums of the solver."""

import numpy as np

from backends.native.cdcl.rules import LARGEST_SUM, NO_SUMS, ClausesAndRules, Groups, internal
from backends.native.lazy.cages import add_cages
from backends.native.lazy.literals import TRUE, Literals
from backends.native.lazy.sums import add_sums, count_unequal, ends, is_long, split_unequal, terms_of
from backends.native.lazy.tables import add_table
from backends.native.lazy.units import add_units
from encoders.formula import Constraints
from puzzles.constraints.all_different import AllDifferent
from puzzles.constraints.clauses import Clauses
from puzzles.constraints.linear import Linear, Row
from puzzles.constraints.table import Table
from puzzles.problem.values import Domains

LOWERED = (AllDifferent.kind, Clauses.kind, Linear.kind, Table.kind)


def lower(formula: Constraints, domains: Domains) -> tuple[Literals, ClausesAndRules]:
    """Return the literals of the variables, none of whose domains is empty, and the input of the solver."""
    linear = [c for c in formula.constraints if isinstance(c, Linear)]
    lits = Literals(formula, domains, sum(map(count_unequal, linear)))
    unequal: list[Row] = []
    for rows in linear:
        unequal += split_unequal(rows, lits, len(domains) + len(unequal) // 2)
    add_cages(linear, [c for c in formula.constraints if isinstance(c, AllDifferent)], lits)
    groups: list[list[int]] = []
    for constraint in formula.constraints:
        if isinstance(constraint, AllDifferent):
            groups += add_units(constraint.units, lits)
        elif isinstance(constraint, Clauses):
            add_clauses(constraint, lits)
        elif isinstance(constraint, Table):
            add_table(constraint, lits)
    sums = NO_SUMS
    if linear:
        sums = add_sums(terms_of(Linear.joined([*linear, Linear.of(unequal)])), lits)
    members = np.array([literal for group in groups for literal in group], np.int64)
    rules = Groups(ends(np.array([len(group) for group in groups], np.int64)), internal(members))
    return lits, ClausesAndRules(lits.flat(), lits.last, rules, sums)


def too_long(formula: Constraints) -> bool:
    """Return True if a number of a variable, or a sum, may exceed 64 bits."""
    numbers = formula.numbers
    if numbers and max(-numbers[0], numbers[-1]) >= LARGEST_SUM:
        return True
    return any(is_long(c, numbers) for c in formula.constraints if isinstance(c, Linear))


def add_clauses(clauses: Clauses, lits: Literals) -> None:
    """Add clauses over variables, in which a literal x + 1 says that the number of x is 1."""
    first, size = lits.numbers[lits.starts[:-1]], lits.sizes
    true = np.concatenate([np.zeros(1, np.int64), np.where(size > 1, lits.first, np.where(first == 1, TRUE, -TRUE))])
    boolean = (size == 1) | ((size == 2) & (first == 0) & (lits.numbers[lits.starts[1:] - 1] == 1))
    used = np.zeros(len(size), np.bool_)
    used[np.abs(clauses.flat[clauses.flat != 0]) - 1] = True
    for x in np.flatnonzero(used & ~boolean).tolist():
        equal = dict(zip(lits.own(x).tolist(), lits.equal(x), strict=True))
        true[x + 1] = equal.get(1, -TRUE)
    lits.parts.append((true[np.abs(clauses.flat)] * np.sign(clauses.flat)).astype(np.int32))
