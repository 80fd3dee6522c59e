"""Work that no time is measured of has a limit of CPU time: a busy machine loses nothing, and what waits ends."""

from types import SimpleNamespace
from typing import cast

import pytest

from harness.judging.checking_process import CheckingProcess
from harness.judging.proof_checker import ProofChecker
from harness.judging.proof_job import FORMULA, OURS, Job
from harness.model.settings import RunSettings
from harness.running.workers.cpu_limit import MIN_IDLE_S, WALL, CpuLimit


def begun(limit: float, cpu: float, seconds: float, before: float = 0.0) -> CpuLimit:
    """Return a watch over work that began `seconds` ago, was last looked at then, and has used `cpu` seconds."""
    used = iter([before, before + cpu, before + cpu])
    watch = CpuLimit(lambda: next(used), limit)
    watch.began, watch.looked, watch.due = watch.began - seconds, watch.looked - seconds, watch.due - seconds
    return watch


@pytest.mark.parametrize(
    ("limit", "cpu", "seconds", "said"),
    [
        (60.0, 8.0, 300.0, ""),  # a busy machine
        (60.0, 60.1, 61.0, "60 s of CPU time"),
        (60.0, 0.1, 61.0, "61 s with 0.1 s of CPU time"),  # waits
        (60.0, 59.0, 60 * WALL + 1.0, "1201 s with 59.0 s of CPU time"),
        (0.01, 0.0, 0.5, ""),  # has perhaps not begun
        (0.01, 0.02, 0.5, "0.01 s of CPU time"),
        (0.01, 0.0, MIN_IDLE_S, "1 s with 0.0 s of CPU time"),
    ],
)
def test_work_ends_by_its_cpu_time_or_if_it_waits_or_far_later(
    limit: float, cpu: float, seconds: float, said: str
) -> None:
    watch = begun(limit, cpu, seconds, before=5.0)
    assert watch.exceeded() == said
    assert said or watch.exceeded() == "", "the next look is put off"


@pytest.mark.parametrize("opened", [False, True])
def test_a_check_of_a_proof_on_a_busy_machine_goes_on(opened: bool) -> None:
    child = cast(CheckingProcess, SimpleNamespace(reply=lambda: None))
    checker = ProofChecker.__new__(ProofChecker)
    checker.child, checker.opened, checker.settings = child, opened, RunSettings()
    job = cast(Job, SimpleNamespace(checks=[FORMULA, OURS]))
    failures = list[str]()
    checker.fail = lambda job, why: failures.append(why)  # type: ignore[method-assign]
    checker.watch = begun(60.0, 8.0, 300.0)
    assert not checker.poll(job)
    checker.watch = begun(60.0, 60.5, 300.0)
    assert checker.poll(job)
    option = "(--proof-limit)" if opened else "to start (--open-limit)"
    assert failures == [f"time: more than 60 s of CPU time {option}"]
