"""Sizes of encodings: as many clauses and variables as the literature states, without duplicates."""

from collections import Counter
from collections.abc import Callable
from math import comb

import numpy as np
import pytest

from backends.contract.cases import by_hand
from encoders.at_most_one import AT_MOST_ONE, Pattern
from encoders.cnf import efficient, extended, flatten, minimal, stamp
from encoders.formula import Cnf
from encoders.reduced import reduced
from puzzles.boards.families import layout
from tests.encoders.models import encoded

FAMILIES = ("minimal", "efficient", "extended", "reduced")
BOTH = [(family, one) for family in FAMILIES for one in AT_MOST_ONE]


LAYOUTS = {
    "sudoku 2x2": layout("sudoku 2x2"),
    "latin 5": layout("latin 5"),
    "units of every kind": by_hand(9, 5, (0, 1, 2, 3, 4), (3, 4, 5), (), (6,), (2, 1), (5, 7, 8, 0)),
    "one value": by_hand(3, 1, (0,), (1, 2)),
    "two values": by_hand(3, 2, (0, 1)),
    "nothing": by_hand(0, 2),
}


def clauses(formula: Cnf) -> list[tuple[int, ...]]:
    ends = np.flatnonzero(formula.clauses == 0)
    return [tuple(c[c != 0].tolist()) for c in np.split(formula.clauses, ends + 1) if len(c)]


def bitwise(n: int) -> tuple[int, int]:
    bits = (n - 1).bit_length()
    return bits, n * bits


def product(n: int) -> tuple[int, int]:
    """Chen 2010: a grid as nearly square as possible, whose sides are encoded recursively."""
    if n < 5:
        return 0, comb(n, 2)
    wide = next(w for w in range(n) if w * w >= n)
    tall = next(t for t in range(n) if t * wide >= n)
    (a, c), (b, d) = product(wide), product(tall)
    return wide + tall + a + b, 2 * n + c + d


def commander(n: int) -> tuple[int, int]:
    """Klieber & Kwon 2007: groups of three, the last may be smaller; commanders are encoded recursively."""
    if n < 5:
        return 0, comb(n, 2)
    groups, rest = divmod(n, 3)
    a, c = commander(groups + (rest > 0))
    return groups + (rest > 0) + a, n + 3 * groups + comb(rest, 2) + c


SIZES: dict[str, Callable[[int], tuple[int, int]]] = {
    "pairwise": lambda n: (0, comb(n, 2)),
    "sequential": lambda n: (n - 1, 3 * n - 4),
    "ladder": lambda n: (n - 1, 4 * n - 5),
    "bitwise": bitwise,
    "product": product,
    "commander": commander,
    "totalizer": lambda n: (n - 2, 3 * n - 5),
    "cardinality": lambda n: (0, 0),
}


def test_every_at_most_one_encoding_has_a_stated_size() -> None:
    assert set(SIZES) == set(AT_MOST_ONE)


@pytest.mark.parametrize("name", SIZES)
@pytest.mark.parametrize("n", [3, 4, 5, 6, 7, 8, 9, 10, 11, 16, 17, 25, 26, 27, 36, 82])
def test_a_pattern_has_as_many_auxiliaries_and_clauses_as_its_source_states(name: str, n: int) -> None:
    pattern = AT_MOST_ONE[name](n)
    assert (pattern.auxiliaries, len(pattern.clauses)) == SIZES[name](n)
    assert len(set(pattern.clauses)) == len(pattern.clauses)


@pytest.mark.parametrize("name", AT_MOST_ONE)
@pytest.mark.parametrize("n", [0, 1, 2])
def test_up_to_two_literals_need_no_auxiliary(name: str, n: int) -> None:
    pattern = AT_MOST_ONE[name](n)
    assert (pattern.auxiliaries, pattern.clauses) == (0, () if n < 2 or pattern.native else ((-1, -2),))


def test_the_encodings_of_9x9_sudoku_have_the_counted_numbers_of_clauses() -> None:
    board = layout("sudoku 3x3")
    square_some, square_once = 81, 81 * comb(9, 2)
    place_once, place_some = 9 * 81 * 20 // 2, 27 * 9  # pairs of peers, not pairs per unit: units share pairs
    assert len(clauses(minimal(board))) == square_some + place_once
    assert len(clauses(efficient(board))) == square_some + square_once + place_once
    assert len(clauses(extended(board))) == square_some + square_once + place_once + place_some == 10_530


