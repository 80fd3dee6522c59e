"""Tables: the most informative columns that fit, plain numbers in CSV, and the agreement line."""

import argparse
import csv
import io
import re
import sys
from typing import Any

import pytest

from harness.commands import arguments
from harness.reporting.views import objectives_text, run_lines, summary_table
from harness.reporting.views.comparing import measures
from harness.reporting.writing.printable import to_stderr
from harness.reporting.writing.writers import written

NAMES = ("native", "pysat:cadical195/extended", "cpsat")


def on_one_clock(seconds: float) -> dict[str, Any]:
    """Return what an entry says about a clock, with all times alike."""
    times = dict.fromkeys(("total", "median", "mean", "p95", "max"), seconds)
    return {"seconds": times, "puzzles_per_second": 1 / seconds, "par2": seconds, "par10": seconds}


def contender(name: str, par2: float, **counts: int) -> dict[str, Any]:
    """Return an entry of a summary, with all times derived from its PAR-2."""
    kinds = (*summary_table.COUNTS, "solved", "satisfiable", "proofless", "unchecked", "certified_formula")
    return {
        **dict.fromkeys(kinds, 0),
        **counts,
        "name": name,
        "backend": name.partition("/")[0],
        "encoding": name.partition("/")[2] or "alldifferent",
        "at_most_one": "pairwise",
        **on_one_clock(par2),
        "cpu": on_one_clock(2 * par2),
        "phases": dict.fromkeys(("encode", "load", "solve", "decode"), par2 / 4),
        "counters": {},
        "peak": None,
        "peak_of": {},
        "trouble": [],
        "objective": None,
    }


def summary(**counts: int) -> Any:
    counts = {"solved": 3, "satisfiable": 3} | counts
    entries = [contender(name, 0.5 * (i + 1), **counts) for i, name in enumerate(NAMES)]
    return {
        "limit": 10.0,
        "cpu_limit": None,
        "proof": False,
        "proofs_required": False,
        "score_limits": {clock: {"seconds": 10.0, "clock": "wall"} for clock in ("wall", "cpu")},
        "contenders": entries,
        "corpora": [{"name": "a, b.txt", "puzzles": 3}],
        "agreement": {"puzzles": 3, "disagreements": []},
    }


def contender_table(of: Any, fmt: str = "table", width: int | None = None, clock: str = "wall") -> str:
    """Return the ranking of a summary in a format."""
    return written(summary_table.contender_table(of, clock), fmt, width)


def test_long_names_are_cut_in_the_terminal_and_whole_elsewhere() -> None:
    long = "x" * 250 + "y" * 250
    entries = {"contenders": [contender(long, 0.5, solved=3, satisfiable=3)]}
    table = contender_table(summary() | entries)
    assert table.splitlines()[2].split()[0] == "x" * 36 + "…" + "y" * 35
    narrow = contender_table(summary() | entries, width=160).splitlines()
    assert "PAR-2" in narrow[0]
    assert "puzzles/s" in narrow[0], "a long name leaves room for other columns"
    for fmt in ("csv", "markdown", "latex", "html"):
        assert long in contender_table(summary() | entries, fmt), fmt


def test_a_narrow_table_omits_columns_and_names_them() -> None:
    for width in (60, 80, 100, 120):
        text = contender_table(summary(), "table", width)
        assert max(map(len, text.splitlines())) <= width
        table, told = text.splitlines()[:5], " ".join(text[text.index("all 0") :].split())
        assert table[0].split()[:2] == ["contender", "solved"]
        assert "PAR-2" in table[0]
        assert told.startswith("all 0: timeout, error, wrong | omitted to fit")
        gone = re.split(r"[ ,]+", told)
        assert all((column in table[0].split()) != (column in gone) for column in ("p95", "mean", "decode"))


def test_a_nonzero_count_is_never_omitted() -> None:
    *table, told = contender_table(summary(wrong=1, timeout=2), "table", 60).splitlines()
    assert {"timeout", "wrong"} <= set(table[0].split())
    assert "wrong" not in told


