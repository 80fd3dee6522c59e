"""Leases: run whole, committed whole and once, with the same results in any process."""

import os
import pickle
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from harness.model.contender import resolve
from harness.model.errors import BadUsage
from harness.model.lease import Block, Lease, LeaseResult
from harness.model.settings import Cluster, RunSettings
from harness.running.blocks import Pace
from harness.running.engines.local import LocalPlaces
from harness.runs.runner import Run
from harness.storing.journal import Journal
from puzzles.boards.families import layout
from puzzles.problem.columns import pack
from tests.conftest import ROOT
from tests.journals import BOARD, HOST, puzzle
from tests.running.fake_places import FakePlaces
from tests.running.leasing import run_leases

pytestmark = pytest.mark.usefixtures("forked")

NAMES = ["native:python", "pysat:minisat22/extended"]
RUN_PICKLED = """
import pickle, sys
from tests.running.leasing import run_leases
from harness.running.engines.local import LocalPlaces
from harness.running.workers.worker_process import WorkerProcess

opened, really = [], WorkerProcess.open
WorkerProcess.open = lambda self, *rest: opened.append(self.contender.name) or really(self, *rest)
with open(sys.argv[1], "rb") as file:
    contenders, settings, leases = pickle.load(file)
with LocalPlaces(contenders, settings) as places:
    found = [list(result.outcomes) for result in run_leases(places, iter(leases))]
with open(sys.argv[2], "wb") as file:
    pickle.dump((found, opened), file)
"""


def leases() -> list[Lease]:
    """Return two leases of one problem, and one of another."""
    other = layout("latin 3")
    blocks = [
        Block(1, BOARD, np.arange(1, 4), pack(BOARD, [puzzle(i).domains for i in range(3)])),
        Block(2, BOARD, np.arange(4, 6), pack(BOARD, [puzzle(i).domains for i in range(3, 5)])),
        Block(3, other, np.arange(6, 7), pack(other, [other.open])),
    ]
    return [Lease.shuffled(block, 0, len(NAMES), seed=1) for block in blocks]


def answers_of(results: list[LeaseResult] | list[Sequence[object]]) -> Sequence[object]:
    """Return answers and counters of outcomes without times, in the order of contenders."""
    timeless = ("status", "reason", "complete", "amortised", "found", "decisions", "conflicts", "propagations")
    every: list[object] = []
    for result in results:
        outcomes = result.outcomes if isinstance(result, LeaseResult) else result
        for some in sorted(outcomes, key=lambda o: o.batch.contender):  # type: ignore[attr-defined]
            rows = [[row[name] for name in timeless] for row in some.rows]  # type: ignore[attr-defined]
            every.append((some.batch.contender, rows, some.solutions.tolist()))  # type: ignore[attr-defined]
    return every


@pytest.mark.slow
def test_a_pickled_lease_gives_the_same_answers_in_another_process_and_opens_each_session_once(tmp_path: Path) -> None:
    contenders, _ = resolve(NAMES)
    settings = RunSettings(count=2)
    with LocalPlaces(contenders, settings) as places:
        here = list(run_leases(places, iter(leases())))
    handed, back, folder = tmp_path / "handed", tmp_path / "back", tmp_path / "another"
    folder.mkdir()
    handed.write_bytes(pickle.dumps((contenders, settings, [pickle.loads(pickle.dumps(x)) for x in leases()])))
    environment = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(ROOT),
        "LANG": "C",
        "TZ": "Asia/Tokyo",
        "PYTHONHASHSEED": "7",
    }
    command = [sys.executable, "-c", RUN_PICKLED, str(handed), str(back)]
    subprocess.run(command, cwd=folder, env=environment, check=True, timeout=120)
    there, opened = pickle.loads(back.read_bytes())
    assert answers_of(there) == answers_of(here)
    assert sorted(opened) == sorted(NAMES * 2)  # once for each of the two problems


def journal_of(path: Path, settings: RunSettings, puzzles: int = 8) -> Journal:
    """Create a journal of some puzzles, ready to run; each is a block, with workers of its own."""
    journal = Journal.create(path)
    journal.corpora.add("made", [puzzle(i) for i in range(puzzles)])
    journal.contenders.add(resolve(NAMES)[0])
    journal.facts.put(command=[], settings=settings.as_dict(), host=HOST, versions={"python": "3"}, state="running")
    return journal


