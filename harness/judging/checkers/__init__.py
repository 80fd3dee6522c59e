"""Checkers of proofs: backward for DRUP, forward for LRAT, and programs of others; texts and clauses."""
