"""The page's matrix has the cells of `report --matrix`."""

from dataclasses import asdict
from typing import Any

from harness.reporting.page.groups import matrix_part
from harness.reporting.views.comparing.matrix import Pivot, empty_cells
from tests.journals import contender

NAMES = ("a/x", "a/y", "b/x+product", "b/x+product+warm", "native", "a/x+warm", "a/x@old")


def test_cells_hold_the_contenders_of_the_report() -> None:
    entries: Any = [asdict(contender(name)) | {"wrong": False} for name in NAMES]
    found = matrix_part(entries)
    for r, line in enumerate(empty_cells(entries, Pivot("par2", "encoding", "backend"))):
        for c, cell in enumerate(line):
            assert (cell.row, cell.column) == (found["rows"][r], found["columns"][c])
            places = zip(NAMES, found["row"], found["column"], strict=True)
            assert cell.contenders == [name for name, row, column in places if (row, column) == (r, c)]


def test_peers_differ_in_the_encoding_alone() -> None:
    entries: Any = [asdict(contender(name)) for name in NAMES]
    peers = dict(zip(NAMES, matrix_part(entries)["peer"], strict=True))
    assert peers["a/x"] == peers["a/y"]
    assert len({peers[name] for name in ("a/x", "a/x+warm", "a/x@old", "b/x+product", "native")}) == 5
