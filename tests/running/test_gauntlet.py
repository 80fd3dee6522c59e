"""Contenders that hang, crash, answer wrongly or leave processes: each gets its own verdict only."""

import os
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from backends.contract.answer import Reason
from harness.model.contender import resolve
from harness.model.lease import Block, Lease
from harness.model.outcome import Verdict
from harness.model.settings import RunSettings
from harness.running import control_groups
from harness.running.engines.local import LocalPlaces
from puzzles.boards.families import layout
from puzzles.problem.columns import pack
from tests.conftest import PLUGINS, ROOT, Harness, left_running
from tests.running.leasing import run_leases

LATIN = layout("latin 3")

TIMEOUT, MEMORY, CRASH, ERROR = Reason.TIMEOUT, Reason.MEMORY, Reason.CRASH, Reason.ERROR
# Expected verdict, and reason for no answer, of the puzzles on which each contender misbehaves.
EXPECTED = {
    "wrong_grid": (Verdict.WRONG, Reason.NONE),
    "unsatisfiable": (Verdict.WRONG, Reason.NONE),
    "twice": (Verdict.WRONG, Reason.NONE),
    "segfault": (Verdict.ERROR, CRASH),
    "abort": (Verdict.ERROR, CRASH),
    "leave": (Verdict.ERROR, CRASH),
    "loop": (Verdict.UNKNOWN, TIMEOUT),
    "hang": (Verdict.UNKNOWN, TIMEOUT),
    "stubborn": (Verdict.UNKNOWN, TIMEOUT),
    "greedy": (Verdict.UNKNOWN, MEMORY),
    "loud": (Verdict.CORRECT, Reason.NONE),
    "raising": (Verdict.ERROR, ERROR),
    "wrong_type": (Verdict.ERROR, ERROR),
    "unsupported": (Verdict.ERROR, ERROR),
    "parent": (Verdict.ERROR, CRASH),
    "daemon": (Verdict.ERROR, CRASH),
    "guardless": (Verdict.ERROR, CRASH),
    "stopped": (Verdict.UNKNOWN, TIMEOUT),
    "closer": (Verdict.CORRECT, Reason.NONE),  # it answered before the closed pipe was noticed
    "slow_import": (Verdict.CORRECT, Reason.NONE),
}
PUZZLES = """\
#: sudoku 3x3, count 1
85...24..72......9..4.........1.7..23.5...9...4...........8..7..17..........36.4.
..53.....8......2..7..1.5..4....53...1..7...6..32...8..6.5....9..4....3......97..
12..4......5.69.1...9...5.........7.7...52.9..3......2.9.6...5.4..9..8.1..3...9.4
...57..3.1......2.7...234......8...4..7..4...49....6.5.42...3.....7..9....18.....
"""
TRIGGERED = {2, 4}  # ids of the puzzles whose first square is open
# Contenders that hang are asked two puzzles; the others have a limit that no machine is too slow for.
HANGING = {name for name, (_, reason) in EXPECTED.items() if reason is TIMEOUT}
GROUPS = {"hanging": (HANGING, 2, 2), "others": (EXPECTED.keys() - HANGING, 4, 60)}  # names, puzzles, limit


