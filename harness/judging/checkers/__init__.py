"""Checkers of proofs: backward for DRAT, forward for LRAT, and programs of others; texts and clauses."""
