"""Compiled solvers of 9x9 Sudokus: kernels, their boards and batches."""
