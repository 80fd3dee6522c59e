"""Tables: the most informative columns that fit, plain numbers in CSV, and the agreement line."""

import argparse
import csv
import io
import re
from typing import Any

import pytest

from harness.commands import arguments
from harness.model.errors import BadUsage
from harness.reporting import matrix, measures, ranking, tables

NAMES = ("native", "pysat:cadical195/extended", "cpsat")


def contender(name: str, par2: float, **counts: int) -> dict[str, Any]:
    """Return an entry of a summary, with all times derived from its PAR-2."""
    none = dict.fromkeys((*ranking.COUNTS, "solved", "unchecked"), 0)
    return {
        **none,
        **counts,
        "name": name,
        "backend": name.partition("/")[0],
        "encoding": name.partition("/")[2] or "alldifferent",
        "at_most_one": "pairwise",
        "seconds": dict.fromkeys(("total", "median", "mean", "p95", "max"), par2),
        "phases": dict.fromkeys(("encode", "load", "solve", "decode"), par2 / 4),
        "counters": {},
        "puzzles_per_second": 1 / par2,
        "par2": par2,
        "peak": None,
        "trouble": [],
    }


def summary(**counts: int) -> dict[str, Any]:
    entries = [contender(name, 0.5 * (i + 1), solved=3, **counts) for i, name in enumerate(NAMES)]
    return {
        "contenders": entries,
        "corpora": [{"name": "a, b.txt", "puzzles": 3}],
        "agreement": {"puzzles": 3, "disagreements": []},
    }


def test_a_narrow_table_omits_columns_and_names_them() -> None:
    for width in (60, 80, 100, 120):
        text = ranking.contender_table(summary(), "table", width)
        assert max(map(len, text.splitlines())) <= width
        table, told = text.splitlines()[:5], " ".join(text[text.index("all 0") :].split())
        assert table[0].split()[:2] == ["contender", "solved"]
        assert "PAR-2" in table[0]
        assert told.startswith("all 0: unsat, timeout, error, wrong | omitted to fit")
        gone = re.split(r"[ ,]+", told)
        assert all((column in table[0].split()) != (column in gone) for column in ("p95", "mean", "decode"))


def test_a_nonzero_count_is_never_omitted() -> None:
    *table, told = ranking.contender_table(summary(wrong=1, timeout=2), "table", 60).splitlines()
    assert {"timeout", "wrong"} <= set(table[0].split())
    assert "wrong" not in told


def test_a_wide_terminal_gets_the_full_table() -> None:
    table = ranking.contender_table(summary(), "table", 200)
    assert table == ranking.contender_table(summary(), "table")
    assert len(table.splitlines()) == 5


def test_csv_holds_every_column_as_plain_numbers() -> None:
    rows = list(csv.DictReader(io.StringIO(ranking.contender_table(summary(), "csv"))))
    assert [row["contender"] for row in rows] == list(NAMES)
    first = rows[0]
    assert (first["corpora"], first["puzzles"], first["solved"], first["peak"]) == ("a, b.txt", "3", "3", "")
    assert [float(first[k]) for k in ("median", "PAR-2", "vs best", "solve", "puzzles/s")] == [0.5, 0.5, 1, 0.125, 2]


def test_of_many_wrong_answers_the_first_are_shown_and_the_rest_counted() -> None:
    many = [{"puzzle": f"p:{i}", "contenders": ["x"], "why": "lies"} for i in range(100)]
    lines = tables.disagreement_lines({"agreement": {"disagreements": many}})
    assert len(lines) == tables.MAX_DISAGREEMENTS + 1
    assert f"{100 - tables.MAX_DISAGREEMENTS} more" in lines[-1]


KEYS = (
    *("agreed", "outvoted", "unjudged", "certified", "unique", "several", "none", "uncounted", "unconfirmed"),
    *("shown", "verified"),
)


def agreement_line(contenders: int, **counts: int) -> str:
    """Return the agreement line for three puzzles and these counts."""
    agreement = {"puzzles": 3} | dict.fromkeys(KEYS, 0) | counts
    return tables.agreement_line({"agreement": agreement, "contenders": [{}] * contenders, "count": 2})


def test_agreement_of_one_contender_needs_another() -> None:
    assert agreement_line(1, unjudged=3).startswith("agreement: needs two contenders | 0 of 0 solutions")


def test_puzzles_whose_uniqueness_is_open_are_counted_with_what_to_do() -> None:
    assert agreement_line(2, agreed=3, uncounted=3).endswith(" | 3 not checked for uniqueness")
    summary = {"agreement": {"puzzles": 3} | dict.fromkeys(KEYS, 0) | {"uncounted": 3}, "contenders": [{}] * 2}
    assert tables.agreement_line(summary | {"count": 1}).endswith(" | 3 not checked for uniqueness; use --count 2")


def test_the_agreement_line_counts_puzzles_where_all_but_the_refuted_agree() -> None:
    assert agreement_line(3, agreed=1, outvoted=2).startswith(
        "agreement: 1 of 3 puzzles | 2 where all but the refuted agree | 0 of 0 solutions"
    )


def test_a_matrix_marks_the_best_of_two_or_more() -> None:
    both = summary()
    square = matrix.matrix(both, "par2", "encoding", "backend", "table")
    assert "500 ms<^" in square
    line = matrix.matrix(both, "par2", "at-most-one", "backend", "table")
    assert "500 ms<" in line
    assert "^" not in line
    rows = list(csv.reader(io.StringIO(matrix.matrix(both, "par2", "encoding", "backend", "csv"))))
    assert rows[1] == ["alldifferent", "0.5", "", "1.5"]


def test_a_matrix_wider_than_the_terminal_is_split_between_columns() -> None:
    many = summary()
    many["contenders"] = [contender(f"pysat:solver{i}", 0.5 + i) for i in range(9)]
    whole = matrix.matrix(many, "par2", "encoding", "backend", "table")
    cut = matrix.matrix(many, "par2", "encoding", "backend", "table", 60)
    assert max(map(len, cut.splitlines())) <= 60 < max(map(len, whole.splitlines()))
    assert cut.split().count("alldifferent") == 5
    assert [w for w in cut.split() if w.startswith("pysat:")] == [w for w in whole.split() if w.startswith("pysat:")]
    spans = re.findall(r"(?m)^columns (\d+) to (\d+) of 9, 1 rows?:$", cut)
    assert [int(first) for first, _ in spans] == [1, *(int(last) + 1 for _, last in spans[:-1])]
    assert spans[-1][1] == "9"
    assert "columns" not in whole


def test_pivot_without_matrix_requests_a_matrix() -> None:
    assert matrix.requested(None, None) is None
    assert matrix.requested("solve", None) == ("solve", "encoding", "backend")
    assert matrix.requested(None, "family,at-most-one") == ("par2", "family", "at-most-one")
    for measure, fields in (("speed", None), (None, "family"), (None, "family,family"), (None, "a,b")):
        with pytest.raises(BadUsage, match=r"known are|is not ROWS,COLUMNS"):
            matrix.requested(measure, fields)


def test_the_help_names_every_measure_and_field() -> None:
    parser = argparse.ArgumentParser()
    arguments.add_matrix(parser)
    text = parser.format_help()
    assert [word for word in (*measures.MEASURES, *measures.FIELDS) if word not in text] == []
