"""Merits that corpora claim for their instances, in columns."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from harness.model.merit import Index, Stated
from puzzles.problem.arrays import BoolArray


@dataclass(frozen=True)
class CorpusClaims:
    """Claimed merits by id of the instance, with True where a merit is a lower bound."""

    stated: Stated
    at_least: BoolArray

    @classmethod
    def none(cls, instances: int) -> Self:
        """Return no claim on instances 1 to `instances`."""
        return cls(Stated.none(instances + 1), np.zeros(instances + 1, np.bool_))

    def __getitem__(self, at: Index) -> "CorpusClaims":
        return CorpusClaims(self.stated[at], self.at_least[at])
