"""Matrix, ranking and page of a run on several machine types."""

import base64
import gzip
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from harness.reporting.views.comparing import matrix
from harness.reporting.views.comparing.matrix import Matrix, Pivot
from harness.reporting.views.comparing.matrix_text import matrix_text
from harness.reporting.views.summary_table import report
from harness.runs.runner import Run
from harness.storing.journal import Journal
from tests.conftest import Harness
from tests.journals import HOST, OTHER, Times, make, noisy

SOLVERS = [f"s{i}" for i in range(6)]
SECOND = np.tile([False, False, True, True], 8)  # instances of the blocks at place 2


def header(page: Path) -> dict[str, Any]:
    """Return the header of a page's data."""
    (data,) = re.findall(r'id="data">([^<]*)</script>', page.read_text(encoding="utf-8"))
    packed = gzip.decompress(base64.b64decode(data))
    found: dict[str, Any] = json.loads(packed[4 : 4 + int.from_bytes(packed[:4], "little")])
    return found


def mixed(path: Path, times: dict[str, tuple[Times, float]]) -> Path:
    """Make a journal of two machine types; each contender has times and a factor on the second type."""
    shown = {name: np.where(SECOND, seconds * factor, seconds) for name, (seconds, factor) in times.items()}
    return make(path, shown, hosts=[HOST, OTHER], placed=lambda repeat, block: 1 + block % 2)


def encodings(first: float, second: float, alone: bool = False) -> dict[str, tuple[Times, float]]:
    """Return solvers with two encodings: the second takes `first` times as long, `second` times on the second type."""
    solvers = SOLVERS[:1] if alone else SOLVERS
    plain = {f"{name}/a": (noisy(i, 5, 32), 3.0) for i, name in enumerate(solvers)}
    return plain | {f"{n}/b": (noisy(i + 9, 5, 32) * first, 3 * second / first) for i, n in enumerate(solvers)}


def square(path: Path, *pivot: str) -> Matrix:
    with Journal.open(path) as journal:
        results = Run(journal).rejudge().results()
        return matrix.matrix(results, Run(journal).rejudge().summary(), Pivot(*pivot))


def test_ratios_of_a_matrix_are_of_all_machine_types_if_these_agree(tmp_path: Path) -> None:
    cell = square(mixed(tmp_path / "j", encodings(2.0, 2.0)), "par2", "encoding", "env").cells[1][0]
    assert cell.value == pytest.approx(2, rel=0.03)
    assert cell.by_machine == ()
    assert cell.low is not None
    assert cell.low > 1


def test_ratios_of_a_matrix_are_of_each_machine_type_if_these_differ(tmp_path: Path) -> None:
    found = square(mixed(tmp_path / "j", encodings(0.5, 2.0)), "par2", "encoding", "env")
    cell = found.cells[1][0]
    assert cell.value is None
    assert cell.by_machine == pytest.approx((0.5, 2.0), rel=0.03)
    assert not any(c.best_of_column for line in found.cells for c in line)
    shown = " ".join(matrix_text(found, "table").split())
    assert re.search(r"0\.[45]\d*x / [12]\.\d*x", shown)
    assert "machine types that do not agree (1: one, 2 cores; 2: two, 8 cores)" in shown
    assert [c["by_machine"] for c in found.as_dict()["cells"]] == [(), cell.by_machine]


def test_a_value_is_lowest_only_if_machine_types_do_not_contradict_it(tmp_path: Path) -> None:
    agreeing, differing = encodings(0.5, 0.5, alone=True), encodings(0.2, 2.0, alone=True)
    marks = []
    for name, times in (("a", agreeing), ("d", differing)):
        found = square(mixed(tmp_path / name, times), "par2", "encoding", "env")
        marks.append(found.cells[1][0].best_of_column)
    assert marks == [True, False]


def test_the_table_has_a_ratio_to_the_best_of_each_machine_type(tmp_path: Path) -> None:
    path = mixed(tmp_path / "j", {"x": (noisy(1, 5, 32), 3.0), "y": (noisy(1, 5, 32) * 2, 0.5)})
    with Journal.open(path) as journal:
        summary = Run(journal).rejudge().summary()
    rows = {line.split(",")[2]: line.split(",") for line in report(summary, "csv").splitlines()}
    columns = {name: i for i, name in enumerate(rows["contender"])}
    ratios = {n: [float(rows[n][columns[f"vs best {k}"]]) for k in (1, 2)] for n in ("x", "y")}
    assert ratios["x"] == pytest.approx([1, 3])
    assert ratios["y"] == pytest.approx([2, 1])
    assert "vs best" not in columns


def test_the_page_warns_of_mixed_hosts_and_has_the_ratios_of_each_machine_type(
    tmp_path: Path, harness: Harness
) -> None:
    times = {"x@old": (noisy(1, 5, 32), 3.0), "x": (noisy(2, 5, 32) * 0.5, 12.0)}
    path = mixed(tmp_path / "j", times)
    assert harness("report", path, "--html", tmp_path / "p.html").code == 0
    found = header(tmp_path / "p.html")
    assert any(w.startswith("mixed hosts (1: one") for w in found["journals"][0]["summary"]["warnings"])
    (one,) = found["comparison"]["comparisons"]
    assert one["times"] == {}  # the page shows no common ratio
    assert [round(m["times"]["wall"]["ratio"], 1) for m in one["by_machine"]] == [0.5, 2.0]
    lines = [w for w in found["comparison"]["warnings"] if w.startswith("mixed hosts: x@old, x: wall time 0.5")]
    assert len(lines) == 1
    assert "on one, 2 cores; 2.0" in lines[0]
    assert "differ, not pooled (Cochran's Q" in lines[0]
    assert harness("report", path, "--html", tmp_path / "q.html", "--host", "2").code == 0
    cut = header(tmp_path / "q.html")
    assert cut["command"].endswith("--host 2")
    assert cut["comparison"]["comparisons"][0]["times"]["wall"]["ratio"] == pytest.approx(2, rel=0.03)
    assert not any("mixed" in w for w in cut["comparison"]["warnings"])
