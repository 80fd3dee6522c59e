"""Proofs of a turn are checked before the next turn begins, so complete turns can be kept while a lease runs."""

from collections import deque
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from harness.model.contender import resolve
from harness.model.lease import WHOLE, LeaseResult
from harness.model.outcome import ROW, Outcomes, without_solutions
from harness.model.settings import RunSettings
from harness.running.place import LeaseRunner
from harness.running.workers.run_context import OpenState, RunContext
from tests.running.fake_places import leases

NAMES = ["native:python", "native:norvig", "native:backtracking"]


class Checker:
    """Checks that take as long as a test says; `seen` has the turns of each beginning."""

    def __init__(self) -> None:
        self.seen: list[list[int]] = []
        self.done = False

    def begin(self, outcomes: list[Outcomes]) -> None:
        self.seen.append([some.batch.contender for some in outcomes])

    def advance(self) -> bool:
        return self.done


class Pool:
    """Pool whose batches are solved at once, each in two parts of one instance."""

    def __init__(self) -> None:
        self.waiting: deque[Any] = deque()
        self.paused = False

    def begin(self, batches: Iterator[Any]) -> None:
        self.waiting.extend(part for batch in batches for part in (batch.part(0, 1), batch.part(1, 2)))

    def busy(self) -> bool:
        return bool(self.waiting)

    def advance(self) -> Iterator[Outcomes]:
        while self.waiting and not self.paused:
            yield without_solutions(self.waiting.popleft(), np.zeros(1, ROW), {})


@pytest.fixture
def runner(tmp_path: Path) -> tuple[LeaseRunner, Checker]:
    """Return a place that begins a lease of two instances and three contenders, and its checker."""
    contenders, checker = resolve(NAMES)[0], Checker()
    reaper: Any = SimpleNamespace(folder=tmp_path, new_mark=str)
    opened = [OpenState() for _ in contenders]
    make: Any = lambda *_: checker  # noqa: E731
    found = LeaseRunner(RunContext(contenders, RunSettings(), opened, reaper, max_workers=3, checker=make), ())
    found.pool = Pool()  # type: ignore[assignment]
    (lease,) = leases([2], len(NAMES))
    found.begin(lease)
    return found, checker


def turns_of(result: LeaseResult | None) -> set[int]:
    """Return the turns of a result."""
    return {some.batch.contender for some in result.outcomes} if result else set()


def test_no_turn_begins_before_the_proofs_of_the_last_are_checked(runner: tuple[LeaseRunner, Checker]) -> None:
    place, checker = runner
    assert place.lease is not None
    first, second, third = place.lease.contenders
    assert place.advance() is None
    assert checker.seen == [[first, first]]
    assert place.advance() is None
    assert checker.seen == [[first, first]]
    checker.done = True
    result = place.advance()
    assert checker.seen == [[turn] * 2 for turn in (first, second, third)]
    assert result is not None
    assert (result.whole, turns_of(result)) == (WHOLE, {first, second, third})


def test_a_turn_is_kept_once_its_proofs_are_checked(runner: tuple[LeaseRunner, Checker]) -> None:
    place, checker = runner
    assert place.lease is not None
    first, second, _ = place.lease.contenders
    place.advance()
    assert place.part([]) is None
    place.check()
    checker.done = True
    place.check()
    assert turns_of(place.part([])) == {first}
    place.pool.paused, checker.done = False, False
    place.advance()
    assert checker.seen[1:] == [[second, second]]
    assert turns_of(place.part([])) == {first}
    assert place.part([first]) is None
