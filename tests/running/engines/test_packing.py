"""Results as they travel: they return with all that a lease has."""

import pickle

from harness.model.lease import LeaseResult
from harness.running.engines.packing import Returned, received
from tests.running.fake_places import leases, solved

(LEASE,) = leases([3], 2)


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
