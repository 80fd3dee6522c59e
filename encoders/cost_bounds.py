"""The cost of soft clauses, bounded by clauses: for SAT solvers, which have no sums of their own.

A soft clause of several literals gets a variable that is true if the clause is false. A bound is written in the
encoding of sums that the formula names; a tighter one is written anew, and the former stays.
"""

from array import array
from dataclasses import replace

import numpy as np

from encoders.axes import Axes
from encoders.formula import Int32Array, Wcnf
from encoders.linear.rows import compare
from encoders.variables import VARIABLES


class CostBounds:
    """Bounds on the cost of one formula.

    clauses  that define the variables, beside those of the formula
    wanted   literals that save cost if they are true
    """

    def __init__(self, formula: Wcnf) -> None:
        axes = replace(Axes(), linear=formula.linear)
        self.variables = VARIABLES[axes.variables]([], axes)
        self.variables.count = formula.hard.variables
        self.offset = formula.offset
        self.terms: list[tuple[int, int]] = []
        self.wanted: list[int] = []
        for weight, row in formula.soft_rows():
            if not row:
                self.offset += weight
                continue
            broken = -row[0] if len(row) == 1 else self.variables.new()
            if len(row) > 1:
                self.variables.add([*row, broken])
            self.wanted.append(-broken)
            self.terms.append((weight, self.variables.indicator(broken)))
        self.clauses = self.taken()

    def at_most(self, value: int) -> Int32Array:
        """Return clauses for: the cost is at most a value. Raises TooLarge."""
        compare(self.variables, self.terms, "<=", value - self.offset)
        return self.taken()

    def taken(self) -> Int32Array:
        """Return the clauses since the last call."""
        v = self.variables
        found = v.clauses().copy() if v.blocks or len(v.flat) else np.empty(0, np.int32)
        v.flat, v.blocks = array("i"), []
        return found
