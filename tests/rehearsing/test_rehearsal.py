"""Rehearsals: each planted fault of protocol is named and nothing else; what is written is what is meant."""

import re
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from harness.model.rules import rules_at
from harness.rehearsing.cases import ODD, WRITERS, cases_of
from harness.rehearsing.expected import expected, sentence
from harness.rehearsing.rehearsal import rehearse
from puzzles.problem import Instance, Problem
from tests.conftest import Harness

PLANTED = Path(__file__).with_name("planted.py")
SAT, PARALLEL, EXACT, ANYTIME = "sat-2025", "sat-2025-parallel", "maxsat-2024-exact", "maxsat-2024-anytime-60"
FAULTS = {
    "no final 0": (SAT, "the values do not end in 0"),
    "beyond header": (SAT, "a value of variable"),
    "second status": (SAT, "a second status line"),
    "wrong model": (SAT, "the values break the clause"),
    "proof": (SAT, "the proof does not check"),
    "leak": (SAT, "it left processes running: sleep 20"),
    "threads": (SAT, "threads ran at a time, on 1 allowed"),
    "answer behind SIGTERM": (SAT, "an answer behind SIGTERM"),
    "exit code": (PARALLEL, "exit code 0 for SATISFIABLE, where 10 is ruled"),
    "cost behind status": (EXACT, "a cost behind the status line"),
    "no model": (EXACT, "no values of an optimum"),
    "wrong cost": (EXACT, "the cost of the values is"),
    "nothing on SIGTERM": (ANYTIME, "no solution on SIGTERM"),
    "ignores SIGTERM": (ANYTIME, "it still ran"),
}


def rehearsed(fault: str, name: str) -> list[str]:
    """Return the faults of the planted solver under some rules, with a short grace that is ruled."""
    rules = rules_at(name)
    rules = replace(rules, unsure=(), protocol=replace(rules.protocol, grace=0.5))
    found = rehearse(rules, [sys.executable, "-S", str(PLANTED), fault], 0.7, 256)
    return [fault.why for one in found for fault in one.faults]


@pytest.mark.slow  # each runs seven processes, and waits for two limits
@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_named_and_nothing_else(fault: str) -> None:
    name, why = FAULTS[fault]
    found = rehearsed(fault, name)
    assert any(why in one for one in found)
    # Its threads use up the limit of CPU time on a busy machine, and it is killed meanwhile.
    told = (why, "it left processes running", "a small instance is not decided") if fault == "threads" else (why,)
    assert all(any(words in one for words in told) for one in found), found


@pytest.mark.slow  # as above
@pytest.mark.parametrize("name", [SAT, ANYTIME])
def test_a_solver_without_a_fault_is_accepted(name: str) -> None:
    assert rehearsed("none", name) == []


def test_a_fault_has_its_line_and_exits_1(harness: Harness, tmp_path: Path) -> None:
    solver = tmp_path / "solver"
    solver.write_text("#!/bin/sh\necho 'c hello'\necho 's SATISFIABLE'\necho 'v 1 -2'\nexit 10\n")
    solver.chmod(0o755)
    done = harness("rehearse", "-t", 1, PARALLEL, solver, "{instance}")
    assert done.code == 1
    assert "line 3, 'v 1 -2': the values do not end in 0" in done.out
    assert "a wrong answer: the instance is unsatisfiable" in done.out
    assert "an organiser would not accept it" in done.out


SLEEPING = "echo 'o 9'\nexec sleep 20\n"


@pytest.mark.slow  # waits for the limit of each case
@pytest.mark.parametrize(
    ("rules", "script", "told"),
    [
        (SAT, SLEEPING, "an o line, of an instance without an objective"),
        (EXACT, SLEEPING, "a small instance is not decided (SIGTERM after"),
        (ANYTIME, "trap '' TERM\nwhile :; do sleep 0.1; done\n", "nothing was decided: 0 of 3 small instances: an"),
        (
            PARALLEL,
            "echo 's UNKNOWN'\n",
            "memory                          UNKNOWN           0.0 s  not tested: it ended",
        ),
        (SAT, "echo 's UNSATISFIABLE'\nexit 20\n", "an organiser would not accept it; not tested: timeout, memory"),
    ],
)
def test_a_solver_that_never_answers_is_refused_and_a_limit_not_met_is_not_tested(
    rules: str, script: str, told: str, harness: Harness, tmp_path: Path
) -> None:
    solver = tmp_path / "solver"
    solver.write_text(f"#!/bin/sh\n{script}")
    solver.chmod(0o755)
    done = harness("rehearse", "-t", 0.3, rules, solver)
    assert done.code == 1
    assert told in re.sub(r"\b\d\.\d s ", "0.0 s ", done.out)


def test_a_missing_program_is_one_line(harness: Harness) -> None:
    done = harness("rehearse", SAT, "./no-such-solver")
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert "no-such-solver" in done.err


@pytest.mark.parametrize("language", ["cnf", "wcnf", "opb", "xcsp3"])
def test_cases_are_read_as_they_are_meant(language: str, tmp_path: Path) -> None:
    for case in cases_of(language, 64):
        if case.hard_to_solve:
            continue
        path = tmp_path / f"case.{'xml' if language == 'xcsp3' else language}"
        path.write_text(WRITERS[language](case))
        instance = read(path)
        assert len(instance.problem.variables) == (case.variables if language in ("cnf", "wcnf") else case.booleans)


def read(path: Path) -> Instance[Problem]:
    from harness.model.reading import read_puzzle
    from puzzles.readers.options import ReaderOptions

    return read_puzzle(str(path), ReaderOptions(None, notify=print), 1)


def test_an_odd_file_has_one_clause_a_line() -> None:
    lines = [line for line in WRITERS["cnf"](ODD).splitlines() if not line.startswith(("c", "p"))]
    assert all(line.split()[-1] == "0" and line.split().count("0") == 1 for line in lines)


def test_the_expected_rank_is_that_among_imported_results(harness: Harness, tmp_path: Path) -> None:
    def imported(name: str, solvers: dict[str, float]) -> Path:
        rows = [f"i{i},{who},sat,{seconds + i / 100}" for who, seconds in solvers.items() for i in range(12)]
        (tmp_path / "r.csv").write_text("\n".join(["instance,solver,status,seconds", *rows]) + "\n")
        path = tmp_path / name
        assert harness("import", "--format", "csv", tmp_path / "r.csv", "-t", 100, "-o", path).code == 0
        return path

    table = imported("table.sqlite", {"fast": 1.0, "middle": 10.0, "slow": 50.0})
    own = imported("own.sqlite", {"mine": 5.0})
    (mine,) = expected(rules_at(PARALLEL), str(table), str(own))
    assert (mine["rank"], mine["rank_low"], mine["rank_high"], mine["of"]) == (2, 2, 2, 4)
    assert sentence(mine) == "mine would rank 2 (2 to 2, 95 %) of 4 by par2 on 12 common instances, limit 100 s"
