"""Zero-one programmes of instances, built by the judge, and of what solvers received, which is compared with them.

A pseudo-Boolean proof names the rows that its solver received by their order. These rows are made again here, by our
encoders or in the order of the file. Each must be one of the instance's own rows, which are built from the constraints
and the objective alone; else the proof certifies the formula, not the instance.

    instance's rows  for variables of the values 0 and 1: clauses, linear rows, values that the domains exclude, and for
                     each soft clause of several literals a new variable that is true where the clause is. For other
                     integers, with linear rows alone: an order literal for each value of a domain but the least, true
                     where the variable has this value or a greater one, each implied by the next
    sum              of the objective's terms: its value without the constant

A new variable is determined by the others, so every solution extends to one of all rows, with the same value.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from backends.shared.literal_map import literal_map
from encoders.formula import Formula, Unsupported, constraints_of
from encoders.opb import opb_programme
from encoders.zero_one import RANGES, programme_of
from encoders.zero_one.rows import ZeroOneRows, literal_table
from harness.judging.checkers.pseudo_boolean.programme import SumProgramme, SumRow, clause_row, row
from puzzles.constraints.clauses import Clauses
from puzzles.constraints.linear import Linear
from puzzles.objectives.linear import LinearObjective
from puzzles.objectives.soft import SoftClauses
from puzzles.problem import Objective, Problem
from puzzles.problem.values import Domains, IntegerRange, Integers, Solution, bits

Key = tuple[frozenset[tuple[int, int]], int]
Meaning = Sequence[tuple[int, Sequence[tuple[int, int]]]]  # of each variable: the least number, and terms of literals
MOST_LITERALS = 1 << 20


class ReceivedAs(StrEnum):
    """Form in which a solver received an instance: rows, a file of them that we wrote, the instance's own, or posts."""

    ROWS = "rows"
    WRITTEN = "written"
    ORIGINAL = "original"
    FLAT = "flat"


class GoalTerms(NamedTuple):
    """Coefficient by variable of an objective, and its constant."""

    terms: dict[int, int]
    constant: int


class InstanceRows(NamedTuple):
    """Rows that every solution of an instance satisfies, in the order of its constraints, and its objective."""

    variables: int
    rows: list[SumRow]
    goal: GoalTerms | None


class Received(NamedTuple):
    """Programme that a solver received, and True if it follows from the instance."""

    programme: SumProgramme
    derived: bool


def instance_rows(problem: Problem, domains: Domains) -> InstanceRows | None:
    """Return the rows of an instance; None if it has values, kinds of constraint or an objective that have none."""
    values, goal = problem.values, problem.objective
    if not isinstance(values, Integers) or isinstance(values, IntegerRange) or 0 in domains:
        return None
    boolean = values.numbers == range(2)
    parts = [part for part in problem.constraints if isinstance(part, Linear | Clauses if boolean else Linear)]
    if len(parts) < len(problem.constraints) or (not boolean and not ordered(domains, goal)):
        return None
    meaning: Meaning = [(0, [(1, x)]) for x in range(1, len(domains) + 1)]
    if boolean:
        rows: list[SumRow | None] = [
            row([(1, x if mask == 2 else -x)], 1) for x, mask in enumerate(domains, 1) if mask in (1, 2)
        ]
    else:
        meaning = order_literals(values, domains)
        rows = [row([(1, k), (-1, k + 1)], 0) for _, terms in meaning for _, k in terms[:-1]]
    rows = [*(found for part in parts for found in rows_of_constraint(part, meaning)), *rows]
    if any(found is None for found in rows):
        return None
    known, variables = [found for found in rows if found is not None], sum(len(terms) for _, terms in meaning)
    if goal is None:
        return InstanceRows(variables, known, None)
    if isinstance(goal, LinearObjective):
        return InstanceRows(variables, known, linear_terms(goal, meaning))
    if isinstance(goal, SoftClauses):
        named, terms = soft_terms(goal.rows, variables)
        return InstanceRows(variables + len(named), known + [r for soft in named for r in definition(soft)], terms)
    return None


