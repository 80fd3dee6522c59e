"""Matrix: values of single contenders, mean ratios of several, and marks where the difference is significant."""

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from harness.model.errors import BadUsage
from harness.reporting.views.comparing import matrix
from harness.reporting.views.comparing.matrix import Matrix, Pivot
from harness.reporting.views.comparing.matrix_text import matrix_text
from harness.reporting.views.comparing.measures import FIELDS
from harness.reporting.views.ranking.ranks import rank
from harness.reporting.views.ranking.score_matrix import matrix_of
from harness.runs.runner import Run
from harness.storing.journal import Journal
from tests.conftest import Harness
from tests.journals import Times, make, noisy

SOLVERS = [f"s{i}" for i in range(6)]


def made(path: Path, times: dict[str, Times], *pivot: str, **special: Any) -> Matrix:
    """Return the matrix of a journal with these times."""
    with Journal.open(make(path, times, **special)) as journal:
        run = Run(journal).rejudge()
        return matrix.matrix(run.results(), run.summary(), Pivot(*pivot))


def lucky(seed: int, factor: float) -> dict[str, Times]:
    """Return six solvers with two encodings, the second slower by `factor` but for one solver that it suits."""
    suited = {name: 0.2 if name == "s5" else factor for name in SOLVERS}
    plain = {f"{name}/direct": noisy(i, 5, 30) * (i + 1) for i, name in enumerate(SOLVERS, seed)}
    return plain | {f"{n}/order": t * suited[n] for n, t in zip(SOLVERS, plain.values(), strict=True)}


@pytest.mark.slow
def test_several_contenders_in_a_cell_are_compared_by_their_mean_ratio_not_by_the_luckiest(tmp_path: Path) -> None:
    times = lucky(1, 2.0)
    found = made(tmp_path / "j", times, "par2", "encoding", "env")
    assert found.reference == "direct"
    cell = found.cells[1][0]
    assert cell.value == pytest.approx((2.0**5 * 0.2) ** (1 / 6))
    assert cell.low is not None
    assert cell.high is not None
    assert cell.low < 1 < cell.high
    assert not any(c.best_of_column for line in found.cells for c in line)
    text = matrix_text(found, "table")
    assert "geometric mean over contenders that differ in encoding alone [99 % interval" in text
    assert "1x" in text
    least = made(tmp_path / "k", times, "par2", "encoding", "env", "min")
    assert least.reference is None
    assert "minimum over the contenders of a cell" in matrix_text(least, "table")


def test_an_option_that_is_faster_with_every_contender_is_marked(tmp_path: Path) -> None:
    times = {f"{n}/{e}": noisy(i, 5, 30) * f for i, n in enumerate(SOLVERS) for e, f in (("a", 1.0), ("b", 0.5))}
    found = made(tmp_path / "j", times, "par2", "encoding", "env")
    assert [line[0].best_of_column for line in found.cells] == [False, True]
    assert found.cells[1][0].value == pytest.approx(0.5, rel=0.05)


def test_only_contenders_that_both_rows_have_count(tmp_path: Path) -> None:
    times = {"s0/a": noisy(1, 5, 30), "s1/a": noisy(2, 5, 30), "s0/b": noisy(3, 5, 30) * 3, "s9/b": noisy(4, 5, 30)}
    (_, (cell,)) = made(tmp_path / "j", times, "par2", "encoding", "env").cells
    assert cell.value == pytest.approx(3, rel=0.05)
    assert cell.low is None  # one pair has no interval


def test_winners_of_values_are_marked_only_where_the_difference_is_significant(tmp_path: Path) -> None:
    times = {"s0/a": noisy(1), "s1/a": noisy(2, factor=1.01), "s0/b": noisy(3, factor=2), "s1/b": noisy(4, factor=3)}
    found = made(tmp_path / "j", times, "par2", "encoding", "backend")
    assert [[c.best_of_row for c in line] for line in found.cells] == [[False, False], [True, False]]
    assert [[c.best_of_column for c in line] for line in found.cells] == [[True, True], [False, False]]
    text = matrix_text(found, "table")
    assert "< significantly lowest of its row, ^ significantly lowest of its column" in text


@pytest.mark.parametrize("measure", ["median", "solve", "cpu"])
def test_every_measure_of_time_is_tested(tmp_path: Path, measure: str) -> None:
    times = {"s0/a": noisy(1), "s1/a": noisy(2, factor=2)}
    ((cell, _),) = made(tmp_path / "j", times, measure, "encoding", "backend").cells
    assert cell.best_of_row


