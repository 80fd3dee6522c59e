"""Leases on an engine that runs nothing else."""

from collections.abc import Iterator

from harness.model.lease import Lease, LeaseResult
from harness.running.dealer import Dealer, Engine


def run_leases(engine: Engine, leases: Iterator[Lease]) -> Iterator[LeaseResult]:
    """Run leases, and yield their results."""
    for results in Dealer(engine, leases).run():
        yield from results
