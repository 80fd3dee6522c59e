"""Tasks that share a resource, boxes and circuits as rows.

cumulative  durations and heights that are numbers: a row for each start of a task (Pritsker, Watters & Wolfe 1969);
            else expressions
circuit     an order of the nodes, in binary: a successor comes later, unless it is the root (Miller, Tucker & Zemlin
            1960)
"""

from encoders.decomposing import expressed
from encoders.zero_one.expressions import add_expression
from encoders.zero_one.rows import Terms, ZeroOneRows, negated, sum_of, total
from encoders.zero_one.sums import add_all_different
from puzzles.constraints.all_different import AllDifferent
from puzzles.constraints.circuit import Circuit
from puzzles.constraints.cumulative import Cumulative, CumulativeRow
from puzzles.constraints.no_overlap import NoOverlap


def ends(rows: ZeroOneRows) -> list[tuple[int, int]]:
    """Return the least and the greatest number of each variable."""
    return [(numbers[0], numbers[-1]) if numbers else (0, 0) for numbers in rows.numbers]


def add_no_overlap(rows: ZeroOneRows, part: NoOverlap) -> None:
    add_expression(rows, expressed(part, ends(rows)))


def add_cumulative(rows: ZeroOneRows, part: Cumulative) -> None:
    for row in part.rows:
        _, durations, heights, _ = row
        if all(len(rows.numbers[x]) == 1 and rows.numbers[x][0] >= 0 for x in (*durations, *heights)):
            add_times(rows, row)
        else:
            add_expression(rows, expressed(Cumulative((row,)), ends(rows)))


def add_times(rows: ZeroOneRows, row: CumulativeRow) -> None:
    """Add a row for each time at which a task may start: the heights of the tasks that run then."""
    starts, durations, heights, limit = row
    rows.require(rows.number(limit), ">=", 0)
    tasks = [(x, rows.numbers[d][0], rows.numbers[h][0]) for x, d, h in zip(starts, durations, heights, strict=True)]
    tasks = [task for task in tasks if min(task[1:]) > 0]
    for time in sorted({n for x, _, _ in tasks for n in rows.numbers[x]}):
        taken = [
            (height, rows.takes(x, n))
            for x, duration, height in tasks
            for n in rows.numbers[x]
            if time - duration < n <= time
        ]
        rows.require(total(*taken, (-1, rows.number(limit))), "<=", 0)


def add_circuit(rows: ZeroOneRows, part: Circuit) -> None:
    for variables, start, comparison, bound in part.rows:
        size = len(variables)
        for x in variables:
            for n in rows.numbers[x]:
                if not start <= n < start + size:
                    rows.require(rows.takes(x, n), "<=", 0)
        add_all_different(rows, AllDifferent((variables,)))
        on = [negated(rows.takes(x, start + i)) for i, x in enumerate(variables)]
        rows.require(total((1, sum_of(on)), (-1, rows.number(bound))), comparison, 0)
        digits = range((size - 1).bit_length())
        position: list[Terms] = [total(*[(1 << k, rows.new()) for k in digits]) for _ in variables]
        earlier: Terms = {}  # a node before is on the circuit
        for j in range(size):
            some = rows.any_of([earlier, on[j]])
            root = total((1, some), (-1, earlier))
            earlier = some
            for i, x in enumerate(variables):
                if i != j and (arc := rows.takes(x, start + j)):
                    after = total((1, position[j]), (-1, position[i]), (1 << len(digits), root))
                    rows.require(after, ">=", 1, arc)
