"""Tasks that share a resource, boxes that do not overlap, and circuits, as CP-SAT's own constraints.

CP-SAT takes no heights and limits below 0, and lets no box of size 0 into another: such rows are posted otherwise.
"""

from collections.abc import Iterable, Sequence
from math import prod
from typing import Any

from backends.cpsat.posting.expressions import expression
from backends.cpsat.posting.model import LARGEST, PostedModel, check_size, negated
from encoders.decomposing import expressed
from puzzles.constraints.circuit import Circuit
from puzzles.constraints.cumulative import Cumulative
from puzzles.constraints.no_overlap import NoOverlap


def ends(model: PostedModel) -> list[tuple[int, int]]:
    """Return the least and the greatest number of each variable."""
    return [(domain[0], domain[-1]) for domain in model.domains]


def all_at_least(model: PostedModel, least: int, xs: Sequence[int]) -> bool:
    return all(model.domains[x][0] >= least for x in xs)


def most_areas(model: PostedModel, boxes: Iterable[Sequence[int]]) -> int:
    """Return the sum of the greatest areas of boxes, whose sides are variables; CP-SAT adds them up in 64 bits."""
    return sum(prod(abs(model.domains[x][-1]) for x in box) for box in boxes)


def interval(model: PostedModel, start: int, length: int) -> Any:
    """Return the interval of a start and a length, which is not negative."""
    x, numbers = model.variables[start], model.domains[length]
    if len(numbers) == 1:
        return model.cp.new_fixed_size_interval_var(x, numbers[0], "")
    low, high = (model.domains[start][i] + numbers[i] for i in (0, -1))
    check_size("sums", low, high)
    return model.cp.new_interval_var(x, model.variables[length], model.cp.new_int_var(low, high, ""), "")


def cumulative(model: PostedModel, constraint: Cumulative) -> None:
    for row in constraint.rows:
        starts, durations, heights, limit = row
        areas = most_areas(model, zip(durations, heights, strict=True))
        if not all_at_least(model, 0, (*durations, *heights, limit)) or areas >= LARGEST:
            expression(model, expressed(Cumulative((row,)), ends(model)))
            continue
        intervals = [interval(model, x, d) for x, d in zip(starts, durations, strict=True)]
        if all(model.domains[x] == (1,) for x in (*heights, limit)) and all_at_least(model, 1, durations):
            model.cp.add_no_overlap(intervals)
        else:
            model.cp.add_cumulative(intervals, model.of(heights), model.variables[limit])


def no_overlap(model: PostedModel, constraint: NoOverlap) -> None:
    for row in constraint.rows:
        origins, lengths, _ = row
        dimensions = max(map(len, origins), default=0)
        areas = most_areas(model, lengths)
        if dimensions in (1, 2) and all_at_least(model, 1, [x for box in lengths for x in box]) and areas < LARGEST:
            sides = zip(zip(*origins, strict=True), zip(*lengths, strict=True), strict=True)
            spans = [[interval(model, x, d) for x, d in zip(*side, strict=True)] for side in sides]
            (model.cp.add_no_overlap_2d if dimensions == 2 else model.cp.add_no_overlap)(*spans)
        else:
            expression(model, expressed(NoOverlap((row,)), ends(model)))


def circuit(model: PostedModel, constraint: Circuit) -> None:
    """Post arcs between nodes with the literals of successors; an arc from a node to itself leaves the node out."""
    for variables, start, comparison, bound in constraint.rows:
        nodes = range(len(variables))
        for x in variables:
            model.compare(model.variables[x], ">=", start)
            model.compare(model.variables[x], "<", start + len(variables))
        arcs = [(i, j, model.takes(x, start + j)) for i, x in enumerate(variables) for j in nodes]
        if possible := [arc for arc in arcs if arc[2] is not False]:
            model.cp.add_circuit(possible)
        elif variables:
            model.refuse()
        size = sum(negated(literal) for i, j, literal in arcs if i == j)
        model.compare(size, comparison, model.variables[bound])
