"""Proofs required: an unsatisfiable answer without a proof that holds of the instance is undecided in every score."""

import csv
from pathlib import Path
from statistics import median

import numpy as np
import pytest

import harness as interface
from harness.reporting.frame.entries import field_of
from harness.reporting.frame.proofs import with_proofs_required
from harness.reporting.frame.results import Results, State, aggregate
from harness.reporting.frame.summary import on_clock
from harness.reporting.views.ranking.ranks import rank
from harness.reporting.views.ranking.scores import SCORE, Performance
from harness.storing.journal import open_journal
from tests.conftest import Harness
from tests.reporting import proved as p
from tests.reporting.page import fixture

LIMITS = {"wall": p.LIMIT, "cpu": p.CPU_LIMIT}


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    return p.proved(tmp_path / "proved.sqlite")


def required(path: Path) -> Results:
    with open_journal(path) as opened:
        return with_proofs_required(aggregate(opened))


def seconds(name: str, clock: str, proofs: bool) -> list[float]:
    """Return the median of each instance, NaN where it does not count, by plain loops over what was written."""
    times = (p.TIMES if clock == "wall" else p.CPU)[name]
    out = set(p.LATE[name]) | (set(p.UNSATISFIABLE) - p.COUNTED[name] if proofs else set())
    spent = [median(int(t * 1e9) for t in times[:, i]) / 1e9 for i in range(p.INSTANCES)]
    return [float("nan") if i in out else spent[i] for i in range(p.INSTANCES)]


@pytest.mark.parametrize("clock", ["wall", "cpu"])
def test_every_score_is_that_of_a_run_which_lacks_the_answers_without_proof(journal: Path, clock: str) -> None:
    found = required(journal)
    times = np.array([seconds(name, clock, proofs=True) for name in p.NAMES])
    for score, definition in SCORE.items():
        ranking = rank(found, score, clock)
        points = definition.points(Performance(times, LIMITS[clock]))
        wanted = definition.of_means(points.mean(axis=1), p.INSTANCES)
        got = {c.name: c.score for c in ranking.contenders}
        assert [got[name] for name in p.NAMES] == pytest.approx(wanted.tolist(), rel=1e-9), score
        assert (ranking.proofs_required, ranking.limit, ranking.limit_clock) == (True, LIMITS[clock], clock)


def test_a_score_by_cpu_time_uses_the_limit_of_cpu_time(journal: Path, harness: Harness) -> None:
    contenders = harness("report", journal, "--json", "-").summary["contenders"]
    for clock in ("wall", "cpu"):
        for c in contenders:
            times = np.array(seconds(c["name"], clock, proofs=False))
            for factor in (2, 10):
                wanted = np.where(np.isnan(times), factor * LIMITS[clock], times).mean()
                assert field_of(on_clock(c, clock), f"par{factor}") == pytest.approx(wanted), (c["name"], clock)


def test_a_report_with_proofs_required_counts_answers_without_one_apart(journal: Path, harness: Harness) -> None:
    done = harness("report", journal, "--json", "-", "--require-proofs")
    assert done.code == 1, "some proofs were refused"
    for c in done.summary["contenders"]:
        unsat, late = len(p.COUNTED[c["name"]]), len(p.LATE[c["name"]])
        sat = p.INSTANCES - len(p.UNSATISFIABLE) - late
        counts = [c[key] for key in ("solved", "satisfiable", "unsatisfiable", "proofless", "timeout", "unknown")]
        assert counts == [sat + unsat, sat, unsat, len(p.UNSATISFIABLE) - unsat, late, 0]
    assert done.summary["proofs_required"] is True
    heads, _, *rows = harness("report", journal, "--require-proofs").out.split("\n\n")[1].splitlines()
    at = heads.index("no proof")
    assert {row.split()[0]: int(row[at : at + 8]) for row in rows} == {"one": 0, "two": 3, "three": 3, "four": 4}
    plain = harness("report", journal, "--json", "-").summary
    assert [c["proofless"] for c in plain["contenders"]] == [0, 0, 0, 0]
    assert [c["unsatisfiable"] for c in plain["contenders"]] == [4, 4, 4, 4]


def test_portfolio_matrix_and_tables_follow(journal: Path, harness: Harness) -> None:
    options = ("--require-proofs", "--vbs", "--matrix", "--pivot", "env,backend", "--rank", "solved")
    summary = harness("report", journal, "--json", "-", *options).summary
    solved = {c["name"]: c["solved"] for c in summary["contenders"]}
    assert solved == {"one": 10, "two": 8, "three": 9, "four": 7}
    assert {c["name"]: c["score"] for c in summary["ranking"]["contenders"]} == solved
    alone = {c["name"]: c["alone"] for c in summary["portfolio"]["contenders"]}
    assert alone == {"one": 2, "two": 0, "three": 0, "four": 0}, "positions 8 and 11"
    par2 = {c["name"]: c["par2"] for c in summary["contenders"]}
    assert {cell["contenders"][0]: cell["value"] for cell in summary["matrix"]["cells"]} == pytest.approx(par2)
    text = harness("report", journal, "--require-proofs", "--format", "latex").out
    assert "limit 10 s, 3 s of CPU time; an unsatisfiable answer counts only with a proof that holds" in text
    rows = list(csv.DictReader(harness("report", journal, "--require-proofs", "--format", "csv").out.splitlines()))
    assert {row["contender"]: int(row["no proof"]) for row in rows} == {"one": 0, "two": 3, "three": 3, "four": 4}


def test_a_proof_that_is_lost_is_a_lost_instance(journal: Path, harness: Harness) -> None:
    names = ("--contenders", "one", "two")
    plain, proofs = (
        harness("compare", journal, *names, *more, "--json", "-").summary for more in ((), ("--require-proofs",))
    )
    (before,), (after,) = plain["comparisons"], proofs["comparisons"]
    assert (before["lost"], after["lost"]) == ([], ["made:6", "made:9", "made:12"])
    assert {"made:4", "made:6", "made:9", "made:12"} <= set(after["undecided"])
    assert (plain["proofs_required"], proofs["proofs_required"]) == (False, True)
    results = interface.open(journal)
    assert results.compare("one", "two", require_proofs=True)["comparisons"][0]["lost"] == after["lost"]
    assert results.rank("solved", require_proofs=True)["contenders"][0]["score"] == 10


def test_states_of_answers_without_proof_are_neither_decided_nor_wrong(journal: Path) -> None:
    found = required(journal).by_name["four"]
    assert set(np.flatnonzero(found.state == State.PROOFLESS) - 1) == set(p.UNSATISFIABLE)
    assert not found.unsatisfiable.any()
    assert np.isnan(found.wall[found.state == State.PROOFLESS]).all()


def test_the_rankings_that_the_tests_of_the_page_read_are_what_python_writes() -> None:
    stored = fixture.PROVED.read_text(encoding="utf-8")
    assert fixture.text(fixture.proved_fixture()) == stored, "run `python -m tests.reporting.page.fixture`"
