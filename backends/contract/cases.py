"""Small boards with known solution counts, on which the conformance suite tests every backend.

Brute force can check each case's count. Boards of one layout share the layout object, so that one session solves them
all and exposes state that leaks between asks. Degenerate layouts and arbitrary candidate sets are included because
fuzzing, or planted faults, showed that solvers fail on them. `kind_cases.py` holds the problems that are not boards.
"""

from dataclasses import dataclass

from puzzles.boards.families import layout
from puzzles.boards.layout import Layout
from puzzles.problem import Problem
from puzzles.problem.values import Domains


@dataclass(frozen=True)
class ProblemCase:
    """A problem with `total` solutions; `claim` states the property that a failing backend violates."""

    name: str
    claim: str
    problem: Problem
    domains: Domains
    total: int

    @property
    def givens_only(self) -> bool:
        """True if each variable is given or open: backends without `domains` accept no other case."""
        return all(mask == self.problem.full or mask.bit_count() == 1 for mask in self.domains)


@dataclass(frozen=True)
class BoardCase(ProblemCase):
    """A case whose problem is a board."""

    problem: Layout


def board(problem: Layout, text: str) -> Domains:
    """Return the domains of a line of text: '.' is an open square, digits count from 1."""
    return tuple(problem.full if c == "." else 1 << int(c) - 1 for c in text)


def by_hand(squares: int, values: int, *units: tuple[int, ...]) -> Layout:
    """Return a layout of `squares` squares and these values, of no family."""
    names = tuple(f"s{i}" for i in range(squares))
    return Layout(f"by hand {squares}/{values}", names, tuple(str(v + 1) for v in range(values)), units)


FOUR = layout("sudoku 2x2")
SIX = layout("sudoku 2x3")
NINE = layout("sudoku 3x3")
LATIN = layout("latin 3")
ONE_VALUE = by_hand(2, 1)
ONE_VALUE_CLASH = by_hand(2, 1, (0, 1))
EDGE = by_hand(3, 3, (0, 1), (1, 2))
CLIQUE = by_hand(4, 3, *((a, b) for a in range(4) for b in range(a)))
NO_UNITS = by_hand(2, 3)
SAME_UNITS = by_hand(3, 3, (0, 1, 2), (2, 0, 1), (1, 2))
EMPTY_UNIT = by_hand(2, 2, (), (0,), (0, 1))
REPEATED_UNIT = by_hand(2, 2, (0, 1), (0, 1))
ISOLATED = by_hand(3, 2, (0, 1))
SHORT_UNIT = by_hand(3, 4, (0, 1, 2))
SINGLES = by_hand(3, 1, (0,), (1,))
LONG_UNIT = by_hand(3, 2, (0, 1, 2))
WIDE = by_hand(3, 70, (0, 1, 2))

SOLVED_FOUR = "1234341221434321"
UNIQUE = ".3......9.9...5......1..573...7..8....3..9.....9.6.4...5.3.......1..76...8...4.21"
TWO = ".3...8...79...5......19.573.127..8....3..9.....9.6.4...5.3.......1.876.4.8...4.21"
NONE = "6.......9.9...5......1..573...7..8....3..9.....9.6.4...5.3.......1..76...8...4.21"
CLASH = "........5.2..........3..81..5......4.1......8........4.3..8.921.................."


def case_4x4(name: str, claim: str, text: str, total: int) -> BoardCase:
    return BoardCase(name, claim, FOUR, board(FOUR, text), total)


def case_9x9(name: str, claim: str, text: str, total: int) -> BoardCase:
    return BoardCase(name, claim, NINE, board(NINE, text), total)


CHAIN = (0b0011, 0b0110, *(FOUR.full,) * 14)
PENCIL = (0b0011, 0b0011, *(FOUR.full,) * 12, 0b0110, 0b0101)

