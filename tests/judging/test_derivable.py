"""Formulas of boards that the judge derives certify the instance; those of other encodings only the formula."""

from pathlib import Path
from typing import Any

import pytest

from harness.judging.checking import Checks
from harness.model.outcome import CERTIFIED, FORMULA_CERTIFIED
from puzzles.boards.families import layout
from puzzles.problem.dumped import dump


@pytest.mark.parametrize(
    ("encoding", "outcome"),
    [
        ("extended+product", CERTIFIED),
        ("direct", CERTIFIED),
        ("direct+sequential", CERTIFIED),
        ("order", FORMULA_CERTIFIED),
        ("log+ladder", FORMULA_CERTIFIED),
    ],
)
def test_a_formula_over_places_is_derived_and_one_over_bounds_or_bits_is_not(
    tmp_path: Path, encoding: str, outcome: int
) -> None:
    board = layout("sudoku 2x2")
    (tmp_path / "problem").write_bytes(dump(board))
    order: dict[str, Any] = {
        "do": "formula",
        "encoding": encoding,
        "domains": board.open,
        "solutions": [],
        "write": None,
    }
    assert Checks([]).result(order | {"problem": str(tmp_path / "problem")}) == (outcome, "")
