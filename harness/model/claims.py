"""Numbers of solutions that corpora claim for their puzzles, in columns."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from puzzles.problem.arrays import Int64Array


@dataclass(frozen=True)
class CorpusClaims:
    """Claims of the corpora by puzzle id: the count (-1 for none), and True where it is a lower bound."""

    count: Int64Array
    at_least: npt.NDArray[np.bool_]
