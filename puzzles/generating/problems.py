"""Random small problems of each kind of constraint and objective, for tests and fuzzing, determined by a Random.

They have few variables, so brute force finds all solutions, and unusual parts: repeated variables, empty lists, numbers
that no variable takes, bounds among the variables that are counted, domains with gaps and of one value.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from puzzles.constraints import by_kind
from puzzles.constraints.all_different import AllDifferent
from puzzles.constraints.automaton import Automaton
from puzzles.constraints.cardinality import Cardinality
from puzzles.constraints.circuit import Circuit
from puzzles.constraints.clauses import Clauses
from puzzles.constraints.count import Count
from puzzles.constraints.cumulative import Cumulative
from puzzles.constraints.element import Element
from puzzles.constraints.expression import OPERATOR_OF, OPERATORS, Expression, Tree
from puzzles.constraints.lex import Lex
from puzzles.constraints.linear import COMPARISONS, Linear
from puzzles.constraints.minmax import MinMax
from puzzles.constraints.no_overlap import NoOverlap
from puzzles.constraints.numbers import ORDER
from puzzles.constraints.nvalues import NValues
from puzzles.constraints.table import STAR, Table
from puzzles.objectives.expression import ExpressionObjective
from puzzles.objectives.linear import LinearObjective
from puzzles.objectives.soft import SoftClauses
from puzzles.problem import BOOLEAN, Constraint, Instance, Objective, Problem
from puzzles.problem.values import IntegerRange, Integers, Numbered, bounded

NUMBERS = range(-2, 6)
MAX_VARIABLES = 5
MAX_NUMBERS = 4
FAR = (16, 31, 53, 62)  # bits of numbers far from 0
SIZES = (1, 3, 3, 7, 50, 1000, 1 << 20)  # of coefficients in reified sums


@dataclass(frozen=True)
class Draw:
    """Source of random parts of constraints: variables from 0, and the numbers of all domains."""

    random: Random
    variables: int
    numbers: tuple[int, ...]

    def variable(self) -> int:
        return self.random.randrange(self.variables)

    def scope(self, least: int = 1, most: int = 5) -> tuple[int, ...]:
        """Return variables, mostly distinct."""
        size = self.random.randint(least, most)
        if size <= self.variables and self.random.random() < 0.8:
            return tuple(self.random.sample(range(self.variables), size))
        return tuple(self.variable() for _ in range(size))

    def number(self) -> int:
        """Return a number, mostly from a domain."""
        return self.random.choice(self.numbers if self.random.random() < 0.8 else NUMBERS)

    def distinct_numbers(self) -> tuple[int, ...]:
        return tuple(dict.fromkeys(self.number() for _ in range(self.random.randint(0, 3))))

    def coefficient(self) -> int:
        """Return a coefficient, mostly small."""
        size = self.random.choice((1, 3, 3, 100, 1 << 40))
        return self.random.randint(-size, size)

    def rows(self, draw: Callable[["Draw"], Any]) -> tuple[Any, ...]:
        return tuple(draw(self) for _ in range(self.random.choice((1, 1, 2))))


def all_different(draw: Draw) -> AllDifferent:
    sizes = draw.rows(lambda d: d.random.randint(0, min(4, d.variables)))
    return AllDifferent(tuple(tuple(draw.random.sample(range(draw.variables), size)) for size in sizes))


def automaton(draw: Draw) -> Automaton:
    """Draw an automaton that may be nondeterministic, and scopes of one length."""
    states, size = range(draw.random.randint(1, 4)), draw.random.randint(1, 5)
    state = draw.random.choice
    transitions = [(state(states), draw.number(), state(states)) for _ in range(draw.random.randint(1, 12))]
    finals = draw.random.sample(states, draw.random.randint(1, len(states)))
    return Automaton(draw.rows(lambda d: d.scope(size, size)), tuple(transitions), state(states), tuple(finals))


def cardinality(draw: Draw) -> Cardinality:
    def row(draw: Draw) -> tuple[Any, ...]:
        numbers = draw.distinct_numbers()
        occurrences = tuple(draw.variable() for _ in numbers)
        return draw.scope(), numbers, occurrences, bool(numbers) and draw.random.random() < 0.4

    return Cardinality(draw.rows(row))


def circuit(draw: Draw) -> Circuit:
    return Circuit(draw.rows(lambda d: (d.scope(0), d.random.choice((d.numbers[0], d.numbers[0], 0)), *compared(d))))


def clauses(draw: Draw) -> Clauses:
    rows = [draw.scope(0 if draw.random.random() < 0.05 else 1, 3) for _ in range(draw.random.randint(1, 6))]
    return Clauses.of([[draw.random.choice((1, -1)) * (x + 1) for x in row] for row in rows])


def compared(draw: Draw) -> tuple[str, int]:
    """Return a comparison and a variable as its bound."""
    return draw.random.choice(sorted(ORDER)), draw.variable()


def count(draw: Draw) -> Count:
    return Count(draw.rows(lambda d: (d.scope(), d.distinct_numbers(), *compared(d))))


def cumulative(draw: Draw) -> Cumulative:
    def row(draw: Draw) -> tuple[Any, ...]:
        size = draw.random.choice((0, 1, 2, 2, 3, 3))
        return (*(draw.scope(size, size) for _ in range(3)), draw.variable())

    return Cumulative(draw.rows(row))


def element(draw: Draw) -> Element:
    return Element(draw.rows(lambda d: (d.scope(), d.variable(), d.random.randint(-2, 1), d.variable())))


def expression(draw: Draw) -> Expression:
    return Expression(draw.rows(lambda d: tree(d, d.random.randint(1, 3))))


def tree(draw: Draw, depth: int) -> Tree:
    """Draw a tree; below its root, leaves are more likely."""
    if depth == 0 or draw.random.random() < 0.2:
        return ("var", draw.variable()) if draw.random.random() < 0.7 else ("number", draw.number())
    name = draw.random.choice((*OPERATORS, "in"))
    if name == "in":
        return "in", tree(draw, depth - 1), ("set", *draw.distinct_numbers())
    fewest, most, _ = OPERATORS[name]
    parts = draw.random.randint(fewest, most or 3)
    return name, *(tree(draw, 0 if name == "pow" else depth - 1) for _ in range(max(parts, fewest)))


def reified(draw: Draw) -> Tree:
    """Draw a comparison of a sum that a Boolean states, implies, or is implied by, or a form of two of them.

    Coefficients have any size and sign, and bounds lie mostly between the ends of the sum.
    """
    literal: Tree = ("eq", ("var", 0), ("number", draw.random.randint(0, 1)))
    other = literal if draw.random.random() < 0.7 else compared_sum(draw)
    parts = [other, compared_sum(draw)]
    form = draw.random.choice(("iff", "iff", "imp", "imp", "xor", "or", "and", "eq", "ne", "if", "not"))
    if form == "if":
        return (form, *parts, compared_sum(draw))
    draw.random.shuffle(parts)
    return (form, *(parts[:1] if form == "not" else parts))


def compared_sum(draw: Draw) -> Tree:
    """Draw a comparison of a weighted sum of up to three variables with a number."""
    size = draw.random.choice(SIZES)
    terms = [(draw.random.randint(-size, size), draw.variable()) for _ in range(draw.random.choice((1, 1, 1, 2, 3)))]
    ends = [(a * draw.numbers[0], a * draw.numbers[-1]) for a, _ in terms]
    bound = draw.random.randint(sum(map(min, ends)) - 1, sum(map(max, ends)) + 1)
    if draw.random.random() < 0.3:  # a number that the sum takes
        bound = sum(a * draw.random.choice(draw.numbers) for a, _ in terms)
    addends: list[Tree] = [("mul", ("number", a), ("var", x)) for a, x in terms]
    total = addends[0] if len(addends) == 1 else ("add", *addends)
    sides = [total, ("number", bound)]
    draw.random.shuffle(sides)
    return (OPERATOR_OF[draw.random.choice(sorted(ORDER))], *sides)


def lex(draw: Draw) -> Lex:
    def row(draw: Draw) -> tuple[Any, ...]:
        size = draw.random.randint(1, 4)
        return draw.scope(size, size), draw.scope(size, size), draw.random.choice(("<", "<=", ">", ">="))

    return Lex(draw.rows(row))


def linear(draw: Draw) -> Linear:
    def row(draw: Draw) -> tuple[Any, ...]:
        scope = draw.scope(0 if draw.random.random() < 0.1 else 1, 5)
        comparison = draw.random.choice(sorted(COMPARISONS))
        return [draw.random.randint(-3, 3) for _ in scope], scope, comparison, draw.random.randint(-6, 8)

    return Linear.of(draw.rows(row))


def minmax(draw: Draw) -> MinMax:
    return MinMax(draw.rows(lambda d: (d.random.choice(("minimum", "maximum")), d.scope(), *compared(d))))


def no_overlap(draw: Draw) -> NoOverlap:
    def row(draw: Draw) -> tuple[Any, ...]:
        boxes, size = draw.random.randint(0, 3), draw.random.randint(1, 2)
        origins, lengths = (tuple(draw.scope(size, size) for _ in range(boxes)) for _ in range(2))
        return origins, lengths, draw.random.random() < 0.5

    return NoOverlap(draw.rows(row))


def nvalues(draw: Draw) -> NValues:
    excepted = draw.distinct_numbers() if draw.random.random() < 0.4 else ()
    return NValues(draw.rows(lambda d: (d.scope(), excepted, *compared(d))))


def table(draw: Draw) -> Table:
    size, positive = draw.random.randint(1, 4), draw.random.random() < 0.6
    starred = draw.random.choice((0.0, 0.3))
    tuples = [
        [STAR if draw.random.random() < starred else draw.number() for _ in range(size)]
        for _ in range(draw.random.choice((0, 2, 5, 12)))
    ]
    return Table.of(draw.rows(lambda d: d.scope(size, size)), tuples, positive)


KINDS: dict[str, Callable[[Draw], Constraint]] = by_kind(globals())


def linear_objective(draw: Draw) -> LinearObjective:
    scope = draw.scope(0 if draw.random.random() < 0.1 else 1, 5)
    return LinearObjective.of({x: draw.coefficient() for x in scope}, draw.number(), draw.random.random() < 0.5)


def expression_objective(draw: Draw) -> ExpressionObjective:
    return ExpressionObjective.of(tree(draw, draw.random.randint(1, 3)), draw.random.random() < 0.5)


def soft_clauses(draw: Draw) -> SoftClauses:
    rows = [draw.scope(0 if draw.random.random() < 0.05 else 1, 3) for _ in range(draw.random.randint(0, 6))]
    return SoftClauses.of(
        (abs(draw.coefficient()) or 1, [draw.random.choice((1, -1)) * (x + 1) for x in row]) for row in rows
    )


OBJECTIVES: dict[str, Callable[[Draw], Objective]] = {
    ExpressionObjective.kind: expression_objective,
    LinearObjective.kind: linear_objective,
    SoftClauses.kind: soft_clauses,
}


def random_problem(kinds: Sequence[str], random: Random, objective: str = "") -> Instance[Problem]:
    """Draw a problem with one constraint of each of these kinds, and an objective of a kind, if one is named.

    Variables of clauses take only 0 and 1, and all variables if clauses are soft. An expression to be minimised is
    defined in every solution.
    """
    soft = objective == SoftClauses.kind
    boolean = {0, 1} if Clauses.kind in kinds else set()
    some = {0, 1} if soft else {*random.sample(NUMBERS, random.randint(2, MAX_NUMBERS)), *boolean}
    numbers = tuple(sorted(some))
    draw = Draw(random, random.randint(2, MAX_VARIABLES), numbers)
    constraints, goal = parts([KINDS[kind] for kind in kinds], objective, draw)
    values = BOOLEAN if soft else Integers(numbers)
    problem = Problem(" ".join(kinds), Numbered("x", draw.variables), values, tuple(constraints), objective=goal)
    literals = {abs(p) - 1 for c in constraints if isinstance(c, Clauses) for row in c.rows for p in row}
    domains = tuple(domain(draw, boolean if x in literals else set(numbers)) for x in range(draw.variables))
    return Instance(problem.name, problem, domains)


def parts(
    kinds: Iterable[Callable[[Draw], Constraint]], objective: str, draw: Draw
) -> tuple[list[Constraint], Objective | None]:
    """Draw a constraint of each kind, and an objective of a kind, if one is named, defined in every solution."""
    constraints = [kind(draw) for kind in kinds]
    goal = OBJECTIVES[objective](draw) if objective else None
    if isinstance(goal, ExpressionObjective):
        constraints.append(Expression((("eq", goal.tree, goal.tree),)))
    return constraints, goal


def reified_problem(random: Random) -> Instance[Problem]:
    """Draw comparisons of sums that Booleans state or imply, over 0 and 1 and small domains."""
    numbers = tuple(sorted({0, 1, *random.sample(NUMBERS, random.choice((0, 0, 1, 2)))}))
    draw = Draw(random, random.randint(2, 4), numbers)
    problem = Problem("reified", Numbered("x", draw.variables), Integers(numbers), (Expression(draw.rows(reified)),))
    allowed = [{0, 1}, *(random.choice(({0, 1}, set(numbers))) for _ in range(draw.variables - 1))]
    return Instance(problem.name, problem, tuple(domain(draw, each) for each in allowed))


def ranged_problem(random: Random, objective: str = "") -> Instance[Problem]:
    """Draw one or two kinds of constraint over small ranges, most of them far from 0, of a problem over wide ones."""
    base = random.choice((1, -1)) * (1 << random.choice(FAR)) + random.randint(-4, 4)
    window = range(base, base + random.randint(1, 3))
    numbers = tuple(sorted({*window, *random.sample(NUMBERS, random.randint(0, 2)), *((0, 1) * random.randint(0, 1))}))
    draw = Draw(random, random.randint(2, 4), numbers)
    kinds = random.sample(sorted({*KINDS, "reified"} - {Clauses.kind}), random.randint(1, 2))
    values = IntegerRange(range(numbers[0] - random.choice((0, 1, 1 << 20)), numbers[-1] + random.choice((2, 1 << 20))))
    domains = tuple(short_range(draw, values) for _ in range(draw.variables))
    while True:
        constraints, goal = parts([FAR_KINDS.get(kind) or KINDS[kind] for kind in kinds], objective, draw)
        problem = Problem("ranges", Numbered("x", draw.variables), values, tuple(constraints), objective=goal)
        every = (*constraints, goal)
        if not any(isinstance(part, Expression | ExpressionObjective) and part.too_long(problem) for part in every):
            return Instance(problem.name, problem, domains)


def far_sums(draw: Draw) -> Linear:
    """Draw sums with bounds near the numbers that they take."""

    def row(draw: Draw) -> tuple[Any, ...]:
        scope, size = draw.scope(1, 3), draw.random.choice(SIZES[:4])
        coefficients = [draw.random.randint(-size, size) for _ in scope]
        bound = sum(a * draw.random.choice(draw.numbers) for a in coefficients) + draw.random.choice((0, 0, 0, 1, -1))
        return coefficients, scope, draw.random.choice(sorted(COMPARISONS)), bound

    return Linear.of(draw.rows(row))


def short_range(draw: Draw, values: IntegerRange) -> int:
    """Draw a range of up to four numbers, near those of a draw."""
    first = values.numbers.index(draw.random.choice(draw.numbers))
    return bounded(first, min(first + draw.random.choice((0, 1, 1, 2, 3)), len(values) - 1))


FAR_KINDS: dict[str, Callable[[Draw], Constraint]] = {
    Linear.kind: far_sums,
    "reified": lambda draw: Expression(draw.rows(reified)),
}


def domain(draw: Draw, allowed: set[int]) -> int:
    """Draw a domain from allowed numbers: all, some, or one of them."""
    order = sorted(allowed)
    size = draw.random.choice((len(order), len(order), draw.random.randint(1, len(order))))
    return sum(1 << draw.numbers.index(n) for n in draw.random.sample(order, size))
