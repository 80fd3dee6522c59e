"""Judge: check solutions and proofs, gather evidence, give verdicts."""
