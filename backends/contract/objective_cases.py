"""Small problems with an objective, for the conformance suite: brute force over the domains tells their optima.

Each kind of constraint meets an objective, and each kind of objective what is special about it: nothing to minimise,
ties, negative and huge values, differences that doubles do not tell apart, soft clauses that nothing can satisfy.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice, product
from math import prod
from random import Random

import numpy as np

from backends.contract.kind_cases import BOOLEAN, KIND_CASES, SIGNED, SMALL, case
from puzzles.constraints.all_different import AllDifferent
from puzzles.constraints.clauses import Clauses
from puzzles.constraints.linear import Linear
from puzzles.objectives.expression import ExpressionObjective
from puzzles.objectives.linear import LinearObjective
from puzzles.objectives.soft import SoftClauses
from puzzles.problem import BOOLEAN as BITS
from puzzles.problem import Constraint, Objective, Problem
from puzzles.problem.values import Domains, Numbered, Solution, indices_of

MAX_COMBINATIONS = 10_000  # combinations of values up to which brute force computes the optimum
BATCH = 4096
COEFFICIENTS = (3, -2, 5, -7, 11)


@dataclass(frozen=True)
class ObjectiveCase:
    """A problem with an objective; `claim` states the property that a failing backend violates."""

    name: str
    claim: str
    problem: Problem
    domains: Domains

    @property
    def objective(self) -> Objective:
        assert self.problem.objective is not None
        return self.problem.objective

    def value(self, solution: Solution) -> int:
        """Return the exact value of a solution."""
        return int(self.objective.values(np.array([solution], np.uint64), self.problem)[0])

    def optimum(self) -> int | None:
        """Return the value of the best solution, None if there is no solution."""
        return least(self.problem, self.domains)


@cache
def least(problem: Problem, domains: Domains) -> int | None:
    """Return the least value of a solution within these domains, by trying all combinations."""
    assert problem.objective is not None
    found: list[int] = []
    every = product(*(indices_of(mask, problem.values) for mask in domains))
    while rows := list(islice(every, BATCH)):
        solutions = np.array(rows, np.uint64).reshape(len(rows), len(domains))
        for constraint in problem.constraints:
            solutions = solutions[constraint.satisfied(solutions, problem)]
        if len(solutions):
            found.append(min(problem.objective.values(solutions, problem).tolist()))
    return min(found, default=None)


def of(
    name: str, claim: str, domains: Sequence[Iterable[int]], objective: Objective, *constraints: Constraint
) -> ObjectiveCase:
    """Return a case with a domain of numbers for each variable."""
    made = case(name, claim, 0, domains, *constraints)
    return ObjectiveCase(name, claim, replace(made.problem, objective=objective), made.domains)


def soft(name: str, claim: str, variables: int, rows: list[tuple[int, list[int]]], *hard: list[int]) -> ObjectiveCase:
    """Return a case of Boolean variables with soft clauses, and hard ones."""
    return of(name, claim, [BOOLEAN] * variables, SoftClauses.of(rows), *([Clauses.of(hard)] if hard else []))


def each_kind() -> Iterator[ObjectiveCase]:
    """Yield the small cases of each kind of constraint, with a sum to minimise or to maximise."""
    for i, base in enumerate(KIND_CASES):
        domains = base.domains
        if prod(mask.bit_count() for mask in domains) > MAX_COMBINATIONS:
            continue
        terms = {x: COEFFICIENTS[(x + i) % len(COEFFICIENTS)] for x in range(len(domains))}
        goal = LinearObjective.of(terms, i - 10, maximise=i % 2 == 1)
        claim = f"{base.claim}, and finds the best solution"
        yield ObjectiveCase(f"{base.name}, best", claim, replace(base.problem, objective=goal), domains)


X, Y, Z = ("var", 0), ("var", 1), ("var", 2)
HUGE = 1 << 63
NEAR = (1 << 53) + 1  # the double of this number is that of the one before
TRIANGLE = [[1, 2], [2, 3], [1, 3]]
UNITS = [(1, [-1]), (1, [-2]), (1, [-3])]
TWICE = LinearObjective(np.array([2, 3, -5, 4]), np.array([0, 0, 1, 1], np.int32))

CASES: tuple[ObjectiveCase, ...] = (
    *each_kind(),
    of("no constraints", "goes to the end of domains", [SIGNED] * 3, LinearObjective.of({0: 2, 1: -3, 2: 1}, 4)),
    of("a wide domain", "goes to the end of a domain", [range(-40, 41)], LinearObjective.of({0: -1})),
    of("gaps", "goes to numbers of the domains", [(-9, -2, 5), (1, 4)], LinearObjective.of({0: 1, 1: -2}, 0, True)),
    of("a term twice", "adds up terms of one variable", [SMALL] * 2, TWICE, AllDifferent(((0, 1),))),
    of("constant", "takes an objective without terms", [BOOLEAN] * 2, LinearObjective.of({}, -7), Clauses.of([[1, 2]])),
    of("constant, huge", "takes an offset of any size", [BOOLEAN], LinearObjective.of({0: 1}, -(1 << 70))),
    of(
        "no solution",
        "detects that there is no solution",
        [SMALL] * 2,
        LinearObjective.of({0: 1}),
        Linear.of([([1, 1], [0, 1], ">=", 7)]),
    ),
    of(
        "ties",
        "finds one of many best solutions",
        [SMALL] * 3,
        LinearObjective.of({0: 1, 1: 1, 2: 1}),
        Linear.of([([1, 1, 1], [0, 1, 2], ">=", 4)]),
    ),
    of(
        "one solution",
        "finds the one solution",
        [BOOLEAN] * 2,
        LinearObjective.of({0: 5, 1: -3}),
        Clauses.of([[1], [-2]]),
    ),
    of(
        "a knapsack",
        "maximises",
        [BOOLEAN] * 6,
        LinearObjective.of(dict(enumerate((9, 7, 6, 5, 4, 3))), 0, True),
        Linear.of([([6, 5, 4, 4, 3, 2], range(6), "<=", 11)]),
    ),
    of(
        "unused variables",
        "minimises over variables without constraints",
        [BOOLEAN] * 4,
        LinearObjective.of({2: 3, 3: -4}),
        Clauses.of([[1, 2]]),
    ),
    of(
        "huge",
        "adds up coefficients beyond 64 bits exactly",
        [BOOLEAN] * 3,
        LinearObjective.of({0: HUGE * 10, 1: -HUGE * 9 - 1, 2: HUGE - 1}, 3),
        Clauses.of([[1, 2], [-1, 3], [-2, 3]]),
    ),
    of(
        "near",
        "tells values apart that are one double",
        [BOOLEAN] * 2,
        LinearObjective.of({0: NEAR, 1: NEAR - 1}),
        Clauses.of([[1, 2]]),
    ),
    of(
        "near, negative",
        "tells values apart that are one double",
        [BOOLEAN] * 2,
        LinearObjective.of({0: -NEAR, 1: 1 - NEAR}),
        Clauses.of([[-1, -2]]),
    ),
    of(
        "millions",
        "tells apart values that differ in the last digit",
        [BOOLEAN] * 4,
        LinearObjective.of({0: 1_000_001, 1: 1_000_000, 2: 999_999, 3: 2_000_000}),
        Clauses.of([[1, 2], [1, 3], [3, 4]]),
    ),
    of(
        "a greatest number",
        "minimises a maximum",
        [SMALL] * 3,
        ExpressionObjective.of(("max", X, Y, Z)),
        AllDifferent(((0, 1, 2),)),
    ),
    of(
        "a least number",
        "maximises a minimum",
        [SMALL] * 3,
        ExpressionObjective.of(("min", X, Y, Z), True),
        AllDifferent(((0, 1, 2),)),
    ),
    of(
        "a product",
        "minimises a product of signed numbers",
        [SIGNED] * 2,
        ExpressionObjective.of(("mul", X, Y)),
        Linear.of([([1, 1], [0, 1], ">=", -1)]),
    ),
    of(
        "a condition",
        "minimises an expression with a condition",
        [SIGNED] * 2,
        ExpressionObjective.of(("if", ("lt", X, Y), ("add", X, Y), ("number", 2))),
    ),
    of("a comparison", "minimises a truth value", [SMALL] * 2, ExpressionObjective.of(("eq", X, Y), True)),
    of(
        "a constant expression", "takes an expression without variables", [SMALL], ExpressionObjective.of(("number", 3))
    ),
    of(
        "a square",
        "minimises an expression of sums",
        [SIGNED] * 2,
        ExpressionObjective.of(("add", ("sqr", ("sub", X, ("number", 2))), ("abs", ("add", X, Y)))),
    ),
    soft(
        "soft clauses", "weighs soft clauses", 3, [(3, [1]), (4, [-1, 2]), (2, [-2]), (5, [-1, 3]), (1, [-3])], [1, 3]
    ),
    soft("equal weights", "counts broken soft clauses", 3, UNITS, *TRIANGLE),
    soft(
        "equal clauses", "counts a soft clause as often as it stands", 2, [(1, [1]), (1, [1]), (1, [-1]), (1, [1, 2])]
    ),
    soft("equal weights above one", "weighs soft clauses", 3, [(4, [-1]), (4, [-2]), (4, [-3])], *TRIANGLE),
    soft("no soft clauses", "takes an objective without soft clauses", 2, [], [1, 2]),
    soft("an empty soft clause", "an empty soft clause is always false", 2, [(6, []), (1, [1]), (2, [-1, 2])], [-2]),
    soft("only an empty soft clause", "an empty soft clause is always false", 1, [(1, [])]),
    soft("opposite soft clauses", "soft clauses may contradict each other", 1, [(3, [1]), (2, [-1])]),
    soft("certain soft clauses", "a soft clause may be true by itself", 2, [(3, [1, -1]), (2, [-1, 2, 2])], [1]),
    soft("broken soft clauses", "a soft clause may be false by itself", 2, [(3, [1]), (2, [1, 2])], [-1], [-2]),
    soft("soft clauses, no solution", "detects that there is no solution", 2, [(1, [1])], [2], [-2]),
    soft("soft clauses, free", "all soft clauses may be true", 3, [(2, [1]), (3, [-2]), (1, [2, 3])]),
    soft(
        "huge weights",
        "adds up weights beyond 64 bits exactly",
        3,
        [(HUGE * 4, [1]), (HUGE * 4 + 1, [2]), (HUGE - 1, [3]), (1, [-3])],
        [-1, -2],
        [-2, -3],
    ),
    soft(
        "a large weight beside a small one",
        "states bounds exactly",
        4,
        [(1, [-4]), (9078336564980955, [-2])],
        [2, 4],
        [4, 1, 3],
        [-2, 4, -3],
    ),
    soft(
        "weights of many sizes",
        "weighs what is large before what is small",
        4,
        [(1000, [1]), (100, [2]), (10, [3]), (1, [4]), (999, [-1, -2])],
        [-1, -3],
        [-2, -4],
    ),
)


def sequence() -> tuple[ObjectiveCase, ...]:
    """Return cases of one problem that differ in their domains, for one session."""
    base = of("a sequence", "keeps nothing of the asks before", [SMALL] * 3, LinearObjective.of({0: 3, 1: -2, 2: 1}),
              AllDifferent(((0, 1, 2),)))  # fmt: skip
    full = base.problem.full
    every = ((full,) * 3, (1, full, full), (full, 8, 6), (2, 2, full), (full, full, 0), (8, full, 1), (full,) * 3)
    return tuple(replace(base, name=f"a sequence, domains {domains}", domains=domains) for domains in every)


def long(variables: int = 80, seed: int = 1) -> ObjectiveCase:
    """Return a case with soft clauses that takes longer than the limits that are tried on it."""
    draw = Random(seed)

    def clause(length: int) -> list[int]:
        return [x * draw.choice((1, -1)) for x in draw.sample(range(1, variables + 1), length)]

    planted = [draw.choice((True, False)) for _ in range(variables)]
    hard = [
        row for row in (clause(3) for _ in range(3 * variables)) if any(planted[abs(p) - 1] == (p > 0) for p in row)
    ]
    goal = SoftClauses.of([(draw.randint(1, 9), clause(2)) for _ in range(6 * variables)])
    problem = Problem("long", Numbered("x", variables), BITS, (Clauses.of(hard),), objective=goal)
    return ObjectiveCase("long", "what is reported before a limit holds", problem, problem.open)
