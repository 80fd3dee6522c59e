"""Warnings: each has an observation and an advice, and a quiet run has none."""

from pathlib import Path

from harness.reporting.frame import advice
from harness.reporting.frame.results import aggregate
from harness.storing.journal import Journal
from tests.journals import make, noisy


def test_every_warning_has_an_observation_and_an_advice(tmp_path: Path) -> None:
    loud = [[1_000_000, 1_000_000], [2_000_000, 1_000_000]] * 10
    path = make(
        tmp_path / "a",
        {"waits": noisy(1, 1, 4), "threads": noisy(2, 1, 4), "quick": noisy(3, 1, 4) * 1e-5, "fine": noisy(4, 1, 4)},
        cpu_times={"waits": noisy(1, 1, 4) / 2, "threads": noisy(2, 1, 4) * 2},
        reference=loud,
        hosts=[{"cpu": "one", "cores": 2}, {"cpu": "two"}],
        placed=lambda repeat, block: 1 + block % 2,
    )
    with Journal.open(path) as journal:
        results = aggregate(journal)
        found = advice.run_warnings(results)
        assert list(advice.contender_warnings("fine", results.by_name["fine"], cores=2)) == []
    starts = (
        "noisy host",
        "mixed hosts (1: one, 2 cores; 2: two)",
        "waits waited",
        "threads used 2.0",
        "quick takes",
    )
    assert len(found) == len(starts)
    assert all(text.startswith(start) and ":" in text for text, start in zip(found, starts, strict=True))


def test_a_quiet_run_has_no_warnings(tmp_path: Path) -> None:
    with Journal.open(make(tmp_path / "a", {"x": noisy(1)})) as journal:
        results = aggregate(journal)
        assert advice.run_warnings(results) == []
        assert advice.comparison_warnings(results, results, 100) == []


def test_warnings_are_worded_as_a_reader_expects() -> None:
    noisy_host = advice.Advice.NOISY.text(percent=52)
    assert noisy_host.startswith("noisy host: machine speed varied by 52 % during the run: ")
    names = dict.fromkeys(("a", "b", "c"), 0.5)
    (waited,) = advice.waiting_warning(names)
    assert waited.startswith("a, b and 1 other waited for 50 % of wall time: ")
    (waited,) = advice.waiting_warning(names | {"d": 0.3})
    assert waited.startswith("a, b and 2 others waited for 30 to 50 % of wall time: ")


def test_times_that_the_cores_cant_give_are_no_threads(tmp_path: Path) -> None:
    path = make(tmp_path / "a", {"shifted": noisy(1, 1, 4) * 1e-3}, cpu_times={"shifted": noisy(1, 1, 4)})
    with Journal.open(path) as journal:
        (found, *_) = advice.contender_warnings("shifted", aggregate(journal).by_name["shifted"], cores=2)
    assert found.startswith("shifted: its wall times are impossible (")
    assert "on 2 cores" in found
