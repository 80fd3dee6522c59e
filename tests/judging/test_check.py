"""Check of solutions in columns, whatever the width of the masks of domains."""

import numpy as np
import pytest

from harness.judging.judge import check
from puzzles.boards.families import layout
from puzzles.problem.columns import index_type, pack


@pytest.mark.parametrize("order", [2, 16, 17, 32, 33, 64, 65])
def test_a_value_outside_its_domain_is_found_in_masks_of_every_width(order: int) -> None:
    board = layout(f"latin {order}")
    solution = [(r + c) % order for r in range(order) for c in range(order)]
    every = [board.open]
    for value in (0, order - 1):
        square = solution.index(value)
        masks = (1 << value, board.full & ~(1 << value))
        every += [(*board.open[:square], mask, *board.open[square + 1 :]) for mask in masks]
    solutions = np.array([solution] * len(every), index_type(board))
    found = np.ones(len(every), np.int32)
    assert check(board, pack(board, every), found, solutions).tolist() == [1, 1, -1, 1, -1]
