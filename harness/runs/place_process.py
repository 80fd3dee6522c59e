"""Process of a place of a cluster, with what stands above it in the order of imports: the checks of proofs."""

from harness.judging.proof_checker import ProofChecker
from harness.running.engines import place_child

if __name__ == "__main__":
    place_child.main(ProofChecker)
