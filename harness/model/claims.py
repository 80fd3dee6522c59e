"""The number of solutions that corpora claim of their puzzles, in columns."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from backends.answer import Int32Array


@dataclass(frozen=True)
class CorpusClaims:
    """What the corpus claims of each puzzle, by id: count (-1 for nothing), and whether it is a lower bound."""

    count: Int32Array
    at_least: npt.NDArray[np.bool_]
