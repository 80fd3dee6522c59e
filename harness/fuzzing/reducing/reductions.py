"""Reductions of a case: each keeps a part of the case."""

from collections.abc import Container, Iterator, Sequence
from dataclasses import replace
from functools import reduce
from itertools import chain
from operator import or_
from typing import Any

from harness.fuzzing.clausal import clause_problem, clauses_of_problem
from harness.fuzzing.findings.finding import Case
from harness.fuzzing.reducing import goals, parts
from puzzles.boards.layout import Layout
from puzzles.constraints import moving
from puzzles.constraints.expression import Expression, Tree
from puzzles.objectives.expression import ExpressionObjective
from puzzles.problem import Constraint, Objective, Problem
from puzzles.problem.values import Domains, Integers, Solution, bits, bounded, ends_of, holds, size_of

MAX_CHOICES = 10_000  # pieces of domains, each a number of values that is left out at once
PARTIAL = ("div", "mod", "pow")  # operators that are undefined for some numbers


def tiny(case: Case) -> Iterator[Case]:
    """Yield the smallest possible cases with as many asks as this one, smallest first."""
    for squares, values in ((1, 1), (1, 2), (2, 2)):
        names, symbols = tuple(f"s{s}" for s in range(squares)), tuple(str(v + 1) for v in range(values))
        for units in ((), (tuple(range(squares)),)):
            layout = Layout("by hand", names, symbols, units)
            for domains in (layout.open, (*layout.open[:-1], 1)):
                yield replace(case, problem=layout, asks=(domains,) * len(case.asks), witnesses=())


def with_asks(case: Case, kept: Sequence[int]) -> Case:
    """Keep some of the asks, by position."""
    return replace(case, asks=tuple(case.asks[i] for i in kept))


def with_squares(case: Case, kept: Sequence[int]) -> Case:
    """Keep some of the squares; units lose the other squares."""
    at = {s: i for i, s in enumerate(kept)}
    layout = case.layout
    units = tuple(dict.fromkeys(tuple(at[s] for s in unit if s in at) for unit in layout.units))
    units = tuple(u for u in units if u or () in layout.units)
    smaller = replace(layout, name="by hand", variables=tuple(layout.squares[s] for s in kept), units=units)
    asks = tuple(tuple(domains[s] for s in kept) for domains in case.asks)
    witnesses = tuple(dict.fromkeys(tuple(w[s] for s in kept) for w in case.witnesses))
    return replace(case, problem=smaller, asks=asks, witnesses=witnesses)


def with_units(case: Case, kept: Sequence[tuple[int, ...]]) -> Case:
    """Keep some of the units."""
    return replace(case, problem=replace(case.layout, name="by hand", units=tuple(kept)))


def with_members(case: Case, kept: Sequence[tuple[int, int]]) -> Case:
    """Keep some of the memberships of squares in units, as pairs of unit and square."""
    units = [tuple(s for u, s in kept if u == number) for number in range(len(case.layout.units))]
    return with_units(case, tuple(dict.fromkeys(units)))


def with_values(case: Case, kept: Sequence[int]) -> Case:
    """Keep some of the values; domains lose the others, and witnesses that use these are dropped."""
    layout = replace(case.layout, name="by hand", values=tuple(case.layout.values[v] for v in kept))
    at = {v: i for i, v in enumerate(kept)}

    def board(domains: Domains) -> Domains:
        return tuple(sum(1 << i for v, i in at.items() if mask >> v & 1) for mask in domains)

    def solution(witness: Solution) -> Solution:
        return tuple(at[v] for v in witness)

    witnesses = tuple(solution(w) for w in case.witnesses if all(v in at for v in w))
    return replace(case, problem=layout, asks=tuple(map(board, case.asks)), witnesses=witnesses)


def with_givens(case: Case, kept: Sequence[tuple[int, int]]) -> Case:
    """Keep some of the domains that are not open, as pairs of ask and square."""
    keep, full = set(kept), case.problem.full
    asks = tuple(
        tuple(mask if (i, s) in keep else full for s, mask in enumerate(domains)) for i, domains in enumerate(case.asks)
    )
    return replace(case, asks=asks)


def with_constraints(case: Case, kept: Sequence[Constraint]) -> Case:
    """Replace the constraints of a problem that is no board."""
    return replace(case, problem=replace(case.problem, name="by hand", constraints=tuple(kept)))


def with_rows(case: Case, kept: Sequence[Any], at: int, name: str) -> Case:
    """Keep some of the rows of one constraint."""
    return with_constraint(case, at, parts.with_rows(case.problem.constraints[at], name, kept))


def all_rows(case: Case) -> list[tuple[int, int]]:
    """Return all rows as pairs of constraint and row; a constraint without rows that may be left out is one row."""
    found = []
    for at, constraint in enumerate(case.problem.constraints):
        name = next(iter(parts.row_names(constraint)), "")
        found += [(at, row) for row in range(len(parts.rows_of(constraint, name)) if name else 1)]
    return found


