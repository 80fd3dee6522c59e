"""Series of plots by a number that contenders count or print, in place of times."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from harness.reporting.frame.log_statistics import by_instance
from harness.reporting.frame.results import Results, State
from harness.reporting.views.figures.definitions import Series


def counted(results: Results, series: Sequence[Series], name: str) -> list[Series]:
    """Return series with a number in place of times: decided instances without it are unknown."""
    found = []
    for one in series:
        values = by_instance(results, results.by_name[one.name], name)[1:]
        missing = one.decided & np.isnan(values)
        state = np.where(missing, np.int8(State.UNKNOWN), one.state)
        numbers = np.where(state == State.DECIDED, values, np.nan)
        found.append(replace(one, state=state, seconds=numbers, timed=bool((~np.isnan(numbers)).any()), shared=False))
    return found
