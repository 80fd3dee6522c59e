"""Rounds of boards: layouts, boards on each, and what each board has to do with others.

    base    a board drawn from a solution, where the layout has one, by leaving givens out
    group   a base and its variants: a given removed, altered or added, a symmetric image, an implied unit, ...
    frame   how a board lies in its group: square s of the base is square `to[s]`, value v is value `as_[v]`

Solutions of one board of a group, taken through the frames, are solutions of others, where their givens allow: so any
contender's checked solution is evidence on all variants, and no verdict or count may move but as it must.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from harness.fuzzing import layouts
from harness.fuzzing.counting import count
from puzzles.families import family_of
from puzzles.layout import Domains, Layout, Solution, bits

BASES = 10  # on a layout
NODES = 40_000  # placements that finding a solution may take, shared out among the squares
COUNTS = (1, 2, 2, 2, 3, 5)


@dataclass(frozen=True)
class Frame:
    """Where the squares and values of a group's base are on a board."""

    to: Solution
    as_: Solution

    def board(self, domains: Domains) -> Domains:
        """The base's domains as this board has them."""
        image = [0] * len(domains)
        for s, mask in enumerate(domains):
            image[self.to[s]] = sum(1 << self.as_[v] for v in bits(mask))
        return tuple(image)

    def solution(self, solution: Solution) -> Solution:
        """A solution of the base as this board has it."""
        image = [0] * len(solution)
        for s, v in enumerate(solution):
            image[self.to[s]] = self.as_[v]
        return tuple(image)

    def back(self, solution: Solution) -> Solution:
        """A solution of this board as the base has it."""
        value = {w: v for v, w in enumerate(self.as_)}
        return tuple(value[solution[self.to[s]]] for s in range(len(solution)))


@dataclass(frozen=True)
class Board:
    """One ask."""

    domains: Domains
    group: int
    frame: Frame


@dataclass(frozen=True)
class Sheet:
    """Boards of one layout, asked one after another in one session."""

    problem: Layout
    boards: tuple[Board, ...]


@dataclass(frozen=True)
class Round:
    """A few related layouts with their boards, each to be asked for `count` solutions."""

    sheets: tuple[Sheet, ...]
    count: int

    def boards(self) -> Iterator[tuple[Layout, Board]]:
        """All boards, in the order of their numbers."""
        for sheet in self.sheets:
            for board in sheet.boards:
                yield sheet.problem, board


@dataclass(frozen=True)
class Scope:
    """What is drawn: any layout or one, how many solutions are asked for, and whether there are pencil marks."""

    layout: Layout | None = None
    counts: tuple[int, ...] = COUNTS
    marks: bool = True


ANYTHING = Scope()


def identity(layout: Layout) -> Frame:
    return Frame(tuple(range(len(layout.squares))), tuple(range(len(layout.values))))


def base(layout: Layout, solution: Solution | None, random: Random) -> Domains:
    """Domains near the boundary between none, one and several: some givens of a solution, some pencil marks."""
    full, size = layout.full, len(layout.squares)
    kept = random.uniform(0.2, 0.6) if size > 40 else random.uniform(0, 1)
    marked = random.choice((0.0, 0.0, 0.3, 1.0))
    domains = []
    for s in range(size):
        right = 0 if solution is None else 1 << solution[s]
        if random.random() < kept:
            domains.append(right or 1 << random.randrange(len(layout.values)))
        elif random.random() < marked:
            domains.append(right | random.getrandbits(len(layout.values)) or full)
        else:
            domains.append(full)
    return tuple(domains)


def variants(layout: Layout, domains: Domains, solution: Solution | None, random: Random) -> Iterator[Domains]:
    """Boards that differ from one in one square: a mark or given gone, altered, added, and rarely nothing left."""
    size, values = len(domains), len(layout.values)

    def at(s: int, mask: int) -> Domains:
        return (*domains[:s], mask, *domains[s + 1 :])

    given = [s for s, mask in enumerate(domains) if mask != layout.full]
    for s in random.sample(given, min(2, len(given))):
        yield at(s, layout.full)
        yield at(s, 1 << random.randrange(values))
    for s in random.sample(range(size), min(2, size)):
        yield at(s, 1 << (random.randrange(values) if solution is None else solution[s]))
        yield at(s, domains[s] & ~(1 << random.randrange(values)) or layout.full)
    if random.random() < 0.1:
        yield at(random.randrange(size), 0)
    yield domains


def plain(layout: Layout, domains: Domains) -> Domains:
    """A board whose pencil marks are taken away, so that all its solutions stay."""
    return tuple(mask if mask.bit_count() == 1 else layout.full for mask in domains)


def symmetric(layout: Layout, random: Random) -> Frame:
    """A random symmetry of the layout, with its values renamed."""
    family = family_of(layout)
    to = family.symmetry(layout, random) if family else tuple(range(len(layout.squares)))
    return Frame(to, tuple(random.sample(range(len(layout.values)), len(layout.values))))


def fresh_round(seed: int, number: int, scope: Scope = ANYTHING) -> Round:
    """The round of that number: a layout with its boards, and two relatives of it with some of them."""
    random = Random(f"{seed}/{number}")
    name = f"by hand {seed}.{number}"
    layout = scope.layout or layouts.draw(random, name)
    nodes = NODES // len(layout.squares)
    still, boards = identity(layout), list[Board]()
    solution: Solution | None = None
    for group in range(BASES):
        if group % 3 == 0:
            found = count(layout, layout.open, 1, nodes, random).solutions
            solution = found[0] if found else solution
        domains = base(layout, solution if random.random() < 0.95 else None, random)
        boards.append(Board(domains, group, still))
        boards += [Board(d, group, still) for d in variants(layout, domains, solution, random)]
        turned = symmetric(layout, random)
        boards.append(Board(turned.board(domains), group, turned))
    if not scope.marks:
        boards = [Board(plain(layout, b.domains), b.group, b.frame) for b in boards]
    random.shuffle(boards)
    some = random.sample(boards, len(boards) // 5)
    more = Sheet(layouts.implied(layout, random, f"{name}+"), tuple(some))
    size = len(layout.squares)
    to = tuple(random.sample(range(size), size))
    mixed = tuple(Board(Frame(to, still.as_).board(b.domains), b.group, onto(b.frame, to)) for b in some)
    sheets = (Sheet(layout, tuple(boards)), more, Sheet(layouts.moved(layout, to, random, f"{name}~"), mixed))
    return Round(sheets, random.choice(scope.counts))


def onto(frame: Frame, to: Solution) -> Frame:
    """The frame, followed by a move of all squares."""
    return Frame(tuple(to[s] for s in frame.to), frame.as_)