@pytest.mark.parametrize(("family", "one"), BOTH)
@pytest.mark.parametrize("name", LAYOUTS)
def test_every_variable_is_used_and_no_clause_is_repeated(name: str, family: str, one: str) -> None:
    formula = encoded(f"{family}+{one}", LAYOUTS[name])
    found = [tuple(sorted(c)) for c in clauses(formula)] + [tuple(sorted(group)) for group, _ in formula.at_most]
    used = {abs(x) for group in found for x in group}
    assert used == set(range(1, formula.variables + 1))
    counted = Counter(found)
    pairs = {c for c in counted if len(c) == 2 and max(c) < 0}
    assert all(counted[c] == 1 for c in pairs)
    assert all(len(group) > 1 and k == 1 for group, k in formula.at_most)


@pytest.mark.parametrize(("family", "one"), BOTH)
def test_trivial_and_duplicate_units_add_no_clauses(family: str, one: str) -> None:
    plain = by_hand(6, 3, (0, 1, 2), (3, 4))
    redundant = by_hand(6, 3, (0, 1, 2), (), (5,), (3, 4), (1, 2, 0), (0,), (4, 3))
    formulas = [encoded(f"{family}+{one}", board) for board in (plain, redundant)]
    assert formulas[0].clauses.tolist() == formulas[1].clauses.tolist()
    assert formulas[0].at_most == formulas[1].at_most


@pytest.mark.parametrize("family", FAMILIES)
def test_a_board_without_squares_or_with_one_value_has_only_unit_clauses(family: str) -> None:
    truth = [(1,)] if family == "reduced" else []
    assert clauses(encoded(family, LAYOUTS["nothing"])) == truth
    single = encoded(family, by_hand(2, 1))
    assert clauses(single) == truth or clauses(single) == [(1,), (2,)]


def test_a_pattern_with_clauses_of_several_lengths_is_instantiated_completely() -> None:
    def odd(n: int) -> Pattern:
        return Pattern(((-1, -2), (1, 2, -4), (-2, -3), (4, 3, 2, 1)), 1)

    blocks, free = stamp(np.array([[5, 6, 7], [8, 9, 10]], np.int32), odd, 20)
    assert free == 22
    found = sorted(tuple(c) for block in blocks for c in block.tolist())
    wanted = [(-5, -6), (5, 6, -20), (-6, -7), (20, 7, 6, 5), (-8, -9), (8, 9, -21), (-9, -10), (21, 10, 9, 8)]
    assert found == sorted(wanted)
    formula = efficient(by_hand(3, 1, (0, 1, 2)), odd)
    assert sorted(clauses(formula)) == sorted([(1,), (2,), (3,), (-2, -1), (-3, -2), (1, 2, -4), (4, 3, 2, 1)])


def test_reduced_has_no_variables_for_decided_places() -> None:
    board = by_hand(4, 4, (0, 1, 2, 3))
    formula = reduced(board, (0b0001, 0b0111, 0b1110, 0b1110))
    assert formula.literal[0] == (1, -1, -1, -1)
    assert all(row[0] == -1 for row in formula.literal[1:])
    assert formula.variables == 1 + 2 + 3 + 3


@pytest.mark.parametrize("one", AT_MOST_ONE)
def test_reduced_encodes_a_last_place_as_a_unit_clause(one: str) -> None:
    board = by_hand(3, 3, (0, 1, 2))
    formula = reduced(board, (0b111, 0b011, 0b011), AT_MOST_ONE[one])
    assert (formula.literal[0][2],) in clauses(formula)
    assert all(len(group) > 1 for group, _ in formula.at_most)


def test_reduced_encodes_a_refuted_board_as_a_contradiction() -> None:
    board = by_hand(2, 2, (0, 1))
    formula = reduced(board, (1, 1))
    assert clauses(formula) == [(1,), (-1,)]
    assert formula.variables == 1
    assert formula.literal == ((-1, -1), (-1, -1))


def test_flat_clauses_keep_their_order_and_empty_ones() -> None:
    blocks = [np.array([[1, 2], [-3, 4]]), np.empty((0, 3)), np.empty((2, 0)), np.array([[-5]])]
    assert flatten([block.astype(np.int32) for block in blocks]).tolist() == [1, 2, 0, -3, 4, 0, 0, 0, -5, 0]
    assert flatten([]).tolist() == []
