"""Rounds of boards: layouts, boards on each, and the mappings between related boards.

    base    a board drawn from a solution, if the layout has one, by leaving givens out
    group   a base and its variants: a given removed, altered or added, a symmetric image, an implied unit, ...
    frame   the mapping from the base to a board of its group: of squares by `square_map`, of values by `value_map`,
            which is a range from 0 if values stay

Frames map a solution of one board to solutions of the other boards of its group, if their givens allow it. So a checked
solution of any contender is evidence on all variants (metamorphic testing).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from harness.fuzzing.counting import count
from harness.fuzzing.rounds import layouts
from puzzles.boards.families import family_of
from puzzles.boards.layout import Layout
from puzzles.problem import Problem
from puzzles.problem.values import Domains, Solution, bits

GROUPS = 10  # per layout
MAX_PLACEMENTS = 40_000  # placements of the search for a solution, divided by the number of squares
COUNTS = (1, 2, 2, 2, 3, 5)


@dataclass(frozen=True)
class Frame:
    """Mapping of the squares and values of a group's base to those of a board."""

    square_map: Solution
    value_map: Sequence[int]

    def board(self, domains: Domains) -> Domains:
        """Map the base's domains to this board."""
        image = [0] * len(domains)
        for s, mask in enumerate(domains):
            image[self.square_map[s]] = sum(1 << self.value_map[v] for v in bits(mask))
        return tuple(image)

    def solution(self, solution: Solution) -> Solution:
        """Map a solution of the base to this board."""
        image = [0] * len(solution)
        for s, v in enumerate(solution):
            image[self.square_map[s]] = self.value_map[v]
        return tuple(image)

    def to_base(self, solution: Solution) -> Solution:
        """Map a solution of this board to the base."""
        if isinstance(self.value_map, range):
            return tuple(solution[s] for s in self.square_map)
        value = {w: v for v, w in enumerate(self.value_map)}
        return tuple(value[solution[self.square_map[s]]] for s in range(len(solution)))


@dataclass(frozen=True)
class AskedBoard:
    """Domains to ask for, with the board's group, the frame from the group's base, and its relation to the base."""

    domains: Domains
    group: int
    frame: Frame
    relation: str = ""


@dataclass(frozen=True)
class FuzzBlock:
    """Boards of one problem, asked in order in one session."""

    problem: Problem
    boards: tuple[AskedBoard, ...]


@dataclass(frozen=True)
class Round:
    """Problems with their boards, each asked for `count` solutions."""

    blocks: tuple[FuzzBlock, ...]
    count: int

    @property
    def size(self) -> int:
        """Number of boards."""
        return sum(len(block.boards) for block in self.blocks)

    def block_of(self, number: int) -> tuple[FuzzBlock, int]:
        """Return the block of a board, and the number of the block's first board. Numbers begin with 1."""
        first = 1
        for block in self.blocks:
            if number < first + len(block.boards):
                return block, first
            first += len(block.boards)
        raise LookupError(f"no board {number}")

    def boards(self) -> Iterator[tuple[Problem, AskedBoard]]:
        """Yield all boards with their problems, in the order of their numbers."""
        for block in self.blocks:
            for board in block.boards:
                yield block.problem, board


@dataclass(frozen=True)
class Scope:
    """Limits of random rounds: a fixed layout or any layout, solution counts, pencil marks or only givens.

    problems   kind of problem other than boards, for all rounds; None: rounds of boards and of such problems alternate
    decided    some contender takes problems without an objective
    optimised  some contender takes problems with one, which then have rounds of their own
    only       the layout that some contender is limited to, which then has rounds of its own
    """

    layout: Layout | None = None
    counts: tuple[int, ...] = COUNTS
    marks: bool = True
    problems: str | None = None
    decided: bool = True
    optimised: bool = False
    only: Layout | None = None


ANYTHING = Scope()


def identity(layout: Layout) -> Frame:
    return Frame(tuple(range(len(layout.squares))), tuple(range(len(layout.values))))