CASES = (
    case_4x4("4x4 unique", "finds the one solution", "..4.2.......41..", 1),
    case_4x4("4x4 empty", "finds one solution of an empty board, and all of them", "." * 16, 288),
    case_4x4("4x4 solved", "returns a solved board unchanged", SOLVED_FOUR, 1),
    case_4x4("4x4 solved wrongly", "detects that a full board breaks a rule", "1" + SOLVED_FOUR[1:15] + "2", 0),
    case_4x4("4x4 clash", "detects two equal givens in a row", "11" + "." * 14, 0),
    case_4x4("4x4 hidden clash", "detects a board without solutions whose givens do not clash", "123....4........", 0),
    case_4x4("4x4 two", "distinguishes two solutions from one", "1...2....21.41.3", 2),
    BoardCase("4x4 pencil marks", "respects domains that are neither given nor open", FOUR, PENCIL, 12),
    BoardCase("4x4 chained candidates", "keeps both candidates of a square, whatever its peers hold", FOUR, CHAIN, 72),
    BoardCase("4x4 empty domain", "finds no solution where a square has no candidate", FOUR, (0, *FOUR.open[1:]), 0),
    BoardCase(
        "6x6 unique", "supports boxes that are not square", SIX, board(SIX, "1...4.5..1....246......3.......54..."), 1
    ),
    case_9x9("9x9 unique", "searches, and proves that the solution is unique", UNIQUE, 1),
    case_9x9("9x9 two", "distinguishes two solutions from one", TWO, 2),
    case_9x9("9x9 none", "searches a board without solutions exhaustively", NONE, 0),
    case_9x9("9x9 clash", "detects two equal givens in a box and a column", CLASH, 0),
    BoardCase("Latin 3", "supports rows and columns without boxes", LATIN, LATIN.open, 12),
    BoardCase("Latin 3, given", "supports rows and columns without boxes", LATIN, board(LATIN, "1...1...."), 2),
    BoardCase("one value", "supports a board of one value", ONE_VALUE, ONE_VALUE.open, 1),
    BoardCase("one value twice", "detects a clash on a board of one value", ONE_VALUE_CLASH, ONE_VALUE_CLASH.open, 0),
    BoardCase("short units", "does not require every value in a unit shorter than the values", EDGE, EDGE.open, 12),
    BoardCase("short units, empty domain", "finds no solution where a square has no candidate", EDGE, (0, 7, 7), 0),
    BoardCase("clique", "detects that four vertices need four colours", CLIQUE, CLIQUE.open, 0),
    BoardCase("no units", "allows any value in squares without units", NO_UNITS, NO_UNITS.open, 9),
    BoardCase("no units, restricted", "respects the domains of squares without units", NO_UNITS, (0b101, 0b010), 2),
    BoardCase("same units", "supports units that share all squares", SAME_UNITS, SAME_UNITS.open, 6),
    BoardCase("empty unit", "supports units of no square and of one", EMPTY_UNIT, EMPTY_UNIT.open, 2),
    BoardCase("empty unit, given", "supports units of no square and of one", EMPTY_UNIT, (0b10, 0b11), 1),
    BoardCase("repeated unit", "supports a repeated unit", REPEATED_UNIT, REPEATED_UNIT.open, 2),
    BoardCase("isolated square", "supports a square without units beside others", ISOLATED, ISOLATED.open, 4),
    BoardCase(
        "short unit, restricted",
        "does not force a value into its last square in a unit shorter than the values",
        SHORT_UNIT,
        (3, 5, 12),
        4,
    ),
    BoardCase(
        "one value, units of one", "supports units of one square on a board of one value", SINGLES, SINGLES.open, 1
    ),
    BoardCase("long unit", "detects that a unit has more squares than values", LONG_UNIT, LONG_UNIT.open, 0),
    BoardCase("70 values", "supports more values than a machine word has bits", WIDE, (1 << 69 | 1, 1 << 69, 3), 1),
)
