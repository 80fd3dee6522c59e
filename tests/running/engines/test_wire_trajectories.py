"""Trajectories between a place and its client: restored as they were, and refused if no place can have made them."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("msgpack", reason="the extra `cluster` is not installed")

import msgpack

from harness.model.trajectory import Step, StepKind, Trajectory
from harness.running.engines.layout import Malformed, decode, encode
from harness.running.engines.messages import TRAJECTORY
from harness.running.engines.wire import BadResult, check_trajectories

values = st.none() | st.integers(-(10**40), 10**40)
amounts = st.integers(0, 2**40)
steps = st.builds(Step, amounts, st.sampled_from(StepKind), values, values)
trajectories = st.builds(Trajectory, st.lists(steps).map(tuple), values, values, amounts, amounts)


@given(trajectories)
def test_a_trajectory_arrives_as_it_was_sent(trajectory: Trajectory) -> None:
    arrived = decode(TRAJECTORY, encode(TRAJECTORY, trajectory))
    assert arrived == trajectory
    assert all(type(step.kind) is StepKind for step in arrived.steps)
    check_trajectories({0: arrived}, 1)


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        [[], None, None, 0],
        [{}, None, None, 0, 0],
        [[], 5, None, 0, 0],
        [[], "5.0", None, 0, 0],
        [[], "", None, 0, 0],
        [[], "9" * 5000, None, 0, 0],
        [[], None, 2.5, 0, 0],
        [[], None, None, 0, True],
        [[[1, 0, "5"]], None, None, 0, 0],
        [[[1, 7, "5", None]], None, None, 0, 0],
        [[[1, True, "5", None]], None, None, 0, 0],
        [[[1, 0, 5, None]], None, None, 0, 0],
    ],
)
def test_other_data_is_no_trajectory(data: Any) -> None:
    with pytest.raises(Malformed):
        decode(TRAJECTORY, msgpack.packb(data))


def test_what_no_place_can_have_made_is_refused() -> None:
    right = Trajectory((Step(1, StepKind.IMPROVED, 5),))
    check_trajectories({0: right, 1: right}, 2)
    bad = [replace(right, dropped=-1), replace(right, faults=-1), replace(right, steps=right.steps * 200_000)]
    bad += [replace(right, steps=(Step(ns, StepKind.IMPROVED, 5),)) for ns in (-1, 1 << 60)]
    for trajectory in bad:
        with pytest.raises(BadResult):
            check_trajectories({0: trajectory}, 1)
    for i in (-1, 2):
        with pytest.raises(BadResult):
            check_trajectories({i: right}, 2)
