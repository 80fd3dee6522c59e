"""The process of a place, without Dask: it opens, runs a lease, and ends with its input or when nobody wants it."""

import os
import pickle
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.model.contender import resolve
from harness.model.settings import RunSettings
from harness.running.engines import tasks
from harness.running.engines.packing import Described, Packer, Returned, RunOrder, received
from harness.running.engines.tasks import DONE, ENDED, FAILED, GONE, Child, answer
from harness.running.fingerprint import difference, fingerprint
from tests.attacks.planting import wait_for
from tests.running.fake_places import leases

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="places have cores of Linux")
SETTINGS = RunSettings(warmup=0)
NAMES = ["native:python"]
ORDER = pickle.dumps(RunOrder(tuple(resolve(NAMES)[0]), SETTINGS.as_dict()))


class Wanted:
    """True while a task is wanted."""

    def __init__(self) -> None:
        self.yes = True

    def __call__(self) -> bool:
        return self.yes


@pytest.fixture
def wanted() -> Wanted:
    """A task that is wanted until the test says otherwise."""
    return Wanted()


@pytest.fixture
def child(tmp_path: Path, wanted: Wanted, monkeypatch: pytest.MonkeyPatch) -> Iterator[Child]:
    """A process of a place, with locks of its own; it is there while its task is wanted."""
    monkeypatch.setenv("CROSSCHECK_LOCKS", str(tmp_path))
    monkeypatch.setenv("OMP_NUM_THREADS", "7")  # as Dask's nanny sets it
    found = Child(wanted)
    yield found
    found.end()


def described(child: Child) -> Described:
    """Return how a place describes itself."""
    word, data = child.ask("open", ORDER).result(100)
    assert word == DONE
    found: Described = pickle.loads(data)
    return found


def test_a_place_has_our_fingerprint_runs_leases_and_ends_with_its_task(
    child: Child, wanted: Wanted, tmp_path: Path
) -> None:
    found = described(child)
    assert (found.why, found.busy) == ("", False)
    assert difference(fingerprint(NAMES, SETTINGS), found.fingerprint) == ""
    assert found.place is not None
    assert os.sched_getaffinity(child.process.pid) == {found.place.core}
    (lease,) = leases([2], 1)
    message, _ = Packer(tmp_path).packed(lease)
    word, data = answer(child.ask("lease", message), child, wanted)
    assert word == DONE
    returned: Returned = pickle.loads(data)
    (outcomes,) = received(lease, returned).outcomes
    assert len(outcomes.rows) == 2
    assert child.ask("finished_batches", []).result(100) == (DONE, b"")
    assert child.ask("lease", b"no lease").result(100)[0] == FAILED
    wanted.yes = False
    assert wait_for(lambda: child.process.returncode == -signal.SIGKILL)


def test_a_second_place_gets_no_core_that_another_has(child: Child, wanted: Wanted) -> None:
    first = described(child)
    others = [Child(wanted) for _ in range(len(os.sched_getaffinity(0)))]
    try:
        found = [described(other) for other in others]
    finally:
        for other in others:
            other.end()
    cores = [each.place.core for each in (first, *found) if each.place is not None]
    assert len(set(cores)) == len(cores)
    assert any(each.busy for each in found)


def test_the_end_of_the_process_and_of_the_task_are_told(child: Child, wanted: Wanted) -> None:
    asked = child.ask("open", ORDER)
    os.kill(child.process.pid, signal.SIGKILL)
    assert answer(asked, child, wanted) == (ENDED, b"its process has ended (SIGKILL)")
    assert answer(child.ask("open", ORDER), child, wanted)[0] == ENDED
    wanted.yes = False
    assert answer(child.ask("open", ORDER), child, wanted) == (GONE, b"")


def test_dasks_variables_are_none_of_the_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONHASHSEED", "6640")
    monkeypatch.setenv("KEPT", "yes")
    found = tasks.environment()
    assert ("PYTHONHASHSEED" in found, found["KEPT"]) == (False, "yes")