def test_a_wide_terminal_gets_the_full_table() -> None:
    table = contender_table(summary(), "table", 200)
    assert table == contender_table(summary(), "table")
    assert len(table.splitlines()) == 5


def test_csv_holds_every_column_as_plain_numbers() -> None:
    rows = list(csv.DictReader(io.StringIO(contender_table(summary(), "csv"))))
    assert [row["contender"] for row in rows] == list(NAMES)
    first = rows[0]
    assert (first["corpora"], first["puzzles"], first["solved"], first["peak"]) == ("a, b.txt", "3", "3", "")
    assert [float(first[k]) for k in ("median", "PAR-2", "vs best", "solve", "puzzles/s")] == [0.5, 0.5, 1, 0.125, 2]


def test_a_table_of_a_hundred_columns_has_cpu_time() -> None:
    heads, _, first, *_ = contender_table(summary(), "table", 100).splitlines()
    assert "CPU" in heads.split()
    assert "1.00 s" in first


def test_tables_are_based_on_the_chosen_clock() -> None:
    both = summary()
    both["contenders"][0]["cpu"] = on_one_clock(9.0)  # slowest in CPU time
    rows = list(csv.DictReader(io.StringIO(contender_table(both, "csv", clock="cpu"))))
    assert [row["contender"] for row in rows] == [*NAMES[1:], NAMES[0]]
    assert [(float(row["PAR-2"]), float(row["wall"])) for row in rows] == [(2, 1), (3, 1.5), (9, 0.5)]
    assert float(rows[0]["vs best"]) == 1
    assert "solve" not in rows[0]  # phases are of wall time


def test_of_many_wrong_answers_the_first_are_shown_and_the_rest_counted() -> None:
    many = [{"puzzle": f"p:{i}", "contenders": ["x"], "why": "lies"} for i in range(100)]
    part: Any = {"agreement": {"disagreements": many}}
    lines = run_lines.disagreement_lines(part)
    assert len(lines) == run_lines.MAX_DISAGREEMENTS + 1
    assert f"{100 - run_lines.MAX_DISAGREEMENTS} more" in lines[-1]


KEYS = (
    *(
        "agreed",
        "outvoted",
        "unjudged",
        "certified",
        "certified_formula",
        "unique",
        "several",
        "none",
        "uncounted",
        "unconfirmed",
        "objectives",
        "optimal",
        "unopposed",
        "feasible",
        "infeasible",
    ),
    *("shown", "verified"),
)


def agreement_line(contenders: int, **counts: int) -> str:
    """Return the agreement line for three puzzles and these counts."""
    agreement = {"puzzles": 3} | dict.fromkeys(KEYS, 0) | counts
    names = [{"backend": name, "encoding": "alldifferent"} for name in ("opb:clasp", "lp:cbc", "cpsat")]
    part: Any = {"agreement": agreement, "contenders": names[:contenders], "count": 2, "unit": "puzzle"}
    return run_lines.agreement_line(part)


def test_agreement_of_one_contender_needs_another() -> None:
    assert agreement_line(1, unjudged=3).startswith("agreement: needs two contenders | 0 of 0 solutions")


def test_puzzles_whose_uniqueness_is_open_are_counted_with_what_to_do() -> None:
    assert agreement_line(2, agreed=3, uncounted=3).endswith(" | 3 not checked for uniqueness")
    summary: Any = {"agreement": {"puzzles": 3} | dict.fromkeys(KEYS, 0) | {"uncounted": 3}, "contenders": [{}] * 2}
    assert run_lines.agreement_line(summary | {"count": 1, "unit": "puzzle"}).endswith(
        " | 3 not checked for uniqueness; use --count 2"
    )


def test_the_agreement_line_counts_puzzles_where_all_but_the_refuted_agree() -> None:
    assert agreement_line(3, agreed=1, outvoted=2).startswith(
        "agreement: 1 of 3 puzzles | 2 where all but the refuted agree | 0 of 0 solutions"
    )


def test_the_help_names_every_measure_and_field() -> None:
    parser = argparse.ArgumentParser()
    arguments.add_matrix(parser)
    text = parser.format_help()
    assert [word for word in (*measures.MEASURES, *measures.FIELDS) if word not in text] == []


