"""Problems are equal if their content is: sessions stay open and formulas are made once."""

import pickle
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from harness.fuzzing.sessions import Sessions, batch
from harness.model.contender import resolve
from harness.model.lease import Block, Lease
from harness.model.settings import RunSettings
from harness.running.engines.local import LocalPlaces
from harness.running.workers.problem_file import SentProblem, Written
from harness.running.workers.worker_process import WorkerProcess
from puzzles.boards import families
from puzzles.boards.layout import Layout
from puzzles.problem.columns import pack
from tests.running.leasing import run_leases

pytestmark = pytest.mark.usefixtures("forked")

FOUR = families.layout("sudoku 2x2")
OTHER = families.layout("latin 4")


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that receives the names of the problems that workers open."""
    names: list[str] = []
    really = WorkerProcess.open

    def counted(self: WorkerProcess, file: Written | SentProblem, *given: Any) -> bool:
        names.append(file.problem.name)
        return really(self, file, *given)

    monkeypatch.setattr(WorkerProcess, "open", counted)
    return names


def lease(problem: Layout, number: int = 1) -> Lease:
    """Return a lease of the open board, for one contender."""
    return Lease(Block(number, problem, np.array([number]), pack(problem, [problem.open])), 0, (0,))


def copies() -> Iterator[Lease]:
    """Yield a lease, its pickled copy, and one of the same problem under another name."""
    first = lease(FOUR)
    yield first
    yield pickle.loads(pickle.dumps(first))
    yield lease(Layout("under another name", FOUR.squares, FOUR.values, FOUR.units))


def test_a_session_stays_open_over_equal_problems(opened: list[str]) -> None:
    contenders, _ = resolve(["native:python"])
    with LocalPlaces(contenders, RunSettings()) as places:
        outcomes = [batch for result in run_leases(places, copies()) for batch in result.outcomes]
    assert [int(o.rows["found"][0]) for o in outcomes] == [1, 1, 1]
    assert opened == ["sudoku 2x2"]


def test_another_problem_opens_a_new_session(opened: list[str]) -> None:
    contenders, _ = resolve(["native:python"])
    with LocalPlaces(contenders, RunSettings()) as places:
        assert len(list(run_leases(places, map(lease, (FOUR, OTHER, FOUR))))) == 3
    assert opened == ["sudoku 2x2", "latin 4", "sudoku 2x2"]


def test_renewed_sessions_open_the_same_problem_again(opened: list[str]) -> None:
    contenders, _ = resolve(["native:python"])
    with Sessions(contenders, RunSettings()) as sessions:
        sessions.solve([batch(0, FOUR, [FOUR.open])], RunSettings())
        sessions.solve([batch(0, FOUR, [FOUR.open])], RunSettings())
        assert len(opened) == 1
        sessions.renew()
        sessions.solve([batch(0, FOUR, [FOUR.open])], RunSettings())
    assert len(opened) == 2
