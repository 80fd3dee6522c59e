"""Runs on several machine types: pairs of one lease, ratios by type, and one of all only where the types agree."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from harness.judging.merging import merge
from harness.model.host import machine_type
from harness.reporting.frame.advice import comparison_warnings, run_warnings
from harness.reporting.frame.machine_types import chosen, machine_types, only
from harness.reporting.frame.pairing import sides
from harness.reporting.frame.results import aggregate
from harness.reporting.statistics.calls import Call
from harness.reporting.statistics.estimates import Ratio
from harness.reporting.statistics.pooling import chi_squared_tail, pool
from harness.reporting.views.comparing.compare import Comparison, compare
from harness.reporting.views.comparing.comparison import compared, extremes, instances
from harness.reporting.views.comparing.comparison_text import text
from harness.storing.journal import Journal
from tests.journals import HOST, OTHER, QUIET, Times, make, noisy

NEAR, FAR = HOST | {"name": "near"}, OTHER | {"name": "far"}
TWIN = HOST | {"name": "twin"}


def alternating(repeat: int, block: int) -> int:
    """Return the place of a lease: 1 or 2 by turns."""
    return 1 + (repeat + block) % 2


def slower_on_two(times: Times, factor: float) -> Times:
    """Return times that are longer in the leases of place 2."""
    made = times.copy()
    for repeat, row in enumerate(made):
        for block in range(17):
            if alternating(repeat, block) == 2:
                row[block * 6 : block * 6 + 6] *= factor
    return made


def mixed(path: Path, second: float = 1.0, factor: float = 1.0, hosts: Any = (NEAR, FAR), **more: Any) -> Path:
    """Make a journal of x and y on two places: y takes `factor` as long, on the second `second` times that.

    All takes three times as long on the second place.
    """
    x, y = (slower_on_two(noisy(seed, factor=f), 3 * s) for seed, f, s in ((1, 1, 1), (2, factor, second)))
    return make(path, {"x": x, "y": y}, hosts=list(hosts), placed=alternating, **more)


def within(path: Path) -> Comparison:
    with Journal.open(path) as journal:
        results = aggregate(journal)
        return compare(*sides(results, results, [("x", "y")])[0])


def between(a: Path, b: Path) -> Comparison:
    with Journal.open(a) as left, Journal.open(b) as right:
        return compare(*sides(aggregate(left), aggregate(right), [("x", "x")])[0])


def test_a_type_is_processor_architecture_system_and_cores_not_name_memory_or_release() -> None:
    host = {"system": "Linux", "release": "6.1", "machine": "x86_64", "cpu": "A", "cores": 4, "memory": 1}
    for key, value in {"release": "6.2", "memory": 2, "name": "b"}.items():
        assert machine_type(host | {key: value}) == machine_type(host)
    for key, value in {"system": "Darwin", "machine": "arm64", "cpu": "B", "cores": 8}.items():
        assert machine_type(host | {key: value}) != machine_type(host)
        assert str(machine_type(host | {key: value})) != str(machine_type(host))


def test_types_that_agree_are_pooled_and_ones_that_differ_are_not(tmp_path: Path) -> None:
    same, slow = within(mixed(tmp_path / "a")), within(mixed(tmp_path / "b", factor=1.2))
    assert (same.call, slow.call) == (Call.SAME, Call.REGRESSED)
    for clock in ("cpu", "wall"):
        assert slow.ratios[clock].log == pytest.approx(np.log(1.2), abs=0.02)
        assert slow.ratios[clock].pairs == sum(r.pairs for _, r in slow.mixed[clock].ratios)
    differ = within(mixed(tmp_path / "c", second=1.4, factor=0.8))
    assert differ.ratios == {}
    logs = [r.log for _, r in differ.mixed["wall"].ratios]
    assert logs == pytest.approx(np.log([0.8, 0.8 * 1.4]), abs=0.02)
    assert (differ.call, differ.exit) == (Call.REGRESSED, 3)


def test_a_gain_on_one_type_that_another_leaves_open_is_no_improvement(tmp_path: Path) -> None:
    def rarely(repeat: int, block: int) -> int:
        return 2 if block == 1 else 1

    x, y = noisy(1), noisy(2, factor=0.7)
    found = within(make(tmp_path / "j", {"x": x, "y": y}, hosts=[NEAR, FAR], placed=rarely))
    assert not np.isfinite(found.mixed["wall"].ratios[1][1].high)
    assert found.call is Call.IMPROVED  # of the type that has an interval; the other counts for nothing
    assert found.ratios["wall"].pairs == found.mixed["wall"].ratios[0][1].pairs


def test_machines_of_one_type_have_one_ratio_although_one_is_slower(tmp_path: Path) -> None:
    found = within(mixed(tmp_path / "j", hosts=(NEAR, TWIN)))
    assert found.call is Call.SAME
    assert found.mixed == {}
    with Journal.open(tmp_path / "j") as journal:
        results = aggregate(journal)
        assert results.strata == ()
        assert not any("mixed" in warning for warning in run_warnings(results))


@pytest.mark.parametrize("host", [FAR, TWIN], ids=["another type", "another machine of one type"])
def test_times_of_two_machines_are_no_pair(tmp_path: Path, host: dict[str, Any]) -> None:
    a = make(tmp_path / "a", {"x": noisy(1)}, hosts=[NEAR], host=NEAR)
    b = make(tmp_path / "b", {"y": noisy(2, factor=2)}, hosts=[host], host=host)
    with Journal.open(a) as left, Journal.open(b) as right, merge([left, right], tmp_path / "c"):
        pass
    found = within(tmp_path / "c")
    assert not found.ratios
    assert not found.mixed
    assert found.unpaired.all()
    assert found.exit == 4
    with Journal.open(tmp_path / "c") as journal:
        results = aggregate(journal)
        assert "not paired: x, y: 100 instances, on different machines" in text(compared(results, results)[1], "table")


def test_a_block_that_was_cut_is_paired_by_lease(tmp_path: Path) -> None:
    path = make(tmp_path / "j", {"x": noisy(1, 1), "y": noisy(2, 1)}, hosts=[HOST, HOST])
    whole = within(path).ratios["wall"]
    with (
        closing(sqlite3.connect(path)) as db,
        db,
    ):  # y ran the first block elsewhere, ten times as long
        db.execute("insert into leases select 99, block, repeat, 2, began, ended, whole from leases where id = 1")
        db.execute("update outcomes set lease = 99, wall = wall * 10, cpu = cpu * 10 where lease = 1 and contender = 1")
    found = within(path)
    assert np.flatnonzero(found.unpaired).tolist() == list(range(6))
    assert found.ratios["wall"].pairs == 94
    assert found.ratios["wall"].log == pytest.approx(whole.log, abs=0.01)


def test_instances_of_a_cut_lease_have_its_block_on_each_machine_type(tmp_path: Path) -> None:
    path = mixed(tmp_path / "j")
    with closing(sqlite3.connect(path)) as db, db:  # the first block was cut: the other type ran its second half
        db.execute(
            "insert into leases select 1000 + id, block, repeat, 2, began, ended, whole from leases where id = 1"
        )
        db.execute("update outcomes set lease = 1001 where lease = 1 and puzzle > 3")
        db.execute("delete from outcomes where puzzle <= 6 and lease not in (1, 1001)")
    with Journal.open(path) as journal:
        near, far = (part.by_name["x"].block for part in aggregate(journal).strata)
    assert (near[1:8].tolist(), far[1:8].tolist()) == ([1] * 6 + [2], [1] * 6 + [2])


def test_instances_are_compared_by_asks_of_one_lease(tmp_path: Path) -> None:
    path = mixed(tmp_path / "j")
    with closing(sqlite3.connect(path)) as db, db:  # x alone has outcomes of the slower machine
        db.execute("delete from outcomes where contender = 1 and lease in (select id from leases where place = 2)")
        db.execute("update outcomes set wall = wall * 9, cpu = cpu * 9 where contender = 1 and puzzle = 7")
    with Journal.open(path) as journal:
        results = aggregate(journal)
        found = compare(*sides(results, results, [("x", "y")])[0])
        assert extremes(found, np.arange(100) == 6) == [{"puzzle": "made:7", "ratio": pytest.approx(9, rel=0.1)}]
        assert [row["ratio"] for row in instances(found, "wall")] == pytest.approx([9, *[1] * 99], rel=0.1)


def test_a_machine_type_without_outcomes_and_a_contender_without_any_are_no_times(tmp_path: Path) -> None:
    idle, unasked = mixed(tmp_path / "a"), mixed(tmp_path / "b")
    for path, gone in ((idle, "lease in (select id from leases where place = 2)"), (unasked, "contender = 1")):
        with closing(sqlite3.connect(path)) as db, db:
            db.execute(f"delete from outcomes where {gone}")
    one, none = within(idle), within(unasked)
    assert [machines.number for machines, _ in one.mixed["wall"].ratios] == [1]
    assert (one.call, none.call, none.ratios, none.mixed) == (Call.SAME, Call.INCONCLUSIVE, {}, {})


def test_a_merged_journal_of_one_machine_is_compared_as_before(tmp_path: Path) -> None:
    later = HOST | {"release": "6.2", "memory": 1 << 33}  # the same machine with another kernel and memory
    a, b = make(tmp_path / "a", {"x": noisy(1)}), make(tmp_path / "b", {"y": noisy(2)}, hosts=[later], host=later)
    with Journal.open(a) as left, Journal.open(b) as right, merge([left, right], tmp_path / "c"):
        pass
    one, merged = within(make(tmp_path / "d", {"x": noisy(1), "y": noisy(2)})), within(tmp_path / "c")
    assert merged.ratios.keys() == {"cpu", "wall"}
    assert merged.ratios["wall"].log == one.ratios["wall"].log


def test_journals_of_different_machine_types_call_no_change(tmp_path: Path) -> None:
    a = make(tmp_path / "a", {"x": noisy(1)})
    b = make(tmp_path / "b", {"x": noisy(2, factor=3)}, hosts=[OTHER], host=OTHER)
    found = between(a, b)
    assert found.other_machines
    assert (found.call, found.exit, found.repeats) == (Call.INCONCLUSIVE, 0, None)
    assert found.ratios["wall"].log == pytest.approx(np.log(3), abs=0.02)
    assert not between(a, make(tmp_path / "c", {"x": noisy(2)}, hosts=[TWIN], host=TWIN)).other_machines
    with Journal.open(a) as left, Journal.open(b) as right:
        results = aggregate(left), aggregate(right)
        _, result = compared(*results)
        shown = text(result, "table")
        warnings = comparison_warnings(*results, 100)
    assert result["comparisons"][0]["call"] == "inconclusive"  # the page and older readers know four words
    assert " different machines " in shown.splitlines()[2]
    assert "different machines: x: one, 2 cores before, two, 8 cores after" in shown
    assert "repeats" not in shown.replace("--repeats", "")
    assert any("are no regression or improvement" in w for w in warnings)


def test_journals_of_mixed_hosts_are_compared_on_the_types_that_both_have(tmp_path: Path) -> None:
    a = make(tmp_path / "a", {"x": noisy(1)})
    b = mixed(tmp_path / "b", paced={1: (1_000_000, 1_000_000), 2: (3_000_000, 3_000_000)})
    found = between(a, b)
    assert not found.other_machines
    assert [m.type.cpu for m, _ in found.mixed["wall"].ratios] == ["one"]
    assert found.ratios["wall"].log == pytest.approx(0, abs=0.02)


def test_reference_work_of_a_lease_belongs_to_its_place_and_other_to_the_client(tmp_path: Path) -> None:
    path = mixed(tmp_path / "j", paced={1: (1_000_000, 1), 2: (3_000_000, 1)})
    with Journal.open(path) as journal:
        near, far = aggregate(journal).strata
        assert (len(near.samples), len(far.samples)) == (len(QUIET) + 43, 42)
        assert {wall for wall, _ in far.samples} == {3_000_000}
        assert run_warnings(aggregate(journal))[0].startswith("mixed hosts (1: one, 2 cores; 2: two, 8 cores)")


def test_a_type_is_chosen_by_number_processor_or_name_of_a_machine(tmp_path: Path) -> None:
    with Journal.open(mixed(tmp_path / "j")) as journal:
        for text_of, number in (("1", 1), ("2", 2), ("two", 2), ("NEAR", 1), ("8 cores", 2)):
            assert chosen(journal, text_of).number == number
        for text_of in ("3", "cores", "nowhere", ""):
            with pytest.raises(ValueError, match=r"choose from 1: one, 2 cores; 2: two, 8 cores"):
                chosen(journal, text_of)


def test_a_cut_journal_shows_one_type_and_the_rest_again_afterwards(tmp_path: Path) -> None:
    with Journal.open(mixed(tmp_path / "j", second=1.4)) as journal:
        far = machine_types(journal)[1]
        listing = journal.instances.listing()
        next(listing)  # a query under way
        with only(journal, far):
            cut = aggregate(journal)
            assert [m.type for m in cut.machines] == [far.type]
            assert cut.strata == ()
            assert len(journal.leases.whole()) == 42
        assert len(journal.leases.whole()) == 85
        assert aggregate(journal).strata[1].samples == cut.samples


@pytest.mark.parametrize(
    ("x", "freedom", "p"), [(3.841, 1, 0.05), (5.991, 2, 0.05), (7.815, 3, 0.05), (13.277, 4, 0.01), (0.0, 5, 1.0)]
)
def test_the_tail_of_chi_squared_is_that_of_tables(x: float, freedom: int, p: float) -> None:
    assert chi_squared_tail(x, freedom) == pytest.approx(p, rel=1e-3)


def test_pooling_weighs_by_pairs_and_refuses_what_differs() -> None:
    near, wide = Ratio(0.0, -0.01, 0.01, 75), Ratio(0.1, -0.3, 0.5, 25)
    both = pool([near, wide])
    assert both.ratio is not None
    assert both.ratio.log == pytest.approx(0.025)
    assert both.ratio.high - both.ratio.log == pytest.approx(np.hypot(0.75 * 0.01, 0.25 * 0.4))
    assert both.ratio.pairs == 100
    assert both.p > 0.1
    apart = pool([near, Ratio(0.1, 0.09, 0.11, 50)])
    assert apart.ratio is None
    assert apart.p < 0.001
    unknown = Ratio(5.0, -np.inf, np.inf, 3)
    assert pool([near, unknown]).ratio == near
    assert pool([unknown, unknown]).ratio == Ratio(5.0, -np.inf, np.inf, 6)


def test_agreeing_types_are_kept_apart_about_once_in_ten() -> None:
    rng = np.random.default_rng(1)
    draws = rng.normal(0, 0.01, (2000, 3))
    apart = sum(pool([Ratio(x, x - 0.02576, x + 0.02576, 9) for x in row]).ratio is None for row in draws.tolist())
    assert 0.08 < apart / 2000 < 0.12
