"""`places` shows what every place ran, how fast it was, and in what places differ."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from harness.judging.merging import merge
from harness.storing.journal import Journal
from tests.conftest import Harness
from tests.journals import HOST, OTHER, make, noisy

NEAR, FAR = HOST | {"name": "near", "release": "6.1"}, OTHER | {"name": "far", "release": "6.2"}
PACED = {1: (1_000_000, 1_000_000), 2: (3_000_000, 3_000_000)}


def made(path: Path, **more: Any) -> Path:
    """Make a journal of two places of different types; x is undecided on the first instance."""
    return make(
        path,
        {"x": noisy(1, 2, 32), "y": noisy(2, 2, 32)},
        hosts=[NEAR, FAR, FAR],
        placed=lambda repeat, block: 1 + block % 2,
        paced=PACED,
        odd={"x": {"undecided": [0]}},
        **more,
    )


def test_places_lists_leases_outcomes_and_reference_work_of_each(tmp_path: Path, harness: Harness) -> None:
    found = harness("report", "--places", str(made(tmp_path / "j")), "--json", "-").summary
    near, far, idle = found["places"]
    assert [place["leases"] for place in found["places"]] == [16, 16, 0]
    assert [place["name"] for place in found["places"]] == ["near", "far", "far"]
    assert [kind["places"] for kind in found["types"]] == [[1], [2]]
    assert near["contenders"][0] | {"seconds": 0} == {
        "name": "x",
        "leases": 16,
        "outcomes": 32,
        "seconds": 0,
        "states": {"decided": 30, "timeout": 2},
    }
    assert near["busy"] == pytest.approx(16e-9)
    assert (near["began"], far["ended"]) == (1, 17)
    assert far["reference"] == {
        "samples": 16,
        "median": 0.003,
        "first": 0.003,
        "last": 0.003,
        "drift": 1.0,
        "line": [0.003] * 16,
    }
    assert found["client"]["samples"] == 20
    assert (idle["began"], idle["reference"]["median"], idle["contenders"]) == (None, None, [])


def test_places_names_differences_but_not_those_of_names(tmp_path: Path, harness: Harness) -> None:
    shown = harness("report", "--places", str(made(tmp_path / "j"))).out
    assert "host release: 6.1 at 1; 6.2 at 2" in shown
    assert "host cores: 2 at 1; 8 at 2" in shown
    assert "host name" not in shown
    assert "type 2: two, 8 cores: 1 place" in shown
    assert "▁" * 16 in shown
    assert "█" * 16 in shown


def test_a_place_without_leases_has_no_times(tmp_path: Path, harness: Harness) -> None:
    shown = harness("report", "--places", str(made(tmp_path / "j"))).out.splitlines()
    idle = next(line for line in shown if line.startswith("3 "))
    assert idle.split() == ["3", "far", "2", "-", "0", "0", "-", "-", "-", "-"]


def test_a_place_that_slows_down_shows_its_drift(tmp_path: Path, harness: Harness) -> None:
    path = made(tmp_path / "j")
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("update reference set wall = wall * 2 where lease > (select max(id) / 2 from leases)")
    near, *_ = harness("report", "--places", str(path), "--json", "-").summary["places"]
    assert near["reference"]["drift"] == pytest.approx(2)
    assert "2.00x" in harness("report", "--places", str(path)).out


def test_places_counts_refused_answers_and_names_refused_places(tmp_path: Path, harness: Harness) -> None:
    path = made(tmp_path / "j", late=3, refused=["far: Python 3.12.1, not 3.11.0", "evil\x1b[2J"])
    shown = harness("report", "--places", str(path)).out
    assert "late: 3 second answers refused" in shown
    assert "refused: far: Python 3.12.1, not 3.11.0" in shown
    assert "\x1b" not in shown
    assert "evil" in shown


@pytest.mark.parametrize(("key", "value"), [("late", "many"), ("late", -1), ("refused", "far"), ("refused", [1])])
def test_refusals_of_other_types_are_damage(tmp_path: Path, harness: Harness, key: str, value: object) -> None:
    done = harness("report", "--places", str(made(tmp_path / "j", **{key: value})))
    assert done.code == 2
    assert "not a journal, or a damaged one" in done.err


def test_lines_need_no_unicode(tmp_path: Path, environment: dict[str, str], harness_process: Harness) -> None:
    environment |= {"PYTHONIOENCODING": "ascii"}
    assert "7777777777777777" in harness_process("report", "--places", str(made(tmp_path / "j"))).out


@pytest.mark.parametrize(("near", "far"), [(HOST, OTHER), (NEAR, FAR)], ids=["of a cluster", "of one machine each"])
def test_reference_work_of_a_merged_journal_stays_with_its_machines(
    tmp_path: Path, harness: Harness, near: dict[str, Any], far: dict[str, Any]
) -> None:
    a = make(tmp_path / "a", {"x": noisy(1)}, hosts=[NEAR], host=near)
    b = make(tmp_path / "b", {"x": noisy(2)}, hosts=[FAR], host=far, reference=[[2_000_000, 1]] * 20)
    with Journal.open(a) as left, Journal.open(b) as right, merge([left, right], tmp_path / "c"):
        pass
    found = harness("report", "--places", str(tmp_path / "c"), "--json", "-").summary
    assert found["client"]["samples"] == 20
    assert found["places"][1]["reference"]["samples"] == 20
    assert found["places"][1]["reference"]["median"] == 0.002


def test_report_of_a_host_shows_what_ran_there(tmp_path: Path, harness: Harness) -> None:
    path = str(made(tmp_path / "j"))
    whole, cut = (harness("report", path, *more, "--json", "-").summary for more in ([], ["--host", "far"]))
    assert [m["name"] for m in whole["machines"]] == ["one, 2 cores", "two, 8 cores"]
    assert [m["instances"] for m in whole["machines"]] == [16, 16]
    assert cut["machine"]["number"] == 2
    assert "machines" not in cut
    assert cut["agreement"]["puzzles"] == 16
    assert [c["par2"] for c in cut["contenders"]] == [c["par2"] for c in whole["machines"][1]["contenders"]]
    assert not any("mixed" in warning for warning in cut["warnings"])
    assert cut["exit"] == 0
    assert whole["exit"] == 4
    shown = harness("report", path).out
    assert "mixed hosts, Python 3.11" in shown
    assert "warning: mixed hosts (1: one, 2 cores; 2: two, 8 cores)" in " ".join(shown.split())
    assert "vs best 1  vs best 2" in shown
    of_two = harness("report", path, "--host", "2").out
    assert "only what ran on 2: two, 8 cores: 16 instances" in " ".join(of_two.split())
    refused = harness("report", path, "--host", "nowhere")
    assert refused.code == 2
    assert "choose from 1: one, 2 cores; 2: two, 8 cores" in refused.err


def test_a_run_on_one_machine_says_nothing_of_machines(tmp_path: Path, harness: Harness) -> None:
    path = str(make(tmp_path / "j", {"x": noisy(1, 2, 32), "y": noisy(2, 2, 32)}, hosts=[NEAR], host=NEAR))
    for verb in ("report", "compare"):
        shown = harness(verb, path).out
        assert "mixed" not in shown
        assert "machine" not in shown.replace(str(tmp_path), "")
        data = json.dumps(harness(verb, path, "--json", "-").summary)
        keys = ("machines", "machine", "by_machine", "other_machines", "unpaired")
        assert not any(f'"{key}"' in data for key in keys)
    assert harness("report", path, "--host", "1").code == 0
