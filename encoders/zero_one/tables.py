"""Tables and automata as rows."""

from collections.abc import Sequence

from encoders.zero_one.rows import Terms, ZeroOneRows, sum_of, total
from puzzles.constraints.automaton import Automaton, Transition
from puzzles.constraints.table import STAR, Table


def add_table(rows: ZeroOneRows, part: Table) -> None:
    tuples = list(dict.fromkeys(map(tuple, part.rows.tolist()))) if part.scopes else []
    for scope in part.scopes:
        if part.positive:
            add_listed(rows, scope, tuples)
        else:
            for row in tuples:
                named = [rows.takes(x, n) for x, n in zip(scope, row, strict=True) if n != STAR]
                rows.require(sum_of(named), "<=", len(named) - 1)


def add_listed(rows: ZeroOneRows, scope: Sequence[int], tuples: Sequence[Sequence[int]]) -> None:
    """Add a Boolean for each tuple, one of them true. A candidate is true where a tuple with its number is.

    With stars, a tuple implies its candidates; it may be one of several that match.
    """
    known = [set(rows.numbers[x]) for x in scope]
    possible = [row for row in tuples if all(n == STAR or n in numbers for n, numbers in zip(row, known, strict=True))]
    chosen = [rows.new() for _ in possible]
    rows.require(sum_of(chosen), "=", 1)
    for i, x in enumerate(scope):
        having: dict[int, list[Terms]] = {n: [] for n in rows.numbers[x]}
        for row, indicator in zip(possible, chosen, strict=True):
            if row[i] != STAR:
                having[row[i]].append(indicator)
        sign = ">=" if any(row[i] == STAR for row in possible) else "="
        for n, indicators in having.items():
            rows.require(total((1, rows.takes(x, n)), (-1, sum_of(indicators))), sign, 0)


def add_automaton(rows: ZeroOneRows, part: Automaton) -> None:
    """Add an automaton as a flow of 1 from the start to a final state, with a Boolean per transition and position."""
    for scope in part.scopes:
        flow: dict[int, list[Terms]] = {part.start: [{0: 1}]}  # flow into each state
        for x in scope:
            flow = add_step(rows, part.transitions, x, flow)
        rows.require(sum_of(into for state in set(part.finals) for into in flow.get(state, ())), "=", 1)


def add_step(
    rows: ZeroOneRows, transitions: Sequence[Transition], x: int, flow: dict[int, list[Terms]]
) -> dict[int, list[Terms]]:
    """Add the transitions on one variable, and return the flow into each next state."""
    leaving: dict[int, list[Terms]] = {state: [] for state in flow}
    reading: dict[int, list[Terms]] = {n: [] for n in rows.numbers[x]}
    entering: dict[int, list[Terms]] = {}
    for state, n, following in dict.fromkeys(transitions):
        if state in flow and n in reading:
            moved = rows.new()
            leaving[state].append(moved)
            reading[n].append(moved)
            entering.setdefault(following, []).append(moved)
    for state, into in flow.items():
        rows.require(total((1, sum_of(into)), (-1, sum_of(leaving[state]))), "=", 0)
    for n, moves in reading.items():
        rows.require(total((1, rows.takes(x, n)), (-1, sum_of(moves))), "=", 0)
    return entering
