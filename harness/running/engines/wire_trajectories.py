"""Trajectories of searches for the best solution, as plain data between a place and its client."""

from typing import Any

from harness.model.trajectory import Step, StepKind, Trajectory
from harness.running.workers.following import MAX_STEPS

Data = tuple[Any, ...]
LONGEST_BITS = 14_000  # of a value, which then has fewer digits than Python converts
LONGEST_NS = 1 << 58


def trajectory_data(trajectory: Trajectory) -> Data:
    """Return a trajectory as tuples of integers and None."""
    steps = tuple((step.ns, int(step.kind), step.value, step.stated) for step in trajectory.steps)
    return steps, trajectory.stated, trajectory.bound, trajectory.dropped, trajectory.faults


def trajectory_of(data: Any) -> Trajectory | None:
    """Return the trajectory of such data, None if a place can't have made it."""
    if not (type(data) is tuple and len(data) == 5 and type(data[0]) is tuple and len(data[0]) <= MAX_STEPS + 1):
        return None
    steps, stated, bound, dropped, faults = data
    if not (is_value(stated) and is_value(bound) and is_amount(dropped) and is_amount(faults)):
        return None
    if not all(map(is_step, steps)):
        return None
    found = tuple(Step(ns, StepKind(kind), value, other) for ns, kind, value, other in steps)
    return Trajectory(found, stated, bound, dropped, faults)


def is_step(data: Any) -> bool:
    """Return True for a step: its time, kind, value, and stated value."""
    if not (type(data) is tuple and len(data) == 4):
        return False
    ns, kind, value, stated = data
    known = type(kind) is int and kind in tuple(StepKind)
    return known and is_amount(ns) and ns < LONGEST_NS and is_value(value) and is_value(stated)


def is_value(data: Any) -> bool:
    """Return True for a value of an objective, or none."""
    return data is None or (type(data) is int and data.bit_length() < LONGEST_BITS)


def is_amount(data: Any) -> bool:
    return type(data) is int and 0 <= data < 1 << 62
