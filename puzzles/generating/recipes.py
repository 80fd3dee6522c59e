"""Recipes of the shipped corpora: the puzzles of each, and their comments and directives.

Each part of a corpus of boards states its layout and claims about its puzzles; a part marked hard may cost a good
solver more than a minute. `indices` select puzzles of the series by difficulty: the hard 16x16 boards cost the
reference 25,000 branchings or more; those of `phase` were measured (see README.md).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Part:
    """Puzzles of one layout and kind.

    puzzles     number of puzzles from the start of the series; `indices`, if any, select the puzzles instead
    directives  follow the layout in the `#:` line
    """

    layout: str
    kind: str
    puzzles: int = 0
    directives: str = ""
    alphabet: str | None = None
    options: Mapping[str, int] = field(default_factory=dict)
    indices: tuple[int, ...] = ()


@dataclass(frozen=True)
class Boards:
    """A corpus of boards, one per line. `comments` are its title and difficulty."""

    comments: tuple[str, ...]
    parts: tuple[Part, ...]
    seed: int = 1


@dataclass(frozen=True)
class Colouring:
    """A graph file. `graph` is a name in GRAPHS and its numbers; `count` is written as in the file."""

    comments: tuple[str, ...]
    graph: tuple[str | int, ...]
    colours: int
    count: str
    seed: int = 1
    hard: bool = False


@dataclass(frozen=True)
class StatedBoards(Boards):
    """A corpus of boards that each state their family, such as killer Sudoku; a part's directives are its kind's."""


Recipe = Boards | Colouring


PHASE = "each was seen to cost CaDiCaL or CP-SAT 1 to 100 seconds; see README.md"
SYMBOLS = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def latin(n: int, kind: str, puzzles: int, directives: str, **options: int) -> Part:
    """Return a part of Latin squares, with digits and letters as values up to order 35."""
    return Part(f"latin {n}", kind, puzzles, directives, SYMBOLS[:n] if 9 < n <= len(SYMBOLS) else None, options)


def quasigroups(n: int, puzzles: int) -> Part:
    """Return a part of Latin squares with 42 % holes, where completion is hardest."""
    return latin(n, "holes", puzzles, "count 1+, hard", percent=42)


def mycielski(k: int, colours: int, difficulty: str) -> Colouring:
    title = f"myciel{k}, Mycielski's graph without triangles: chromatic number {k + 1}, here with {colours} colours"
    return colouring(title, ("mycielski", k), colours, "1+" if colours > k else "0", difficulty)


def queen(n: int, chromatic: int, colours: int, difficulty: str) -> Colouring:
    title = f"queen{n}_{n}, queens on a {n}x{n} board: chromatic number {chromatic}, here with {colours} colours"
    return colouring(title, ("queen", n), colours, "1+" if colours >= chromatic else "0", difficulty)


def planted(n: int, colours: int, edges: int, seed: int) -> Colouring:
    title = f"A random graph that {colours} colours were hidden in: {n} vertices, {edges} edges"
    return colouring(title, ("planted", n, colours, edges), colours, "1+", PHASE, seed)


def colouring(
    title: str, graph: tuple[str | int, ...], colours: int, count: str, difficulty: str, seed: int = 1
) -> Colouring:
    return Colouring((title, f"Difficulty: {difficulty}"), graph, colours, count, seed, difficulty != "easy")


NINE = "sudoku 3x3"
SIXTEEN = SYMBOLS[:16]
TWENTY_FIVE = "ABCDEFGHIJKLMNOPQRSTUVWXY"

RECIPES: dict[str, Recipe] = {
    "easy.txt": Boards(
        ("Sudoku that singles alone solve", "Difficulty: easy"),
        (Part(NINE, "easy", 100, "count 1"),),
    ),
    "minimal.txt": Boards(
        ("Minimal Sudoku: opening any given lets in a second solution", "Difficulty: as it comes, easy to medium"),
        (Part(NINE, "minimal", 100, "count 1"),),
    ),
    "hard.txt": Boards(
        (
            "Sudoku by search effort: minimal, and 60 branchings or more with naked and hidden singles alone",
            "Difficulty: hard for search, whatever it is for people",
        ),
        (Part(NINE, "hard", 50, "count 1", options={"effort": 60}),),
    ),
    "unsolvable.txt": Boards(
        (
            "Sudoku without a solution: equal givens in a unit, then refuted by singles, then by search alone",
            "Difficulty: easy to medium",
        ),
        tuple(Part(NINE, "unsolvable", n, "count 0", options={"way": way}) for way, n in ((1, 6), (2, 7), (3, 7))),
    ),
    "several.txt": Boards(
        ("Boards with more than one solution; counts are exact up to 100", "Difficulty: easy"),
        (Part(NINE, "several", 16), Part("sudoku 2x3", "several", 4), Part("latin 7", "several", 4)),
    ),
    "sudoku-16.txt": Boards(
        (
            "Sudoku 16x16: ten that singles alone solve, then ten minimal ones",
            "Difficulty: easy, and from the line marked hard on, 25,000 branchings or more with singles alone",
        ),
        (
            Part("sudoku 4x4", "easy", 10, "count 1", SIXTEEN),
            Part("sudoku 4x4", "minimal", 0, "count 1, hard", SIXTEEN, indices=(5, 13, 21, 31, 34, 42, 43, 46, 51, 52)),
        ),
    ),
    "sudoku-25.txt": Boards(
        (
            "Sudoku 25x25: six that singles alone solve, then six with 56 holes in a hundred",
            "Difficulty: easy, and from the line marked hard on, beyond search with singles alone",
        ),
        (
            Part("sudoku 5x5", "easy", 6, "count 1", TWENTY_FIVE),
            Part("sudoku 5x5", "holes", 6, "count 1+, hard", TWENTY_FIVE, {"percent": 56}),
        ),
    ),
    "latin.txt": Boards(
        (
            "Latin squares of order 5 to 35: twelve that singles alone solve, then twelve with 42 holes in a hundred",
            "Difficulty: easy, and from the line marked hard on, beyond search with singles alone",
        ),
        (
            *(latin(n, "easy", 2, "count 1") for n in (5, 7, 9, 10, 15)),
            *(latin(n, "easy", 1, "count 1") for n in (20, 25)),
            *(quasigroups(n, 4) for n in (30, 32, 35)),
        ),
        seed=2,
    ),
    "phase.txt": Boards(
        (
            "At the phase transition: Latin squares of order 30 to 40 with 42 holes in a hundred, and Sudoku 36x36",
            f"Difficulty: {PHASE}",
        ),
        (
            *(quasigroups(n, 2) for n in (30, 35, 40)),
            Part("sudoku 6x6", "holes", 2, "count 1+, hard", options={"percent": 50}),
            Part("sudoku 6x6", "holes", 1, "count 1+, hard", options={"percent": 56}),
        ),
    ),
    "killer.txt": StatedBoards(
        (
            "Killer Sudoku without givens: cages of up to 3, 5 and 8 squares, merged while the solution is unique",
            "Difficulty: easy to hard, in this order",
        ),
        (
            Part("killer 2x3", "easy", 10),
            Part("killer 3x3", "easy", 30),
            Part("killer 3x3", "minimal", 40),
            Part("killer 3x3", "hard", 20),
        ),
    ),
    "kakuro.txt": StatedBoards(
        (
            "Kakuro: with short runs, which propagation of sums alone solves, then larger ones with longer runs",
            "Difficulty: easy to medium, in this order",
        ),
        (
            Part("kakuro 6x6", "easy", 15),
            Part("kakuro 9x9", "easy", 30),
            Part("kakuro 9x9", "hard", 30),
            Part("kakuro 12x12", "hard", 25),
        ),
    ),
    "myciel3.col": mycielski(3, 4, "easy"),
    "myciel3-short.col": mycielski(3, 3, "easy"),
    "myciel4.col": mycielski(4, 5, "easy"),
    "myciel4-short.col": mycielski(4, 4, "easy"),
    "myciel5.col": mycielski(5, 6, "easy"),
    "queen5_5.col": queen(5, 5, 5, "easy"),
    "queen5_5-short.col": queen(5, 5, 4, "easy"),
    "queen6_6.col": queen(6, 7, 7, "easy"),
    "queen7_7.col": queen(7, 7, 7, "easy"),
    "map.col": colouring(
        "A planar map of 60 countries, stacked triangles: four colours, in one way up to their names",
        ("stacked", 60),
        4,
        "24",
        "easy",
    ),
    "phase-planted-1.col": planted(200, 4, 860, 1),
    "phase-planted-2.col": planted(200, 4, 860, 2),
    "phase-planted-3.col": planted(200, 4, 860, 3),
    "phase-queen8_8.col": queen(8, 9, 9, PHASE),
    "phase-myciel5.col": mycielski(5, 5, PHASE),
}


def find_recipe(name: str) -> str | None:
    """Return the file name of the corpus with a name such as `easy`, `easy.txt` or `myciel3`, or None."""
    return next((known for known in RECIPES if name in (known, known.rpartition(".")[0])), None)