def test_kinds_of_trouble_that_are_not_shown_are_counted() -> None:
    trouble = [{"puzzle": "p", "why": f"why {i}", "times": 1} for i in range(5)]
    for n, told in ((4, "trouble: a: 1 more kind, all"), (5, "trouble: a: 2 more kinds, all")):
        part: Any = {"contenders": [{"name": "a", "trouble": trouble[:n]}]}
        lines = run_lines.trouble_lines(part)
        assert len(lines) == 4
        assert lines[-1].startswith(told)


def test_instances_with_an_objective_are_counted_by_what_is_known_of_their_best_solution() -> None:
    line = agreement_line(2, agreed=2, objectives=3, optimal=1, unopposed=1, feasible=1)
    assert line.endswith(
        " | 1 of 3 optima confirmed | 1 unconfirmed, stated by one kind of solver alone"
        " (one writer of ours makes the input of all): add another kind, such as cpsat or pysat:rc2, to confirm"
        " | 1 with a solution that nobody proved to be the best"
    )
    assert " | 1 of 1 optimum confirmed" in agreement_line(2, objectives=1, optimal=1)
    none = agreement_line(2, objectives=1, infeasible=1, none=1)
    assert none.endswith(" solutions verified | 1 confirmed to have no solution")


def reached(name: str, **counts: Any) -> dict[str, Any]:
    """Return a contender with what it reached on three instances with an objective."""
    goal = {"instances": 3, **dict.fromkeys(("optimal", "infeasible", "feasible", "none", "best", "dropped"), 0)}
    return contender(name, 0.5) | {"objective": goal | {"gap": None, "to_best": None} | counts}


def of_contenders(entries: list[dict[str, Any]]) -> Any:
    """Return the part of a summary that has contenders."""
    return {"contenders": entries}


def test_the_table_of_objectives_has_proved_optima_first_and_leaves_out_columns_of_zeros() -> None:
    entries = [
        reached("b", optimal=1, feasible=2, best=2, gap=0.125, to_best=0.5),
        reached("a", optimal=2, none=1, best=2, gap=1 / 3),
    ]
    lines = written(objectives_text.objective_table(of_contenders(entries)), "table").splitlines()
    assert [" ".join(line.split()) for line in lines] == [
        "contender optimal feasible none best value known mean gap time to best",
        "--------- ------- -------- ---- ---------------- -------- ------------",
        "a 2/3 0 1 2 33.3 % -",
        "b 1/3 2 0 2 12.5 % 500 ms",
    ]
    more = of_contenders([reached("a", infeasible=1, dropped=4)])
    with_more = written(objectives_text.objective_table(more), "table")
    assert "infeasible" in with_more
    assert "unread" in with_more


@pytest.mark.parametrize(("width", "last"), [(120, "unread"), (80, "unread"), (60, "gap"), (52, "best")])
def test_the_table_of_objectives_fits_the_terminal(width: int, last: str) -> None:
    entries = [
        reached(
            "pysat:cadical195/extended", infeasible=1, optimal=1, feasible=1, best=2, gap=0.125, to_best=0.5, dropped=4
        ),
        reached("pysat:rc2/extended", optimal=2, none=1, best=2, gap=1 / 3),
    ]
    lines = written(objectives_text.objective_table(of_contenders(entries)), "table", width).splitlines()
    assert max(map(len, lines)) <= width
    assert lines[0].split()[-1] == last


def test_a_line_on_a_terminal_is_broken_between_words_above_a_bar(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from tqdm import tqdm

    monkeypatch.setenv("COLUMNS", "30")
    text = "note: a line of some words, with /one/that/is/as/long/as/a/path/may/be and more"
    to_stderr(text)
    assert capsys.readouterr().err == text + "\n"
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    with tqdm(total=3, file=sys.stderr, leave=False) as bar:
        bar.refresh()
        to_stderr(text)
        lines = capsys.readouterr().err.rpartition("\r")[0].replace("\r", "\n").splitlines()
    assert "note: a line of some words," in lines
    assert "  /one/that/is/as/long/as/a/path/may/be" in lines
