"""Rehearsal of a competition: small instances, a solver run as an organiser runs it, and the faults of its protocol."""
