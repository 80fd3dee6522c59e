"""Encodings of problems as formulas, the input of solvers. Nothing here imports a solver."""
