"""Times that a place states are checked against what the client saw: its clock may be wrong, its durations may not."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.model.outcome import NANO
from harness.running.engines.clocks import Exchange, Skew, now

YEAR = 365 * 86400 * NANO
TODAY = 56 * YEAR

skews = st.integers(-10 * YEAR, 10 * YEAR)
spans = st.integers(0, 3600 * NANO)


def exchange(at: int, skew: int, out: int, inside: int, back: int) -> Exchange:
    """Return an exchange at a place whose clock is ahead by `skew`: ns on the way there, at the place, and back."""
    return Exchange(at, at + out + inside + back, at + out + skew, at + out + inside + skew)


@given(skews, spans, spans, spans, spans, spans, spans)
def test_the_skew_of_a_clock_is_within_its_limits_and_later_leases_agree(
    skew: int, out: int, inside: int, back: int, out_later: int, inside_later: int, back_later: int
) -> None:
    first = exchange(TODAY, skew, out, inside, back)
    later = exchange(TODAY + YEAR, skew, out_later, inside_later, back_later)
    found = Skew.of(first)
    assert found.low <= skew <= found.high
    assert (first.faulty, later.faulty, found.faulty(later)) == ("", "", "")
    both = found.and_then(later)
    assert found.low <= both.low <= skew <= both.high <= found.high


@pytest.mark.parametrize("skew", [0, -3600 * NANO, YEAR])
def test_leases_of_another_time_are_refused(skew: int) -> None:
    known = Skew.of(exchange(TODAY, skew, 1000, 5 * NANO, 1000))
    right = exchange(TODAY + 60 * NANO, skew, 1000, NANO, 1000)
    for years, where in ((-56, "before it was sent"), (32, "after it was received")):
        shifted = replace(right, began=right.began + years * YEAR, ended=right.ended + years * YEAR)
        assert where in known.faulty(shifted)
        assert not shifted.faulty


def test_a_lease_does_not_take_longer_than_the_client_waited() -> None:
    right = exchange(TODAY, 0, 1000, NANO, 1000)
    assert replace(right, ended=right.began + 5 * NANO).faulty == "it took 5.000 s there, and 1.000 s passed here"
    assert replace(right, ended=right.began - 1).faulty


def test_a_clock_that_drifts_is_followed() -> None:
    known, at, skew = Skew.of(exchange(TODAY, 0, 1000, NANO, 1000)), TODAY, 0
    for _ in range(1000):
        at, skew = at + 3600 * NANO, skew + 3600 * NANO // 10_000  # 8.6 s a day
        lease = exchange(at, skew, 1000, NANO, 1000)
        assert not known.faulty(lease)
        known = known.and_then(lease)
    assert known.large
    assert str(known) == "360.000 s ahead of the client's, to within 0.000 s"


def test_the_clients_clock_goes_on() -> None:
    first = now()
    assert now() >= first
