"""Plots as files: drawn by `report --plot`, the same bytes twice, fit for a paper, and safe from names."""

import re
from pathlib import Path

import numpy as np
import pytest

from tests.conftest import Harness
from tests.effort import slow_after
from tests.journals import make, noisy

pytest.importorskip("matplotlib", reason="plots as files need matplotlib")

STATES = {"undecided": [0, 1], "memory": [2], "crashed": [3], "gave_up": [4], "unsupported": [5], "wrong": [6]}
HOSTILE = ["</script><img src=x>", "_$\\frac{1}{$ $", "=cmd()", "\u202ebidi\u2066", "x" * 500, "名前", "a\nb%s"]
KINDS = ["cactus", "score", "ecdf", "par2", "matrix", "scatter", "compare"]


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Journal with every state of an instance."""
    times = {"one/x": noisy(1, 2, 30), "two/x": noisy(2, 2, 30, factor=3.0)}
    return make(tmp_path_factory.mktemp("made") / "j.sqlite", times, odd={"two/x": STATES, "one/x": {"undecided": [0]}})


@pytest.mark.parametrize(
    ("kind", "suffix"), slow_after(1, [("cactus", "svg"), ("scatter", "pdf"), ("matrix", "svg"), ("par2", "png")])
)
def test_the_same_journal_gives_the_same_bytes(
    kind: str, suffix: str, journal: Path, tmp_path: Path, harness: Harness
) -> None:
    first, second = tmp_path / f"1.{suffix}", tmp_path / f"2.{suffix}"
    done = harness("report", journal, "--plot", kind, "-o", first, "-o", second)
    assert (done.code, done.out, done.err) == (0, "", "")
    assert first.read_bytes() == second.read_bytes()
    assert not re.search(rb"20[0-9]{2}-[0-9]{2}|CreationDate", first.read_bytes())


@pytest.mark.slow
def test_every_kind_is_drawn_to_the_file_of_its_turn(journal: Path, tmp_path: Path, harness: Harness) -> None:
    arguments = [word for kind in KINDS for word in ("--plot", kind, "-o", tmp_path / f"{kind}.png")]
    assert harness("report", journal, *arguments, "--time", "cpu", "--vbs", "--linear", "--width", "1").code == 0
    assert len({(tmp_path / f"{kind}.png").read_bytes() for kind in KINDS}) == len(KINDS)


def test_fonts_are_embedded_as_truetype_and_the_width_is_that_of_a_column(
    journal: Path, tmp_path: Path, harness: Harness
) -> None:
    path = tmp_path / "f.pdf"
    assert harness("report", journal, "--plot", "ecdf", "-o", path, "--width", "1").code == 0
    data = path.read_bytes()
    assert b"/CIDFontType2" in data
    assert b"/FontFile2" in data
    assert b"/Type3" not in data
    box = re.search(rb"/MediaBox \[ 0 0 ([0-9.]+) ", data)
    assert box is not None
    assert float(box[1]) == pytest.approx(8.4 / 2.54 * 72, abs=0.1)


def test_hostile_names_are_drawn_as_they_are_or_escaped(tmp_path: Path, harness: Harness) -> None:
    names = {name: noisy(i, 1, 5) for i, name in enumerate(HOSTILE)}
    path = make(tmp_path / "j.sqlite", names)
    arguments = [
        word for kind in ("cactus", "par2", "matrix") for word in ("--plot", kind, "-o", f"{tmp_path}/{kind}.svg")
    ]
    assert harness("report", path, *arguments).code == 0
    for kind in ("cactus", "par2", "matrix"):
        text = (tmp_path / f"{kind}.svg").read_text()
        assert "<script" not in text
        assert "<img" not in text
        assert not {"\u202e", "\u2066", "名"} & set(text)


def test_names_are_shortened_in_the_middle_and_keep_dollars() -> None:
    from harness.reporting.plots.style import settings, shown

    with settings():
        assert shown("x" * 500) == "x" * 22 + "…" + "x" * 21
        assert shown("$\\frac{a}{b}$") == "$\\frac{a}{b}$"
        assert shown("\u202e名\n") == "\\u202e\\u540d\\n"


def test_one_instance_and_many_contenders_are_drawn(tmp_path: Path, harness: Harness) -> None:
    path = make(tmp_path / "j.sqlite", {f"backend{i}": np.array([[0.001]]) for i in range(30)})
    assert harness("report", path, "--plot", "cactus", "-o", tmp_path / "f.png").code == 0


def test_an_output_that_cannot_be_written_is_one_line(journal: Path, tmp_path: Path, harness: Harness) -> None:
    done = harness("report", journal, "--plot", "cactus", "-o", tmp_path / "missing" / "f.svg")
    assert done.code == 2
    assert done.err.count("\n") == 1
    assert "No such file" in done.err


def test_a_matrix_without_values_is_one_line(tmp_path: Path, harness: Harness) -> None:
    path = make(tmp_path / "j.sqlite", {"x": noisy(1, 1, 3)}, odd={"x": {"wrong": [0]}})
    done = harness("report", path, "--plot", "matrix", "-o", tmp_path / "f.svg")
    assert done.code == 2
    assert "no cell has a value of par2" in done.err
