"""Peak memory of each ask."""

import numpy as np

from harness.reporting.pairing import Side
from harness.reporting.statistics import Floats


def peaks(side: Side) -> Floats:
    """Return float64[repeats, n], bytes of each ask, NaN where unknown."""
    columns = side.results.journal.outcomes.columns(side.of.number, "repeat", "puzzle", "peak")
    found = np.full(side.of.states.shape, np.nan)
    found[columns["repeat"], columns["puzzle"]] = np.where(columns["peak"] > 0, columns["peak"], np.nan)
    return found[:, side.ids]
