"""Tasks that share a resource, and circuits, as clauses.

cumulative  durations and heights that are numbers: at each start of a task, a literal for each task that runs then,
            in a weighted sum (Schutt et al. 2009); else expressions
circuit     an order variable for each node: a successor comes later, unless it is the root (Miller, Tucker & Zemlin
            1960)
"""

from encoders.decomposing import expressed
from encoders.gates import all_of
from encoders.integers import Variables
from encoders.kinds.counting import compare_count
from encoders.kinds.expressions import lower_expression
from encoders.kinds.units import lower_all_different
from encoders.linear.rows import compare
from puzzles.constraints.all_different import AllDifferent
from puzzles.constraints.circuit import Circuit
from puzzles.constraints.cumulative import Cumulative, CumulativeRow


def ends(v: Variables) -> list[tuple[int, int]]:
    """Return the least and the greatest number of each variable."""
    return [(domain[0], domain[-1]) if len(domain) else (0, 0) for domain in v.domains]


def lower_cumulative(constraint: Cumulative, v: Variables) -> None:
    """Add clauses for all rows. Raises TooLarge."""
    for row in constraint.rows:
        _, durations, heights, _ = row
        if all(len(v.domains[x]) == 1 and v.domains[x][0] >= 0 for x in (*durations, *heights)):
            lower_times(row, v)
        else:
            lower_expression(expressed(Cumulative((row,)), ends(v)), v)


def lower_times(row: CumulativeRow, v: Variables) -> None:
    """Add a sum for each time at which a task may start: the heights of the tasks that run then."""
    starts, durations, heights, limit = row
    v.add((v.ge(limit, 0),))
    tasks = [(x, v.domains[d][0], v.domains[h][0]) for x, d, h in zip(starts, durations, heights, strict=True)]
    tasks = [task for task in tasks if min(task[1:]) > 0]
    for time in sorted({n for x, _, _ in tasks for n in v.domains[x]}):
        terms = []
        for x, duration, height in tasks:
            if v.domains[x][0] <= time < v.domains[x][-1] + duration:
                running = all_of(v, [v.ge(x, time - duration + 1), -v.ge(x, time + 1)])
                terms.append((height, v.indicator(running)))
        compare(v, [*terms, (-1, limit)], "<=", 0)


def lower_circuit(constraint: Circuit, v: Variables) -> None:
    """Add clauses for all rows. Raises TooLarge."""
    for variables, start, comparison, bound in constraint.rows:
        size = len(variables)
        for x in variables:
            v.add((v.ge(x, start),))
            v.add((-v.ge(x, start + size),))
        lower_all_different(AllDifferent((variables,)), v)
        outside = [v.eq(x, start + i) for i, x in enumerate(variables)]
        compare_count(v, [-x for x in outside], comparison, bound)
        position = [v.integer(tuple(range(size))) for _ in variables]
        first = v.true  # all nodes so far are outside
        for j in range(size):
            root = all_of(v, [first, -outside[j]])
            first = all_of(v, [first, outside[j]])
            for i, x in enumerate(variables):
                if i != j and start + j in v.domains[x]:
                    follow(v, position[i], position[j], [-v.eq(x, start + j), root])


def follow(v: Variables, x: int, y: int, unless: list[int]) -> None:
    """Add clauses for: the number of y is above that of x, or one of `unless` is true."""
    for n in v.domains[x]:
        v.add([*unless, -v.ge(x, n), v.ge(y, n + 1)])
