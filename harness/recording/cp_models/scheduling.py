"""Intervals of a CP-SAT model and constraints on them: an absent interval has no length.

An interval that is there and may have no length is refused, since CP-SAT lets it into no other one.
"""

from typing import Any

from harness.model.errors import BadUsage
from harness.recording.cp_models.statements import MOST, FlatZincModel, Terms, listed


def interval_of(text: FlatZincModel, index: int, what: str) -> tuple[str, str]:
    """Return start and length of an interval, 0 where it is absent. Raises BadUsage."""
    constraint = text.proto.constraints[index]
    start, size = text.operand(constraint.interval.start), text.operand(constraint.interval.size)
    low, high = text.bounds(size)
    if low <= 0:
        raise BadUsage(f"intervals of a CpModel that may have no length are not taken in {what}")
    enforcers = list(constraint.enforcement_literal)
    if not enforcers:
        return start, size
    if len(enforcers) == 1 and enforcers[0] >= 0:
        present = f"v{enforcers[0]}"
    else:
        present = text.new(0, 1)
        text.add("bool2int", text.all_true(enforcers), present)
    made = text.new(0, high)
    if low == high:
        text.row({present: high, made: -1}, "eq", 0)
    else:
        text.add("int_times", present, size, made)
    return start, made


def add_interval(text: FlatZincModel, part: Any, enforcers: list[int]) -> None:
    start, end, size = (text.terms(affine) for affine in (part.start, part.end, part.size))
    total = Terms()
    for sign, (terms, _) in ((1, start), (1, size), (-1, end)):
        for x, a in terms.items():
            total[x] = total.get(x, 0) + sign * a
    offset = start[1] + size[1] - end[1]
    text.within({x: a for x, a in total.items() if a}, [-offset, -offset], enforcers)
    text.within(size[0], [-size[1], MOST], enforcers)


def add_no_overlap(text: FlatZincModel, part: Any) -> None:
    tasks = [interval_of(text, i, "no_overlap") for i in part.intervals]
    text.add("fzn_disjunctive", listed(start for start, _ in tasks), listed(size for _, size in tasks))


def add_rectangles(text: FlatZincModel, part: Any) -> None:
    sides = [[interval_of(text, i, "no_overlap_2d") for i in side] for side in (part.x_intervals, part.y_intervals)]
    lists = [listed(pair[k] for pair in side) for k in (0, 1) for side in sides]
    text.add("fzn_diffn_nonstrict", *lists)


def add_cumulative(text: FlatZincModel, part: Any) -> None:
    tasks = [interval_of(text, i, "cumulative") for i in part.intervals]
    starts, sizes = listed(start for start, _ in tasks), listed(size for _, size in tasks)
    text.add("fzn_cumulative", starts, sizes, listed(map(text.operand, part.demands)), text.operand(part.capacity))
