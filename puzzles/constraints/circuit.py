"""Circuit: each node states its successor, and the nodes that are not their own successor form one circuit.

    successors[i] = start + j, where node j follows node i

The number of nodes on the circuit compares with the number of a variable. It may be 0: then each node is its own
successor. A successor outside the nodes breaks the constraint.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from puzzles.constraints.checks import check_index, check_indices, check_number, one_of
from puzzles.constraints.numbers import ORDER, Numbers, Row, Rows, exact, names_text
from puzzles.problem import Problem
from puzzles.problem.arrays import BoolArray

CircuitRow = tuple[tuple[int, ...], int, str, int]  # successors, number of the first node, comparison, bound


@dataclass(frozen=True)
class Circuit(Rows):
    """Rows: the nodes with other successors than themselves form one circuit, whose length compares with `bound`."""

    rows: tuple[CircuitRow, ...]
    kind: ClassVar[str] = "circuit"
    parts: ClassVar = (check_indices, check_number, one_of(*ORDER), check_index)

    def holds(self, numbers: Numbers, row: Row) -> BoolArray:
        variables, start, comparison, bound = row
        nodes = np.arange(len(variables))
        to = exact(numbers[:, list(variables)], 2) - start
        ok: BoolArray = np.all(np.sort(to, axis=1) == nodes, axis=1)  # each node follows one
        to = np.where(ok[:, None], to, nodes).astype(np.intp)
        on = to != nodes
        size, line = on.sum(axis=1), np.arange(len(numbers))
        if len(variables):
            first = at = np.argmax(on, axis=1)
            for step in range(1, len(variables)):
                at = to[line, at]
                ok &= (at != first) | (step >= size)
        compared: BoolArray = ORDER[comparison](size, numbers[:, bound]).astype(np.bool_)
        return ok & compared

    def words(self, numbers: Sequence[int], row: Row, problem: Problem) -> str:
        variables, start, comparison, bound = row
        names, size = problem.variables, len(variables)
        to = [numbers[x] - start for x in variables]
        for x, j in zip(variables, to, strict=True):
            if not 0 <= j < size:
                return f"{names[x]} is {numbers[x]}, outside {start} to {start + size - 1}"
            if to.count(j) > 1:
                return f"{j + start} follows {to.count(j)} nodes: {names_text(variables, problem)} is no circuit"
        on = [i for i in range(size) if to[i] != i]
        if on:
            circuit = [on[0]]
            while to[circuit[-1]] != on[0]:
                circuit.append(to[circuit[-1]])
            if len(circuit) < len(on):
                return f"{names_text([variables[i] for i in circuit], problem)} is a circuit without {len(on)} nodes"
        return f"a circuit of {len(on)} nodes, not {comparison} {names[bound]} = {numbers[bound]}"


KIND = Circuit