def ordered(domains: Domains, goal: Objective | None) -> bool:
    """Return True if variables may be order literals: there are not too many, and an objective is a sum."""
    return sum(mask.bit_count() for mask in domains) <= MOST_LITERALS and isinstance(goal, LinearObjective | None)


def order_literals(values: Integers, domains: Domains) -> Meaning:
    """Return the least number of each variable, and what each of its order literals adds."""
    found, last = list[tuple[int, list[tuple[int, int]]]](), 0
    for mask in domains:
        numbers = [values.numbers[v] for v in bits(mask)]
        found.append((numbers[0], [(b - a, last + i) for i, (a, b) in enumerate(pairwise(numbers), 1)]))
        last += len(numbers) - 1
    return found


def expanded(terms: Iterable[tuple[int, int]], meaning: Meaning) -> tuple[list[tuple[int, int]], int]:
    """Return a sum of variables, coefficient and index, as a sum of literals, and its constant."""
    pairs = [(a, *meaning[x]) for a, x in terms]
    return [(a * step, k) for a, _, steps in pairs for step, k in steps], sum(a * least for a, least, _ in pairs)


def rows_of_constraint(part: Linear | Clauses, meaning: Meaning) -> Iterable[SumRow | None]:
    """Yield the rows of a constraint, two for an equation, None for one that is no row."""
    if isinstance(part, Clauses):
        for clause in part.rows:
            yield clause_row(clause)
        return
    for coefficients, variables, comparison, bound in part.rows:
        terms, constant = expanded(zip(coefficients, variables, strict=True), meaning)
        if comparison == "!=":
            yield None
        if comparison in (">=", "="):
            yield row(terms, bound - constant)
        if comparison in ("<=", "="):
            yield row([(-a, x) for a, x in terms], constant - bound)


def linear_terms(goal: LinearObjective, meaning: Meaning) -> GoalTerms:
    terms, constant = expanded(goal.terms, meaning)
    sums = Counter[int]()
    for a, k in terms:
        sums[k] += a
    return GoalTerms(sums, goal.offset + constant)


class NamedSoft(NamedTuple):
    """Soft clause of several literals: its place among all, from 1 on, and the variable that is true where it is."""

    place: int
    variable: int
    clause: Sequence[int]


def soft_terms(soft: Iterable[tuple[int, Sequence[int]]], variables: int) -> tuple[list[NamedSoft], GoalTerms]:
    """Return new variables, after the first `variables`, for clauses of several literals, and the cost of all."""
    named, terms, constant = list[NamedSoft](), Counter[int](), 0
    for place, (weight, clause) in enumerate(soft, 1):
        if len(clause) > 1:
            named.append(NamedSoft(place, variables + len(named) + 1, clause))
        true = named[-1].variable if len(clause) > 1 else next(iter(clause), 0)
        constant += weight * (true >= 0)  # the cost is weight (1 - true)
        if true:
            terms[abs(true)] -= weight if true > 0 else -weight
    return named, GoalTerms(terms, constant)


def definition(soft: NamedSoft) -> list[SumRow]:
    """Return the rows of: a variable is true exactly where a clause is."""
    return [
        *(row([(1, soft.variable), (-1, x)], 0) for x in soft.clause),
        row([*((1, x) for x in soft.clause), (-1, soft.variable)], 0),
    ]


def sum_of(problem: Problem, solutions: Sequence[Solution], goal: GoalTerms | None) -> int | None:
    """Return the sum of the objective's terms for a solution that the judge has checked, None without one."""
    if problem.objective is None or goal is None or not solutions:
        return None
    return int(problem.objective.values(np.array(solutions[:1], np.uint64), problem)[0]) - goal.constant


def key(found: SumRow) -> Key:
    return frozenset(found.terms.items()), found.degree


def received(
    problem: Problem,
    domains: Domains,
    formula: Formula,
    solutions: Sequence[Solution],
    source: ReceivedAs,
) -> Received:
    """Return the programme that a solver received; without an objective it has a row against each known solution.

    Raises Unsupported.
    """
    own = instance_rows(problem, domains)
    if source == ReceivedAs.ORIGINAL:
        if own is None:
            raise Unsupported("a proof about the file of an instance is checked for clauses and sums of Booleans only")
        constant = own.goal.constant if own.goal else 0  # which the file's own objective has
        return Received(programme(problem, solutions, own)._replace(offset=constant), True)
    made = made_rows(formula, domains, solutions if problem.objective is None else (), source)
    if own is None or not is_part(made.rows, own.rows, solutions):
        return Received(programme(problem, solutions, made), False)
    goal = None if own.goal is None else own
    return Received(programme(problem, solutions, (goal or made)._replace(rows=made.rows)), True)


