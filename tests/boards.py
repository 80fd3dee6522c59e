"""Random small boards for property tests, and named boards used by several test modules."""

from hypothesis import strategies as st

from backends.contract.cases import by_hand
from puzzles.boards.layout import Layout
from puzzles.problem.values import Domains

EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"  # the solution of EASY
NORVIG = (  # the first three of hardest.txt
    "85...24..72......9..4.........1.7..23.5...9...4...........8..7..17..........36.4.",
    "..53.....8......2..7..1.5..4....53...1..7...6..32...8..6.5....9..4....3......97..",
    "12..4......5.69.1...9...5.........7.7...52.9..3......2.9.6...5.4..9..8.1..3...9.4",
)
INKALA = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."  # 2012
SLOW = "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9"  # for first-open-square
EQUAL_GIVENS = "55" + "." * 79


@st.composite
def layouts(draw: st.DrawFn, values: int = 4, squares: int = 5) -> Layout:
    """Draw a layout of few squares, with empty, single, short, long and repeated units in any order."""
    size, count = draw(st.integers(1, squares)), draw(st.integers(1, values))
    unit = st.lists(st.integers(0, size - 1), max_size=size, unique=True).map(tuple)
    return by_hand(size, count, *tuple(draw(st.lists(unit, max_size=5))))


@st.composite
def boards(draw: st.DrawFn, values: int = 4, most: int = 3, squares: int = 5) -> tuple[Layout, list[Domains]]:
    """Draw a layout and up to `most` boards on it, to be asked in order."""
    layout = draw(layouts(values, squares))
    mask = st.one_of(st.just(layout.full), st.integers(0, layout.full))
    board = st.tuples(*[mask] * len(layout.squares))
    return layout, draw(st.lists(board, min_size=1, max_size=most))


@st.composite
def one_board(draw: st.DrawFn) -> tuple[Layout, Domains]:
    """Draw a layout of up to six squares and four values, and a board with any candidates on it."""
    layout = draw(layouts(squares=6))
    return layout, draw(st.tuples(*[st.integers(0, layout.full)] * len(layout.squares)))
