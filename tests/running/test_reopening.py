"""An exception is an error of its puzzle alone, however long its contender takes to open again."""

import numpy as np
import pytest

from backends.contract.answer import Reason
from harness.model.contender import resolve
from harness.model.lease import Block, Lease
from harness.model.settings import RunSettings
from harness.running.engines import local
from harness.running.workers import limits
from puzzles.boards.families import layout
from puzzles.problem.columns import pack
from tests.running.leasing import run_leases


@pytest.mark.slow
@pytest.mark.parametrize("trick", ["raising_once", "raising_last"])
def test_opening_again_is_no_part_of_an_ask(plugins: None, monkeypatch: pytest.MonkeyPatch, trick: str) -> None:
    if trick == "raising_last":  # it is given up, and another worker does the rest
        monkeypatch.setattr(limits, "START_S", 1.0)
    board, notices = layout("sudoku 2x2"), list[str]()
    boards = [board.open, (1, *board.open[1:]), (2, *board.open[1:])]
    lease = Lease(Block(1, board, np.array([1, 2, 3]), pack(board, boards)), 0, (0,))
    settings = RunSettings(limit=0.5, warmup=0)
    with local.LocalPlaces(resolve([f"bad:{trick}"])[0], settings, notify=notices.append) as places:
        outcomes = [o for result in run_leases(places, iter([lease])) for o in result.outcomes]
    rows = np.concatenate([o.rows for o in outcomes])
    assert rows["reason"].tolist() == [Reason.ERROR, Reason.NONE, Reason.NONE]
    assert rows["found"].tolist() == [0, 1, 1]
    assert rows["wall"][0] < 1e9, "the ask alone, without the opening of 1.5 s or more"
    assert outcomes[0].details[0].startswith("RuntimeError: nothing is right today")
    assert len(notices) == (trick == "raising_last")
