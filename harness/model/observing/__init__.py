"""Observations by the parent of a run: clocks of its workers, its own presence, the basis of memory peaks."""
