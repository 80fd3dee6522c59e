"""Solvers of python-sat and their capabilities."""

from dataclasses import dataclass

from backends.contract.answer import COUNTERS


@dataclass(frozen=True)
class Capabilities:
    """Capabilities of one of python-sat's solvers; `prefix` starts the names of its compiled functions.

    budget       can stop after a number of conflicts and resume
    interrupt    can be stopped by another thread and resume
    incremental  can solve repeatedly, with clauses and assumptions added in between
    at_most      supports cardinality constraints
    proof        writes a proof of unsatisfiability
    counters     the counters that it keeps
    """

    prefix: str
    budget: bool = True
    interrupt: bool = True
    incremental: bool = True
    at_most: bool = False
    proof: bool = False
    counters: tuple[str, ...] = COUNTERS
