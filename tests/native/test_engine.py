"""The engine against brute force, against itself without its root rules, and on hard boards.

The file is long because the tests of its parts share the same small boards and the same state.
"""

from itertools import combinations
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from backends.contract.answer import Ask, Asks, Reason, Status
from backends.contract.cases import board as from_text
from backends.contract.cases import by_hand
from backends.native import python
from backends.native.engine import session as engine
from backends.native.engine import state as at
from backends.native.engine.session import EngineSession
from backends.native.engine.state import HEADER
from encoders.direct import alldifferent
from puzzles.boards.families import layout
from puzzles.boards.layout import Layout
from puzzles.problem.check import violations
from puzzles.problem.columns import pack
from puzzles.problem.values import Domains
from tests.boards import INKALA, SLOW, boards
from tests.brute_force import solutions
from tests.effort import examples

PLENTY = 10_000


@settings(max_examples=examples(150), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(boards(most=1, squares=6), st.booleans())
def test_solutions_are_those_of_brute_force_with_rules_and_without(
    case: tuple[Layout, list[Domains]], rules: bool
) -> None:
    board, (domains,) = case
    a = EngineSession(alldifferent(board), rules=rules).ask(Ask(domains, count=PLENTY))
    assert len(set(a.solutions)) == len(a.solutions)
    assert set(a.solutions) == solutions(board, domains)
    assert a.complete
    assert a.status == (Status.SATISFIABLE if a.solutions else Status.UNSATISFIABLE)


@settings(max_examples=examples(60), deadline=None)
@given(boards(most=1, squares=6), st.integers(1, 4))
def test_complete_means_that_no_other_solution_exists(case: tuple[Layout, list[Domains]], count: int) -> None:
    board, (domains,) = case
    there = len(solutions(board, domains))
    a = EngineSession(alldifferent(board)).ask(Ask(domains, count=count))
    assert len(a.solutions) == min(count, there)
    assert not a.complete or there == len(a.solutions)
    assert a.complete or len(a.solutions) == count


@pytest.mark.parametrize(("name", "number"), [("sudoku 2x2", 288), ("latin 4", 576), ("latin 5", 161_280 // 120)])
def test_solution_counts_match_the_literature(name: str, number: int) -> None:
    """Latin squares of order 5 with their first row given: OEIS A002860 over 5!."""
    board = layout(name)
    first = tuple(1 << v for v in range(5)) if name == "latin 5" else ()
    domains = first + board.open[len(first) :]
    a = engine.open(alldifferent(board)).ask(Ask(domains, count=PLENTY))
    assert (len(set(a.solutions)), a.complete) == (number, True)
    assert not any(violations(board, domains, s) for s in a.solutions)


def holes(order: int, share: float, seed: int) -> tuple[Layout, Domains]:
    """Return a cyclic Latin square, rows, columns and values shuffled, with a share of its squares open."""
    random = Random(seed)
    rows, columns, values = (random.sample(range(order), order) for _ in range(3))
    grid = [values[(r + c) % order] for r in rows for c in columns]
    board = layout(f"latin {order}")
    hidden = set(random.sample(range(order * order), round(share * order * order)))
    return board, tuple(board.full if s in hidden else 1 << v for s, v in enumerate(grid))


def test_restarts_lose_no_solution_and_repeat_none() -> None:
    board, domains = holes(12, 0.5, 2)
    asked = Ask(domains, count=2 * PLENTY, seconds=60)
    with_rules, without = EngineSession(alldifferent(board)), EngineSession(alldifferent(board), rules=False)
    a, b = with_rules.ask(asked), without.ask(asked)
    assert a.complete
    assert b.complete
    assert a.counters["restarts"] > 0
    assert set(a.solutions) == set(b.solutions)
    assert len(a.solutions) == len(set(a.solutions)) == len(b.solutions) > 100


def test_refutation_succeeds_although_clauses_are_forgotten() -> None:
    """Nine pigeons in eight holes, as pairs: no unit has all of them, so matching can't refute it."""
    board = by_hand(9, 8, *combinations(range(9), 2))
    session = EngineSession(alldifferent(board))
    a = session.ask(Ask(board.open, count=2, seconds=60))  # one alone would leave no symmetry, and little to do
    assert (a.status, a.complete) == (Status.UNSATISFIABLE, True)
    assert session.search.counts[at.FORGOTTEN] > 0


def test_every_clause_kept_is_counted_and_watched_by_its_first_two_literals() -> None:
    board = by_hand(9, 8, *combinations(range(9), 2))
    session = EngineSession(alldifferent(board))
    session.ask(Ask(board.open, count=2, seconds=60, nodes=12_000))
    search, arena = session.search, session.arena
    assert search.counts[at.FORGOTTEN] > 1
    clauses, c = [], 0
    while c < search.counts[at.END]:
        clauses.append(c)
        literals = arena[c + HEADER : c + HEADER + arena[c]].tolist()
        assert len({x >> 1 for x in literals}) == len(literals) > 1
        c += HEADER + len(literals)
    assert len(clauses) == search.counts[at.LEARNED] > 100
    watched = []
    for literal, watch in enumerate(search.head.tolist()):
        while watch >= 0:
            c, slot = watch >> 1, watch & 1
            assert arena[c + HEADER + slot] == literal
            watched.append(watch)
            watch = int(arena[c + 2 + slot])
    assert sorted(watched) == [2 * c + slot for c in clauses for slot in range(2)]


def test_batch_agrees_with_single_asks() -> None:
    board = layout("sudoku 2x3")
    random = Random(3)
    full = engine.open(alldifferent(board)).ask(Ask(board.open)).solutions[0]
    boards = [tuple(board.full if random.random() < 0.6 else 1 << v for v in full) for _ in range(20)]
    boards.append((1,) * 36)
    session = EngineSession(alldifferent(board))
    many = session.ask_many(Asks(pack(board, boards), count=3))
    ones = [session.ask(Ask(d, count=3)) for d in boards]
    assert many.found.tolist() == [len(a.solutions) for a in ones]
    assert many.status.tolist() == [a.status for a in ones]
    assert list(map(tuple, many.solutions.tolist())) == [s for a in ones for s in a.solutions]
    assert many.nanoseconds is not None
    assert (many.nanoseconds > 0).all()


def test_no_state_leaks_between_puzzles() -> None:
    board, domains = holes(12, 0.5, 1)
    session = EngineSession(alldifferent(board))
    first = session.ask(Ask(domains, count=5))
    session.ask(Ask((1,) * 144))
    session.ask(Ask(board.open, count=2))
    assert session.ask(Ask(domains, count=5)).solutions == first.solutions


@pytest.mark.parametrize("name", ["sudoku 3x3", "sudoku 5x5", "sudoku 6x6", "latin 30"])
def test_empty_grid_is_solved_within_the_node_limit(name: str) -> None:
    board = layout(name)
    a = EngineSession(alldifferent(board)).ask(Ask(board.open, seconds=60, nodes=20_000))
    assert a.status == Status.SATISFIABLE
    assert not violations(board, board.open, a.solutions[0])


def test_node_limit_ends_the_search_on_a_large_empty_grid() -> None:
    board = layout("sudoku 8x8")
    a = EngineSession(alldifferent(board)).ask(Ask(board.open, seconds=60, nodes=3_000))
    assert (a.status, a.reason, a.counters["decisions"]) == (Status.UNKNOWN, Reason.TIMEOUT, 3_000)


def test_eight_equal_givens_in_a_row_are_refuted_without_a_decision() -> None:
    board = layout("sudoku 3x3")
    a = EngineSession(alldifferent(board)).ask(Ask((1,) * 8 + (board.full,) * 73))
    assert (a.status, a.complete, a.counters["decisions"]) == (Status.UNSATISFIABLE, True, 0)


def test_puzzle_hard_for_first_open_square_search_needs_few_decisions() -> None:
    board = layout("sudoku 3x3")
    a = EngineSession(alldifferent(board)).ask(Ask(from_text(board, SLOW), count=2, nodes=10_000))
    assert (len(a.solutions), a.complete) == (1, True)
    assert "".join(str(v + 1) for v in a.solutions[0][:9]) == "987654321"


@pytest.mark.parametrize("extra", [0, 1])
def test_matching_decides_overlapping_pigeonholes_at_the_root(extra: int) -> None:
    """Overlapping units with one value too few: exponential for clause learning, easy for matching."""
    unit = tuple(range(20))
    board = by_hand(21, 21, unit, (*range(1, 20), 20))
    domains = ((1 << 19 + extra) - 1,) * 20 + (board.full,)
    a = EngineSession(alldifferent(board)).ask(Ask(domains, nodes=1_000))
    assert a.status == (Status.SATISFIABLE if extra else Status.UNSATISFIABLE)


def rooted(board: Layout, domains: Domains) -> tuple[list[int], Status]:
    """Return the domains after the rules at the root, and the status."""
    session = EngineSession(alldifferent(board))
    a = session.ask(Ask(domains, count=2, nodes=0))
    return session.search.domain.tolist(), a.status


@settings(max_examples=examples(200), deadline=None)
@given(st.integers(1, 5), st.integers(2, 5), st.data())
def test_matching_filters_one_unit_completely(squares: int, values: int, data: st.DataObject) -> None:
    """Regin's filtering is complete: pairs, triples and hidden subsets need no separate rule."""
    full = (1 << values) - 1
    domains = tuple(data.draw(st.lists(st.integers(1, full), min_size=squares, max_size=squares)))
    board = by_hand(squares, values, tuple(range(squares)))
    used = [0] * squares
    for solution in solutions(board, domains):
        used = [mask | 1 << v for mask, v in zip(used, solution, strict=True)]
    left, status = rooted(board, domains)
    assert (status == Status.UNSATISFIABLE) == (not any(used))
    assert status == Status.UNSATISFIABLE or left == used


STEPS = {  # decisions, conflicts, propagations, restarts
    "all of a Latin square": (19_013, 1_015, 720_059, 4),
    "one of a Latin square": (156, 22, 30_075, 0),
    "pigeons": (20_000, 19_744, 203_425, 44),  # beyond the 200 clashes after which the search has an aim
    "8...": (130, 108, 9_556, 1),
    "25x25": (485, 31, 18_192, 0),
    "some of an empty grid": (1_045, 3, 23_001, 0),
}


@pytest.mark.parametrize("name", STEPS)
def test_search_steps_are_reproducible(name: str) -> None:
    """No clock or set order matters. A change of branching, learning or forgetting changes these figures."""
    nine, large = layout("sudoku 3x3"), layout("sudoku 5x5")
    pigeons = by_hand(9, 8, *combinations(range(9), 2))
    board, domains, count = {
        "all of a Latin square": (*holes(12, 0.5, 2), 2 * PLENTY),
        "one of a Latin square": (*holes(30, 0.42, 5), 1),
        "pigeons": (pigeons, pigeons.open, 2),
        "8...": (nine, from_text(nine, INKALA), 2),
        "25x25": (large, large.open, 1),
        "some of an empty grid": (nine, nine.open, 1_000),
    }[name]
    a = EngineSession(alldifferent(board)).ask(Ask(domains, count, seconds=60, nodes=20_000))
    assert tuple(a.counters[c] for c in ("decisions", "conflicts", "propagations", "restarts")) == STEPS[name]


@pytest.mark.parametrize("nodes", [0, 1, 50])
def test_node_limit_bounds_the_decisions(nodes: int) -> None:
    board, domains = holes(30, 0.42, 5)
    a = EngineSession(alldifferent(board)).ask(Ask(domains, nodes=nodes))
    assert a.counters["decisions"] <= nodes
    assert (a.status, a.reason, a.complete) == (Status.UNKNOWN, Reason.TIMEOUT, False)


def test_limits_are_timeouts_and_keep_the_solutions_found() -> None:
    board = layout("latin 20")
    session = EngineSession(alldifferent(board))
    none = session.ask(Ask(board.open, seconds=0.0))
    assert (none.status, none.reason) == (Status.UNKNOWN, Reason.TIMEOUT)
    some = session.ask(Ask(board.open, count=1 << 40, nodes=2_000))
    assert (some.status, some.complete) == (Status.SATISFIABLE, False)
    assert len(set(some.solutions)) == len(some.solutions) > 1


def test_a_unit_longer_than_its_values_or_with_a_square_twice_has_no_solution() -> None:
    for units in (((0, 1, 2),), ((0, 0),)):
        a = EngineSession(alldifferent(by_hand(3, 2, *units))).ask(Ask((3, 3, 3)))
        assert (a.status, a.complete) == (Status.UNSATISFIABLE, True)


def test_a_board_without_squares_has_one_solution() -> None:
    a = EngineSession(alldifferent(by_hand(0, 3))).ask(Ask((), count=2))
    assert (a.solutions, a.complete) == (((),), True)


def test_more_than_64_values_are_solved_by_native_python() -> None:
    wide = alldifferent(layout("latin 65"))
    assert type(engine.open(wide)) is type(python.open(wide))
    assert isinstance(engine.open(alldifferent(layout("latin 3"))), EngineSession)


def test_clause_arena_grows_during_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("backends.native.engine.session.ARENA", 300)
    board, domains = holes(12, 0.42, 2)
    session = EngineSession(alldifferent(board))
    before = session.arena.size
    cramped = session.ask(Ask(domains, count=PLENTY))
    monkeypatch.undo()
    assert session.arena.size > before
    assert set(cramped.solutions) == set(EngineSession(alldifferent(board)).ask(Ask(domains, count=PLENTY)).solutions)
