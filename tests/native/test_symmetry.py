"""Breaking the symmetry of values: it saves clashes, loses no answer, and claims no more than was searched."""

from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from backends.contract.answer import Ask, Status
from backends.native.engine.session import EngineSession
from encoders.formula import AllDifferent
from puzzles.boards.families import colouring, layout
from puzzles.formats import read
from tests.brute_force import solutions
from tests.effort import examples

TRIANGLE = AllDifferent(3, 3, ((0, 1, 2),))


@st.composite
def graphs(draw: st.DrawFn) -> tuple[int, int, list[tuple[int, int]], list[int]]:
    """Colours, vertices, edges, and domains of few kinds, so that values are often interchangeable."""
    colours, vertices = draw(st.integers(1, 4)), draw(st.integers(1, 6))
    pairs = [(i, j) for j in range(vertices) for i in range(j)]
    edges = draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    open_ = (1 << colours) - 1
    kinds = st.sampled_from(draw(st.lists(st.integers(1, open_), min_size=1, max_size=2)) + [open_] * 2)
    return colours, vertices, edges, draw(st.lists(kinds, min_size=vertices, max_size=vertices))


@settings(max_examples=examples(200), deadline=None)
@given(graphs())
def test_one_solution_is_found_if_there_is_one(case: tuple[int, int, list[tuple[int, int]], list[int]]) -> None:
    colours, vertices, edges, domains = case
    there = solutions(colouring.graph(colours, vertices, edges), tuple(domains))
    a = EngineSession(AllDifferent(vertices, colours, tuple(edges))).ask(Ask(tuple(domains), 1))
    assert a.status == (Status.SATISFIABLE if there else Status.UNSATISFIABLE)
    assert set(a.solutions) <= there
    assert not a.complete or len(there) == len(a.solutions)


def test_a_solution_that_takes_no_decision_is_not_called_the_only_one() -> None:
    """The colours of a triangle follow from their order."""
    a = EngineSession(TRIANGLE).ask(Ask((0b111,) * 3, 1))
    assert (len(a.solutions), a.counters["decisions"], a.complete) == (1, 0, False)


def test_a_solution_that_follows_from_its_givens_is_called_the_only_one() -> None:
    a = EngineSession(TRIANGLE).ask(Ask((0b001, 0b010, 0b111), 1))
    assert (len(a.solutions), a.complete) == (1, True)


def test_values_that_only_one_square_tells_apart_are_not_exchanged() -> None:
    """The first two squares of the triangle may hold 1 and 2 only, so value 0 is no first value for them."""
    a = EngineSession(TRIANGLE).ask(Ask((0b110, 0b110, 0b111), 1))
    assert (len(a.solutions), a.solutions[0][2]) == (1, 0)


def test_all_solutions_are_found_where_more_than_one_is_asked_for() -> None:
    a = EngineSession(TRIANGLE).ask(Ask((0b111,) * 3, 10))
    assert (len(a.solutions), a.complete) == (6, True)


def test_a_graph_is_refuted_with_a_fraction_of_the_clashes() -> None:
    """With count 2 the symmetry is left."""
    (puzzle,) = read(Path("puzzles/corpora/myciel4-short.col"))
    session = EngineSession(AllDifferent(len(puzzle.domains), len(puzzle.problem.values), puzzle.problem.units))
    broken, whole = (session.ask(Ask(puzzle.domains, count)) for count in (1, 2))
    assert broken.status == whole.status == Status.UNSATISFIABLE
    assert broken.complete
    assert whole.complete
    assert 5 * broken.counters["conflicts"] < whole.counters["conflicts"]


def test_an_empty_board_with_many_values_is_solved() -> None:
    board = layout("latin 12")
    a = EngineSession(AllDifferent(len(board.squares), len(board.values), board.units)).ask(Ask(board.open, 1))
    assert (len(a.solutions), a.complete) == (1, False)
