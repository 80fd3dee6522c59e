"""Journal: inputs and outcomes of a run in one SQLite file."""
