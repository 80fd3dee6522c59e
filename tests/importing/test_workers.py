"""Workers travel with results: repeats of known workers show how these differ, and those of unknown ones nothing."""

import csv
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from harness.importing.journal import import_results
from harness.importing.tidy import read_csv
from harness.model.settings import Limits
from harness.reporting.formats.tidy import write_csv
from harness.reporting.frame.advice import run_warnings
from harness.reporting.frame.pairing import pair_up, sides
from harness.reporting.frame.results import Results
from harness.reporting.frame.selecting import frame
from harness.reporting.statistics.calls import Call
from harness.reporting.views.comparing.compare import compare
from harness.reporting.views.ranking.rank_text import rank_table
from harness.reporting.views.ranking.ranks import rank
from harness.reporting.writing.writers import written
from tests.conftest import Harness
from tests.journals import Times, make, noisy

REPEATS, WORKER_SD = 3, 0.05


def alike(seed: int) -> dict[str, Times]:
    """Return times of two contenders that differ by noise and by their workers alone."""
    effects = np.random.default_rng(seed).normal(0, WORKER_SD, (2, REPEATS, 1))
    return {name: noisy(2 * seed + k, REPEATS, 60) * np.exp(effects[k]) for k, name in enumerate("xy")}


@contextmanager
def imported(path: Path, without: str = "") -> Iterator[Results]:
    """Yield the results of a journal that went out as CSV and came in again, without a column."""
    table, again = path.with_suffix(".csv"), path.with_suffix(".again")
    with frame(path) as results, table.open("w", newline="") as file:
        write_csv(results.journal, file)
    if without:
        with table.open(newline="") as file:
            rows = list(csv.DictReader(file))
        with table.open("w", newline="") as file:
            writer = csv.DictWriter(file, [name for name in rows[0] if name != without], extrasaction="ignore")
            writer.writeheader()
            writer.writerows(rows)
    again.unlink(missing_ok=True)
    import_results([read_csv(str(table))], "csv", Limits(10), again, ())
    with frame(again) as results:
        yield results


def test_workers_and_repeats_come_back_as_they_went_out(tmp_path: Path) -> None:
    path = make(tmp_path / "j", alike(1))
    with frame(path) as before, imported(path) as after:
        for one, other in zip(before.contenders, after.contenders, strict=True):
            np.testing.assert_array_equal(one.times["wall"].asks, other.times["wall"].asks)
            np.testing.assert_array_equal(one.times["wall"].effects, other.times["wall"].effects)
            assert not other.one_worker
        assert rank(after, "par2").workers == "measured"
    with imported(path, without="worker") as after:
        assert [c.times["wall"].effects.tolist() for c in after.contenders] == [[0.0]] * 2
        assert any("does not say which worker ran what" in text for text in run_warnings(after))
        ranking = rank(after, "par2")
        assert ranking.workers == "unknown"
        assert "which worker ran what is not known" in written(rank_table(ranking), "table")


@pytest.mark.slow
@pytest.mark.parametrize("without", ["", "worker"])
def test_contenders_that_are_alike_are_hardly_told_apart_after_import(tmp_path: Path, without: str) -> None:
    ranked, changed = 0, 0
    for seed in range(10):
        with imported(make(tmp_path / f"{seed}", alike(seed)), without) as results:
            (pair,) = sides(results, results, pair_up(results, results, ()))
            ranked += len(rank(results, "par2").groups or ()) > 1
            changed += compare(*pair).call in (Call.REGRESSED, Call.IMPROVED)
    assert ranked <= (not without)
    assert changed <= (not without)


def test_a_worker_of_several_repeats_makes_them_repeats_of_one(tmp_path: Path, harness: Harness) -> None:
    table = tmp_path / "t.csv"
    rows = [f"i{i},x,sat,{0.1 + i / 100},{repeat},w" for repeat in (1, 2) for i in range(3)]
    table.write_text("\n".join(["instance,contender,status,seconds,repeat,worker", *rows]))
    assert harness("import", table, "--format", "csv", "-t", "10", "-o", tmp_path / "j").code == 0
    with frame(tmp_path / "j") as results:
        assert results.contenders[0].one_worker
        assert len(results.contenders[0].states) == 2


def test_workers_without_numbers_of_repeats_are_repeats(tmp_path: Path, harness: Harness) -> None:
    table = tmp_path / "t.csv"
    rows = [f"i{i},x,sat,{0.1 + i / 100},{worker}" for i in range(3) for worker in ("w7", "w8")]
    table.write_text("\n".join(["instance,contender,status,seconds,worker", *rows]))
    assert harness("import", table, "--format", "csv", "-t", "10", "-o", tmp_path / "j").code == 0
    with frame(tmp_path / "j") as results:
        assert not results.contenders[0].one_worker
        assert len(results.contenders[0].times["wall"].effects) == 2
