"""Gates of real suites: instances near a limit flip, and are lost only if their repeats say so."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from backends.contract.answer import Reason
from harness.model.outcome import Verdict
from harness.reporting.frame.pairing import sides
from harness.reporting.frame.results import aggregate
from harness.reporting.statistics.calls import Call, Thresholds
from harness.reporting.statistics.estimates import mean_change
from harness.reporting.views.comparing.compare import Comparison, compare
from harness.reporting.views.comparing.comparison import compared
from harness.reporting.views.comparing.comparison_text import text
from harness.reporting.views.comparing.solved import fisher
from harness.storing.journal import Journal, open_journal
from tests.conftest import Harness
from tests.journals import OTHER, Times, make, noisy

LIMIT = 10.0
FAILED = "update outcomes set status = 0, reason = ?, verdict = ?, found = 0, valid = 0, solutions = null"
WHERE = " where contender = ? and repeat = ? and puzzle = ?"


def written(path: Path, times: dict[str, Times], reason: Reason = Reason.TIMEOUT, **special: Any) -> Path:
    """Write a journal in which asks beyond the limit failed for a reason."""
    make(path, {name: np.minimum(seconds, LIMIT) for name, seconds in times.items()}, limit=LIMIT, **special)
    verdict = Verdict.ERROR if reason == Reason.CRASH else Verdict.UNKNOWN
    with open_journal(path, write=True) as journal:
        for number, seconds in enumerate(times.values()):
            for repeat, at in np.argwhere(seconds > LIMIT).tolist():
                journal.db.execute(FAILED + WHERE, (int(reason), int(verdict), number, repeat, at + 1))
    return path


def within(path: Path, limits: Thresholds | None = None) -> Comparison:
    with Journal.open(path) as journal:
        results = aggregate(journal)
        return compare(*sides(results, results, [("x", "y")])[0], limits or Thresholds())


def suite(seed: int, factor: float = 1.0, repeats: int = 5) -> Times:
    """Return times of 200 instances from milliseconds to minutes, a fifth of them beyond the limit."""
    base = np.exp(np.random.default_rng(0).uniform(-2, 3.4, 200))
    return np.asarray(factor * base * np.exp(np.random.default_rng(seed).normal(0, 0.05, (repeats, 200))))


def test_a_suite_with_a_fifth_of_timeouts_is_no_regression_of_itself(tmp_path: Path) -> None:
    found = within(written(tmp_path / "j", {"x": suite(1), "y": suite(2)}))
    assert found.kept.flipped.any()
    assert not found.lost.any()
    assert found.measures["solved"].call in (Call.SAME, Call.INCONCLUSIVE)
    assert found.exit == 0


def test_an_instance_far_from_the_limit_that_is_never_solved_again_is_lost(tmp_path: Path) -> None:
    x, y = suite(1), suite(2)
    order = np.argsort(x.max(axis=0))
    far, near = order[50], int(np.flatnonzero(x.max(axis=0) < LIMIT)[np.argmax(x.max(axis=0)[x.max(axis=0) < LIMIT])])
    y[:, [far, near]] = 99
    found = within(written(tmp_path / "j", {"x": x, "y": y}))
    assert np.flatnonzero(found.lost).tolist() == [far]
    assert found.kept.flipped[near]
    assert found.exit == 3


def test_a_far_instance_that_one_repeat_of_five_loses_is_a_flip(tmp_path: Path) -> None:
    x, y = noisy(1), noisy(2)
    y[3, 7] = 99
    found = within(written(tmp_path / "j", {"x": x, "y": y}))
    assert (found.lost.sum(), found.kept.flipped.sum(), found.exit) == (0, 1, 0)
    x[:, 9], y[:, 9] = 1, 99
    assert np.flatnonzero(within(written(tmp_path / "k", {"x": x, "y": y})).lost).tolist() == [9]


def test_a_crash_of_one_repeat_is_no_loss_but_incomplete(tmp_path: Path) -> None:
    x, y = noisy(1), noisy(2)
    y[3, 7] = 99
    found = within(written(tmp_path / "j", {"x": x, "y": y}, Reason.CRASH))
    assert (found.lost.sum(), found.kept.broken.sum(), found.exit) == (0, 1, 4)


def test_more_timeouts_all_over_are_called_where_no_instance_is_lost(tmp_path: Path) -> None:
    y = suite(2)
    y[np.random.default_rng(5).random(y.shape) < 0.08] = 99
    found = within(written(tmp_path / "j", {"x": suite(1), "y": y}))
    assert not found.lost.any()
    assert (found.measures["solved"].call, found.exit) == (Call.REGRESSED, 3)
    assert within(tmp_path / "j", Thresholds(solved=0.2)).exit == 0


def test_asks_that_fail_at_random_are_called_however_their_repeats_scatter(tmp_path: Path) -> None:
    """Student's t for 5 repeats hides 4 % of the asks where one repeat lost few and another many."""
    x, y, random = suite(1), suite(2), np.random.default_rng(5)
    for repeat, share in enumerate((0.0, 0.01, 0.06, 0.02, 0.11)):
        y[repeat, random.random(200) < share] = 99
    found = within(written(tmp_path / "j", {"x": x, "y": y}))
    calls = {name: found.measures[name].call for name in ("solved", "solved_far")}
    assert calls == {"solved": Call.INCONCLUSIVE, "solved_far": Call.REGRESSED}
    assert found.exit == 3
    with Journal.open(tmp_path / "j") as journal:
        results = aggregate(journal)
        shown = text(compared(results, results, ("x", "y"))[1], "table")
    assert "solved far from limits regressed" in shown
    assert "solved far from limits: x, y: -" in shown


