"""Models that programs print as literals: contradictions, unknown variables, and variables left out."""

from collections.abc import Sequence

import numpy as np

from backends.programs.process import ProgramFailed
from puzzles.problem.arrays import BoolArray

LACKING = "its 'v' lines lack variables, which count as their least values: the competitions want every variable"


def named(model: Sequence[int], known: int, prefix: str = "") -> BoolArray:
    """Return True for each variable from 0 to `known` that a model names.

    Raises ProgramFailed if the model contradicts itself, or names another variable; `prefix` begins names of variables.
    """
    literals = np.array(model, np.int64)
    if (last := int(np.abs(literals).max(initial=0))) > known:
        kind = "" if prefix else "variable "
        variables = f"{prefix}1 to {prefix}{known}" if known else "none"
        raise ProgramFailed(f"the 'v' lines name {kind}{prefix}{last}, but the variables are {variables}")
    true, false = np.zeros(known + 1, np.bool_), np.zeros(known + 1, np.bool_)
    true[literals[literals > 0]] = True
    false[-literals[literals < 0]] = True
    if (both := np.flatnonzero(true & false)).size:
        raise ProgramFailed(f"the 'v' lines hold both {prefix}{both[0]} and -{prefix}{both[0]}")
    return true | false
