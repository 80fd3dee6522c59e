"""Boards as columns: packing is lossless, and a column is checked like its solutions one at a time."""

from itertools import product
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backends.contract.cases import by_hand
from puzzles.boards.layout import Layout
from puzzles.problem.check import violations
from puzzles.problem.columns import pack, unpack, valid, words
from puzzles.problem.values import Domains, Solution
from tests.effort import examples

SIZES = [1, 2, 63, 64, 65, 70, 128, 129, 200]


@pytest.mark.parametrize("values", SIZES)
def test_packed_boards_unpack_unchanged(values: int) -> None:
    random, layout = Random(values), by_hand(3, values)
    boards = [tuple(random.getrandbits(values) for _ in range(3)) for _ in range(5)]
    boards.append(layout.open)
    column = pack(layout, boards)
    assert column.shape == (6, 3, words(layout))
    assert words(layout) == (values + 63) // 64
    assert unpack(column) == boards
    assert pack(layout, []).shape == (0, 3, words(layout))


def test_the_lowest_values_are_in_the_first_word() -> None:
    assert pack(by_hand(1, 65), [(1 << 64 | 2,)]).tolist() == [[[2, 1]]]


@st.composite
def cases(draw: st.DrawFn) -> tuple[Layout, Domains, list[Solution]]:
    """Valid and invalid solutions, with one to four words of values, some values out of range."""
    squares, values = draw(st.integers(1, 5)), draw(st.sampled_from(SIZES))
    unit = st.lists(st.integers(0, squares - 1), max_size=squares, unique=True).map(tuple)
    layout = by_hand(squares, values, *draw(st.lists(unit, max_size=4)))
    some = st.sampled_from(sorted({0, 1, 63, 64, 65, 127, 128, values - 1, values, values + 63, 65535}))
    solutions = draw(st.lists(st.tuples(*[some] * squares), min_size=1, max_size=6))
    out = draw(st.lists(st.tuples(st.integers(0, squares - 1), some), max_size=3))
    domains = [layout.full & ~sum(1 << v for v in {v for t, v in out if t == s}) for s in range(squares)]
    return layout, tuple(domains), solutions


@settings(max_examples=examples(150), deadline=None)
@given(cases())
def test_a_column_of_solutions_is_checked_like_each_of_them(case: tuple[Layout, Domains, list[Solution]]) -> None:
    layout, domains, solutions = case
    found = valid(layout, pack(layout, [domains] * len(solutions)), np.array(solutions, np.uint16))
    assert found.tolist() == [not violations(layout, domains, s) for s in solutions]


@pytest.mark.parametrize("values", [3, 70])
def test_each_solution_is_checked_against_its_own_domains(values: int) -> None:
    layout = by_hand(2, values, (0, 1))
    boards = [(1 << a, 1 << b) for a, b in product((0, 1, values - 1), repeat=2)]
    solutions = np.array([(0, values - 1)] * len(boards), np.uint16)
    right = (1, 1 << values - 1)
    assert valid(layout, pack(layout, boards), solutions).tolist() == [board == right for board in boards]


def test_values_with_equal_bits_in_different_words_are_distinct() -> None:
    layout, some = by_hand(2, 200, (0, 1)), (0, 1, 64, 65, 128, 129, 192)
    solutions = list(product(some, repeat=2))
    found = valid(layout, pack(layout, [layout.open] * len(solutions)), np.array(solutions, np.uint16))
    assert found.tolist() == [a != b for a, b in solutions]
