"""Loops over the bytes of large formula files, compiled once by Numba, then loaded by llvmlite without Numba."""
