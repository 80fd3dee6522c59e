"""Results as they travel: they return with all that a lease has, and only if they fit it."""

import pickle
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from harness.model.lease import LeaseResult
from harness.running.engines.packing import BadResult, Returned, SentPart, received
from tests.running.fake_places import leases, solved

Change = Callable[[tuple[SentPart, ...]], tuple[SentPart, ...]]
LEASE, OTHER = leases([3, 2], 2)


def test_a_result_is_the_same_after_its_way() -> None:
    first = received(LEASE, solved(LEASE, 5))
    again = received(LEASE, pickle.loads(pickle.dumps(Returned.of(first, []))))
    assert (again.began, again.ended, again.samples) == (first.began, first.ended, first.samples)
    for a, b in zip(first.outcomes, again.outcomes, strict=True):
        assert (a.rows == b.rows).all()
        assert (a.solutions == b.solutions).all()
        assert (a.batch.domains == LEASE.block.domains).all()
        assert a.details == b.details
    assert isinstance(first, LeaseResult)


def changed(part: SentPart, **columns: object) -> SentPart:
    """Return a part with other columns."""
    return replace(part, columns={**part.columns, **columns})


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda parts: parts[1:], "instances of contender"),
        (lambda parts: (*parts, parts[0]), "instances of contender"),
        (lambda parts: solved(OTHER).parts, "its instances"),
        (lambda parts: (replace(parts[0], contender=9), parts[1]), "its contender"),
        (lambda parts: (changed(parts[0], rows=parts[0].columns["rows"][1:]), parts[1]), "its rows"),
        (lambda parts: (changed(parts[0], solutions=np.zeros((3, 2), np.uint8)), parts[1]), "its solutions"),
    ],
)
def test_what_does_not_fit_its_lease_is_refused(
    change: Callable[[tuple[SentPart, ...]], tuple[SentPart, ...]], why: str
) -> None:
    result = solved(LEASE)
    with pytest.raises(BadResult, match=why):
        received(LEASE, replace(result, parts=change(result.parts)))
