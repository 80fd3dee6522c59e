"""Loops over the bytes of large formula files, compiled by Numba once and loaded by llvmlite without it."""