def answers(journal: Journal) -> Sequence[object]:
    """Return the data of every row that must not depend on interruptions."""
    return [(row.who, row.measured[0], row.measured[4], row.solutions) for row in journal.outcomes.rows()]


@pytest.mark.slow
def test_an_interrupted_lease_is_stored_and_then_run_again_whole(tmp_path: Path) -> None:
    settings = RunSettings(repeats=2)
    with journal_of(tmp_path / "whole", settings, 3) as whole, journal_of(tmp_path / "cut", settings, 3) as cut:
        for journal in (whole, cut):
            list(Run(journal).solve())
        block = cut.instances.block(*cut.leases.spans()[2])
        with LocalPlaces(Run(cut).contenders, settings) as places:
            (result,) = run_leases(places, iter([Lease.shuffled(block, 0, 2, 1)]))
        cut.db.execute("update leases set whole = 0 where block = ? and repeat = 0", (block.number,))
        partial = replace(result, outcomes=result.outcomes[:1], whole=False)
        run = Run(cut)
        run.commit([[partial]])
        assert len(answers(cut)) == len(answers(whole)) - 1
        assert list(Run(cut).solve()) == [2]
        assert answers(cut) == answers(whole)
        assert cut.db.execute("select count(*) from leases where not whole").fetchone() == (0,)


def test_a_lease_is_committed_once(tmp_path: Path) -> None:
    with journal_of(tmp_path / "j", RunSettings(), 2) as journal:
        run = Run(journal)
        list(run.solve())
        before = answers(journal)
        with LocalPlaces(run.contenders, run.settings) as places:
            (again,) = run_leases(
                places, iter([Lease.shuffled(journal.instances.block(*journal.leases.spans()[0]), 0, 2, 1)])
            )
        with pytest.raises(BadUsage, match="UNIQUE"):
            run.commit([[again]])
        assert answers(journal) == before


def test_a_lease_has_one_place_and_its_contenders_share_it(tmp_path: Path) -> None:
    with journal_of(tmp_path / "j", RunSettings(jobs=2, repeats=2), 4) as journal:
        list(Run(journal).solve())
        query = (
            "select count(distinct contender), count(distinct l.place) from outcomes o join leases l on l.id = o.lease"
        )
        assert set(journal.db.execute(f"{query} group by o.lease")) == {(2, 1)}
        assert len(journal.places.all()) == 2
        assert journal.db.execute("select count(distinct place) from leases").fetchone() == (2,)


def test_a_run_has_four_blocks_for_each_place_and_sixteen_at_least(tmp_path: Path) -> None:
    with journal_of(tmp_path / "j", RunSettings()) as journal:
        engine, pace = FakePlaces(), Pace(800, 2)
        admit = Run(journal).admission(engine, pace, None)
        sizes = []
        for _ in range(5):
            admit(engine.join().place)
            sizes.append(pace.largest)
    assert sizes == [50, 50, 50, 50, 40]


def test_a_text_that_is_no_unicode_is_stored_escaped(tmp_path: Path) -> None:
    with journal_of(tmp_path / "j", RunSettings()) as journal:
        run = Run(journal)
        with LocalPlaces(run.contenders, run.settings) as places:
            (result,) = run_leases(places, iter([Lease.shuffled(journal.instances.block(1, 1, 1), 0, 2, 1)]))
        spoilt = tuple(replace(some, details={0: "bad \udcff"}) for some in result.outcomes)
        run.commit([[replace(result, outcomes=spoilt)]])
        assert [row.detail for row in journal.outcomes.rows()] == ["bad \\udcff"] * 2


def test_a_journal_of_before_clusters_is_not_resumed_on_one(tmp_path: Path) -> None:
    with journal_of(tmp_path / "j", RunSettings()) as journal:
        assert journal.leases.may_be_cut
        (made,) = journal.db.execute("select sql from sqlite_master where name = 'leases'").fetchone()
        journal.db.execute("drop table leases")
        journal.db.execute(made.replace("unique (block, repeat, place)", "unique (block, repeat)"))
        with pytest.raises(BadUsage, match="made before runs had clusters: resume it without --on"):
            list(Run(journal).solve(cluster=Cluster("s.json")))