def draw_base(layout: Layout, solution: Solution | None, random: Random) -> Domains:
    """Draw domains that tend to have few solutions: some givens of `solution`, some pencil marks."""
    full, size = layout.full, len(layout.squares)
    given_share = random.uniform(0.2, 0.6) if size > 40 else random.uniform(0, 1)
    mark_share = random.choice((0.0, 0.0, 0.3, 1.0))
    domains = []
    for s in range(size):
        given = 0 if solution is None else 1 << solution[s]
        if random.random() < given_share:
            domains.append(given or 1 << random.randrange(len(layout.values)))
        elif random.random() < mark_share:
            domains.append(given | random.getrandbits(len(layout.values)) or full)
        else:
            domains.append(full)
    return tuple(domains)


def variants(layout: Layout, domains: Domains, solution: Solution | None, random: Random) -> Iterator[Domains]:
    """Yield boards that differ in one square: a domain opened, changed, fixed, or (rarely) emptied."""
    size, values = len(domains), len(layout.values)

    def with_mask(s: int, mask: int) -> Domains:
        return (*domains[:s], mask, *domains[s + 1 :])

    constrained = [s for s, mask in enumerate(domains) if mask != layout.full]
    for s in random.sample(constrained, min(2, len(constrained))):
        yield with_mask(s, layout.full)
        yield with_mask(s, 1 << random.randrange(values))
    for s in random.sample(range(size), min(2, size)):
        yield with_mask(s, 1 << (random.randrange(values) if solution is None else solution[s]))
        yield with_mask(s, domains[s] & ~(1 << random.randrange(values)) or layout.full)
    if random.random() < 0.1:
        yield with_mask(random.randrange(size), 0)
    yield domains


def without_marks(layout: Layout, domains: Domains) -> Domains:
    """Remove the pencil marks of a board, which keeps all its solutions."""
    return tuple(mask if mask.bit_count() == 1 else layout.full for mask in domains)


def random_symmetry(layout: Layout, random: Random) -> Frame:
    """Draw a random symmetry of the layout and a random renaming of its values."""
    family = family_of(layout)
    to = family.symmetry(layout, random) if family else tuple(range(len(layout.squares)))
    return Frame(to, tuple(random.sample(range(len(layout.values)), len(layout.values))))


def draw_boards(seed: int, number: int, scope: Scope = ANYTHING) -> Round:
    """Draw round `number`: a layout with boards and, unless it is fixed, two related layouts with some of them."""
    random = Random(f"{seed}/{number}")
    name = f"by hand {seed}.{number}"
    layout = scope.layout or layouts.random_layout(random, name)
    nodes = MAX_PLACEMENTS // len(layout.squares)
    unmoved, boards = identity(layout), list[AskedBoard]()
    solution: Solution | None = None
    for group in range(GROUPS):
        if group % 3 == 0:
            found = count(layout, layout.open, 1, nodes, random).solutions
            solution = found[0] if found else solution
        domains = draw_base(layout, solution if random.random() < 0.95 else None, random)
        boards.append(AskedBoard(domains, group, unmoved))
        boards += [AskedBoard(d, group, unmoved) for d in variants(layout, domains, solution, random)]
        image_frame = random_symmetry(layout, random)
        boards.append(AskedBoard(image_frame.board(domains), group, image_frame))
    if not scope.marks:
        boards = [AskedBoard(without_marks(layout, b.domains), b.group, b.frame) for b in boards]
    random.shuffle(boards)
    drawn = FuzzBlock(layout, tuple(boards))
    if scope.layout:
        return Round((drawn,), random.choice(scope.counts))
    sample = random.sample(boards, len(boards) // 5)
    implied = FuzzBlock(layouts.with_implied_unit(layout, random, f"{name}+"), tuple(sample))
    size = len(layout.squares)
    to = tuple(random.sample(range(size), size))
    move = Frame(to, unmoved.value_map)
    moved = tuple(AskedBoard(move.board(b.domains), b.group, permuted_frame(b.frame, to)) for b in sample)
    permuted = FuzzBlock(layouts.permuted(layout, to, random, f"{name}~"), moved)
    return Round((drawn, implied, permuted), random.choice(scope.counts))


def permuted_frame(frame: Frame, to: Solution) -> Frame:
    """Return the frame followed by a permutation of all squares."""
    return Frame(tuple(to[s] for s in frame.square_map), frame.value_map)
