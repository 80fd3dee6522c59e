"""The journal: what a run depends on and what came of it, in one SQLite file."""
