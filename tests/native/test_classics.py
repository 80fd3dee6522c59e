"""The Python solvers: agreement with brute force and the reference, limits, and counters."""

import itertools
import sys
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backends.contract import registry
from backends.contract.answer import Answer, Ask, Reason, Session, Status
from backends.contract.cases import board
from backends.native import backends, python, splitting
from backends.native.board import board as native_board
from backends.native.budget import Budget
from encoders.direct import alldifferent
from encoders.formula import AllDifferent
from puzzles.boards.families import layout
from puzzles.boards.families.colouring import graph
from puzzles.boards.layout import Layout
from puzzles.problem.check import violations
from puzzles.problem.values import Domains
from tests.boards import INKALA, NORVIG, SLOW
from tests.brute_force import solutions
from tests.effort import examples, slow_after
from tests.native.boards import FORMULA, NINE, boards, nine

COMPLETE = ("norvig", "backtracking", "splitting", "bitset")
CLASSICS = (*COMPLETE, "subsets")
ONE = "..3.2.6..9..3.5..1..18.64....81.29..7.......8..67.82....26.95..8..2.3..9..5.1.3.."  # Project Euler 96, Grid 01
SEVERAL = ONE.replace("3", ".").replace("2", ".")
EIGHT_IDENTICAL = "5" * 8 + "." * 73


def open_(name: str, formula: AllDifferent) -> Session:
    return registry.find(f"native:{name}").open(formula)


def ask(name: str, formula: AllDifferent, question: Ask) -> Answer:
    return open_(name, formula).ask(question)


@pytest.mark.parametrize("name", COMPLETE)
@given(board=boards(), count=st.sampled_from((1, 2, 5000)))
@settings(max_examples=examples(150), deadline=None)
def test_finds_the_solutions_that_brute_force_finds(name: str, board: tuple[AllDifferent, Domains], count: int) -> None:
    formula, domains = board
    expected = solutions(formula, domains)
    answer = ask(name, formula, Ask(domains, count=count))
    assert set(answer.solutions) <= expected
    assert len(set(answer.solutions)) == len(answer.solutions) == min(count, len(expected))
    assert answer.complete or len(answer.solutions) == count
    assert not answer.complete or set(answer.solutions) == expected
    assert answer.status is (Status.SATISFIABLE if expected else Status.UNSATISFIABLE)


@given(board=boards())
@settings(max_examples=examples(200), deadline=None)
def test_subsets_claims_nothing_that_brute_force_refutes(board: tuple[AllDifferent, Domains]) -> None:
    formula, domains = board
    expected = solutions(formula, domains)
    answer = ask("subsets", formula, Ask(domains, count=2))
    if answer.status is Status.UNKNOWN:
        assert answer.reason is Reason.STUCK
        assert not answer.complete
    else:
        assert set(answer.solutions) == expected
        assert answer.complete


@pytest.mark.parametrize("name", CLASSICS)
@pytest.mark.parametrize(("line", "number"), [(ONE, 1), (SEVERAL, 2), (EIGHT_IDENTICAL, 0)])
def test_agrees_with_the_reference_on_nine_by_nine(name: str, line: str, number: int) -> None:
    domains = nine(line)
    expected = python.open(FORMULA).ask(Ask(domains, count=2))
    answer = ask(name, FORMULA, Ask(domains, count=2))
    assert len(expected.solutions) == number
    if name == "subsets" and number == 2:
        assert (answer.status, answer.reason) == (Status.UNKNOWN, Reason.STUCK)
        return
    assert (answer.status, answer.complete) == (expected.status, expected.complete)
    assert len(answer.solutions) == number
    assert not [v for s in answer.solutions for v in violations(NINE, domains, s)]
    if number == 1:
        assert answer.solutions == expected.solutions


@pytest.mark.parametrize("name", CLASSICS)
@pytest.mark.parametrize("board", ["sudoku 2x3", "sudoku 3x4", "latin 5", "sudoku 4x4"])
def test_any_box_size_is_solved_with_few_squares_open(name: str, board: str) -> None:
    random = Random(board)
    kind = layout(board)
    formula = alldifferent(kind)
    (full,) = ask("python", formula, Ask(kind.open)).solutions
    domains = tuple(kind.full if random.random() < 0.15 else 1 << v for v in full)
    answer = ask(name, formula, Ask(domains, count=2))
    if name == "subsets" and answer.reason is Reason.STUCK:
        assert len(ask("python", formula, Ask(domains, count=2)).solutions) == 2
    else:
        assert answer.solutions == ask("python", formula, Ask(domains, count=2)).solutions


