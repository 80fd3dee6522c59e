"""Tables and their writers: programs get raw values, people texts, and a narrow terminal is told what it lacks."""

import csv
import io

import pytest

from harness.reporting.writing.fitting import (
    omit,
    omit_if_equal,
    omit_zeros,
    shorten_heads,
    shorten_names,
    split,
    width_of,
)
from harness.reporting.writing.table import Cell, Column, Readers, ResultTable, Unit, table_of
from harness.reporting.writing.writers import WRITERS, written

COLUMNS = (
    Column("place", readers=Readers.PEOPLE),
    Column("contender", names=True),
    Column("times as many", Unit.RATIO, key="ratio", short="times", interval=True),
    Column("lost", Unit.COUNT),
    Column("id", readers=Readers.PROGRAMS),
)
ROWS = (
    (1, "pysat:cadical195", Cell(1.25, "1.25x [1, 2]", 1.0, 2.0, "^"), 0, 7),
    (2, "pysat:a|b", None, 0, 8),
)


def table(**parts: object) -> ResultTable:
    return table_of(COLUMNS, ROWS, **parts)


def test_programs_get_raw_values_and_the_ends_of_intervals() -> None:
    rows = list(csv.DictReader(io.StringIO(written(table(title="t", caption="c", notes=("n",)), "csv"))))
    assert list(rows[0].values()) == ["pysat:cadical195", "1.25", "1.0", "2.0", "0", "7"]
    assert list(rows[0]) == ["contender", "ratio", "ratio low", "ratio high", "lost", "id"]
    assert rows[1]["ratio"] == ""
    assert table().records()[0]["ratio high"] == 2.0
    assert written(table_of(COLUMNS, ()), "csv") == "contender,ratio,ratio low,ratio high,lost,id"


@pytest.mark.parametrize("columns", range(2, 14))
def test_a_split_table_has_about_as_many_columns_in_each_part(columns: int) -> None:
    wide = table_of([Column("name"), *(Column(f"column {i:02}") for i in range(columns))], [[0] * (columns + 1)])
    parts = split(wide, 50)
    sizes = [len(part.columns) - 1 for part in parts]
    assert sum(sizes) == columns
    assert max(sizes) - min(sizes) < len(parts)
    assert all(width_of(part) <= 50 for part in parts)
    assert len(sizes) == -(-columns // 4), "four columns fit beside the first"


def test_people_get_words_marks_and_units() -> None:
    lines = written(table(title="a title", caption="below", notes=("one", "two")), "table").splitlines()
    assert lines[0] == "a title"
    assert lines[2].split() == ["place", "contender", "times", "as", "many", "lost"]
    assert lines[4].split() == ["1", "pysat:cadical195", "1.25x", "[1,", "2]^", "0"]
    assert lines[5].split() == ["2", "pysat:a|b", "-", "0"]
    assert lines[-4:] == ["below", "", "one", "two"]


@pytest.mark.parametrize("fmt", ["markdown", "github"])
def test_markdown_has_its_lines_as_a_list(fmt: str) -> None:
    text = written(table(notes=("one", "two")), fmt)
    assert text.endswith("\n\n- one\n- two")
    assert "a\\|b" in text


def test_latex_has_its_own_lines_as_comments() -> None:
    text = written(table(notes=("one",), comments=("two",)), "latex")
    assert text.endswith("\\end{tabular}\n% two")
    assert "one" not in text


def test_a_title_without_rows_stands_alone_and_a_table_without_columns_is_its_title() -> None:
    assert written(table_of(("a",), (), title="0 instances"), "table") == "0 instances"
    assert {written(ResultTable((), (), "no numbers"), fmt) for fmt in WRITERS} == {"no numbers"}


def test_steps_are_taken_until_the_table_fits_and_a_line_says_what_they_left_out() -> None:
    steps = (omit_zeros("lost"), shorten_names, shorten_heads, omit("place"), omit("times"))
    whole = table(narrow=steps)
    assert "all 0" not in written(whole, "table", width_of(whole))
    assert written(whole, "table", width_of(whole) - 1).splitlines()[-1] == "all 0: lost"
    wide = written(whole, "table", 20)
    assert wide.splitlines()[0].split() == ["contender"]
    told = " ".join(wide.split())
    assert told.endswith(
        "all 0: lost | omitted to fit 20 columns: place, times (--format csv has all) | names without pysat:"
    )
    assert written(whole, "csv", 20) == written(whole, "csv")


def test_what_is_not_zero_stays_and_what_is_equal_is_told_once() -> None:
    found = table_of(("a", "n", "m"), (("x", 3, 0), ("y", 3, 1)), narrow=(omit_zeros("m"), omit_if_equal("n")))
    lines = written(found, "table", 6).splitlines()
    assert lines[0].split() == ["a", "m"]
    assert lines[-1] == "n: 3"
