"""Counting with the solver: search with components and a cache (counters/search.py), whose dead ends it finds.

A large component is first searched for a model by CDCL, which learns why there is none where a search by branchings
alone would count to 0. The models of a component of hidden variables are not told apart: one is enough.
"""

from collections.abc import Mapping
from fractions import Fraction
from time import perf_counter_ns as now

import numpy as np

from backends.counters.counted import CompiledCount, CountAsk, TooLate
from backends.counters.search import ComponentSearch, Rows, searched
from backends.native.cdcl.models import CdclModels
from backends.native.cdcl.rules import ClausesAndRules

LARGE = 48  # rows of a component that is searched for a model


class CdclSearch(ComponentSearch):
    """Search whose large components are decided by CDCL."""

    def has_model(self, rows: Rows) -> bool:
        """Return True if a component has a model, and of a small one in any case. Raises TooLate."""
        if len(rows) < LARGE:
            return True
        number = {x: i for i, x in enumerate(sorted({abs(p) for row in rows for p in row}), 1)}
        flat = [(number[p] if p > 0 else -number[-p]) if p else 0 for row in rows for p in (*row, 0)]
        seconds = (self.asked.deadline - now()) / 1e9
        found = CdclModels(ClausesAndRules(np.array(flat, np.int32), len(number)), [], seconds, False).solve()
        if found is None:
            raise TooLate
        return found


def count(asked: CountAsk, options: Mapping[str, int]) -> Fraction | CompiledCount:
    """Return the exact count."""
    return searched(CdclSearch(asked))
