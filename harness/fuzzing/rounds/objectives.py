"""Rounds of problems with an objective: weighted clauses, pseudo-Boolean sums, mixed constraints, integer programs.

Numbers of every width are drawn at the edges of machine words: near a power of two, or so that only their sum passes
it. Each problem is asked together with relatives, whose solutions are evidence on it and on each other:

    half      a variable has one of its values, or has not: the better half is as good as the whole
    scaled    the objective is multiplied: the same solutions are best
    shifted   a constant is added to the objective
    negated   the objective is turned, and what was minimised is maximised
    rewritten soft clauses as a sum
    relaxed   a constraint is left out: no worse
    tighter   the objective must be below the best value shown: no solution
    fixed     only the best solution shown is left: as good

The last two are asked after the others (`follow_up`). The judge evaluates every solution on each relative that it fits.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from random import Random

import numpy as np

from harness.fuzzing.reducing.goals import sum_of
from harness.fuzzing.rounds.boards import AskedBoard, Frame, FuzzBlock, Round
from harness.fuzzing.rounds.integer_programs import integer_program
from puzzles.constraints.expression import Expression
from puzzles.constraints.linear import Linear
from puzzles.generating import problems
from puzzles.objectives.bounded import as_sum, below, constant
from puzzles.objectives.expression import ExpressionObjective
from puzzles.objectives.linear import LinearObjective
from puzzles.objectives.soft import SoftClauses
from puzzles.problem import BOOLEAN, Constraint, Instance, Objective, Problem
from puzzles.problem.check import violations
from puzzles.problem.columns import index_type
from puzzles.problem.values import Domains, Numbered, Solution, bits, bounded, ends_of

PROBLEMS = 6  # per round
MAX_BOOLEANS = 8
RANGED = 0.2  # of the problems of mixed constraints: over ranges
EDGES = (7, 8, 15, 16, 31, 32, 53, 62, 63, 64, 65, 130)  # bits of the powers of two at which numbers are drawn
FACTORS = (2, 3, 255, (1 << 31) - 1, 1 << 32, 1 << 53, 1 << 64)


def number(random: Random, terms: int) -> int:
    """Draw a positive number: small, at the edge of a word, or such that `terms` of them pass the edge."""
    edge = 1 << random.choice(EDGES)
    kind = random.random()
    if kind < 0.4:
        return random.randint(1, 9)
    size = edge if kind < 0.8 else edge // max(1, terms)
    return max(1, size + random.randint(-2, 2))


def signed(random: Random, terms: int) -> int:
    return random.choice((1, -1)) * number(random, terms)


def soft(draw: problems.Draw) -> SoftClauses:
    """Draw soft clauses, of one literal each in half of the problems."""
    random, longest, n = draw.random, draw.random.choice((1, 3)), draw.random.randint(1, 6)
    rows = [draw.scope(0 if longest > 1 and random.random() < 0.05 else 1, longest) for _ in range(n)]
    return SoftClauses.of((number(random, n), [random.choice((1, -1)) * (x + 1) for x in row]) for row in rows)


def linear(draw: problems.Draw) -> LinearObjective:
    """Draw a weighted sum with an offset."""
    random = draw.random
    scope = set(draw.scope(1, draw.variables))
    offset = signed(random, 1) if random.random() < 0.3 else 0
    return LinearObjective.of({x: signed(random, len(scope)) for x in scope}, offset, random.random() < 0.5)


def expression(draw: problems.Draw) -> ExpressionObjective:
    """Draw an expression; half of the problems have a large number in theirs."""
    tree = problems.tree(draw, draw.random.randint(1, 3))
    if draw.random.random() < 0.5:
        tree = (draw.random.choice(("add", "mul")), tree, constant(signed(draw.random, 1)))
    return ExpressionObjective.of(tree, draw.random.random() < 0.5)


def wcnf(random: Random) -> Instance[Problem]:
    """Draw hard and soft clauses."""
    draw = problems.Draw(random, random.randint(1, MAX_BOOLEANS), (0, 1))
    hard = tuple(problems.clauses(draw) for _ in range(random.randint(0, 2)))
    return boolean("wcnf", draw, hard, soft(draw))


def opb_opt(random: Random) -> Instance[Problem]:
    """Draw linear constraints over 0 and 1, and a sum."""
    draw = problems.Draw(random, random.randint(1, MAX_BOOLEANS), (0, 1))
    rows = []
    for _ in range(random.randint(1, 3)):
        scope = draw.scope(1, MAX_BOOLEANS)
        coefficients = [random.choice((1, 1, 2, 3, -1, -2)) for _ in scope]
        rows.append((coefficients, scope, random.choice((">=", ">=", "<=", "=")), random.randint(0, 2)))
    return boolean("opb-opt", draw, (Linear.of(rows),), linear(draw))


def boolean(name: str, draw: problems.Draw, hard: tuple[Constraint, ...], goal: Objective) -> Instance[Problem]:
    problem = Problem(name, Numbered("x", draw.variables), BOOLEAN, hard, objective=goal)
    return Instance(name, problem, problem.open)


def cop(random: Random) -> Instance[Problem]:
    """Draw one or two kinds of constraint, and a sum or an expression."""
    kinds = random.sample(sorted(set(problems.KINDS) - {"clauses"}), random.randint(1, 2))
    if random.random() < RANGED:
        return problems.ranged_problem(random, random.choice(("linear", "expression")))
    instance = problems.random_problem(kinds, random)
    draw = problems.Draw(random, len(instance.domains), tuple(map(int, instance.problem.values)))
    goal: Objective = expression(draw) if random.random() < 0.3 else linear(draw)
    return replace(instance, problem=optimising(instance.problem, goal))


KINDS = {"wcnf": wcnf, "opb-opt": opb_opt, "cop": cop, "ip": integer_program}
MIXED = ("wcnf", "opb-opt", "cop")  # of a round of any kind; integer programs have rounds of their own


def optimising(problem: Problem, goal: Objective, *more: Constraint) -> Problem:
    """Return a problem with this objective and further constraints: every part of an expression is defined."""
    known = (Expression((("eq", goal.tree, goal.tree),)),) if isinstance(goal, ExpressionObjective) else ()
    return replace(problem, constraints=(*problem.constraints, *more, *known), objective=goal)


def draw_objectives(random: Random, kind: str | None) -> Round:
    """Draw a round of problems of one kind, or of any, each with its relatives."""
    names = [kind or random.choice(MIXED) for _ in range(PROBLEMS)]
    return Round(
        tuple(block for group, name in enumerate(names) for block in related(KINDS[name](random), group, random)), 1
    )


def related(instance: Instance[Problem], group: int, random: Random) -> Iterator[FuzzBlock]:
    """Yield a problem with its halves, and its relatives, all in one group."""
    problem, domains = instance.problem, instance.domains
    frame = Frame(tuple(range(len(problem.variables))), range(len(problem.values)))
    boards = [AskedBoard(domains, group, frame)]
    boards += [AskedBoard(half, group, frame, "half") for half in halves(problem, domains, random)]
    yield FuzzBlock(problem, tuple(boards))
    for relation, relative in relatives(problem, random):
        yield FuzzBlock(relative, (AskedBoard(domains, group, frame, relation),))


def halves(problem: Problem, domains: Domains, random: Random) -> Iterator[Domains]:
    """Yield domains with a variable fixed to one of its values, and without that value, unless it is the only one.

    A range loses its least value.
    """
    x = random.randrange(len(domains))
    if problem.ranged:
        first, last = ends_of(domains[x], problem.values)
        parts: tuple[int, ...] = bounded(first, first), bounded(first + 1, last) if first < last else 0
    else:
        one = 1 << random.choice(list(bits(domains[x])))
        parts = one, domains[x] & ~one
    for mask in parts:
        if mask and mask != domains[x]:
            yield (*domains[:x], mask, *domains[x + 1 :])


def relatives(problem: Problem, random: Random) -> Iterator[tuple[str, Problem]]:
    """Yield relatives that can be stated before an answer is known."""
    goal = problem.objective
    assert goal is not None
    bare = replace(problem, constraints=without_definition(problem))
    yield "scaled", optimising(bare, scaled(goal, random.choice(FACTORS)))
    yield "shifted", optimising(bare, shifted(goal, signed(random, 1)))
    if (turned := negated(goal)) is not None:
        yield "negated", optimising(bare, turned)
    if (row := as_sum(goal)) is not None and not isinstance(goal, LinearObjective):
        yield "rewritten", optimising(bare, row)
    if bare.constraints:
        left = random.randrange(len(bare.constraints))
        kept = tuple(c for i, c in enumerate(bare.constraints) if i != left)
        yield "relaxed", optimising(replace(bare, constraints=kept), goal)


def without_definition(problem: Problem) -> tuple[Constraint, ...]:
    """Return the constraints without the one that `optimising` added for an expression."""
    return problem.constraints[:-1] if isinstance(problem.objective, ExpressionObjective) else problem.constraints


def scaled(goal: Objective, factor: int) -> Objective:
    """Return an objective times a positive factor."""
    if isinstance(goal, SoftClauses):
        return SoftClauses.of([(weight * factor, row) for weight, row in goal.rows])
    if isinstance(goal, LinearObjective):
        return sum_of([(a * factor, x) for a, x in goal.terms], goal.offset * factor, goal.maximise)
    assert isinstance(goal, ExpressionObjective)
    return ExpressionObjective.of(("mul", goal.source_tree, constant(factor)), goal.maximise)


def shifted(goal: Objective, amount: int) -> Objective:
    """Return an objective plus a constant; to soft clauses its size is added, by a clause that is always false."""
    if isinstance(goal, SoftClauses):
        return SoftClauses.of([*goal.rows, (abs(amount), [])])
    if isinstance(goal, LinearObjective):
        return sum_of(goal.terms, goal.offset + amount, goal.maximise)
    assert isinstance(goal, ExpressionObjective)
    return ExpressionObjective.of(("add", goal.source_tree, constant(amount)), goal.maximise)


def negated(goal: Objective) -> Objective | None:
    """Return the negated objective with the opposite sense; None for soft clauses."""
    if isinstance(goal, LinearObjective):
        return replace(goal, maximise=not goal.maximise)
    if isinstance(goal, ExpressionObjective):
        return ExpressionObjective.of(("neg", goal.source_tree), not goal.maximise)
    return None


def best_shown(block: FuzzBlock, solutions: Sequence[Solution]) -> tuple[Solution, int] | None:
    """Return the best of these solutions that solves a block's first board, with its value; None without one."""
    problem, board = block.problem, block.boards[0]
    right = [s for s in solutions if not violations(problem, board.domains, s)]
    if not right or problem.objective is None:
        return None
    values = problem.objective.values(np.array(right, index_type(problem)), problem).tolist()
    return min(zip(right, values, strict=True), key=lambda pair: pair[1])


def follow_up(drawn: Round, shown: Mapping[int, Sequence[Solution]]) -> tuple[FuzzBlock, ...]:
    """Return the relatives that the solutions shown of each group allow."""
    found = list[FuzzBlock]()
    for block in drawn.blocks:
        board = block.boards[0]
        best = None if board.relation else best_shown(block, shown.get(board.group, ()))
        if best is None:
            continue
        solution, value = best
        domains = tuple(bounded(v, v) if block.problem.ranged else 1 << v for v in solution)
        fixed = AskedBoard(domains, board.group, board.frame, "fixed")
        found.append(FuzzBlock(block.problem, (fixed,)))
        if (row := below(block.problem.objective, value)) is not None:
            tighter = replace(block.problem, constraints=(*block.problem.constraints, row))
            found.append(FuzzBlock(tighter, (replace(board, relation="tighter"),)))
    return tuple(found)
