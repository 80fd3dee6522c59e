"""Scores by family on the page are those of `report --by`, and numbers out of logs those of `report --statistics`."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from harness.reporting.frame.results import CLOCKS, Results
from harness.reporting.page.groups import group_part, statistics_part
from harness.reporting.views.grouping import as_data
from harness.runs.runner import Run
from harness.storing.journal import open_journal
from tests.journals import make, noisy, puzzle

NAMES = [f"all/{'bmc' if i % 2 else 'sgen'}/{i}.cnf" for i in range(12)]
UNSAT = list(range(0, 12, 3))


@contextmanager
def made(folder: Path, names: Sequence[str], unsatisfiable: Sequence[int] = ()) -> Iterator[Results]:
    """Open results of two contenders, of which one counts `learned`."""
    times = {name: noisy(k, 2, len(names)) for k, name in enumerate(("a", "b"))}
    odd = {"a": {"unsatisfiable": unsatisfiable}, "b": {"unsatisfiable": unsatisfiable, "timeout": [1]}}
    path = make(folder / "j.sqlite", times, [replace(puzzle(i), name=name) for i, name in enumerate(names)], odd=odd)
    with open_journal(path, write=True) as journal:
        rows = "select contender, repeat, puzzle, 'learned', 10 + puzzle from outcomes where contender = 0"
        journal.db.execute(f"insert into statistics (contender, repeat, puzzle, name, value) {rows}")
    with open_journal(path) as journal:
        yield Run(journal).rejudge().results()


def test_scores_by_family_are_those_of_the_report(tmp_path: Path) -> None:
    with made(tmp_path, NAMES, UNSAT) as results:
        found = group_part(results)
        assert found is not None
        assert found["field"] == "folder"
        order = [(group["family"], group["status"]) for group in found["groups"]]
        assert order == [(family, status) for family in ("bmc", "sgen") for status in ("", "sat", "unsat")]
        for fields, some in ((["folder"], [""]), (["folder", "status"], ["sat", "unsat"])):
            groups = [group for group in found["groups"] if group["status"] in some]
            for clock in CLOCKS:
                wanted = as_data(results, fields, "par2", clock)["groups"][:-1]
                assert [group["instances"] for group in groups] == [group["instances"] for group in wanted]
                scores = [{c["name"]: [c["solved"], c["score"]] for c in group["contenders"]} for group in wanted]
                assert [group[clock] for group in groups] == scores


def test_one_family_has_its_status_alone(tmp_path: Path) -> None:
    (tmp_path / "x").mkdir()
    (tmp_path / "y").mkdir()
    with made(tmp_path / "x", [f"f:{i}" for i in range(12)], UNSAT) as results:
        found = group_part(results)
        assert found is not None
        assert [(group["family"], group["status"]) for group in found["groups"]] == [("", "sat"), ("", "unsat")]
    with made(tmp_path / "y", [f"f:{i}" for i in range(12)]) as results:
        assert group_part(results) is None


def test_numbers_out_of_logs_are_medians_over_common_instances(tmp_path: Path) -> None:
    with made(tmp_path, NAMES) as results:
        found = statistics_part(results)
        assert found is not None
        at = found["names"].index("learned")
        assert found["instances"][at] == 12
        assert {name: values[at] for name, values in found["contenders"].items()} == {"a": 16.5, "b": None}
