"""A deadline ends a search of python-sat's solvers, and changes nothing else."""

from random import Random
from threading import Event
from time import perf_counter_ns as now

import pytest

from backends.pysat import SOLVERS
from backends.pysat.handle import SolverHandle
from backends.shared.watchdog import Watchdog
from puzzles.generating.cnf_files import Formula, pigeonhole, random_clauses
from tests.effort import slow_after

LIMITED = [name for name, features in SOLVERS.items() if features.budget]
WATCHED = [name for name in LIMITED if SOLVERS[name].interrupt]
SECOND = 10**9  # ns


def handle_of(name: str, formula: Formula) -> SolverHandle:
    handle = SolverHandle(name, SOLVERS[name], {})
    handle.load(formula[1])
    return handle


@pytest.mark.parametrize("name", slow_after(4, WATCHED))
def test_a_search_with_a_deadline_has_the_conflicts_of_one_without(name: str) -> None:
    formula = random_clauses(130, 560, 3, Random(4))
    limited, plain = handle_of(name, formula), handle_of(name, formula)
    assert limited.solve(now() + 60 * SECOND) == plain.solver.solve()
    assert limited.counters() == plain.counters()
    assert limited.counters()["conflicts"] > 100
    limited.delete()
    plain.delete()


@pytest.mark.parametrize("name", slow_after(4, LIMITED))
def test_a_search_that_was_ended_goes_on_when_asked_again(name: str) -> None:
    handle = handle_of(name, pigeonhole(13))
    assert handle.solve(now() + SECOND // 10) is None
    handle.load([[-x] for x in range(1, 14)])
    assert handle.solve(now() + 60 * SECOND) is False
    handle.delete()


def test_a_deadline_in_the_past_starts_no_search() -> None:
    handle = handle_of("minisat22", pigeonhole(2))
    assert handle.solve(now() - 1) is None
    handle.delete()


def test_the_watchdog_interrupts_while_the_block_lasts_and_never_after() -> None:
    watchdog, first, second = Watchdog(), Event(), Event()
    with watchdog.watching(now(), first.set):
        assert first.wait(30)
    first.clear()
    with watchdog.watching(now(), second.set):
        assert second.wait(30)
    assert not first.is_set()


def test_the_watchdog_wakes_up_again() -> None:
    watchdog, rung = Watchdog(), Event()
    with watchdog.watching(now() + 3600 * SECOND, rung.set):
        assert watchdog.awake.is_set()
    watchdog.awake.clear()  # as after IDLE_POLLS
    with watchdog.watching(now(), rung.set):
        assert rung.wait(30)
