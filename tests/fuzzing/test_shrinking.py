"""Shrinking works on crashes, hangs and memory-outs too, since each trial runs in a worker."""

import resource
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from harness.fuzzing.findings.finding import Case, Finding, read, write
from harness.fuzzing.reducing import shrinking
from harness.fuzzing.round_judge import Failure
from harness.fuzzing.sessions import Sessions
from harness.fuzzing.trial import CaseResult
from puzzles.boards.families import layout
from tests.conftest import Harness
from tests.effort import slow_after

LATIN = layout("latin 2")
CLASH = (1, 1, LATIN.full, 2)


@pytest.mark.parametrize(
    ("contender", "signature", "squares", "givens"),
    slow_after(
        1,
        [
            ("bad:segfault", "crash: died of SIGSEGV", 1, 0),
            ("planted:hoard", "memory", 2, 0),
            ("bad:bad_alloc", "memory", 1, 0),
            ("planted:hang", "timeout", 2, 0),
        ],
    ),
)
def test_a_case_without_an_answer_is_shrunk_like_a_wrong_one(
    harness: Harness,
    harness_process: Harness,
    tmp_path: Path,
    contender: str,
    signature: str,
    squares: int,
    givens: int,
) -> None:
    run = harness_process if signature == "memory" else harness  # a forked worker has the memory of these tests
    board = CLASH if contender.startswith("planted") else LATIN.open
    seconds = 1.5 if signature == "timeout" else 60.0  # on a busy machine a crash must not become a timeout
    held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10  # a worker's peak includes what these tests hold
    memory = 1 << 30 if signature == "memory" else held + (4 << 30)
    case = Case(contender, LATIN, (LATIN.open, board), 2, seconds=seconds, memory=memory)
    write(Finding(case, signature), tmp_path / "a.finding")
    done = run("shrink", "a.finding")
    assert done.code == 1, done.out + done.err
    small = read(tmp_path / "a.min.finding")
    assert small.signature == signature
    assert (len(small.case.asks), small.case.count, small.case.seconds, small.case.memory) == (1, 1, seconds, memory)
    assert (len(small.case.problem.variables), small.case.givens) == (squares, givens)
    assert harness("replay", "a.min.finding").code == 1


def test_a_case_that_no_longer_fails_is_left_unchanged(harness: Harness, tmp_path: Path) -> None:
    write(Finding(Case("native:python", LATIN, (CLASH,), 2), "unsatisfiable"), tmp_path / "a.finding")
    done = harness("shrink", "a.finding")
    assert (done.code, done.out, done.err) == (0, "a.finding: does not fail here\n", "")
    assert not (tmp_path / "a.min.finding").exists()


def test_an_endless_allocation_is_found_at_the_memory_limit(harness: Harness, tmp_path: Path) -> None:
    done = harness("fuzz", "--cases", 200, "-b", "planted:hoard", "-m", 512, "-t", 60, "-o", tmp_path / "found")
    assert done.code == 1, done.out
    (path,) = (tmp_path / "found").iterdir()
    assert read(path).signature == "memory"


class FakeContender:
    """Simulates a contender that fails if the first square is given, and Ctrl-C at one trial."""

    def __init__(self, stopped_at: int) -> None:
        self.trials, self.stopped_at = 0, stopped_at

    def run_case(self, sessions: Sessions, case: Case) -> CaseResult:
        self.trials += 1
        if self.trials == self.stopped_at:
            raise KeyboardInterrupt
        if not case.asks or case.asks[-1][0] != 1:
            return CaseResult(())
        none = SimpleNamespace(rows={"found": np.zeros(1, np.int64)}, solutions=np.zeros((0, 4), np.int64))
        return CaseResult(((len(case.asks) - 1, Failure(0, 1, "unsatisfiable", "none", none, 0)),))  # type: ignore[arg-type]


@pytest.mark.parametrize("stopped_at", [0, 2, 5, 7])
def test_interrupted_shrinking_returns_the_smallest_case_so_far(
    monkeypatch: pytest.MonkeyPatch, stopped_at: int
) -> None:
    fake = FakeContender(stopped_at)
    monkeypatch.setattr(shrinking, "run_case", fake.run_case)
    whole = Case("native:python", LATIN, (LATIN.open, (1, 2, LATIN.full, LATIN.full)), 2)
    small = shrinking.shrink(Finding(whole, "unsatisfiable"), 50)
    assert small is not None
    assert small.case.asks[-1][0] == 1
    assert small.case.givens <= 1 if not stopped_at else fake.trials <= stopped_at + 2


def test_shrinking_interrupted_before_any_failure_raises(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shrinking, "run_case", FakeContender(1).run_case)
    with pytest.raises(KeyboardInterrupt):
        shrinking.shrink(Finding(Case("native:python", LATIN, (CLASH,)), "unsatisfiable"), 50)