def groups(case: Case) -> list[list[tuple[int, int]]]:
    """Return all rows, each group of one constraint and over the same arrays of the source; [] if that divides little.

    The array of a variable x[1] is x; variables without an index belong together.
    """
    arrays = [array if bracket else "" for array, bracket, _ in (x.partition("[") for x in case.problem.variables)]
    found: dict[tuple[int, frozenset[str]], list[tuple[int, int]]] = {}
    every = all_rows(case)
    for at, row in every:
        constraint = case.problem.constraints[at]
        rows = moving.rows_of(constraint) if type(constraint) in moving.MOVE else ()
        used = moving.occurring(type(constraint), rows[row]) if row < len(rows) else set[int]()
        found.setdefault((at, frozenset(arrays[x] for x in used)), []).append((at, row))
    return list(found.values()) if 1 < len(found) <= len(every) // 2 else []


def with_groups(case: Case, kept: Sequence[Sequence[tuple[int, int]]]) -> Case:
    """Keep some groups of rows."""
    return with_all_rows(case, sorted(chain.from_iterable(kept)))


def with_all_rows(case: Case, kept: Sequence[tuple[int, int]]) -> Case:
    """Keep some of the rows of all constraints, and the constraints that have one."""
    rows: dict[int, list[int]] = {}
    for at, row in kept:
        rows.setdefault(at, []).append(row)
    return with_constraints(case, [some_rows(case.problem.constraints[at], which) for at, which in rows.items()])


def some_rows(constraint: Constraint, which: Sequence[int]) -> Constraint:
    """Return a constraint with some of the rows of its first field that has several."""
    name = next(iter(parts.row_names(constraint)), "")
    rows = parts.rows_of(constraint, name) if name else ()
    return constraint if len(which) >= len(rows) else parts.with_rows(constraint, name, [rows[i] for i in which])


def simpler_rows(case: Case) -> Iterator[Case]:
    """Yield the case with one row of one constraint simplified."""
    for i, constraint in enumerate(case.problem.constraints):
        yield from (with_constraint(case, i, simpler) for simpler in parts.simpler_rows(constraint))


def closed_rows(case: Case) -> Iterator[Case]:
    """Yield the case with numbers in place of fixed variables in one row of one constraint."""
    values = case.problem.values
    if not isinstance(values, Integers):
        return
    sizes = [size_of(mask, values) for mask in case.asks[-1]]
    fixed = {x: values.numbers[ends_of(m, values)[0]] for x, m in enumerate(case.asks[-1]) if sizes[x] == 1}
    if all(ask[x] == case.asks[-1][x] for ask in case.asks for x in fixed):
        for i, constraint in enumerate(case.problem.constraints):
            yield from (with_constraint(case, i, closed) for closed in parts.without_fixed(constraint, fixed))


def with_constraint(case: Case, at: int, constraint: Constraint) -> Case:
    """Replace one constraint."""
    constraints = case.problem.constraints
    return with_constraints(case, (*constraints[:at], constraint, *constraints[at + 1 :]))


def with_goal(case: Case, goal: Objective) -> Case:
    """Replace the objective; a constraint requires that all parts of an expression are defined."""
    problem = case.problem
    constraints = problem.constraints
    if isinstance(problem.objective, ExpressionObjective) and isinstance(goal, ExpressionObjective):
        constraints = tuple(kept for c in constraints if (kept := redefined(c, problem.objective, goal)) is not None)
    return replace(case, problem=replace(problem, name="by hand", constraints=constraints, objective=goal))


def redefined(constraint: Constraint, old: ExpressionObjective, new: ExpressionObjective) -> Constraint | None:
    """Return a constraint that an expression is defined; None if all parts of the expression always are."""
    if not isinstance(constraint, Expression) or definition(old.tree) not in constraint.rows:
        return constraint
    more = () if is_total(new.tree) else (definition(new.tree),)
    rows = tuple(row for row in constraint.rows if row != definition(old.tree)) + more
    return Expression(rows) if rows else None


def definition(tree: Tree) -> Tree:
    """Return the expression that is true where all parts of a tree are defined."""
    return "eq", tree, tree


def is_total(tree: Tree) -> bool:
    """Return True if all parts of a tree are always defined."""
    return tree[0] in ("var", "number", "set") or (tree[0] not in PARTIAL and all(map(is_total, tree[1:])))


def is_defined(problem: Problem) -> bool:
    """Return True if every solution has a value: no part of the objective is undefined in it."""
    goal = problem.objective
    if not isinstance(goal, ExpressionObjective) or is_total(goal.tree):
        return True
    return any(isinstance(c, Expression) and definition(goal.tree) in c.rows for c in problem.constraints)


def with_goal_rows(case: Case, kept: Sequence[Any]) -> Case:
    """Keep some of the terms or soft clauses of the objective."""
    assert case.problem.objective is not None
    return with_goal(case, goals.with_rows(case.problem.objective, kept))


def simpler_goals(case: Case) -> Iterator[Case]:
    """Yield the case with one part of its objective simplified."""
    yield from (with_goal(case, goal) for goal in goals.simpler(case.problem.objective))