def test_an_undecided_puzzle_is_slow_with_par2_and_left_out_of_means(tmp_path: Path) -> None:
    odd = {"s0/a": {"undecided": list(range(90))}}
    times = {"s0/a": noisy(1), "s1/a": noisy(2, factor=2)}
    ((_, cell),) = made(tmp_path / "j", times, "par2", "encoding", "backend", odd=odd).cells
    assert cell.best_of_row
    ((cell, _),) = made(tmp_path / "k", times, "mean", "encoding", "backend", odd=odd).cells
    assert cell.partial, "of 10 instances, so it is not the best beside 100"
    assert not cell.best_of_row


def test_a_matrix_shows_any_score_and_marks_whom_all_others_are_shown_to_be_behind(tmp_path: Path) -> None:
    times = {f"{n}/{e}": noisy(i, 5, 30) * f for i, n in enumerate("ab") for e, f in (("direct", 1.0), ("order", 2.0))}
    times["b/direct"] = times["b/direct"] * 1.001
    with Journal.open(make(tmp_path / "j", times, limit=50.0)) as journal:
        run = Run(journal).rejudge()
        found = matrix_of(run.results(), run.summary(), Pivot("par10", "encoding", "backend"))
        ranks = {c.name: c.score for c in rank(run.results(), "par10").contenders}
        least = matrix_of(run.results(), run.summary(), Pivot("borda", "encoding", "env"))
        points = {c.name: c.score for c in rank(run.results(), "borda").contenders}
    assert [[cell.value for cell in line] for line in found.cells] == [
        [ranks[f"{n}/{e}"] for n in "ab"] for e in ("direct", "order")
    ]
    assert [[cell.best_of_column for cell in line] for line in found.cells] == [[True, True], [False, False]]
    assert not any(cell.best_of_row for line in found.cells for cell in line)
    assert least.cells[0][0].value == max(points[f"{n}/direct"] or 0 for n in "ab")
    text = matrix_text(least, "table")
    assert "best over the contenders of a cell" in text
    assert "^ shown to be the best of its column" in text


def test_a_matrix_wider_than_the_terminal_is_split_between_columns(tmp_path: Path) -> None:
    found = made(tmp_path / "j", {f"pysat:solver{i}": noisy(i, 1, 4) for i in range(9)}, "par2", "encoding", "backend")
    whole, cut = matrix_text(found, "table"), matrix_text(found, "table", 60)
    tables = [text.rpartition("\n\n")[0].splitlines() for text in (whole, cut)]
    assert max(map(len, tables[1])) <= 60 < max(map(len, tables[0]))
    spans = re.findall(r"(?m)^columns (\d+) to (\d+) of 9, 1 row:$", cut)
    assert [int(first) for first, _ in spans] == [1, *(int(last) + 1 for _, last in spans[:-1])]
    assert spans[-1][1] == "9"
    assert "columns" not in whole.rpartition("\n\n")[0]
    assert [w for w in cut.split() if w.startswith("pysat:")] == [w for w in whole.split() if w.startswith("pysat:")]


def test_a_wide_matrix_is_turned_where_that_needs_fewer_tables(tmp_path: Path) -> None:
    names = [f"pysat:solver{i}/{e}" for i in range(9) for e in ("direct", "order")]
    found = made(tmp_path / "j", {name: noisy(i, 1, 4) for i, name in enumerate(names)}, "par2", "encoding", "backend")
    turned = matrix_text(found, "table", 60)
    assert turned.startswith("backend \\ encoding")
    assert "columns" not in turned.rpartition("\n\n")[0]
    rows = turned.split("\n\n")[0].splitlines()[2:]
    assert [row.split()[0] for row in rows] == [f"pysat:solver{i}" for i in range(9)]
    assert matrix_text(found, "table").startswith("encoding \\ backend")


def test_csv_is_one_table_of_plain_numbers(tmp_path: Path) -> None:
    found = made(tmp_path / "j", {"x": np.full((1, 4), 0.5), "y": np.full((1, 4), 1.5)}, "mean", "encoding", "backend")
    rows = list(csv.reader(io.StringIO(matrix_text(found, "csv"))))
    assert rows == [["encoding \\ backend", "x", "y"], ["alldifferent", "0.5", "1.5"]]


def test_pivot_without_matrix_requests_a_matrix() -> None:
    assert matrix.requested(None, None) is None
    assert matrix.requested("solve", None) == Pivot("solve", "encoding", "backend")
    assert matrix.requested(None, "family,at-most-one") == Pivot("par2", "family", "at-most-one")
    for measure, fields in (("speed", None), (None, "family"), (None, "family,family"), (None, "a,b")):
        with pytest.raises(BadUsage, match=r"known are|is not ROWS,COLUMNS"):
            matrix.requested(measure, fields)
    for fields in ("at-most-one,encoding", "encoding,family"):  # an encoding has one at-most-one
        with pytest.raises(BadUsage, match="use at-most-one,family"):
            matrix.requested(None, fields)