def test_backtracking_counts_its_wrong_guesses() -> None:
    answer = ask("backtracking", FORMULA, Ask(nine(INKALA)))
    opened = INKALA.count(".")
    assert answer.status is Status.SATISFIABLE
    assert answer.counters["decisions"] - answer.counters["conflicts"] == opened
    assert answer.counters["conflicts"] == 49_498


def test_guess_above_a_solution_is_not_a_conflict() -> None:
    row = AllDifferent(3, 3, ((0, 1, 2),))
    answer = ask("backtracking", row, Ask((7, 7, 7), count=10))
    assert len(answer.solutions) == 6
    assert answer.counters["conflicts"] == 0


def test_every_guess_on_an_unsatisfiable_board_is_a_conflict() -> None:
    triangle = AllDifferent(3, 2, ((0, 1), (1, 2), (2, 0)))
    answer = ask("backtracking", triangle, Ask((3, 3, 3)))
    assert answer.status is Status.UNSATISFIABLE
    assert (answer.counters["decisions"], answer.counters["conflicts"]) == (4, 4)


def test_subsets_applies_pairs_and_triples() -> None:
    row = AllDifferent(4, 4, ((0, 1, 2, 3),))
    pairs = (0b0011, 0b0011, 0b0111, 0b1111)
    answer = ask("subsets", row, Ask(pairs, count=2))
    assert answer.reason is Reason.STUCK
    assert answer.counters["propagations"] == 5, "the pair 12 must leave squares 3 and 4 one value each"
    triple = AllDifferent(5, 5, ((0, 1, 2, 3, 4), (3, 4)))
    domains = (0b00011, 0b00110, 0b00101, 0b01111, 0b11110)
    answer = ask("subsets", triple, Ask(domains, count=2))
    assert answer.counters["propagations"] == 6, "the triple 123 must leave squares 4 and 5 one value each"


def test_subsets_finds_groups_of_up_to_eight() -> None:
    unit = tuple(range(11))
    for n, found in ((7, True), (8, True), (9, False)):
        ring = tuple(1 << i | 1 << (i + 1) % n for i in range(n))  # n squares with n values; no smaller group exists
        answer = ask("subsets", AllDifferent(11, 12, (unit[: n + 1],)), Ask((*ring, *(4095,) * (11 - n))))
        assert answer.counters["propagations"] == n * found, n


def test_the_order_of_units_decides_which_naked_sets_a_round_of_splitting_finds() -> None:
    domains = (0b00111, 0b00111, 0b00111, 0b11111, 0b00100)  # the first must differ from the last, so it is no 3
    afterwards = []
    for units in (((0, 1, 2, 3), (0, 4)), ((0, 4), (0, 1, 2, 3))):
        events = splitting.trace(native_board(AllDifferent(5, 5, units)), domains, Budget(Ask(domains)))
        rounds = list(itertools.takewhile(lambda e: isinstance(e, splitting.ChangedRound), events))
        assert isinstance(rounds[-1], splitting.ChangedRound)
        afterwards.append(rounds[-1].after[3])
    assert afterwards == [{3, 4}, {0, 1, 2, 3, 4}]


def test_splitting_and_bitset_take_the_same_steps() -> None:
    for line in (INKALA, ONE, SEVERAL, EIGHT_IDENTICAL):
        question = Ask(nine(line), count=2)
        with_sets, with_bits = (ask(name, FORMULA, question) for name in ("splitting", "bitset"))
        assert with_sets.solutions == with_bits.solutions
        assert with_sets.counters == with_bits.counters


WHEEL = graph(3, 8, [*((i, (i + 1) % 8) for i in range(8)), (0, 4), (2, 6)])
STEPS = {  # decisions, conflicts, propagations
    "python": (915, 205, 17_063),
    "norvig": (911, 203, 18_587),
    "splitting": (741, 118, 12_142),
    "bitset": (741, 118, 12_142),
    "backtracking": (111_427, 108_718, 0),
    "subsets": (0, 0, 1_924),
}


