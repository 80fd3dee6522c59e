"""Real solvers that hang, crash or exhaust memory: clingo and Choco in a worker, a SAT solver as a program."""

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from backends.contract.answer import Reason
from backends.programs.known_programs import KNOWN
from harness.model.contender import resolve
from harness.model.lease import Block, Lease
from harness.model.settings import RunSettings
from harness.running.engines.local import LocalPlaces
from puzzles.constraints.expression import Expression
from puzzles.generating.cnf_files import cnf_text, pigeonhole
from puzzles.problem import Problem
from puzzles.problem.columns import pack
from puzzles.problem.values import Integers, Numbered
from tests.conftest import Harness, left_running
from tests.running.leasing import run_leases

SOLVER = next((words[0] for name in ("cadical", "kissat", "minisat") if (words := KNOWN[name].words())), None)
needs_clingo = pytest.mark.skipif(find_spec("clingo") is None, reason="needs `pip install clingo`")
needs_choco = pytest.mark.skipif(find_spec("pychoco") is None, reason="needs `pip install pychoco`")
needs_program = pytest.mark.skipif(SOLVER is None, reason="needs cadical, kissat or minisat")
PIGEONS = cnf_text(pigeonhole(12), [])  # takes a SAT solver long
EASY = "p cnf 2 2\n1 2 0\n-1 0\n"
MIB = 1 << 20


def product(least: int, most: int) -> Problem:
    """Return x * y * z = u, which clingo grounds for all combinations of their numbers, and does not interrupt."""
    tree = ("eq", ("mul", ("var", 0), ("var", 1), ("var", 2)), ("var", 3))
    return Problem("product", Numbered("x", 4), Integers(range(least, most)), (Expression((tree,)),))


def reasons(name: str, settings: RunSettings, *problems: Problem) -> list[tuple[Reason, str]]:
    """Return why a contender has no answer to each problem, and the detail, in one run."""
    contenders, _ = resolve([name])
    blocks = [Block(i, p, np.array([i + 1]), pack(p, [p.open])) for i, p in enumerate(problems)]
    with LocalPlaces(contenders, settings) as places:
        results = list(run_leases(places, (Lease(block, 0, (0,)) for block in blocks)))
    results.sort(key=lambda result: result.lease.block.number)
    outcomes = [result.outcomes[0] for result in results]
    return [(Reason(int(o.rows["reason"][0])), o.details.get(0, "")) for o in outcomes]


@needs_clingo
def test_a_solver_that_grounds_beyond_its_limit_is_killed_and_the_next_instance_is_solved() -> None:
    (hung, detail), (easy, _) = reasons("clingo", RunSettings(limit=2), product(2, 400), product(1, 4))
    assert (hung, easy) == (Reason.TIMEOUT, Reason.NONE)
    assert "killed after" in detail, "its own limit does not hold while it grounds"


@needs_clingo
def test_a_solver_that_grounds_beyond_the_memory_is_a_memory_out_and_the_next_instance_is_solved() -> None:
    settings = RunSettings(limit=100, memory=130 * MIB)
    (full, _), (easy, _) = reasons("clingo", settings, product(2, 400), product(1, 4))
    assert (full, easy) == (Reason.MEMORY, Reason.NONE)


@needs_choco
def test_a_solver_that_ends_its_process_is_a_crash_on_that_puzzle_only(harness: Harness, tmp_path: Path) -> None:
    (tmp_path / "two.txt").write_text("#: sudoku 2x2\n1234341221434321\n................\n")
    done = harness("run", "two.txt", "-b", "bad:choco", "-b", "native:python", "--json", "-")
    entry = done.contender("bad:choco")
    assert (entry["solved"], entry["error"]) == (1, 1)
    assert done.contender("native:python")["solved"] == 2
    assert "Unhandled exception" not in done.err


def chain(length: int) -> str:
    """Return a formula of implications, each of the next variable."""
    return cnf_text((length, [[-x, x + 1] for x in range(1, length)]), [])


# What befalls the program on the first file: the script that starts it, a function that makes that file, and the
# column that counts it.
MISFORTUNES: dict[str, tuple[str, Callable[[], str], str]] = {
    "hang": ('exec {solver} "$1"', lambda: PIGEONS, "timeout"),
    "crash": (
        '{solver} "$1" & test $(wc -c < "$1") -lt 99 || {{ sleep 0.1; kill -SEGV $!; }}; wait $!',
        lambda: PIGEONS,
        "error",
    ),
    "memory": ('ulimit -v 20000; exec {solver} "$1"', lambda: chain(300_000), "memory"),
}


@pytest.mark.programs
@needs_program
@pytest.mark.parametrize("kind", MISFORTUNES)
def test_a_program_that_fails_costs_it_that_instance_only(
    kind: str, harness: Harness, tmp_path: Path, environment: dict[str, str]
) -> None:
    script, hard, column = MISFORTUNES[kind]
    (tmp_path / "program").write_text(f"#!/bin/sh\n{script.format(solver=SOLVER)}\n")
    (tmp_path / "program").chmod(0o755)
    (tmp_path / "hard.cnf").write_text(hard())
    (tmp_path / "easy.cnf").write_text(EASY)
    done = harness(
        *("run", "hard.cnf", "easy.cnf", "-b", "dimacs:mine", "--program", "mine=./program {cnf}"),
        *("-t", 2 if kind == "hang" else 100, "--json", "-"),
    )
    entry = done.contender("dimacs:mine/extended")
    assert (entry[column], entry["solved"]) == (1, 1), entry["trouble"]
    assert left_running(environment) == []