def test_json_keeps_the_matrix_and_csv_is_one_table_a_file(tmp_path: Path, harness: Harness) -> None:
    path = make(tmp_path / "j", {"x": noisy(1, 5, 8), "y": noisy(2, 5, 8)})
    found = json.loads(harness("report", path, "--matrix", "mean", "--json", "-").out)["matrix"]
    assert (found["measure"], [c["column"] for c in found["cells"]]) == ("mean", ["x", "y"])
    heads = [
        harness("report", path, "--format", "csv", *rest).out.splitlines()[0].split(",")[0]
        for rest in ([], ["--matrix"], ["--vbs"])
    ]
    assert heads == ["corpora", "encoding \\ backend", "contender"]
    for rest in ([], ["--matrix"], ["--vbs"]):
        rows = list(csv.reader(io.StringIO(harness("report", path, "--format", "csv", *rest).out)))
        assert len({len(row) for row in rows}) == 1
    both = harness("report", path, "--format", "csv", "--matrix", "--vbs")
    assert both.code == 2
    assert both.err == "harness: --format csv prints one table: choose --matrix or --vbs\n"


def test_phases_add_up_to_the_mean_with_any_number_of_repeats(tmp_path: Path) -> None:
    for repeats in (1, 2, 5):
        wall = noisy(1, repeats, 12, noise=0.5)
        path = make(
            tmp_path / str(repeats), {"x": wall}, phase_shares={"x": np.random.default_rng(2).random(wall.shape)}
        )
        with Journal.open(path) as journal:
            entry: Any = Run(journal).rejudge().summary()["contenders"][0]
        phases = sum(entry["phases"][p] for p in ("encode", "load", "solve", "decode"))
        assert entry["phases"]["load"] > 0
        assert phases == pytest.approx(entry["seconds"]["mean"], rel=1e-6)


def test_the_summary_has_cpu_times(tmp_path: Path) -> None:
    wall = noisy(1, 3, 12)
    with Journal.open(make(tmp_path / "j", {"x": wall}, cpu_times={"x": wall / 2})) as journal:
        entry: Any = Run(journal).rejudge().summary()["contenders"][0]
    for key in ("par2", "par10"):
        assert entry["cpu"][key] == pytest.approx(entry[key] / 2, rel=1e-6)
    assert entry["cpu"]["seconds"]["median"] == pytest.approx(entry["seconds"]["median"] / 2, rel=1e-5)


def test_the_axes_of_an_encoding_are_fields_of_a_matrix() -> None:
    entry: Any = {"encoding": "order", "at_most_one": "product", "linear": "mdd", "table": "support"}
    assert FIELDS["encoding"](entry) == "order+product+linear=mdd"
    assert (FIELDS["family"](entry), FIELDS["linear"](entry), FIELDS["table"](entry)) == ("order", "mdd", "support")
    assert matrix.parse_pivot("linear,table") == ("linear", "table")
    with pytest.raises(BadUsage, match="an encoding is a family with its axes"):
        matrix.parse_pivot("encoding,linear")


@pytest.mark.parametrize("measure", ["mean", "median", "total", "cpu", "solve", "decisions"])
def test_a_value_of_fewer_instances_is_marked_as_such_and_is_not_the_lowest(measure: str, tmp_path: Path) -> None:
    times = {
        f"{name}/direct": noisy(i, 5, 11, factor=f) for i, (name, f) in enumerate((("a", 0.1), ("b", 1), ("c", 3)))
    }
    path = make(tmp_path / "j.sqlite", times, odd={"a/direct": {"undecided": list(range(2, 11))}})
    with Journal.open(path, write=True) as journal:
        journal.db.execute("update outcomes set decisions = contender")
        run = Run(journal).rejudge()
        found = matrix.matrix(run.results(), run.summary(), Pivot(measure, "encoding", "backend"))
    few, low, high = found.cells[0]
    assert (few.measured, few.of, few.partial) == (2, 11, True)
    assert [cell.best_of_row for cell in (few, low, high)] == [False, True, False]
    for fmt in ("table", "markdown", "latex"):
        text = matrix_text(found, fmt)
        assert "(2/11)" in text
        assert "of n instances alone" in text


def test_par2_is_of_all_instances_and_marked_whatever_was_decided(tmp_path: Path) -> None:
    times = {f"{name}/direct": noisy(i, 5, 11) for i, name in enumerate("ab")}
    found = made(
        tmp_path / "j.sqlite", times, "par2", "encoding", "backend", odd={"a/direct": {"undecided": [*range(9)]}}
    )
    assert not any(cell.partial for cell in found.cells[0])