@pytest.fixture(scope="module")
def puzzles(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("corpus") / "four.txt"
    path.write_text(PUZZLES)
    return path


@pytest.mark.slow
@pytest.mark.parametrize("group", GROUPS)
def test_each_misbehaving_contender_gets_its_verdict_and_native_is_unaffected(
    harness_process: Harness, puzzles: Path, tmp_path: Path, environment: dict[str, str], group: str
) -> None:
    names, asked, limit = GROUPS[group]
    contenders = [word for name in sorted(names) for word in ("-b", f"bad:{name}")]
    done = harness_process(
        *("run", puzzles, "-n", asked, "-b", "native:python", *contenders, "-t", limit, "-m", 600, "--count", 2),
        *("-o", tmp_path / "gauntlet.sqlite"),
    )
    assert done.code == (4 if group == "hanging" else 1), done.err
    assert "solver that cannot be silent" not in done.out + done.err
    query = (
        "select c.name, o.puzzle, o.verdict, o.reason, o.detail from outcomes o join contenders c on c.id = o.contender"
    )
    with closing(sqlite3.connect(tmp_path / "gauntlet.sqlite")) as db:
        rows = db.execute(query).fetchall()
    assert len(rows) == asked * (1 + len(names))
    for name, puzzle, verdict, reason, detail in rows:
        expected = EXPECTED.get(name.removeprefix("bad:")) if puzzle in TRIGGERED else None
        assert (verdict, reason) == (expected or (Verdict.CORRECT, Reason.NONE)), (name, puzzle, detail)
        if name == "bad:segfault" and puzzle in TRIGGERED:
            assert "SIGSEGV" in detail
    assert left_running(environment) == []


@pytest.mark.slow
def test_a_contender_that_never_opens_is_an_error_on_every_puzzle(harness: Harness, puzzles: Path) -> None:
    done = harness("run", puzzles, "-b", "bad:never_opens", "-b", "native:python", "--json", "-")
    assert done.code == 4
    assert done.contender("bad:never_opens")["error"] == 4
    assert done.contender("native:python")["solved"] == 4


@pytest.mark.skipif(sys.platform != "linux", reason="needs a guard")
def test_a_crash_is_named_although_the_guard_is_late_to_report_it(harness: Harness, puzzles: Path) -> None:
    done = harness("run", puzzles, "-b", "bad:outpaced", "--json", "-")
    assert {t["why"] for t in done.contender("bad:outpaced")["trouble"]} == {"died of SIGABRT"}


def test_a_valid_but_different_solution_is_no_disagreement(harness: Harness, tmp_path: Path) -> None:
    several = tmp_path / "several.txt"
    several.write_text(f"#: sudoku 3x3\n{'.' * 81}\n")
    done = harness("run", several, "-b", "bad:other", "-b", "native:python", "--count", 2, "--json", "-")
    assert done.code == 0
    assert done.summary["agreement"]["disagreements"] == []
    assert done.summary["agreement"]["several"] == 1


def test_a_complete_answer_with_one_of_two_solutions_is_wrong(harness: Harness, tmp_path: Path) -> None:
    several = tmp_path / "several.txt"
    several.write_text(f"#: sudoku 3x3\n{'.' * 81}\n")
    done = harness("run", several, "-b", "bad:too_few", "-b", "native:python", "--count", 2, "--json", "-")
    assert done.code == 1
    (blamed,) = done.summary["agreement"]["disagreements"]
    assert blamed["contenders"] == ["bad:too_few"]
    assert blamed["puzzle"] == "several.txt:2"


@pytest.mark.slow
def test_a_memory_limit_below_current_use_is_a_memory_out_of_that_contender(
    harness: Harness, puzzles: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(control_groups, "own_group", lambda: None)  # which would set the current use aside
    done = harness("run", puzzles, "-b", "cpsat", "-m", 50, "--json", "-")
    entry = done.contender("cpsat")
    assert (entry["memory"], done.code) == (4, 4)
    (trouble,) = entry["trouble"]
    assert "could not be opened: the memory limit is below the" in trouble["why"]


def test_an_exception_on_opening_is_an_error_and_not_unsupported(harness: Harness, puzzles: Path) -> None:
    done = harness("run", puzzles, "-b", "bad:mistaken", "--json", "-")
    assert done.code == 4
    entry = done.contender("bad:mistaken")
    assert (entry["error"], entry["unsupported"]) == (4, 0)
    (trouble,) = entry["trouble"]
    text, _, where = trouble["why"].partition(" (")
    assert text == "could not be opened: TypeError: 'NoneType' object is not iterable"
    assert "misbehaving.py:" in where


def test_an_unsupported_formula_of_one_puzzle_leaves_only_that_puzzle_unsupported(
    harness: Harness, tmp_path: Path
) -> None:
    boards = tmp_path / "two.txt"
    boards.write_text("#: sudoku 2x2\n1234341221434321\n................\n")
    done = harness("run", boards, "-b", "bad:picky/reduced", "--json", "-")
    entry = done.contender("bad:picky/reduced")
    assert (entry["solved"], entry["unsupported"], entry["error"]) == (1, 1, 0)
    (trouble,) = entry["trouble"]
    assert (trouble["puzzle"], trouble["times"]) == ("two.txt:3", 1)
    assert trouble["why"] == "unsupported: bad:picky takes one variable"


@pytest.mark.slow
def test_a_crash_under_a_parent_with_much_memory_is_not_a_memory_out(
    installed_plugins: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), str(PLUGINS)]))
    held = np.ones(50_000_000)  # 400 MB, which a child of this process is counted as having had
    contenders, _ = resolve(["bad:segfault"])
    block = Block(1, LATIN, np.array([1]), pack(LATIN, [LATIN.open]))
    with LocalPlaces(contenders, RunSettings(memory=700 << 20)) as places:
        (result,) = run_leases(places, iter([Lease(block, 0, (0,))]))
    assert Reason(int(result.outcomes[0].rows["reason"][0])) is Reason.CRASH
    assert held.size
