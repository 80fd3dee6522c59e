"""Results of a journal in Python: the same as reports, frames equal to the rows, nothing left open."""

import csv
import io
import json
import os
import pickle
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import harness as interface
from harness.interface import frame as frames
from harness.reporting.formats.tidy import NAMES, cell
from puzzles.problem import Problem
from puzzles.problem.declared import DeclaredItem, assignment
from puzzles.problem.values import Integers
from tests.conftest import Harness
from tests.journals import make, noisy

HOSTILE = "</script><img src=x onerror=alert(1)>"


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    times = {"x": noisy(1, 2, 6), "y": noisy(2, 2, 6, factor=2.0)}
    return make(tmp_path / "j.sqlite", times, odd={"y": {"undecided": [1], "crashed": [2]}})


def open_files(path: Path) -> list[str]:
    """Return the open files of this process whose names begin with that of a journal."""
    links = [Path("/proc/self/fd", fd) for fd in os.listdir("/proc/self/fd")]
    return [str(link.readlink()) for link in links if link.is_symlink() and str(link.readlink()).startswith(str(path))]


def test_the_summary_is_that_of_report(journal: Path, harness: Harness) -> None:
    assert interface.open(journal).summary == harness("report", journal, "--json", "-").summary


def test_the_table_is_that_of_report(journal: Path, harness: Harness) -> None:
    results = interface.open(str(journal))
    for form in ("table", "markdown", "csv"):
        assert results.table(form) + "\n" == harness("report", journal, "--format", form).out
    assert results.table(time="cpu") + "\n" == harness("report", journal, "--time", "cpu").out
    assert repr(results.table()) == results.table(), "a prompt shows the table, not its escapes"
    assert pickle.loads(pickle.dumps(results.table()))._repr_html_() == results.table()._repr_html_()


def test_comparisons_are_those_of_compare(journal: Path, tmp_path: Path, harness: Harness) -> None:
    newer = make(tmp_path / "newer.sqlite", {"x": noisy(3, 2, 6), "z": noisy(4, 2, 6)})
    a, b = interface.open(journal), interface.open(newer)
    found = a.compare("x", "y", threshold=10)
    assert found == json.loads(
        harness("compare", journal, "--contenders", "x", "y", "--threshold", "10", "--json", "-").out
    )
    assert repr(found) + "\n" == harness("compare", journal, "--contenders", "x", "y", "--threshold", "10").out
    assert a.compare() == found | {"threshold": 0.05} or a.compare()["threshold"] == 0.05
    between = json.loads(harness("compare", journal, newer, "--json", "-").out)
    assert a.compare(other=b) == between
    assert a.compare("y", "z", b)["comparisons"][0]["after"]["contender"] == "z"
    mistakes: list[dict[str, Any]] = [{}, {"new": "nosuch"}, {"new": "y", "threshold": 0}]
    for more in mistakes:
        with pytest.raises(interface.BadUsage):
            a.compare("x", **more)


def test_rankings_are_those_of_report(journal: Path, harness: Harness) -> None:
    found = interface.open(journal).rank("shapley", time="cpu")
    assert found == harness("report", journal, "--rank", "shapley", "--time", "cpu", "--json", "-").summary["ranking"]
    assert repr(found) in harness("report", journal, "--rank", "shapley", "--time", "cpu").out
    assert "Shapley value" in found._repr_html_()


def exported(journal: Path, harness: Harness) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(harness("export", journal, "--to", "csv").out, newline="")))


def as_cell(value: Any, missing: Any) -> str:
    """Return a value of a frame as `export` writes it."""
    return "" if value is None or value is missing else cell(value)


def test_a_frame_of_pandas_equals_the_exported_rows(journal: Path, harness: Harness) -> None:
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    frame = interface.open(journal).frame(library="pandas")
    rows = [{name: as_cell(value, pandas.NA) for name, value in row.items()} for row in frame.to_dict(orient="records")]
    assert rows == exported(journal, harness)
    assert list(frame.columns) == list(NAMES)
    assert str(frame["wall_ns"].dtype) == "Int64"
    assert frame["decisions"].isna().sum() in (0, len(frame))
    assert type(interface.open(journal).frame()) is pandas.DataFrame


