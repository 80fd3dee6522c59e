"""Effort of the README's command: a few of many parameters and examples; CI takes all of them."""

from collections.abc import Collection, Iterable
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

SHORT, LONG = "short", "long"  # profiles of Hypothesis
UNHURRIED = [HealthCheck.too_slow]  # a slow machine is no fault
EXAMPLES = 60  # of the long profile; the same ones each time
settings.register_profile(LONG, max_examples=EXAMPLES, derandomize=True, deadline=None, suppress_health_check=UNHURRIED)
settings.register_profile(SHORT, settings.get_profile(LONG), max_examples=25)


def slow_but(kept: Collection[Any], every: Iterable[Any]) -> list[Any]:
    """Return parameters of a test, marked slow but for these."""
    return [one if one in kept else slow(one) for one in every]


def slow_after(number: int, every: Iterable[Any]) -> list[Any]:
    """Return parameters of a test, marked slow after the first ones."""
    return [one if at < number else slow(one) for at, one in enumerate(every)]


def slow(one: Any) -> Any:
    """Return a parameter of a test, or a tuple of several, marked slow."""
    return pytest.param(*(one if isinstance(one, tuple) else (one,)), marks=pytest.mark.slow)


def examples(number: int) -> int:
    """Return the number of examples of a test that has `number` of them in the long profile."""
    return max(5, number * settings().max_examples // 100)
