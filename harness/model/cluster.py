"""Cluster: where the leases of a run are run, if not on this machine."""

from dataclasses import dataclass
from pathlib import Path
from typing import Self

from harness.model.errors import BadUsage

ENGINE = "dask:"


@dataclass(frozen=True)
class Cluster:
    """A scheduler, by its file or address; the folder of certificates; `same_cpu`: only places of one processor."""

    target: str
    certificates: Path | None = None
    same_cpu: bool = False

    @classmethod
    def parse(cls, text: str, certificates: str | None, same: str | None) -> Self:
        """Return the cluster that --on, --certificates and --same state. Raises BadUsage."""
        target = text.removeprefix(ENGINE)
        if target == text or not target:
            raise BadUsage(f"--on {text}: state a scheduler's file as {ENGINE}FILE, or its address")
        return cls(target, Path(certificates) if certificates else None, same == "cpu")


class ClusterLost(Exception):
    """The scheduler of a run is gone; the run can be resumed."""
