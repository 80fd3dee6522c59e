"""Random layouts of many kinds, and variants of a layout with the same solutions.

A contender that refuses a layout as unsupported is not asked further layouts of the same `shape`. Openings that fail
for another reason are counted per problem, not per shape.
"""

from collections.abc import Callable
from dataclasses import replace
from random import Random

from puzzles.boards.families import layout as named
from puzzles.boards.layout import Layout
from puzzles.problem import Problem
from puzzles.problem.values import Solution

SUDOKU = ("1x2", "1x3", "1x4", "2x1", "2x2", "2x2", "2x3", "3x2", "2x4", "3x3", "3x3", "3x3")
WIDTHS = (7, 8, 15, 16, 31, 32, 53, 63, 64)  # bits
MAX_VALUES = 70  # more than the bits of a machine word


def by_hand(name: str, squares: int, values: int, units: tuple[tuple[int, ...], ...]) -> Layout:
    """Return a layout outside all families."""
    return Layout(name, tuple(f"s{s}" for s in range(squares)), tuple(str(v + 1) for v in range(values)), units)


def sudoku(random: Random, name: str) -> Layout:
    return named(f"sudoku {random.choice(SUDOKU)}")


def latin(random: Random, name: str) -> Layout:
    return named(f"latin {random.randint(1, 6)}")


def colouring(random: Random, name: str) -> Layout:
    """Draw a random graph; its edges are units shorter than the values."""
    vertices, density = random.randint(2, 14), random.uniform(0.1, 0.7)
    edges = [(a, b) for b in range(vertices) for a in range(b) if random.random() < density]
    return by_hand(name, vertices, random.randint(2, 5), tuple(edges))


def units(random: Random, name: str) -> Layout:
    """Draw units of any length, empty ones and ones longer than the values included; some repeat another's squares."""
    squares, values = random.randint(1, 12), random.choice((1, 2, 2, 3, 3, 4, 5, 6, 9))
    longest = min(squares, values + (random.random() < 0.1))
    drawn = [tuple(random.sample(range(squares), random.randint(0, longest))) for _ in range(random.randint(0, 8))]
    again = [tuple(random.sample(unit, len(unit))) for unit in drawn if random.random() < 0.15]
    shorter = [unit[1:] for unit in drawn if random.random() < 0.1]
    return by_hand(name, squares, values, tuple(dict.fromkeys(drawn + again + shorter)))


def one_value(random: Random, name: str) -> Layout:
    squares = random.randint(1, 4)
    return by_hand(name, squares, 1, tuple((s,) for s in range(squares)) if random.random() < 0.7 else ((), (0,)))


def many_values(random: Random, name: str) -> Layout:
    squares = random.randint(2, 5)
    return by_hand(name, squares, random.randint(60, MAX_VALUES), (tuple(range(squares)), (0, 1)))


KINDS: tuple[tuple[int, Callable[[Random, str], Layout]], ...] = (
    (40, sudoku),
    (12, latin),
    (18, colouring),
    (24, units),
    (4, one_value),
    (2, many_values),
)


def random_layout(random: Random, name: str) -> Layout:
    """Draw a random layout of a random kind."""
    weights, kinds = zip(*KINDS, strict=True)
    kind: Callable[[Random, str], Layout] = random.choices(kinds, weights)[0]
    return kind(random, name)


def shape(problem: Problem) -> str:
    """Return the properties that decide support by a backend: family and parameters, number of values, or kinds."""
    if not isinstance(problem, Layout):
        kinds = ", ".join(sorted({c.kind for c in problem.constraints}))
        return f"{kinds} over {min(len(problem.values), 3)} values{goal_shape(problem)}"
    return problem.name if problem.name.startswith(("sudoku", "latin")) else f"by hand, {len(problem.values)} values"


def goal_shape(problem: Problem) -> str:
    """Return the kind of an objective and the width of the greatest of its values, in words of machines."""
    goal = problem.objective
    if goal is None:
        return ""
    bits = max(abs(end).bit_length() for end in goal.bounds(problem.open, problem))
    width = next((width for width in WIDTHS if bits <= width), "more")
    return f", {'maximise' if goal.maximise else 'minimise'} {goal.kind} of {width} bits"


def with_implied_unit(layout: Layout, random: Random, name: str) -> Layout:
    """Return the layout with one more unit, a subset of another unit, which leaves the solutions unchanged."""
    long = [unit for unit in layout.units if len(unit) > 1]
    if not long:
        return replace(layout, name=name, units=(*layout.units, ()))
    unit = random.choice(long)
    part = tuple(random.sample(unit, random.randint(1, len(unit))))
    return replace(layout, name=name, units=(*layout.units, part))


def permuted(layout: Layout, to: Solution, random: Random, name: str) -> Layout:
    """Return the isomorphic layout with square s at to[s] and its units in another order."""
    units = [tuple(random.sample([to[s] for s in unit], len(unit))) for unit in layout.units]
    random.shuffle(units)
    return replace(layout, name=name, units=tuple(units))
