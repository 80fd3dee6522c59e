"""Plots of results in Python are those of `report --plot`."""

from pathlib import Path

import pytest

import harness as interface
from tests.conftest import Harness
from tests.journals import make, noisy

pytest.importorskip("matplotlib", reason="matplotlib is not installed")


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    return make(tmp_path / "j.sqlite", {"x": noisy(1, 1, 6), "y": noisy(2, 1, 6), "z": noisy(3, 1, 6)})


def test_a_plot_is_the_file_that_report_writes(journal: Path, tmp_path: Path, harness: Harness) -> None:
    file = tmp_path / "report.svg"
    assert harness("report", journal, "--plot", "scatter:x,z", "--width", "2", "--linear", "-o", file).code == 0
    drawn = interface.open(journal).plot("scatter", "x", "z", output=tmp_path / "own.svg", width="2", log=False)
    assert drawn._repr_svg_() == file.read_text() == (tmp_path / "own.svg").read_text()


def test_a_matrix_is_drawn(journal: Path) -> None:
    assert "<svg" in interface.open(journal).plot("matrix").svg


def test_mistakes_in_plots_are_bad_usage(journal: Path) -> None:
    results = interface.open(journal)
    for kind, more in (("nosuch", {}), ("scatter", {}), ("ecdf", {"width": "wide"}), ("ecdf", {"output": "a.doc"})):
        with pytest.raises(interface.BadUsage):
            results.plot(kind, **more)  # type: ignore[arg-type]
