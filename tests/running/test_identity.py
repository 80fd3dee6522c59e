"""Problems are the same where their content is: sessions stay open, formulas are made once."""

import pickle
from collections.abc import Iterator

import pytest

from harness.fuzzing.sessions import Sessions, batch
from harness.model.contender import resolve
from harness.model.outcome import Batch
from harness.running.supervisor import supervise
from harness.running.worker_pool import Limits, Opened
from harness.running.worker_process import WorkerProcess
from puzzles import families
from puzzles.layout import Layout

FOUR = families.layout("sudoku 2x2")
OTHER = families.layout("latin 4")


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the problems that workers were opened on."""
    names: list[str] = []
    really = WorkerProcess.open

    def counted(self: WorkerProcess, problem: Layout, memory: int, warmup: int) -> bool:
        names.append(problem.name)
        return really(self, problem, memory, warmup)

    monkeypatch.setattr(WorkerProcess, "open", counted)
    return names


def copies() -> Iterator[Batch]:
    """The same batch as it was, as it arrives from elsewhere, and of a problem under another name."""
    first = batch(0, FOUR, [FOUR.open])
    yield first
    yield pickle.loads(pickle.dumps(first))
    yield batch(0, Layout("under another name", FOUR.squares, FOUR.values, FOUR.units), [FOUR.open])


def test_a_session_goes_on_over_batches_that_were_pickled(opened: list[str]) -> None:
    contenders, _ = resolve(["native:python"])
    outcomes = list(supervise(copies(), contenders, Limits(), [Opened()]))
    assert [int(o.rows["found"][0]) for o in outcomes] == [1, 1, 1]
    assert opened == ["sudoku 2x2"]


def test_another_problem_opens_another_session(opened: list[str]) -> None:
    contenders, _ = resolve(["native:python"])
    batches = [batch(0, p, [p.open]) for p in (FOUR, OTHER, FOUR)]
    assert len(list(supervise(iter(batches), contenders, Limits(), [Opened()]))) == 3
    assert opened == ["sudoku 2x2", "latin 4", "sudoku 2x2"]


def test_sessions_that_are_renewed_open_the_same_problem_again(opened: list[str]) -> None:
    contenders, _ = resolve(["native:python"])
    with Sessions(contenders, Limits()) as sessions:
        sessions.solve([batch(0, FOUR, [FOUR.open])], Limits())
        sessions.solve([batch(0, FOUR, [FOUR.open])], Limits())
        assert len(opened) == 1
        sessions.renew()
        sessions.solve([batch(0, FOUR, [FOUR.open])], Limits())
    assert len(opened) == 2
