"""Data of plots: the cases that the page's definitions share, and what only journals show."""

import json
from dataclasses import asdict
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from harness.reporting.frame.results import Results, State, aggregate
from harness.reporting.plots.ratios import Ratios, compare
from harness.reporting.statistics.bootstrap import MOST, intervals, mean_interval
from harness.reporting.views.comparing.matrix import Pivot, matrix
from harness.reporting.views.figures import definitions
from harness.reporting.views.figures.definitions import Curve, Scatter, Series
from harness.storing.journal import open_journal
from tests.conftest import Harness
from tests.journals import make, noisy

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


def column(c: dict[str, Any]) -> Series:
    """Return the column that the input of a case describes."""
    state = np.array([State[s.upper()] for s in c["states"]], np.int8)
    seconds = np.array([np.nan if ns is None else ns / 1e9 for ns in c["ns"]])
    effects = np.array([0.0 if (seconds > 0).any() else np.nan])  # of one repeat
    return Series(c["name"], state, seconds, not c.get("mistimed"), effects=effects)


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


def found(columns: list[Series], case: Case) -> dict[str, Any]:
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
        result |= {"scatter": scatter(definitions.scatter(*pair)), "compare": ratios(compare(*pair))}
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
def test_a_journal_gives_the_same_and_the_summarys_par2(case: Case, tmp_path: Path, harness: Harness) -> None:
    if any("none" in c["states"] and "decided" in c["states"] for c in case["contenders"]):
        pytest.skip("tests/journals.py asks a contender of all instances or of none")
    path = journal_of(case, tmp_path / "j.sqlite")
    summary, expected = harness("report", path, "--json", "-").summary, case["expected"]
    with open_journal(path) as journal:
        results = aggregate(journal)
        columns = definitions.columns(results)
        assert_same(found(columns, case), {k: v for k, v in expected.items() if k != "matrix"}, case["name"])
        bars = definitions.par2(columns, float(case["limit"]))
        assert [c["par2"] for c in summary["contenders"]] == [bar.value for bar in bars]
        for wanted in expected["matrix"]:
            assert_same(heat(results, summary, wanted["fold"]), wanted, f"{case['name']}: {wanted['fold']}")


def heat(results: Results, summary: Any, fold: str) -> dict[str, Any]:
    """Return a matrix as cases write it, which name the encoding of a name without one `plain`."""
    square = matrix(results, summary, Pivot("par2", "family", "backend", fold))
    return {
        "measure": "par2",
        "fold": fold,
        "reference": square.reference,
        "rows": [line[0].row.replace("alldifferent", "plain") for line in square.cells],
        "columns": [cell.column for cell in square.cells[0]],
        "values": [[cell.value for cell in line] for line in square.cells],
        "wrong": [[cell.wrong for cell in line] for line in square.cells],
    }


def test_columns_are_of_the_clock_and_of_the_median_over_repeats(tmp_path: Path) -> None:
    wall, cpu = np.array([[0.2, 0.4], [0.4, 0.8], [0.3, 0.7]]), np.array([[0.1, 0.2], [0.3, 0.2], [0.2, 0.2]])
    with open_journal(make(tmp_path / "j.sqlite", {"x": wall}, cpu_times={"x": cpu})) as journal:
        results = aggregate(journal)
        assert definitions.columns(results)[0].seconds.tolist() == pytest.approx([0.3, 0.7])
        assert definitions.columns(results, "cpu")[0].seconds.tolist() == pytest.approx([0.2, 0.2])


def test_contenders_timed_by_batch_are_marked(tmp_path: Path) -> None:
    odd = {"x": {"amortised": [0]}}
    with open_journal(make(tmp_path / "j.sqlite", {"x": noisy(1, 1, 4), "y": noisy(2, 1, 4)}, odd=odd)) as journal:
        assert [c.shared for c in definitions.columns(aggregate(journal))] == [True, False]


@pytest.mark.parametrize(("failed", "of"), [(0, 5), (0, 500), (3, 11), (11, 11), (40, 50)])
def test_the_interval_of_a_share_is_that_of_clopper_and_pearson(failed: int, of: int) -> None:
    low, high = mean_interval((np.arange(of) < failed).astype(np.float64), 1.0)

    def tail(share: float, counts: range) -> float:
        return sum(comb(of, k) * share**k * (1 - share) ** (of - k) for k in counts)

    assert low == 0 if not failed else tail(low, range(failed, of + 1)) == pytest.approx(0.025, abs=0.012)
    assert high == 1 if failed == of else tail(high, range(failed + 1)) == pytest.approx(0.025, abs=0.012)


@pytest.mark.parametrize("failing", [0.0, 0.005, 0.1, 0.5])
@pytest.mark.parametrize("n", [5, 11, 50])
def test_the_interval_covers_the_mean_of_times_with_failures(n: int, failing: float) -> None:
    rng = np.random.default_rng(1)
    drawn = np.minimum(np.exp(rng.normal(-3, 2, (100_000,))), 1.0)
    every = np.where(rng.random(len(drawn)) < failing, 2.0, drawn)
    mean, trials = every.mean(), rng.choice(every, (200, n))
    low, high = intervals(trials, np.ones(trials.shape, np.bool_), 2.0)
    assert ((low <= mean) & (mean <= high)).mean() >= 0.92


def test_beyond_the_most_weights_the_interval_is_near_that_of_another_bootstrap() -> None:
    rng, n = np.random.default_rng(7), 3 * MOST
    values = np.where(rng.random(n) < 0.02, 20.0, rng.exponential(0.5, n))
    means = np.array([rng.choice(values, n).mean() for _ in range(400)])
    ends = np.quantile(means, [0.025, 0.975])
    assert mean_interval(values, 20.0) == pytest.approx(tuple(ends), abs=0.15 * float(np.ptp(ends)))
