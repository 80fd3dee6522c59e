"""Rounds of problems that are no boards: small CNF formulas, pseudo-Boolean problems, and mixed constraints.

Each problem is asked with its own domains and with domains that differ in one variable; these boards form a group.
Problems with an objective are those of `objectives`.
"""

from collections.abc import Callable
from dataclasses import replace
from random import Random

from harness.fuzzing.rounds import objectives
from harness.fuzzing.rounds.boards import AskedBoard, Frame, FuzzBlock, Round, Scope, draw_boards
from puzzles.constraints.clauses import Clauses
from puzzles.constraints.linear import Linear
from puzzles.generating import problems
from puzzles.problem import Instance, Problem, boolean_instance
from puzzles.problem.values import Domains, bounded, indices_of

PROBLEMS = 12  # per round
MAX_BOOLEANS = 9
VARIANTS = 2
RANGED = 0.2  # of the problems of mixed constraints: over ranges
LARGE, LARGEST = 0.2, 24  # of the formulas: share that need a deeper search, and their most variables
REIFIED = 0.3  # of the problems of mixed constraints


def cnf(random: Random) -> Instance[Problem]:
    """Draw a formula of clauses, some of them of three literals over more variables."""
    if random.random() < LARGE:
        names = [f"x{i + 1}" for i in range(random.randint(MAX_BOOLEANS, LARGEST))]
        scopes = [random.sample(range(1, len(names) + 1), 3) for _ in range(int(len(names) * random.uniform(2, 4.5)))]
        return boolean_instance("cnf", names, Clauses.of([[random.choice((x, -x)) for x in row] for row in scopes]))
    draw = problems.Draw(random, random.randint(1, MAX_BOOLEANS), (0, 1))
    drawn = [problems.clauses(draw) for _ in range(random.randint(1, 6))]
    return boolean_instance("cnf", draw.variables, Clauses.of([row for part in drawn for row in part.rows]))


def opb(random: Random) -> Instance[Problem]:
    """Draw linear constraints over 0 and 1."""
    draw = problems.Draw(random, random.randint(1, MAX_BOOLEANS), (0, 1))
    rows = []
    for _ in range(random.randint(1, 4)):
        scope = draw.scope(0 if random.random() < 0.05 else 1, MAX_BOOLEANS)
        largest = random.choice((1, 3, 20))
        coefficients = [random.randint(-largest, largest) for _ in scope]
        bound = random.randint(min(0, sum(coefficients)) - 1, max(0, sum(coefficients)) + 1)
        rows.append((coefficients, scope, random.choice((">=", ">=", "<=", "=")), bound))
    return boolean_instance("opb", draw.variables, Linear.of(rows))


def csp(random: Random) -> Instance[Problem]:
    """Draw a problem of one to three kinds of constraint, of reified sums, or over ranges."""
    if random.random() < RANGED:
        return problems.ranged_problem(random)
    if random.random() < REIFIED:
        return problems.reified_problem(random)
    return problems.random_problem(random.sample(sorted(problems.KINDS), random.randint(1, 3)), random)


KINDS: dict[str, Callable[[Random], Instance[Problem]]] = {"cnf": cnf, "opb": opb, "csp": csp}
INTEGER, INTEGER_ROUNDS = "ip", 8  # of so many rounds with objectives of any kind, one has integer programs alone
WEIGHTS = {"cnf": 1, "opb": 1, "csp": 3}


def draw_round(seed: int, number: int, scope: Scope) -> Round:
    """Draw round `number`: of boards, of other problems, or of problems with an objective."""
    kind = scope.problems
    if kind in objectives.KINDS or (kind is None and scope.layout is None and is_optimised(number, scope)):
        alone = INTEGER if number % INTEGER_ROUNDS == INTEGER_ROUNDS - 1 else None
        return objectives.draw_objectives(Random(f"{seed}/{number}/objectives"), kind or alone)
    turn = number // 2 if scope.optimised else number
    if kind or (scope.layout is None and turn % 2):
        return draw_problems(Random(f"{seed}/{number}/problems"), kind, scope.counts)
    if scope.only and turn % 4 == 0:
        scope = replace(scope, layout=scope.only)
    return draw_boards(seed, number, scope)


def is_optimised(number: int, scope: Scope) -> bool:
    """Return True if a round has objectives: every round has, or every second round if some contender decides."""
    return scope.optimised and (number % 2 == 1 or not scope.decided)


def draw_problems(random: Random, kind: str | None, counts: tuple[int, ...]) -> Round:
    """Draw a round of problems of one kind, or of any."""
    names = [kind] * PROBLEMS if kind else random.choices(list(WEIGHTS), list(WEIGHTS.values()), k=PROBLEMS)
    blocks = [block(KINDS[name](random), group, random) for group, name in enumerate(names)]
    return Round(tuple(blocks), random.choice(counts))


def block(instance: Instance[Problem], group: int, random: Random) -> FuzzBlock:
    """Return the boards of one problem."""
    problem = instance.problem
    unmoved = Frame(tuple(range(len(problem.variables))), range(len(problem.values)))
    domains = [instance.domains, *(variant(problem, instance.domains, random) for _ in range(VARIANTS))]
    return FuzzBlock(problem, tuple(AskedBoard(d, group, unmoved) for d in domains))


def variant(problem: Problem, domains: Domains, random: Random) -> Domains:
    """Return domains with one variable fixed to one of its values, or with one value less, of a range its last."""
    x = random.randrange(len(domains))
    values = list(indices_of(domains[x], problem.values))
    if problem.ranged:
        value = random.choice(values)
        mask = bounded(value, value) if random.random() < 0.5 else bounded(values[0], max(values[0], values[-1] - 1))
        return (*domains[:x], mask, *domains[x + 1 :])
    one = 1 << random.choice(values)
    mask = one if random.random() < 0.5 else domains[x] & ~one or one
    return (*domains[:x], mask, *domains[x + 1 :])