@pytest.mark.parametrize("name", STEPS)
def test_search_steps_are_reproducible(name: str) -> None:
    """A change of search order or of counting changes these figures."""
    six, latin = layout("sudoku 2x3"), layout("latin 5")
    few = board(six, "1.......61.32.15....4.3..........3..")
    boards: list[tuple[Layout, Domains, int]] = [
        (NINE, nine(ONE), 2),
        (NINE, nine(SEVERAL), 20),
        (NINE, nine(EIGHT_IDENTICAL), 1),
        (six, six.open, 30),
        (six, few, 1000),
        (WHEEL, WHEEL.open, 1000),
        (WHEEL, (1, 3, 7, 6, 7, 3, 7, 5), 1000),
        (latin, latin.open, 30),
        (latin, (3, 3, *latin.open[2:5], 3, *latin.open[6:]), 30),
    ]
    if name != "backtracking":
        boards += [(NINE, nine(line), 2) for line in (INKALA, *NORVIG[:2])]
    steps = [0, 0, 0]
    for kind, domains, count in boards:
        answer = ask(name, alldifferent(kind), Ask(domains, count=count))
        for i, counter in enumerate(("decisions", "conflicts", "propagations")):
            steps[i] += answer.counters[counter]
    assert tuple(steps) == STEPS[name]


def test_norvig_propagates_a_chain_as_long_as_the_board() -> None:
    """Each decided square of the path decides the next, two calls deeper."""
    length, before = 3000, sys.getrecursionlimit()
    try:
        sys.setrecursionlimit(1000)
        path = AllDifferent(length, 2, tuple((s, s + 1) for s in range(length - 1)))
        answer = ask("norvig", path, Ask((1,) + (3,) * (length - 1), count=2))
    finally:
        sys.setrecursionlimit(before)
    assert answer.solutions == (tuple(s % 2 for s in range(length)),)


def test_stronger_propagation_needs_fewer_guesses() -> None:
    guesses = [
        ask(name, FORMULA, Ask(nine(INKALA))).counters["conflicts"] for name in ("splitting", "norvig", "backtracking")
    ]
    assert guesses == sorted(set(guesses))


@pytest.mark.parametrize("name", COMPLETE)
def test_node_limit_ends_the_search(name: str) -> None:
    answer = ask(name, FORMULA, Ask(NINE.open, nodes=3))
    assert (answer.status, answer.reason) == (Status.UNKNOWN, Reason.TIMEOUT)
    assert answer.counters["decisions"] == 3


@pytest.mark.parametrize("name", COMPLETE)
def test_time_limit_ends_a_long_enumeration(name: str) -> None:
    latin = layout("latin 9")
    answer = ask(name, alldifferent(latin), Ask(latin.open, count=10**9, seconds=0.1))
    assert answer.reason is Reason.TIMEOUT
    assert not answer.complete


def test_time_limit_ends_backtracking_on_a_puzzle_hard_for_it() -> None:
    answer = ask("backtracking", FORMULA, Ask(nine(SLOW), seconds=0.1))
    assert (answer.status, answer.reason) == (Status.UNKNOWN, Reason.TIMEOUT)
    assert python.open(FORMULA).ask(Ask(nine(SLOW), nodes=1000)).status is Status.SATISFIABLE


@pytest.mark.parametrize("name", CLASSICS)
def test_empty_grid_is_solved_or_stuck(name: str) -> None:
    answer = ask(name, FORMULA, Ask(NINE.open, seconds=20))
    if name == "subsets":
        assert (answer.status, answer.reason, answer.counters["propagations"]) == (Status.UNKNOWN, Reason.STUCK, 0)
    else:
        assert answer.status is Status.SATISFIABLE
        assert not answer.complete
        assert not violations(NINE, NINE.open, answer.solutions[0])


@pytest.mark.parametrize("name", slow_after(2, CLASSICS))
def test_1296_squares_overflow_no_stack(name: str) -> None:
    big = layout("sudoku 6x6")
    formula = alldifferent(big)
    (full,) = ask("python", formula, Ask(big.open, seconds=60)).solutions
    domains = tuple(1 << v if s % 3 else big.full for s, v in enumerate(full))
    answer = ask(name, formula, Ask(domains, seconds=0.2))
    assert answer.status is not Status.UNSATISFIABLE


def test_every_classic_is_registered() -> None:
    assert {f"native:{name}" for name in (*CLASSICS, "python")} <= {b.name for b in backends()}
    assert backends()[0].name == "native"
