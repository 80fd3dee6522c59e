"""Data of plots: the cases that the page's definitions share, and what only journals show."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from harness.reporting.comparing.matrix import Pivot, matrix
from harness.reporting.plots import definitions
from harness.reporting.plots.definitions import Column, Curve, Ratios, Scatter
from harness.reporting.results import Results, State
from harness.reporting.summary import summarise
from harness.run import Run
from harness.storing.journal import open_journal
from tests.journals import make

CASES = json.loads((Path(__file__).parent / "cases.json").read_text())["cases"]
ODD = {  # State -> the word of tests/journals.py
    "timeout": "undecided",
    "memory": "memory",
    "error": "crashed",
    "unsupported": "unsupported",
    "unknown": "gave_up",
    "wrong": "wrong",
}
Case = dict[str, Any]
each_case = pytest.mark.parametrize("case", CASES, ids=lambda c: c["name"])


def column(c: dict[str, Any]) -> Column:
    """Return the column that the input of a case describes."""
    state = np.array([State[s.upper()] for s in c["states"]], np.int8)
    seconds = np.array([np.nan if ns is None else ns / 1e9 for ns in c["ns"]])
    return Column(c["name"], state, seconds, not c.get("mistimed"))


def journal_of(case: Case, path: Path) -> Path:
    """Create a journal with the outcomes of a case, each contender asked of all or of nothing."""
    times, odd = {}, {}
    for c in case["contenders"]:
        asked = "none" not in c["states"]
        times[c["name"]] = np.array([[ns or 0 for ns in c["ns"]]]) / 1e9 if asked else np.zeros((0, case["n"]))
        odd[c["name"]] = {
            word: [i for i, s in enumerate(c["states"]) if s == state] for state, word in ODD.items() if asked
        }
    late = {"batches": 1, "puzzles": 1, "reported": 10**9, "waited": 10**10}
    clocks = {c["name"]: late for c in case["contenders"] if c.get("mistimed")}
    return make(path, times, odd=odd, limit=float(case["limit"]), clocks=clocks)


def numbers(values: np.ndarray[Any, Any]) -> list[float | None]:
    """Return values as in JSON, NaN as null."""
    return [None if np.isnan(v) else v for v in values.tolist()]


def words(states: np.ndarray[Any, Any]) -> list[str]:
    return [State(s).name.lower() for s in states.tolist()]


def curve(c: Curve) -> dict[str, Any]:
    return {"name": c.name, "x": c.x.tolist(), "y": c.y.tolist()}


def scatter(s: Scatter) -> dict[str, Any]:
    """Return a scatter as cases write it."""
    corner = [[a.name.lower(), b.name.lower(), number] for (a, b), number in s.corner.items()]
    states = {"x_state": words(s.x_state), "y_state": words(s.y_state), "corner": corner}
    return {"a": s.a, "b": s.b, "ids": s.ids.tolist(), "x": numbers(s.x), "y": numbers(s.y), **states}


def ratios(r: Ratios) -> dict[str, Any]:
    return {key: value if isinstance(value, str) else value.tolist() for key, value in vars(r).items()}


def found(columns: list[Column], case: Case) -> dict[str, Any]:
    """Return what the definitions give for a case, as it writes them."""
    limit, expected = float(case["limit"]), case["expected"]
    best = definitions.cactus([definitions.virtual_best(columns)])[0]
    result = {
        "untimed": [c.name for c in columns if not c.timed],
        "cactus": [curve(c) for c in definitions.cactus(columns)],
        "score": [curve(c) for c in definitions.cactus(columns, score=True)],
        "virtual_best": {"x": best.x.tolist(), "y": best.y.tolist()},
        "ecdf": [curve(c) for c in definitions.ecdf(columns)],
        "par2": [asdict(bar) for bar in definitions.par2(columns, limit)],
    }
    if "scatter" in expected:
        by_name = {c.name: c for c in columns}
        pair = by_name[expected["scatter"]["a"]], by_name[expected["scatter"]["b"]]
        result |= {"scatter": scatter(definitions.scatter(*pair)), "compare": ratios(definitions.compare(*pair))}
    return result


def assert_same(got: Any, expected: Any, where: str) -> None:
    """Compare nested values, numbers to a relative 1e-9."""
    if isinstance(expected, dict):
        assert got.keys() == expected.keys(), where
        for key in expected:
            assert_same(got[key], expected[key], f"{where}.{key}")
    elif isinstance(expected, list):
        assert len(got) == len(expected), where
        for i, (x, y) in enumerate(zip(got, expected, strict=True)):
            assert_same(x, y, f"{where}[{i}]")
    else:
        assert got == (pytest.approx(expected, rel=1e-9) if isinstance(expected, (int, float)) else expected), where


@each_case
def test_definitions_hold_the_shared_cases(case: Case) -> None:
    expected = {key: value for key, value in case["expected"].items() if key != "matrix"}
    assert_same(found([column(c) for c in case["contenders"]], case), expected, case["name"])


@each_case
def test_a_journal_gives_the_same_and_the_summarys_par2(case: Case, tmp_path: Path) -> None:
    if any("none" in c["states"] and "decided" in c["states"] for c in case["contenders"]):
        pytest.skip("tests/journals.py asks a contender of all instances or of none")
    with open_journal(journal_of(case, tmp_path / "j.sqlite")) as journal:
        results = Run(journal).rejudge().results()
        columns, summary = definitions.columns(results), summarise(results)
        expected = case["expected"]
        assert_same(found(columns, case), {k: v for k, v in expected.items() if k != "matrix"}, case["name"])
        assert [c["par2"] for c in summary["contenders"]] == [
            bar.value for bar in definitions.par2(columns, float(case["limit"]))
        ]
        for wanted in expected["matrix"]:
            assert_same(heat(results, summary, wanted["fold"]), wanted, f"{case['name']}: {wanted['fold']}")


def heat(results: Results, summary: dict[str, Any], fold: str) -> dict[str, Any]:
    """Return a matrix as cases write it."""
    square = matrix(results, summary, Pivot("par2", "family", "backend", fold))
    return {
        "measure": "par2",
        "fold": fold,
        "reference": square.reference,
        "rows": [line[0].row for line in square.cells],
        "columns": [cell.column for cell in square.cells[0]],
        "values": [[cell.value for cell in line] for line in square.cells],
        "wrong": [[cell.wrong for cell in line] for line in square.cells],
    }
