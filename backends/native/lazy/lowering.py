"""All constraints of one ask as clauses, groups and sums of the solver."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from backends.native.cdcl.objectives import ObjectiveRow, with_objective
from backends.native.cdcl.rules import NO_SUMS, ClausesAndRules, Groups, internal
from backends.native.lazy.cages import add_cages
from backends.native.lazy.literals import TRUE, Literals, NumberColumns
from backends.native.lazy.objectives import CHAINED
from backends.native.lazy.sums import add_sums, count_unequal, ends, is_long, split_unequal, terms_of
from backends.native.lazy.tables import add_table, narrowed
from encoders.elementary import RANGES, TO_ELEMENTARY, elementary
from encoders.elementary.parts import Domain, Sum
from encoders.formula import OBJECTIVE, Constraints, Formula, constraints_of
from puzzles.constraints.all_different import AllDifferent
from puzzles.constraints.clauses import Clauses
from puzzles.constraints.linear import Linear, Row
from puzzles.constraints.table import Table
from puzzles.objectives.expression import ExpressionObjective
from puzzles.problem import Objective
from puzzles.problem.values import WORD, Domains, bounded

LOWERED = (AllDifferent.kind, Clauses.kind, Linear.kind, Table.kind, OBJECTIVE)


class Lowered(NamedTuple):
    """Literals of the variables, the input of the solver, and the objective with the input that has its row."""

    literals: Literals
    program: ClausesAndRules
    objective: ObjectiveRow | None


class Rewritten(NamedTuple):
    """Constraints of kinds of LOWERED, an objective of a kind of CHAINED, and domains of auxiliary variables.

    `source` is the formula before it was rewritten.
    The objective that the formula itself has is that of the problem, and so are the constraints if they are its `own`.
    `digits` has the sum of auxiliary variables that is the number of a wide one.
    """

    source: Constraints
    formula: Constraints
    objective: Objective | None = None
    more: Sequence[Domain] = ()
    own: bool = True
    digits: Mapping[int, Sum] = {}

    def listed(self, domains: Domains) -> Domains:
        """Return domains in which a wide variable has its least number alone."""
        if not self.digits:
            return domains
        least = (mask & WORD for mask in domains)
        return tuple([bounded(v, v) if x in self.digits else domains[x] for x, v in enumerate(least)])

    def size(self, domains: Domains) -> int:
        """Return the number of values that all variables have literals for."""
        if not self.formula.ranged:
            return sum(mask.bit_count() for mask in domains)
        return sum((mask >> 64) - (mask & WORD) for mask in self.listed(domains))


def lower(given: Rewritten, domains: Domains) -> Lowered:
    """Return the constraints of an ask, none of whose domains is empty."""
    formula, objective, more = given.formula, given.objective, given.more
    constraints = formula.constraints
    linear = [c for c in constraints if isinstance(c, Linear)]
    spare = [(0, 1)] * sum(map(count_unequal, linear))
    columns = NumberColumns.of(formula, given.listed(domains), [*more, *spare])
    tables, columns = narrowed([c for c in constraints if isinstance(c, Table)], linear, columns)
    lits = Literals(columns, len(domains), given.digits)
    unequal: list[Row] = []
    for rows in linear:
        unequal += split_unequal(rows, lits, len(domains) + len(more) + len(unequal) // 2)
    add_cages(linear, [c for c in constraints if isinstance(c, AllDifferent)], lits)
    groups: list[list[int]] = []
    for constraint in constraints:
        if isinstance(constraint, AllDifferent):
            groups += add_units(constraint.units, lits)
        elif isinstance(constraint, Clauses):
            lits.parts.append(lits.translated(constraint.flat))
    for table in tables:
        add_table(table, lits)
    sums = NO_SUMS
    if linear:
        sums = add_sums(terms_of(Linear.joined([*linear, Linear.of(unequal)])), lits)
    goal = None if objective is None else CHAINED[objective.kind](objective, lits)
    members = np.array([literal for group in groups for literal in group], np.int64)
    rules = Groups(ends(np.array([len(group) for group in groups], np.int64)), internal(members))
    program = ClausesAndRules(lits.flat(), lits.last, rules, sums)
    return Lowered(lits, program, None if goal is None else with_objective(program, *goal))


def rewritten(formula: Formula) -> Rewritten:
    """Return equivalent constraints, and an objective with the same least value. Raises Unsupported."""
    form = constraints_of(formula, "native:lazy", {*LOWERED, *TO_ELEMENTARY}, RANGES)
    goal = form.objective
    own = not any(c.kind in TO_ELEMENTARY for c in form.constraints) and not isinstance(goal, ExpressionObjective)
    if own and not form.ranged:
        return Rewritten(form, form, goal)
    masks, numbers = form.choices()
    constraints, goal, more, digits = elementary(form.constraints, [numbers[mask] for mask in masks], goal)
    return Rewritten(form, replace(form, constraints=tuple(constraints)), goal, more, own=False, digits=digits)


def too_long(given: Rewritten) -> bool:
    """Return True if a number of a variable, or what a sum adds to its least, may exceed 64 bits."""
    form = given.formula
    hull = (form.numbers[0], form.numbers[-1]) if form.numbers else (0, 0)
    own = form.ends() if form.ranged else [hull] * form.variables
    ends = np.array([*own, *((numbers[0], numbers[-1]) for numbers in given.more)], np.float64).reshape(-1, 2)
    if np.abs(ends).max(initial=0) >= 2.0**63:
        return True
    return any(is_long(c, *ends.T) for c in form.constraints if isinstance(c, Linear))


def add_units(units: Iterable[Sequence[int]], lits: Literals) -> list[list[int]]:
    """Return the groups of all units: of the literals [x = value] for one value, at most one is true.

    A unit of as many variables as values takes each value, which is a clause; these are added to `lits`.
    """
    groups: list[list[int]] = []
    for unit in dict.fromkeys(map(tuple, units)):
        takers: dict[int, list[int]] = defaultdict(list)
        for x in unit:
            for v, equal in zip(lits.own(x).tolist(), lits.equal(x), strict=True):
                takers[v].append(equal)
        fixed_twice = any(group.count(TRUE) > 1 for group in takers.values())
        if len(takers) < len(unit) or len(set(unit)) < len(unit) or fixed_twice:
            lits.add(())
            continue
        groups += [group for group in takers.values() if len(group) > 1]
        if len(takers) == len(unit):
            for group in takers.values():
                lits.add(group)
    return groups