def test_a_frame_of_polars_equals_the_exported_rows(journal: Path, harness: Harness) -> None:
    polars = pytest.importorskip("polars", reason="polars is not installed")
    frame = interface.open(journal).frame(library="polars")
    rows = [{name: as_cell(value, None) for name, value in row.items()} for row in frame.to_dicts()]
    assert rows == exported(journal, harness)
    assert frame.schema["wall_ns"] == polars.Int64


def test_columns_have_one_type_whatever_the_data(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    path = make(tmp_path / "j.sqlite", {"x": noisy(1, 1, 2)})
    full = interface.open(path).frame(library="pandas")
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("delete from outcomes")
    db.close()
    empty = interface.open(path).frame(library="pandas")
    assert empty.dtypes.to_dict() == full.dtypes.to_dict()
    assert isinstance(empty, pandas.DataFrame)


def test_a_missing_library_is_named(journal: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frames, "find_spec", lambda name: None)
    for library in ("pandas", "polars"):
        with pytest.raises(interface.BadUsage, match=f"frames need {library}, which is not installed: pip install"):
            interface.open(journal).frame(library=library)
    with pytest.raises(interface.BadUsage, match="frames need pandas"):
        interface.open(journal).frame()
    with pytest.raises(interface.BadUsage, match="'arrow' is no library of frames: choose from pandas, polars"):
        interface.open(journal).frame(library="arrow")  # type: ignore[call-overload]


@pytest.mark.skipif(sys.platform != "linux", reason="open files are listed by /proc")
def test_no_journal_stays_open(journal: Path, tmp_path: Path) -> None:
    results = interface.open(journal)
    results.compare("x", "y")
    broken = tmp_path / "broken.sqlite"
    broken.write_bytes(journal.read_bytes()[:5000])
    with pytest.raises(interface.BadUsage):
        interface.open(broken)
    with pytest.raises(interface.BadUsage, match="nosuch"):
        interface.open(tmp_path / "nosuch.sqlite")
    assert open_files(journal) == open_files(broken) == []


def test_results_of_a_journal_that_has_changed_read_no_more_of_it(journal: Path) -> None:
    results = interface.open(journal)
    with closing(sqlite3.connect(journal)) as db, db:
        db.execute("update meta set value = '\"running\"' where key = 'state'")
    db.close()
    with pytest.raises(interface.BadUsage, match=r"has changed since it was read: call harness\.open again"):
        results.compare("x", "y")
    assert "contender" in results.table(), "what was read is still there"


def test_names_of_others_do_no_harm_in_a_notebook(tmp_path: Path) -> None:
    names = (HOSTILE, "\u202egnp.exe", "n" * 500, "=cmd()")
    path = make(tmp_path / "j.sqlite", {name: noisy(i, 2, 6) for i, name in enumerate(names)})
    results = interface.open(path)
    shown = [results._repr_html_(), results.rank()._repr_html_(), results.compare(HOSTILE, "=cmd()")._repr_html_()]
    for html in shown:
        assert "<img" not in html
        assert "</script" not in html
        assert "&lt;img src=x onerror=alert(1)&gt;" in html
        assert "\u202e" not in html


def test_values_of_a_problem_with_constants_are_those_of_its_variables(tmp_path: Path) -> None:
    """Constants are the last variables of a problem, and no part of a stored solution."""
    pytest.importorskip("pandas")
    table, goal = "array [1..3] of int: t = [10,20,30];\n", "solve maximize v;\n"
    declared = "var 1..3: i :: output_var;\nvar 0..100: v :: output_var;\n"
    (tmp_path / "a.fzn").write_text(f"{table}{declared}constraint array_int_element(i,t,v);\n{goal}")
    results = interface.run(tmp_path / "a.fzn", "native:python", output=tmp_path / "a.sqlite", warmup=0, no_pin=True)
    (row,) = results.values(library="pandas").to_dict("records")
    assert (row["i"], row["v"]) == (3, 30)
    item = DeclaredItem("w", "number", (), ((7, 1, 0),))
    problem = Problem("", ("x", "5"), Integers((2, 5)), (), declared=(item,))
    assert dict(assignment(problem, [0])) == {"w": 9}
