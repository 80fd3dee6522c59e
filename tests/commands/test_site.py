"""A site of many journals: series, lines that noise does not move, and only new work for new journals."""

import os
import re
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from harness.reporting.site.facts import COMMIT
from harness.reporting.site.history import grouped, levels, series
from harness.reporting.site.pages import change_text
from tests.conftest import Harness
from tests.journals import make, noisy


def night(folder: Path, day: int, **factors: float) -> Path:
    """Write the journal of a night, whose contenders are slower by these factors; the machine's speed varies by 2 %."""
    folder.mkdir(exist_ok=True)
    drift = float(np.exp(np.random.default_rng(day).normal(0, 0.02)))
    times = {name: noisy(10 * day + k, factor=f * drift) for k, (name, f) in enumerate(factors.items())}
    return make(folder / f"2026-01-{day:02}-ab{day:05}.sqlite", times, started=f"2026-01-{day:02}T03:00:00+00:00")


@pytest.fixture
def results(tmp_path: Path) -> Path:
    folder = tmp_path / "results"
    for day in range(1, 6):
        night(folder, day, x=1.0 if day < 4 else 1.5, y=2.0)
    return folder


def series_page(site: Path) -> str:
    (page,) = site.glob("series-*.html")
    return page.read_text()


@pytest.mark.slow
def test_a_line_moves_where_a_change_is_called_and_nowhere_else(
    harness: Harness, results: Path, tmp_path: Path
) -> None:
    site = tmp_path / "site"
    assert harness("site", results, "-o", site).code == 0
    page = series_page(site)
    assert page.count('class="worse" cx=') == 1
    assert "3 inconclusive, 1 regressed" in page
    assert re.search(r"<td>x</td><td><span class=\"worse\">regressed 1\.\d+x", (site / "index.html").read_text())
    lines = page.split("<svg")[1:]
    steps = {line.partition("Times of ")[2][0]: set(re.findall(r"V([\d.]+)", line)) for line in lines}
    assert {name: len(heights) for name, heights in steps.items()} == {"x": 2, "y": 1}


