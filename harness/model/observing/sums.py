"""Sums over the batches and places of a contender: added up, and read from the metadata of a run."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, Self


@dataclass
class ContenderSums:
    """Numbers of a contender that add up. A run's metadata hold them by contender, at `key`."""

    key: ClassVar[str]

    def plus(self, other: Self) -> Self:
        """Add two records field by field."""
        mine, more = asdict(self), asdict(other)
        return type(self)(**{name: mine[name] + more[name] for name in mine})

    @classmethod
    def stored(cls, facts: Mapping[str, Any]) -> dict[str, Self]:
        """Return the sums by contender from the metadata of a run; a journal may lack them."""
        return {name: cls(**sums) for name, sums in facts.get(cls.key, {}).items()}