def test_instances_near_the_limit_count_in_no_share_far_from_it(tmp_path: Path) -> None:
    x = noisy(1)
    x[:, :20] = 0.9 * LIMIT
    y = x.copy()
    y[1, :20] = 99
    found = within(written(tmp_path / "j", {"x": x, "y": y}))
    assert found.measures["solved"].change.log == pytest.approx(20 / y.size)
    assert (found.measures["solved_far"].change.log, found.measures["solved_far"].change.pairs) == (0, y.shape[1] - 20)


def test_a_lone_instance_is_called_by_its_repeats(tmp_path: Path) -> None:
    def lone(seed: int, factor: float, repeats: int) -> Times:
        return np.asarray(factor * np.exp(np.random.default_rng(seed).normal(0, 0.03, (repeats, 1))))

    times = {"x": lone(1, 4, 12), "y": lone(2, 5, 12)}
    assert within(make(tmp_path / "slow", times)).call is Call.REGRESSED
    assert within(make(tmp_path / "same", {"x": lone(1, 4, 20), "y": lone(2, 4, 20)})).call is Call.SAME
    few = {"x": lone(1, 4, 3), "y": lone(2, 5, 3)}
    assert within(make(tmp_path / "few", few)).call is Call.INCONCLUSIVE
    late = lone(2, 9.8, 12)
    late[:7] = 99
    assert within(written(tmp_path / "lost", {"x": lone(1, 9, 12), "y": late})).lost.tolist() == [True]


@pytest.mark.parametrize(("before", "after", "p"), [((5, 5), (5, 0), 1 / 252), ((3, 3), (3, 3), 1.0)])
def test_fisher_counts_the_tables_at_least_as_extreme(
    before: tuple[int, int], after: tuple[int, int], p: float
) -> None:
    assert fisher(*before, *after) == pytest.approx(p)


def test_seven_changes_in_one_direction_may_be_chance_and_eight_are_not() -> None:
    for number, sure in ((7, False), (8, True)):
        change = mean_change(np.where(np.arange(100) < number, 1.0, 0.0), np.arange(100))
        assert (change.low > 0) == sure


def test_memory_has_a_threshold_of_its_own(tmp_path: Path) -> None:
    path = make(tmp_path / "j", {"x": noisy(1), "y": noisy(2)}, peak=True)
    with open_journal(path, write=True) as journal:
        journal.db.execute("update outcomes set peak = (40 + puzzle % 7 + repeat) * (10 + 3 * contender) * 100000")
    found = within(path)
    assert found.measures["memory"].change.values()[0] == pytest.approx(1.3)
    assert (found.measures["memory"].call, found.call, found.exit) == (Call.REGRESSED, Call.SAME, 3)
    assert within(path, Thresholds(memory=0.5)).exit == 0
    with Journal.open(path) as journal:
        results = aggregate(journal)
        shown = text(compared(results, results)[1], "table")
    assert "memory regressed" in shown
    assert "memory: x, y: 1.300x [" in shown


def test_strict_is_not_content_with_open_calls_or_other_machines(tmp_path: Path, harness: Harness) -> None:
    luck = np.array([1, 1.3, 0.9, 1.2, 1.0])[:, None]
    path = make(tmp_path / "j.sqlite", {"x": noisy(1), "y": noisy(2) * luck})
    here, there = make(tmp_path / "a.sqlite", {"x": noisy(1)}), make(tmp_path / "b.sqlite", {"x": noisy(2)}, host=OTHER)
    for words in ((path,), (here, there)):
        assert harness("compare", *words).code == 0
        assert harness("compare", *words, "--strict").code == 4
    slow = make(tmp_path / "c.sqlite", {"x": noisy(1), "y": noisy(2, factor=1.3)})
    assert harness("compare", slow, "--strict").code == 3


def test_instances_that_were_not_asked_again_are_missing(tmp_path: Path) -> None:
    path = make(tmp_path / "j", {"x": noisy(1), "y": noisy(2)})
    with open_journal(path, write=True) as journal:
        journal.db.execute("delete from outcomes where contender = 1 and puzzle = 5")
    found = within(path)
    assert (np.flatnonzero(found.kept.missing).tolist(), found.exit) == ([4], 4)