@pytest.mark.slow
def test_a_further_journal_costs_its_own_part_alone(
    harness: Harness, results: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = tmp_path / "site"
    assert "5 journals (5 new), 4 comparisons (4 new), 1 series" in harness("site", results, "-o", site).out
    before = {path: path.stat().st_mtime_ns for path in site.rglob("*") if path.is_file()}
    assert "(0 new), 4 comparisons (0 new), 1 series, 0 of 2 pages changed" in harness("site", results, "-o", site).out
    night(results, 6, x=1.5, y=2.0)
    assert "6 journals (1 new), 5 comparisons (1 new)" in harness("site", results, "-o", site).out
    kept = {path for path, when in before.items() if path.exists() and path.stat().st_mtime_ns == when}
    assert {path.name for path in before.keys() - kept} == {"index.html", *(p.name for p in site.glob("series-*"))}


@pytest.mark.slow
def test_a_site_made_in_steps_is_that_made_at_once(harness: Harness, results: Path, tmp_path: Path) -> None:
    steps, once = tmp_path / "steps", tmp_path / "once"
    harness("site", results, "-o", steps)
    night(results, 6, x=1.5, y=2.0)
    harness("site", results, "-o", steps)
    harness("site", results, "-o", once)
    names = [path.relative_to(once) for path in once.rglob("*") if path.is_file()]
    assert sorted(names) == sorted(path.relative_to(steps) for path in steps.rglob("*") if path.is_file())
    made = [name for name in names if name.parts[0] != "journals"]  # a report page states its command, with its path
    assert [name for name in made if (once / name).read_bytes() != (steps / name).read_bytes()] == []


@pytest.mark.slow
def test_what_belongs_to_a_journal_that_is_gone_is_removed_and_other_files_stay(
    harness: Harness, results: Path, tmp_path: Path
) -> None:
    site = tmp_path / "site"
    harness("site", results, "-o", site)
    (site / "CNAME").write_text("example.org")
    next(results.glob("2026-01-03*")).unlink()
    assert "4 journals (0 new), 3 comparisons (1 new)" in harness("site", results, "-o", site).out
    assert len(list((site / "journals").iterdir())) == 4
    assert (site / "CNAME").exists()


def test_a_damaged_journal_is_left_out_with_a_line(harness: Harness, results: Path, tmp_path: Path) -> None:
    (results / "bad.sqlite").write_bytes(b"SQLite format 3\0" + bytes(100))
    done = harness("site", results, "-o", tmp_path / "site")
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert "left out: " in done.err
    assert "5 journals (5 new)" in done.out


@pytest.mark.slow
def test_what_is_no_sound_journal_is_left_out_and_named(harness: Harness, results: Path, tmp_path: Path) -> None:
    os.mkfifo(results / "pipe.sqlite")
    (results / "zero.sqlite").symlink_to("/dev/zero")
    (results / "folder.sqlite").mkdir()
    for name, started in (("a", '"someday"'), ("b", "20260105"), ("c", '"2026-01-05T99"')):
        path = results / f"{name}.sqlite"
        shutil.copy(next(results.glob("2026-01-05*")), path)
        with closing(sqlite3.connect(path)) as db:
            db.execute("update meta set value = ? where key = 'started'", (started,))
            db.commit()
        report = harness("report", path, "--html", tmp_path / "page.html")
        assert (report.code, report.err.count("\n"), "'started' is" in report.err) == (2, 1, True)
    done = harness("site", results, "-o", tmp_path / "site")
    assert (done.code, done.err.count("left out: "), done.err.count("\n")) == (2, 6, 6)
    assert done.err.count("not a regular file") == 3
    assert done.err.count("'started' is") == 3
    assert "5 journals (5 new)" in done.out


def test_a_folder_without_journals_is_bad_usage(harness: Harness, tmp_path: Path) -> None:
    assert harness("site", tmp_path, "-o", tmp_path / "site").code == 2
    assert harness("site", tmp_path / "none", "-o", tmp_path / "site").code == 2


def test_names_are_escaped_and_pages_ask_for_nothing(harness: Harness, tmp_path: Path) -> None:
    night(tmp_path / "r", 1, **{"x:<img src=//evil>": 1.0})
    harness("site", tmp_path / "r", "-o", tmp_path / "site")
    for page in (tmp_path / "site").glob("*.html"):
        assert "<img" not in page.read_text()
        assert not re.search(r"(?:src|href)=\"(?:https?:)?//", page.read_text())
        assert "default-src 'none'" in page.read_text()


def journal(day: str, title: str = "a", *names: str) -> dict[str, object]:
    return {"id": day, "date": day, "file": day, "series": title, "contenders": [{"name": n} for n in names or ("x",)]}


def test_series_are_by_corpora_and_the_latest_is_first() -> None:
    found = grouped([journal("3", "b"), journal("2"), journal("1")])
    assert {title: [j["id"] for j in some] for title, some in found.items()} == {"a": ["1", "2"], "b": ["3"]}
    assert [s.title for s in series([journal("3", "b"), journal("2"), journal("1")], [])] == ["b", "a"]


def test_a_level_is_the_product_of_called_ratios() -> None:
    calls = (("same", 1.04), ("regressed", 1.5), ("inconclusive", 1.2), ("improved", 0.5))
    days = [journal(str(i)) for i in range(5)]
    called = [{"x": {"call": call, "ratio": ratio}} for call, ratio in calls]
    changes = [{"after": str(i), "contenders": change} for i, change in enumerate(called, 1)]
    (of,) = series(days, changes)
    assert levels(of, "x") == pytest.approx([1, 1, 1.5, 1.5, 0.75])
    assert levels(of, "gone") == [None] * 5


@pytest.mark.parametrize(
    ("name", "commit"),
    [("nightly-2026-11-25-0b1cbd1", "0b1cbd1"), ("20261125", None), ("deadbeef", None), ("x-1234567", None)],
)
def test_a_commit_is_a_hexadecimal_word_with_digits_and_letters(name: str, commit: str | None) -> None:
    found = COMMIT.search(name)
    assert (found and found.group()) == commit


def test_a_change_tells_what_was_wrong_once() -> None:
    wrong = {"exit": 1, "call": "inconclusive", "verdict": "4 wrong", "ratio": 1.05}
    slower = {"exit": 3, "call": "regressed", "verdict": "2 lost, regressed", "ratio": 1.2}
    assert change_text(wrong) == '<span class="worse">4 wrong</span>'
    assert change_text(slower) == '<span class="worse">2 lost, regressed 1.20x</span>'
