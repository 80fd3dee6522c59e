"""Solutions and proofs checked, evidence gathered, verdicts given."""
