"""Process of a place of a cluster, with what stands above it in the order of imports: the checks of proofs."""

from collections.abc import Mapping
from typing import Any, NoReturn

from harness.judging.proof_checker import ProofChecker
from harness.running.engines import dask_place


def main(data: Mapping[str, Any]) -> NoReturn:
    """Run the process of a place."""
    dask_place.main(data, ProofChecker)
