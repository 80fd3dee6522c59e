"""Scaling: speed-ups of cores alone, satisfiable and unsatisfiable instances apart, none with a timeout."""

import csv
import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from harness.reporting.views.scaling import ratio_of_medians
from tests.conftest import Harness
from tests.journals import Times, make

ONE, TWO, FOUR = (f"cpsat[cores={n}]" for n in (1, 2, 4))
N, UNSAT = 40, tuple(range(20, 40))


def lucky(rng: np.random.Generator, level: Times, speed_up: float, luck: float = 0.0) -> Times:
    """Return seconds of 5 repeats; luck is the standard deviation of the logarithm of a seed's factor."""
    found: Times = np.exp(level + luck * rng.standard_normal((5, len(level)))) / speed_up
    return found


def scaled(path: Path, luck: float, **more: Any) -> Path:
    """Return a journal of a solver that is 2 times as fast with 2 cores, and 3 times with 4, and of another one."""
    rng, level = np.random.default_rng(3), np.random.default_rng(4).normal(-2, 1, N)
    times = {name: lucky(rng, level, factor, luck) for name, factor in ((ONE, 1.0), (FOUR, 3.0), (TWO, 2.0))}
    times |= {"native": lucky(rng, level, 1.0, luck)}
    cpu = {TWO: times[TWO] * 1.5, ONE: times[ONE] * more.pop("share", 1.0)}
    odd = {name: {"unsatisfiable": UNSAT, **(more if name == TWO else {})} for name in times}
    return make(path, times, cpu_times=cpu, odd=odd, repeats=5, limit=10.0, draw_seeds=True, seedless=["native"])


def report(harness: Harness, path: Path, *words: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = harness("report", path, "--matrix", "cores", *words, "--json", "-").summary[
        "scaling"
    ]["rows"]
    return found


def test_speed_ups_are_of_cores_alone_by_status(tmp_path: Path, harness: Harness) -> None:
    rows = report(harness, scaled(tmp_path / "j", 0.0))
    assert [(r["solver"], r["status"], r["cores"]) for r in rows] == [
        ("cpsat", status, cores) for status in ("sat", "unsat") for cores in (1, 2, 4)
    ]
    for row, speed_up in zip(rows, (1, 2, 3) * 2, strict=True):
        assert row["speed-up"] == pytest.approx(speed_up)
        assert row["efficiency"] == pytest.approx(speed_up / row["cores"])
        assert (row["decided"], row["asked"], row["pairs"], len(row["instances"])) == (20, 20, 20, 20)
    assert rows[1]["CPU/wall"] == pytest.approx(1.5)
    assert 1.9 < rows[1]["speed-up low"] < 2 < rows[1]["speed-up high"] < 2.1  # differences between workers remain


def test_a_timeout_has_no_ratio_and_is_counted(tmp_path: Path, harness: Harness) -> None:
    row = report(harness, scaled(tmp_path / "j", 0.0, undecided=[0, 1, 2]))[1]
    assert (row["decided"], row["asked"], row["pairs"]) == (17, 20, 17)
    assert row["speed-up"] == pytest.approx(2)


def test_the_share_of_luck_is_told_and_who_draws_no_seed(tmp_path: Path, harness: Harness) -> None:
    path = scaled(tmp_path / "j", 0.7)
    assert report(harness, path)[1]["luck"] > 0.8  # instances do not differ in their ratio
    text = harness("report", path, "--matrix", "cores", "--matrix-only").out
    assert "no seed to draw: native" in text
    assert "satisfiable instances are apart" in text


def test_a_busy_machine_is_noted(tmp_path: Path, harness: Harness) -> None:
    words = ("--matrix", "cores", "--matrix-only")
    quiet, busy = (
        harness("report", scaled(tmp_path / f"{share}", 0.1, share=share), *words).out for share in (1.0, 0.5)
    )
    assert "busy machine, or waits" not in quiet
    assert "busy machine, or waits: cpsat with the fewest cores used 0.50 of 1" in " ".join(busy.split())


def test_every_writer_has_the_table(tmp_path: Path, harness: Harness) -> None:
    path = scaled(tmp_path / "j", 0.3)
    words = ("report", path, "--matrix", "cores", "--format")
    rows = list(csv.DictReader(io.StringIO(harness(*words, "csv").out)))
    assert [row["cores"] for row in rows] == ["1", "2", "4"] * 2
    assert float(rows[1]["speed-up low"]) < float(rows[1]["speed-up"]) < float(rows[1]["speed-up high"])
    assert "| cpsat" in harness(*words, "markdown").out
    assert r"\label{tab:scaling}" in harness(*words, "latex").out


@pytest.mark.slow
def test_speed_ups_are_drawn(tmp_path: Path, harness: Harness) -> None:
    pytest.importorskip("matplotlib", reason="plots as files need matplotlib")
    path = scaled(tmp_path / "j", 0.3)
    done = harness("report", path, "--plot", "scaling", "-o", "s.svg")
    assert (done.code, done.err) == (0, "")
    text = (tmp_path / "s.svg").read_text()
    assert all(f"cpsat, {cores} cores, {status}" in text for cores in (2, 4) for status in ("sat", "unsat"))
    assert "--matrix cores prints a table" in harness("report", path, "--plot", "scaling").err


def test_a_solver_with_one_number_of_cores_has_no_scaling(tmp_path: Path, harness: Harness) -> None:
    path = make(tmp_path / "j", {ONE: np.ones((2, 5)), "native": np.ones((2, 5))})
    done = harness("report", path, "--matrix", "cores")
    assert (done.code, "needs a solver with several numbers of cores: -b 'cpsat[cores=1|2|4]'" in done.err) == (2, True)
    done = harness("run", "hardest", "-n", 1, "-b", "cpsat", "--matrix", "cores", "-o", "new")  # before it begins
    assert (done.code, "needs a solver with several" in done.err, (tmp_path / "new").exists()) == (2, True, False)
    done = harness("report", path, "--matrix", "cores", "--pivot", "backend,env")
    assert (done.code, "leave out --pivot" in done.err) == (2, True)


def test_families_are_resampled(tmp_path: Path, harness: Harness) -> None:
    path = scaled(tmp_path / "j", 0.3)
    families = tmp_path / "f.csv"
    families.write_text("".join(f"made:{i + 1},{i % 4}\n" for i in range(N)))
    alone, grouped = (report(harness, path, *words)[1] for words in ((), ("--families", str(families))))
    assert grouped["speed-up"] == pytest.approx(alone["speed-up"])
    assert grouped["speed-up low"] != alone["speed-up low"]


def test_intervals_cover_a_known_speed_up_under_heavy_tails() -> None:
    rng, covered = np.random.default_rng(56), 0
    for _ in range(100):
        level, each = rng.normal(0, 1.5, N), rng.normal(0, 0.2, N)
        one, two = (np.exp(level + 0.4 * rng.standard_t(2.5, (5, N))) for _ in range(2))
        ratio = ratio_of_medians(two / 1.5 / np.exp(each), one, np.arange(N))
        covered += ratio.low <= np.log(1.5) <= ratio.high
    assert covered >= 92
