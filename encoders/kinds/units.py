"""All-different units and clauses, which need no decomposition."""

import numpy as np

from encoders.formula import Unsupported
from encoders.integers import Variables
from puzzles.constraints.all_different import AllDifferent
from puzzles.constraints.clauses import Clauses


def lower_all_different(differ: AllDifferent, v: Variables) -> None:
    """Allow each number once in a unit; where a unit has as many numbers as variables, each has a place.

    Raises TooLarge.
    """
    groups: dict[int, list[list[int]]] = {}
    for unit in dict.fromkeys(differ.units):
        places: dict[int, list[int]] = {}
        for x in unit:
            for i, n in enumerate(v.domains[x]):
                places.setdefault(n, []).append(v.equals(x, i))
        if len(unit) > len(places):
            v.add(())
        for literals in places.values():
            if len(unit) == len(places):
                v.add(literals)
            if v.constant in literals:  # a variable of one number
                literals.remove(v.constant)
                for x in literals:
                    v.add((-x,))
            elif len(literals) > 1:
                groups.setdefault(len(literals), []).append(literals)
    v.exclude([np.array(rows, np.int32) for rows in groups.values()])


def lower_clauses(clauses: Clauses, v: Variables) -> None:
    """Add clauses over Boolean variables unchanged. Raises Unsupported if the problem has other variables."""
    if v.booleans or not len(clauses.flat):
        v.flat.frombytes(clauses.flat.astype(np.int32, copy=False).tobytes())
        return
    raise Unsupported("clauses are supported where all variables are 0 or 1")
