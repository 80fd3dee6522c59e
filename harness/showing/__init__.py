"""Puzzles and the work of solvers drawn for people."""