def programme(problem: Problem, solutions: Sequence[Solution], rows: InstanceRows) -> SumProgramme:
    """Return a programme with the best known value of its objective."""
    if rows.goal is None:
        return SumProgramme(rows.variables, tuple(rows.rows))
    return SumProgramme(rows.variables, tuple(rows.rows), rows.goal.terms, sum_of(problem, solutions, rows.goal))


def made_rows(formula: Formula, domains: Domains, known: Sequence[Solution], source: ReceivedAs) -> InstanceRows:
    """Return the rows that our encoders make of an instance, after those of its givens, before those against `known`.

    Raises Unsupported.
    """
    form = constraints_of(formula, "a zero-one programme", ranges=RANGES)
    taken = domains if form.ranged else tuple([a & b for a, b in zip(domains, form.known, strict=True)])
    domains = domains if source == ReceivedAs.WRITTEN else form.known
    literals = literal_table(form, domains)
    found, terms = (opb_programme if source == ReceivedAs.WRITTEN else programme_of)(form, domains, literals)
    mapped = literal_map(literals)
    given = [] if source == ReceivedAs.WRITTEN else [x for x in mapped.true(taken) if x]
    rows = [clause_row([x]) for x in given] + split_rows(found)
    rows += [clause_row(mapped.forbid(solution)) for solution in known]
    if terms is None:
        return InstanceRows(found.last, rows, None)
    return InstanceRows(found.last, rows, GoalTerms({k: a for k, a in terms.items() if k and a}, terms.get(0, 0)))


def is_part(rows: Iterable[SumRow], own: Iterable[SumRow], solutions: Sequence[Solution]) -> bool:
    """Return True if every row always holds, or is one of the instance's own or against a known solution."""
    known = {key(found) for found in (*own, *map(against, solutions))}
    return all(found.degree <= 0 or key(found) in known for found in rows)


def against(solution: Solution) -> SumRow:
    """Return the row of: some variable of the values 0 and 1 differs from a solution's."""
    return clause_row([-x if v else x for x, v in enumerate(solution, 1)])


def split_rows(found: ZeroOneRows) -> list[SumRow]:
    """Return the rows of a programme, two for an equation."""
    rows = list[SumRow]()
    for terms, bound, equal in found.rows:
        rows.append(row([(a, k) for k, a in terms.items()], bound))
        if equal:
            rows.append(row([(-a, k) for k, a in terms.items()], -bound))
    return rows


def opb_text(programme: SumProgramme) -> bytes:
    """Return a programme as an OPB file, for other checkers."""
    names = {} if programme.names is None else {x: name for name, x in programme.names.items()}
    lines = [] if programme.goal is None else [f"min: {sum_text(stated_goal(programme), names)} ;"]
    lines += [f"{sum_text(terms.items(), names)} >= {degree} ;" for terms, degree in programme.rows]
    rows = len(programme.rows)
    return "\n".join([f"* #variable= {programme.variables} #constraint= {rows}", *lines, ""]).encode()


def stated_goal(programme: SumProgramme) -> Iterable[tuple[int, int]]:
    """Return literals and coefficients of an objective; it has a constant only by literals that are negated."""
    goal = programme.goal or {}
    negated = programme.offset and programme.offset == -sum(a for a in goal.values() if a < 0)
    return [(-k, -a) if negated and a < 0 else (k, a) for k, a in goal.items()]


def sum_text(terms: Iterable[tuple[int, int]], names: Mapping[int, str]) -> str:
    """Return a sum of literals, with their coefficients, as text; variables without a name are x1, x2, ..."""
    return " ".join(f"{a:+d} {'~' if k < 0 else ''}{names.get(abs(k), f'x{abs(k)}')}" for k, a in terms)
