"""The skew of a place's clock, from one question and its answer."""

from hypothesis import given
from hypothesis import strategies as st

from harness.model.outcome import NANO
from harness.running.engines.clocks import Skew, now

YEAR = 365 * 86400 * NANO
TODAY = 56 * YEAR

spans = st.integers(0, 3600 * NANO)


@given(st.integers(-10 * YEAR, 10 * YEAR), spans, spans, spans)
def test_the_skew_of_a_clock_is_within_its_limits(skew: int, out: int, inside: int, back: int) -> None:
    began = TODAY + out + skew
    found = Skew.of(TODAY, TODAY + out + inside + back, began, began + inside)
    assert found.low <= skew <= found.high


def test_a_large_skew_is_told() -> None:
    ahead = Skew.of(TODAY, TODAY + NANO, TODAY + 360 * NANO, TODAY + 361 * NANO)
    assert ahead.large
    assert str(ahead) == "360.000 s ahead of the client's, to within 0.000 s"
    assert not Skew.of(TODAY, TODAY + NANO, TODAY + 2, TODAY + NANO - 2).large


def test_the_clients_clock_goes_on() -> None:
    first = now()
    assert now() >= first