def several(case: Case) -> list[int]:
    """Return the variables that have several values in the last ask."""
    return [x for x, mask in enumerate(case.asks[-1]) if size_of(mask, case.problem.values) > 1]


def with_several(case: Case, kept: Sequence[int]) -> Case:
    """Leave several values to some variables alone; the others take that of the first witness, or their least."""
    keep, values = set(kept), case.problem.values
    one = {x: ends_of(case.asks[-1][x], values)[0] for x in several(case) if x not in keep}
    if case.witnesses:
        one = {x: case.witnesses[0][x] for x in one}
    single = {x: bounded(v, v) if case.problem.ranged else 1 << v for x, v in one.items()}
    asks = tuple(
        tuple(single[x] if x in one and holds(mask, one[x], values) else mask for x, mask in enumerate(ask))
        for ask in case.asks
    )
    witnesses = tuple(w for w in case.witnesses if all(w[x] == v for x, v in one.items()))
    return replace(case, asks=asks, witnesses=witnesses)


def choices(case: Case) -> list[tuple[int, int]]:
    """Return the values of all domains as pairs of variable and mask; a mask has several values if there are many.

    Ranges stay.
    """
    domains = () if case.problem.ranged else case.asks[-1]
    each = 1 + sum(mask.bit_count() for mask in domains) // MAX_CHOICES
    return [(x, part) for x, mask in enumerate(domains) for part in pieces(mask, each)]


def pieces(mask: int, each: int) -> Iterator[int]:
    """Split a domain into masks of so many values."""
    values = list(bits(mask))
    for i in range(0, len(values), each):
        yield sum(1 << v for v in values[i : i + each])


def with_choices(case: Case, kept: Sequence[tuple[int, int]]) -> Case:
    """Keep some values of the domains of all asks, as `choices` has them."""
    if case.problem.ranged:
        return case
    masks = [0] * len(case.problem.variables)
    for x, part in kept:
        masks[x] |= part
    asks = tuple(tuple(a & b for a, b in zip(domains, masks, strict=True)) for domains in case.asks)
    witnesses = tuple(w for w in case.witnesses if all(masks[x] >> v & 1 for x, v in enumerate(w)))
    return replace(case, asks=asks, witnesses=witnesses)


def compact(case: Case) -> Case:
    """Remove variables outside all constraints, and values outside all domains; at least one of each stays.

    A range of values stays. All variables stay if those of a kind are not known.
    """
    problem, goal = case.problem, case.problem.objective
    if not all(type(c) in moving.MOVE for c in problem.constraints) or not (goal is None or goals.is_known(goal)):
        return case
    in_goal = set() if goal is None else goals.scope(goal)
    used = sorted(in_goal.union(*map(moving.variables_of, problem.constraints))) or [0]
    domains = {ask[x] for ask in case.asks for x in used}
    assert isinstance(problem.values, Integers)
    at = {x: i for i, x in enumerate(used)}
    values: Integers = problem.values
    new: range | dict[int, int] = range(len(values))
    masks = {mask: mask for mask in domains}
    if not problem.ranged:
        kept = list(bits(reduce(or_, domains, 0))) or [0]
        values, new = Integers([problem.values.numbers[v] for v in kept]), {v: i for i, v in enumerate(kept)}
        masks = {mask: sum(1 << new[v] for v in bits(mask)) for mask in domains}
    smaller = Problem(
        "by hand",
        tuple(problem.variables[x] for x in used),
        values,
        tuple(moving.renumbered(c, at.__getitem__) for c in problem.constraints),
        objective=None if goal is None else goals.renumbered(goal, at),
    )
    asks = tuple(tuple(masks[ask[x]] for x in used) for ask in case.asks)
    witnesses = tuple(dict.fromkeys(tuple(new[w[x]] for x in used) for w in case.witnesses if fits(w, used, new)))
    return replace(case, problem=smaller, asks=asks, witnesses=witnesses)


def fits(witness: Solution, used: Sequence[int], values: Container[int]) -> bool:
    """Return True if a witness takes only values that are kept."""
    return all(witness[x] in values for x in used)


def with_clauses(case: Case, kept: Sequence[tuple[int, ...]]) -> Case:
    """Replace the problem by a formula of these clauses, asked as often as before; witnesses of a formula stay."""
    problem = clause_problem(tuple(kept))
    used = sorted({abs(x) - 1 for clause in kept for x in clause})
    known = case.witnesses if clauses_of_problem(case.problem) is not None else ()
    witnesses = tuple(dict.fromkeys(tuple(w[x] for x in used) for w in known))
    return replace(case, problem=problem, asks=(problem.open,) * len(case.asks), witnesses=witnesses)


def with_literals(case: Case, kept: Sequence[tuple[int, int]]) -> Case:
    """Keep some of the literals of clauses, as pairs of clause and literal."""
    clauses = [tuple(x for c, x in kept if c == number) for number in sorted({c for c, _ in kept})]
    return with_clauses(case, clauses)
