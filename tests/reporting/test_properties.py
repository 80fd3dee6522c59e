"""Properties of statistics, golden files and tables on random times and counts."""

import csv
import io
import statistics

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.reporting.formats.golden import POSSIBLE, Today, difference
from harness.reporting.statistics import estimates as stats
from harness.reporting.writing.numbers import format_seconds
from harness.reporting.writing.printable import csv_cell
from harness.reporting.writing.table import table_of
from harness.reporting.writing.writers import written
from tests.effort import examples

keyed = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 1 << 50)), min_size=1, max_size=30)


@given(keyed)
@settings(max_examples=examples(100))
def test_middle_by_finds_the_median_of_each_key(pairs: list[tuple[int, int]]) -> None:
    keys, values = np.array(pairs, np.int64).T
    expected = [statistics.median(v for k, v in pairs if k == key) for key in sorted({k for k, _ in pairs})]
    np.testing.assert_allclose(stats.mean_of_both(values, stats.middle_by(keys, values)), expected)


times = st.lists(st.floats(1e-6, 1e3), min_size=3, max_size=12)


@given(times, st.floats(0.1, 10), st.integers(0, 9))
@settings(max_examples=examples(60))
def test_paired_ratio_scales_with_a_factor_and_inverts_with_swapped_sides(
    before: list[float], factor: float, seed: int
) -> None:
    x = np.array(before)
    y = x * np.exp(np.random.default_rng(seed).normal(0, 0.2, len(x)))
    there = stats.paired_ratio(x, y, np.arange(len(x)), draws=200)
    slower = stats.paired_ratio(x, y * factor, np.arange(len(x)), draws=200)
    back = stats.paired_ratio(y, x, np.arange(len(x)), draws=200)
    assert there.low <= there.log <= there.high
    np.testing.assert_allclose(
        [slower.log, slower.low, slower.high], np.log(factor) + np.array([there.log, there.low, there.high]), atol=1e-9
    )
    np.testing.assert_allclose([back.log, back.low, back.high], [-there.log, -there.high, -there.low], atol=1e-9)


@given(st.lists(st.lists(st.none() | st.floats(0.001, 9), min_size=4, max_size=4), min_size=1, max_size=4))
@settings(max_examples=examples(100))
def test_a_portfolio_is_as_good_as_its_best_member_and_within_the_best_times(every: list[list[float | None]]) -> None:
    found = np.array([[np.nan if t is None else t for t in row] for row in every])
    virtual = stats.portfolio(found, limit=10)
    alone = [stats.par(row[~np.isnan(row)], 4, 10, 2) for row in found]
    assert all(virtual.best <= (mean or 0) + 1e-12 for mean in alone)
    assert virtual.best >= np.nanmin(np.where(np.isnan(found), 20, found), axis=0).mean() - 1e-12
    assert (virtual.worth >= -1e-12).all()
    assert virtual.wins.sum() == (~np.isnan(found)).any(axis=0).sum()
    assert (virtual.alone <= virtual.wins).all()


counts = st.sampled_from(list(POSSIBLE))


@given(st.lists(st.tuples(counts, counts), min_size=1, max_size=6))
@settings(max_examples=examples(80))
def test_a_golden_file_keeps_its_counts_and_reports_change_only_on_contradiction(pairs: list[tuple[str, str]]) -> None:
    old, new = (
        [{"puzzle": f"p:{i}", "hash": str(i), "count": pair[k], "status": ""} for i, pair in enumerate(pairs)]
        for k in (0, 1)
    )
    found = difference(old, [Today(entry, entry["count"]) for entry in new])
    against = [(was, now) for was, now in pairs if not POSSIBLE[was] & POSSIBLE[now]]
    assert len(found.changed) == len(against)
    assert len(found.changed) + len(found.weaker) + len(found.stronger) == sum(a != b for a, b in pairs)
    for entry, (was, now) in zip(found.kept, pairs, strict=True):
        assert POSSIBLE[entry["count"]] == (POSSIBLE[was] & POSSIBLE[now] or POSSIBLE[now])
    again = difference(found.kept, [Today(entry, entry["count"]) for entry in found.kept])
    assert [again.changed, again.weaker, again.stronger] == [[], [], []]


@given(st.floats(1e-9, 1e5), st.floats(1e-9, 1e5))
@settings(max_examples=examples(200))
def test_times_are_displayed_within_half_a_percent_and_in_order(a: float, b: float) -> None:
    scale = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}

    def shown(value: float) -> float:
        digits, unit = format_seconds(value).replace(",", "").split()
        return float(digits) * scale[unit]

    low, high = sorted((a, b))
    assert shown(low) <= shown(high) * 1.0000001
    for value in (a, b):
        assert abs(shown(value) - value) <= max(0.0051 * value, 0.5e-9)


cells = st.text(st.characters(codec="ascii", exclude_characters='"\r\n\\', exclude_categories=["Cc"]), max_size=9)


@given(st.lists(st.tuples(cells, cells, cells), min_size=1, max_size=4))
@settings(max_examples=examples(80))
def test_a_table_keeps_its_cells_apart_in_every_format(rows: list[tuple[str, str, str]]) -> None:
    headers = ("a", "b", "c")
    back = list(csv.reader(io.StringIO(written(table_of(headers, rows), "csv"))))
    assert [tuple(line) for line in back] == [headers, *(tuple(map(csv_cell, row)) for row in rows)]
    lines = written(table_of(headers, rows), "markdown").splitlines()
    assert len(lines) == 2 + len(rows)
    assert {line.replace("\\|", "").count("|") for line in lines} == {4}
