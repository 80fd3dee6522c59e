"""Curves of searches for the best solution: by hand, and the same in terminal, files and page."""

from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.reporting.frame.objectives import gap, gaps_of
from harness.reporting.frame.results import Results
from harness.reporting.frame.searches import Searches, searches
from harness.reporting.frame.summary import summarise
from harness.reporting.page.container import Container
from harness.reporting.page.searches import search_part
from harness.reporting.page.trust import trust
from harness.reporting.views.figures import anytime
from harness.reporting.views.ranking.objective_scores import OBJECTIVE_SCORE
from harness.runs.runner import Run
from harness.storing.journal import open_journal
from tests.conftest import Harness
from tests.searching import LIMIT, Made, optimised

MADE = {
    "one": [
        Made([(0.01, 200), (0.1, 90), (1, 40)], [(0.01, 5), (0.5, 20), (2, 40)], 2.0),
        Made([(0.02, 100), (0.3, 30)], [(0.01, 3), (4, 10)]),
        Made([(0.5, 80)], [(0.1, 1)]),
    ],
    "two": [
        Made([(0.02, 120), (3, 41)], [(0.1, 10)]),
        Made([(0.01, 50), (2, 35)], [(0.05, 10), (1, 33), (3, 35)], 3.0),
        Made([(0.2, 60), (0.6, 20)], [(0.2, 2), (0.9, 20)], 0.9),
    ],
    "three": [Made(), Made([(5, 120)]), Made([(1, 25)], [(0.3, 25)])],
}
BEST = (40, 30, 20)


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    return optimised(tmp_path / "j.sqlite", MADE)


@contextmanager
def opened(journal: Path) -> Iterator[tuple[Results, Searches]]:
    with open_journal(journal) as known:
        results = Run(known).rejudge().results()
        yield results, searches(results, list(MADE), "wall")


def test_courses_hold_values_and_bounds_over_time(journal: Path) -> None:
    with opened(journal) as (results, of):
        assert of.known == BEST
        best = results.by_name["one"].best
        assert best is not None
        assert best.courses[1] == ((0.01, 200), (0.1, 90), (1.0, 40))
        assert best.bounds[1] == ((0.01, 5), (0.5, 20), (2.0, 40))


def test_the_mean_gap_at_a_time_is_that_of_the_values_held_then(journal: Path) -> None:
    with opened(journal) as (_, of):
        bands, means = anytime.gap_by_time(of, list(MADE))
    expected = {0.05: (1 - 40 / 200 + 1 - 30 / 100 + 1) / 3, 0.35: (1 - 40 / 90 + 0 + 1) / 3, LIMIT: 0.75 / 3}
    for time, value in expected.items():
        at = np.searchsorted(bands[0].x, time, side="right") - 1
        assert bands[0].y[at] == pytest.approx(value), time
    assert all(((band.low <= band.y + 1e-12) & (band.y <= band.high + 1e-12)).all() for band in bands)
    assert all((np.diff(band.y) <= 0).all() for band in bands), "a better value is not lost"
    assert means.shape == (3, 3)


def test_the_last_gap_is_the_score_by_gap(journal: Path) -> None:
    with opened(journal) as (_, of):
        bands, _ = anytime.gap_by_time(of, list(MADE))
        score = OBJECTIVE_SCORE["gap"].points(of).mean(axis=1)
    assert [band.y[-1] for band in bands] == pytest.approx(score.tolist())


def test_shares_proved_of_quality_and_at_a_target(journal: Path) -> None:
    with opened(journal) as (_, of):
        names = list(MADE)
        proved = {c.name: (c.x.tolist(), c.y.tolist()) for c in anytime.proved_by_time(of, names)}
        quality = {c.name: (c.x.tolist(), c.y.tolist()) for c in anytime.quality(of, names)}
        one, close = (anytime.target(of, names, Fraction(percent))[1] for percent in (1, "2.5"))
    assert proved["one"] == ([2.0], pytest.approx([1 / 3]))
    assert quality["one"] == ([0.0, 0.75], pytest.approx([2 / 3, 1.0]))
    assert (one.x.tolist(), one.y.tolist()) == ([0.6], pytest.approx([1 / 3]))
    assert (close.x.tolist(), close.y.tolist()) == ([0.6, 3.0], pytest.approx([1 / 3, 2 / 3])), (
        "41 is within 2.5 % of 40"
    )


@given(st.lists(st.tuples(st.integers(-(10**20), 10**20), st.integers(-(10**20), 10**20)), min_size=1, max_size=6))
def test_gaps_in_columns_are_those_of_single_values(pairs: list[tuple[int, int]]) -> None:
    values, best = zip(*pairs, strict=True)
    assert gaps_of(values, best).tolist() == pytest.approx([gap(v, b) for v, b in pairs])
    small = [(v % 1000 - 500, b % 1000 - 500) for v, b in pairs]
    values, best = zip(*small, strict=True)
    assert gaps_of(values, best).tolist() == pytest.approx([gap(v, b) for v, b in small])


@pytest.mark.parametrize("maximise", [False, True])
def test_a_bound_beyond_a_better_solution_is_refuted_and_in_the_trust_strip(tmp_path: Path, maximise: bool) -> None:
    flipped = {
        name: [
            Made([(t, 255 - v) for t, v in m.values], [(t, 255 - v) for t, v in m.bounds], m.proved) if maximise else m
            for m in every
        ]
        for name, every in MADE.items()
    }
    with opened(optimised(tmp_path / "k.sqlite", flipped, maximise)) as (results, _):
        assert [(r.contender, r.puzzle) for r in results.refuted_bounds] == [(1, 2), (2, 3)]
        tiles = trust(results, summarise(results), "wall")
        assert [t["head"] for t in tiles if "bound" in t["head"]] == ["2 bounds refuted"]
        part = search_part(results, Container())
    assert part is not None
    assert part["different"][:2] == [1, 2], "instances with refuted bounds are drawn first"


def test_values_that_no_column_holds_are_texts(journal: Path) -> None:
    from harness.reporting.page.searches import add_values
    from harness.reporting.statistics.courses import integers

    assert add_values(integers([1, -(2**70), 3]), Container())["big"] == {1: str(-(2**70))}


@pytest.mark.slow
def test_terminal_and_files_draw_them_and_say_what_they_lack(journal: Path, harness: Harness, tmp_path: Path) -> None:
    text = harness("report", journal, "--plot", "gap").out
    assert text.splitlines()[0] == "mean primal gap by wall time"
    assert "(25.0 %)" in text
    for kind in ("gap", "proved", "quality", "target:5", "course:made:3"):
        assert harness("report", journal, "--plot", kind, "-o", tmp_path / "p.svg").code == 0, kind
    for words, why in {
        ("gap", "--time", "cpu"): "wall times only",
        ("target:x",): "write target or target:PERCENT",
        ("course",): "write course:INSTANCE",
        ("course:made:9", "-o", tmp_path / "p.svg"): "no such instance",
    }.items():
        failed = harness("report", journal, "--plot", *words)
        assert failed.code == 2
        assert why in failed.err
