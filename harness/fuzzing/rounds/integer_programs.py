"""Integer programs whose rows a solver in floating point may misread: one function for each kind of row.

    equal    a sum of large numbers is equal to a bound, which a drawn point reaches or misses by one
    implied  a multiple of an integer is equal to the same multiple of a sum, so the others determine it
    linked   a quantity is 0 unless a Boolean is 1: at most a large multiple of it
    small    a row of small numbers

Reported for such: HiGHS 2325, 2328, 3034 and scipy 24141.
"""

from collections.abc import Sequence
from random import Random

from puzzles.constraints.linear import Linear
from puzzles.objectives.linear import LinearObjective
from puzzles.problem import Instance, Problem
from puzzles.readers.building import GrowingProblem

SIZES = (9, 10**4, 10**5, 333_333, 10**6, 10**7, 10**9, 1 << 53, 1 << 61)
WIDTH = 5  # numbers of a domain beside the least


def integer_program(random: Random) -> Instance[Problem]:
    """Draw a program of two to seven integers with one to three rows, and a sum to optimise."""
    made = GrowingProblem()
    for i in range(random.randint(2, 3)):
        least = random.choice((0, 0, 1, -3))
        made.new(f"x{i + 1}", ((least, least + random.randint(0, WIDTH)),))
    for row in random.sample((equal, implied, linked, small), random.randint(1, 3)):
        row(random, made)
    scope = random.sample(range(len(made.names)), random.randint(1, len(made.names)))
    largest = random.choice(SIZES[:5])
    goal = LinearObjective.of({x: nonzero(random, largest) for x in scope}, maximise=random.random() < 0.5)
    return made.instance("ip", goal)


def equal(random: Random, made: GrowingProblem) -> None:
    scope, size = scope_of(random, made), random.choice(SIZES)
    terms = [(nonzero(random, size), x) for x in scope]
    add(made, terms, "=", reached(random, made, terms) + random.choice((0, 0, 0, 1, -1)))


def implied(random: Random, made: GrowingProblem) -> None:
    scope, multiple = scope_of(random, made), nonzero(random, random.choice(SIZES))
    signs = [random.choice((1, -1)) for _ in scope]
    ends = [[sign * end for end in made.domains[x][0]] for sign, x in zip(signs, scope, strict=True)]
    y = made.new(f"y{len(made.names)}", ((sum(map(min, ends)) - 1, sum(map(max, ends)) + 1),))
    terms = [(multiple, y), *((-multiple * sign, x) for sign, x in zip(signs, scope, strict=True))]
    add(made, terms, "=", random.choice((0, 0, multiple, 1)))


def linked(random: Random, made: GrowingProblem) -> None:
    quantity = made.new(f"q{len(made.names)}", ((random.randint(0, 1), 1 + random.randint(0, WIDTH)),))
    switch = made.new(f"b{len(made.names)}", ((0, 1),))
    add(made, [(1, quantity), (-random.choice(SIZES), switch)], "<=", 0)


def small(random: Random, made: GrowingProblem) -> None:
    terms = [(nonzero(random, 9), x) for x in scope_of(random, made)]
    add(made, terms, random.choice(("<=", ">=")), reached(random, made, terms))


def scope_of(random: Random, made: GrowingProblem) -> list[int]:
    return random.sample(range(len(made.names)), random.randint(2, min(3, len(made.names))))


def nonzero(random: Random, largest: int) -> int:
    """Draw a number of the upper half below a size, or a small one."""
    least = largest // 2 if random.random() < 0.8 else 1
    return random.choice((1, -1)) * random.randint(max(1, least), largest)


def reached(random: Random, made: GrowingProblem, terms: Sequence[tuple[int, int]]) -> int:
    """Return the sum at a point of the domains."""
    return sum(a * random.randint(*made.domains[x][0]) for a, x in terms)


def add(made: GrowingProblem, terms: Sequence[tuple[int, int]], comparison: str, bound: int) -> None:
    made.add(Linear, ([a for a, _ in terms], [x for _, x in terms], comparison, bound))
