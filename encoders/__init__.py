"""Formulas: what goes into a solver. Nothing here imports one."""
