"""All-different units and clauses, which need no decomposition."""

import numpy as np

from encoders.integers import Variables
from puzzles.constraints.all_different import AllDifferent
from puzzles.constraints.clauses import Clauses


def lower_all_different(differ: AllDifferent, v: Variables) -> None:
    """Allow each number once in a unit; where a unit has as many numbers as variables, each number occurs.

    Raises TooLarge.
    """
    groups: dict[int, list[list[int]]] = {}
    for unit in dict.fromkeys(differ.units):
        literals_of: dict[int, list[int]] = {}
        for x in unit:
            for i, n in enumerate(v.domains[x]):
                literals_of.setdefault(n, []).append(v.equals(x, i))
        if len(unit) > len(literals_of):
            v.add(())
        for literals in literals_of.values():
            if len(unit) == len(literals_of):
                v.add(literals)
            if v.constant in literals:  # a variable of one number
                literals.remove(v.constant)
                for x in literals:
                    v.add((-x,))
            elif len(literals) > 1:
                groups.setdefault(len(literals), []).append(literals)
    v.exclude([np.array(rows, np.int32) for rows in groups.values()])


def lower_clauses(clauses: Clauses, v: Variables) -> None:
    """Add clauses over "variable x takes 1", unchanged where that is the literal x + 1."""
    if v.booleans and v.domains[0][1] == 1:
        v.flat.frombytes(clauses.flat.astype(np.int32, copy=False).tobytes())
        return
    for row in clauses.rows:
        v.add([v.eq(x - 1, 1) if x > 0 else -v.eq(-x - 1, 1) for x in row])
