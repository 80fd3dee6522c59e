"""The reference solver: agreement with brute force on layouts of every shape, and limits."""

from hypothesis import given, settings
from hypothesis import strategies as st

from backends.contract.answer import Answer, Ask, Reason, Status
from backends.native import default_variant, python
from encoders.direct import alldifferent
from encoders.formula import AllDifferent
from puzzles.boards.families import layout
from puzzles.problem.values import Domains
from tests.brute_force import solutions
from tests.effort import examples
from tests.native.boards import boards


def ask(formula: AllDifferent, ask: Ask) -> Answer:
    session = python.open(formula)
    answer = session.ask(ask)
    session.close()
    return answer


@given(boards())
@settings(max_examples=examples(200), deadline=None)
def test_finds_exactly_the_solutions_of_brute_force(board: tuple[AllDifferent, Domains]) -> None:
    formula, domains = board
    expected = solutions(formula, domains)
    answer = ask(formula, Ask(domains, count=5000))
    assert set(answer.solutions) == expected
    assert len(answer.solutions) == len(expected)
    assert answer.complete
    assert answer.status is (Status.SATISFIABLE if expected else Status.UNSATISFIABLE)


@given(boards(), st.integers(1, 3))
@settings(max_examples=examples(150), deadline=None)
def test_complete_means_that_no_other_solution_exists(board: tuple[AllDifferent, Domains], count: int) -> None:
    formula, domains = board
    expected = solutions(formula, domains)
    answer = ask(formula, Ask(domains, count=count))
    assert len(answer.solutions) == min(count, len(expected))
    assert not answer.complete or set(answer.solutions) == expected


def test_more_values_than_a_machine_word_has_bits() -> None:
    formula = AllDifferent(70, 70, (tuple(range(70)),))
    domains = tuple((1 << s | 1 << (s + 1) % 70) for s in range(70))
    answer = ask(formula, Ask(domains, count=5))
    assert len(set(answer.solutions)) == 2
    assert answer.complete


def test_search_depth_is_not_limited_by_recursion() -> None:
    empty = layout("sudoku 6x6")
    answer = ask(alldifferent(empty), Ask(empty.open, seconds=60))
    assert answer.status is Status.SATISFIABLE
    assert answer.counters["decisions"] > 1000


def test_node_limit_is_a_timeout() -> None:
    empty = layout("sudoku 3x3")
    answer = ask(alldifferent(empty), Ask(empty.open, nodes=7))
    assert (answer.status, answer.reason) == (Status.UNKNOWN, Reason.TIMEOUT)
    assert answer.counters["decisions"] == 7


def test_solutions_found_before_the_budget_ran_out_are_kept() -> None:
    empty = layout("sudoku 2x2")
    answer = ask(alldifferent(empty), Ask(empty.open, count=1000, nodes=40))
    assert (answer.status, answer.reason, answer.complete) == (Status.SATISFIABLE, Reason.TIMEOUT, False)
    assert 0 < len(answer.solutions) < 288


def test_no_time_is_a_timeout() -> None:
    empty = layout("sudoku 3x3")
    answer = ask(alldifferent(empty), Ask(empty.open, seconds=0))
    assert (answer.status, answer.reason) == (Status.UNKNOWN, Reason.TIMEOUT)


def test_the_default_variant_finds_all_solutions_of_a_small_board() -> None:
    four = layout("sudoku 2x2")
    session = default_variant.open(alldifferent(four))
    assert len(session.ask(Ask(four.open, count=300)).solutions) == 288
