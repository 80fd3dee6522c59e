"""Parts of the check that ties a formula to its instance: its shape, and clauses with auxiliary variables."""
