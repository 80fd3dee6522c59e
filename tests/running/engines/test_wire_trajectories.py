"""Trajectories between a place and its client: restored as they were, and refused if no place can have made them."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.model.trajectory import Step, StepKind, Trajectory
from harness.running.engines.wire_trajectories import trajectory_data, trajectory_of

values = st.none() | st.integers(-(10**40), 10**40)
amounts = st.integers(0, 2**40)
steps = st.builds(Step, amounts, st.sampled_from(StepKind), values, values)
trajectories = st.builds(Trajectory, st.lists(steps).map(tuple), values, values, amounts, amounts)


@given(trajectories)
def test_a_trajectory_arrives_as_it_was_sent(trajectory: Trajectory) -> None:
    assert trajectory_of(trajectory_data(trajectory)) == trajectory


@pytest.mark.parametrize(
    "data",
    [
        None,
        (),
        ((), None, None, 0),
        ([], None, None, 0, 0),
        ((), "5", None, 0, 0),
        ((), None, 2.5, 0, 0),
        ((), None, None, -1, 0),
        ((), None, None, 0, True),
        ((), 1 << 20_000, None, 0, 0),
        (((1, 0, 5),), None, None, 0, 0),
        (((-1, 0, 5, None),), None, None, 0, 0),
        (((1, 7, 5, None),), None, None, 0, 0),
        (((1, 0, "5", None),), None, None, 0, 0),
        (((1 << 60, 0, 5, None),), None, None, 0, 0),
        (((1, 0, 5, None),) * 200_000, None, None, 0, 0),
    ],
)
def test_what_no_place_can_have_made_is_refused(data: Any) -> None:
    assert trajectory_of(data) is None
